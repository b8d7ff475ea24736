// What is built of chunks that differ in size is judged as Python judges it, at the same step.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { judged } from "../../animations/player/core/judge.js";
import { unpacked } from "../../animations/player/core/story.js";

const { packed, built } = JSON.parse(readFileSync(0, "utf8"));

test("the step that a workbench names is the one that Python refuses", async () => {
  const [story] = await unpacked(packed);
  const found = built.map(({ steps }) => judged(story, steps)).map(({ right, step }) => [right, step]);
  assert.deepEqual(found, built.map(({ right, step }) => [right, step]));
  assert.deepEqual(new Set(built.map(({ step }) => step)), new Set([0, 1, 2, 3]));
});
