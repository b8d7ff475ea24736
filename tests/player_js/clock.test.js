// The clocks of the page are Python's, on every machine, at every size, with every fault.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { readFault } from "../../animations/player/web/core/faults.js";
import { loadOf, timeWithFaster } from "../../animations/player/web/core/link_load.js";
import { seatedSetup } from "../../animations/player/web/core/seats.js";
import { vectorBytes, timeRun } from "../../animations/player/web/core/timed_run.js";

const NEAR = 1e-9; // relative
const { runs } = JSON.parse(readFileSync(0, "utf8"));

/** Whether two times are the same; -1 stands for never. */
function same(found, wanted) {
  return wanted < 0 ? found === Infinity : Math.abs(found - wanted) <= NEAR * Math.max(wanted, 1e-12);
}

function assertTimes(found, wanted, what) {
  assert.equal(found.length, wanted.length, what);
  found.forEach((time, i) => assert.ok(same(time, wanted[i]), `${what} ${i}: ${time}, Python has ${wanted[i]}`));
}

test("every message, step and total is where Python's clocks have it", () => {
  assert.ok(runs.length);
  for (const { name, story, cases } of runs) {
    for (const { setting, bytes, timings } of cases) {
      const told = `${name} ${JSON.stringify(setting)}`;
      assert.equal(vectorBytes(story, setting.size), bytes, told);
      for (const fault of setting.faults) assert.ok(readFault(seatedSetup(story.setup, setting.moves), fault), `${told}: ${fault}`);
      for (const { clock, total, ends, start, end } of timings) {
        const found = timeRun(story, setting, clock);
        const all = (column) => found.messages.flatMap((step) => step[column]);
        assertTimes(all("start"), start, `${told} ${clock} start`);
        assertTimes(all("end"), end, `${told} ${clock} end`);
        assertTimes(found.ends, ends, `${told} ${clock} step`);
        assertTimes([found.total], [total], `${told} ${clock} total`);
      }
    }
  }
});

test("what links carry, for which share of the time, and what faster ones would change is Python's", () => {
  let [compared, moved] = [0, 0];
  for (const { name, story, cases } of runs) {
    for (const { setting, load } of cases) {
      if (!load) continue;
      const told = `${name} ${JSON.stringify(setting)}`;
      const found = loadOf(story, setting);
      assert.deepEqual(found.bytes, load.bytes, told);
      assertTimes(found.use, load.use, `${told} use`);
      assertTimes([found.latency], [load.latency], `${told} latency`);
      assert.ok(found.busiest.includes(load.link), told);
      assertTimes([timeWithFaster(story, setting, [load.link])], [load.faster], `${told} faster`);
      const steps = story.setup.links[0].map((_, link) => story.frames.reduce((sum, _, i) => sum + found.step(i + 1).bytes[link], 0));
      if (!story.setup.steps) assert.deepEqual(steps, load.bytes, `${told} by step`);
      compared++;
      moved += Number(setting.moves.length > 0);
    }
  }
  assert.ok(compared > 20 && moved > 20, `${compared} loads, ${moved} moved`);
});
