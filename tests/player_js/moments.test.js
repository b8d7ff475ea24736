// A story in modeled time holds, moves and has sent at each moment what Python's film shows then.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { momentsOf } from "../../animations/player/web/core/compared/moments.js";
import { delaysOf, waitsOf } from "../../animations/player/web/core/effects.js";
import { createReplay } from "../../animations/player/web/core/replay.js";
import { OWN_SETTING } from "../../animations/player/web/core/setting.js";
import { unpacked } from "../../animations/player/web/core/story.js";
import { timeRun } from "../../animations/player/web/core/timed_run.js";

const cases = JSON.parse(readFileSync(0, "utf8"));

test("cells, steps under way, what is sent and who waits are those of the film at every moment", async () => {
  for (const { packed, clock, faults, moments } of cases) {
    const [own] = await unpacked(packed);
    const setting = { ...OWN_SETTING, faults };
    const timing = timeRun(own, setting, clock);
    const delays = delaysOf(own.setup, setting);
    const run = momentsOf(own, timing, delays);
    const replay = createReplay(run.story);
    const waits = waitsOf(timing, own.setup.nodes, delays);
    for (const { now, held, under_way, landed, begun, done, sent, waits: waiting } of moments) {
      const what = `${own.title}, ${clock} ${JSON.stringify(faults)} at ${now}`;
      const reached = run.reached(now);
      const cells = replay.at(reached);
      const found = own.cards.flatMap(([, , shape], node) =>
        own.shapes[shape].cells.map((_, well) => [node, well, run.story.contents[cells[replay.first[node] + well]]]));
      const whole = own.shows_ranks || !under_way.length; // a page's bars wait for all of a step
      if (whole) assert.deepEqual(found.filter(([, , content]) => content.length), held, what);
      assert.deepEqual(run.underWay(now), under_way, what);
      assert.deepEqual([run.landed(now), run.begun(now), run.done(now)], [landed, begun, done], what);
      const amounts = reached ? run.story.frames[reached - 1][3] : own.names.map(() => 0);
      if (!own.news) assert.deepEqual(amounts.map((i) => run.story.amounts[i]), sent, what);
      if (timing.total === Infinity || clock === "lockstep") continue; // where waits are at barriers
      const there = waits.filter(({ start, end }) => start <= now && now < end).map(({ node, other }) => [node, other]);
      assert.deepEqual(there.sort((one, other) => one[0] - other[0]), waiting, what);
    }
  }
});
