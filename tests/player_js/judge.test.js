// What is built of chunks that differ in size is judged as Python judges it, at the same step.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { verdictText } from "../../animations/player/web/core/draft_words.js";
import { judged } from "../../animations/player/web/core/judge.js";
import { unpacked } from "../../animations/player/web/core/story.js";
import { stepsOf } from "../../animations/player/web/core/task.js";

const { packed, built, sent } = JSON.parse(readFileSync(0, "utf8"));

test("the step that a workbench names is the one that Python refuses", async () => {
  const [story] = await unpacked(packed);
  const found = built.map(({ steps }) => judged(story, steps)).map(({ right, step }) => [right, step]);
  assert.deepEqual(found, built.map(({ right, step }) => [right, step]));
  const told = built.map(({ steps }) => verdictText(story, judged(story, steps)));
  built.forEach(({ step, sizes }, index) => {
    assert.equal(/another size/.test(told[index]), sizes, told[index]);
    assert.ok(!step || told[index].startsWith(`Step ${step} `), told[index]);
  });
  assert.deepEqual(new Set(built.map(({ step }) => step)), new Set([0, 1, 2, 3]));
});

test("the busiest rank is no switch", async () => {
  const [, story] = await unpacked(packed);
  const told = verdictText(story, judged(story, stepsOf(story)));
  assert.ok(told.includes(`The busiest rank sends ${sent} chunks (`), told);
});
