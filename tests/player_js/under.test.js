// A story under a setting is what Python draws there; cuts, late ranks, and the texts of faults.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { delaysOf, stepsMeet, waitsIn } from "../../animations/player/web/core/effects.js";
import { readFault } from "../../animations/player/web/core/faults.js";
import { createReplay } from "../../animations/player/web/core/replay.js";
import { OWN_SETTING, canStall, timeCommand } from "../../animations/player/web/core/setting.js";
import { after, createStore } from "../../animations/player/web/core/store.js";
import { unpacked } from "../../animations/player/web/core/story.js";
import { storyUnder } from "../../animations/player/web/core/under.js";

const { pages, cuts, late, texts } = JSON.parse(readFileSync(0, "utf8"));

test("counters, subtitle, sizes and what is sent are those of Python's page at that size, on those links", async () => {
  for (const { packed, cases } of pages) {
    const [own] = await unpacked(packed);
    for (const { setting, subtitle, counters, sizes, sent } of cases) {
      const story = storyUnder(own, setting);
      const what = `${own.title} ${JSON.stringify(setting)}`;
      assert.equal(story.subtitles[1].split(" · latency")[0].split(" · bandwidth")[0], subtitle, what);
      assert.deepEqual(story.counters.map((row) => row[2]), counters, what);
      assert.deepEqual(story.sizes, sizes, what);
      assert.deepEqual(story.frames.map((frame) => Array.from(frame[3], (i) => story.amounts[i])), sent, what);
    }
    assert.equal(storyUnder(own, OWN_SETTING), own);
  }
});

test("what a cut stops never arrives: cells, bytes and waits are those of Python's film", async () => {
  for (const { packed, faults, held, sent, waits } of cuts) {
    const [own] = await unpacked(packed);
    if (!canStall(own)) continue; // no cut is offered there
    const story = storyUnder(own, { ...OWN_SETTING, faults });
    const last = story.frames.length;
    const replay = createReplay(story);
    const cells = replay.at(last);
    const found = story.cards.flatMap(([, , shape], node) =>
      story.shapes[shape].cells.map((_, well) => [node, well, story.contents[cells[replay.first[node] + well]]]));
    assert.deepEqual(found.filter(([, , content]) => content.length), held, own.title);
    const amounts = story.names.map((_, node) => story.frames.reduce((_, frame) => frame[3][node] ?? 0, 0));
    assert.ok(story.timing.total === Infinity);
    if (story.frames[0][3].length && !story.news) assert.deepEqual(amounts.map((i) => story.amounts[i]), sent.map((bytes) => textOf(story, bytes)), own.title);
    assert.deepEqual(waitsIn(story, last).map(({ node, other }) => [node, other]).sort((a, b) => a[0] - b[0]), waits, own.title);
    assert.ok(story.counters[2][2].at(-1).startsWith("never"), own.title);
  }
});

/** Bytes as the story says them. */
function textOf(story, bytes) {
  return story.amounts.find((text) => text === inBytes(bytes)) ?? inBytes(bytes);
}

function inBytes(bytes) {
  if (!bytes) return "0 B";
  return `${bytes / 2 ** 20} MiB`;
}

test("a late rank lets steps overlap as Python has it, and they never collide", async () => {
  for (const { packed, faults, overlap, total } of late) {
    const [own] = await unpacked(packed);
    const story = storyUnder(own, { ...OWN_SETTING, faults });
    const found = stepsMeet(story);
    assert.ok(Math.abs(story.timing.total - total) <= 1e-9 * total);
    assert.ok(Math.abs(found.overlap - overlap) <= 1e-9 * total, `${own.title}: ${found.overlap}, Python has ${overlap}`);
    assert.deepEqual([found.crowded, found.early], [false, false], own.title);
    const { messages } = story.timing;
    const first = messages.findIndex(({ src }) => src.length);
    const shifted = (by) => messages.map((step, i) => (i === first + 1 ? { ...step, start: step.start.map((time) => time - by) } : step));
    const collide = stepsMeet({ ...story, timing: { ...story.timing, messages: shifted(total / 50) } });
    assert.deepEqual([collide.crowded, collide.early], [true, true], "messages that leave too early are seen");
  }
});

test("texts of faults are taken that Python takes, and no others", async () => {
  const [{ setup }] = await unpacked(pages[0].packed);
  for (const [kind, text, taken] of texts) assert.equal(!!readFault(setup, [kind, text]), taken, `--${kind} ${text}`);
});

test("faults take the place of those before, and are undone one by one", async () => {
  const stories = await unpacked(pages[0].packed);
  const { state } = createStore(stories);
  const once = after(state, { kind: "break", faults: [["late", "3=30us"]] }, stories);
  assert.deepEqual([once.machine, once.diagram], [true, "dataflow"]);
  const twice = after(once, { kind: "break", faults: [["late", "3=300us"]] }, stories);
  assert.deepEqual(twice.setting.faults, [["late", "3=300us"]]);
  const cut = after(twice, { kind: "break", faults: [["dead", "0-switch0"]] }, stories);
  assert.equal(timeCommand(stories[0], cut.setting), "collectives time all-reduce ring -n 8 --topology hgx-h100 --size 67108864B --clock dataflow --late 3=300us --dead 0-switch0");
  const setup = { ...stories[0].setup, command: ["time", "--latency", "1us", "--bandwidth", "450GB/s"] };
  const links = timeCommand({ ...stories[0], setup }, { ...OWN_SETTING, latency: 0.1, bandwidth: 2 });
  assert.equal(links, "time --latency 100ns --bandwidth 900GB/s --size 67108864B --clock lockstep");
  const undone = [1, 2, 3].reduce((now) => after(now, { kind: "mend" }, stories), cut);
  assert.deepEqual(undone.setting, OWN_SETTING);
  assert.equal(delaysOf(stories[0].setup, once.setting)[3], 3e-5);
});
