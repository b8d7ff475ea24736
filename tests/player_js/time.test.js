// The time that the page computes equals Python's on a crossbar, step by step.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { loadsOf, startsOf, timesOf } from "../../animations/player/web/core/time.js";

const cases = JSON.parse(readFileSync(0, "utf8"));

test("every step ends when Python says, for each size, latency and bandwidth", () => {
  assert.ok(cases.length);
  for (const { name, steps, lanes, chunks, timed } of cases) {
    const loads = loadsOf(steps, lanes);
    for (const { size, latency, bandwidth, ends } of timed) {
      const found = timesOf(loads, { size, chunks, latency, bandwidth });
      assert.equal(found.length, ends.length + 1, name);
      ends.forEach((end, index) => {
        const off = Math.abs(found[index + 1] - end);
        assert.ok(off <= 1e-9 * end, `${name}, step ${index + 1}: ${found[index + 1]}, not ${end}`);
      });
    }
  }
});

test("a step waits for the messages that its ports start one after another", () => {
  assert.ok(cases.some(({ name, starts, steps }) => starts > steps.length));
  for (const { name, steps, lanes, chunks, starts, timed } of cases) {
    const [{ size, latency, bandwidth, ends }] = timed;
    const found = timesOf(loadsOf(steps, lanes), { size, chunks, latency, bandwidth }, startsOf(steps, lanes));
    const sending = steps.filter((step) => step.some(([src, dst]) => src !== dst)).length;
    const expected = (ends.at(-1) ?? 0) + (starts - sending) * latency;
    assert.ok(Math.abs(found.at(-1) - expected) <= 1e-9 * expected, `${name}: ${found.at(-1)}, not ${expected}`);
  }
});

test("messages of a port start one after another as Python says", () => {
  for (const { name, steps, lanes, starts } of cases) {
    const found = startsOf(steps, lanes).reduce((sum, number) => sum + number, 0);
    assert.ok(Math.abs(found - starts) <= 1e-9 * starts, `${name}: ${found}, not ${starts}`);
  }
});
