// What a page says of algorithms side by side under a setting is what Python says of them there.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { fastestBySize, standingOf } from "../../animations/player/web/core/compared/standing.js";
import { pathSentences, sentencesIn } from "../../animations/player/web/core/compared/sentences.js";
import { unpacked } from "../../animations/player/web/core/story.js";
import { vectorBytes } from "../../animations/player/web/core/timed_run.js";

const { words, cases } = JSON.parse(readFileSync(0, "utf8"));

/** What a generator returns in the end. */
function last(work) {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

test("who is done when, why, what each waits for, and at which sizes another one is faster", async () => {
  const sentences = sentencesIn(words);
  for (const { packed, settings } of cases) {
    const stories = await unpacked(packed);
    for (const { setting, names, finished, explanation, turn, paths, ranges } of settings) {
      const what = `${names} ${JSON.stringify(setting)}`;
      const all = stories.map((story, i) => standingOf(names[i], names[i], story, setting));
      const size = vectorBytes(stories[0], setting.size);
      assert.deepEqual(sentences.finishes(all).map(({ texts }) => texts), finished, what);
      assert.deepEqual([...pathSentences(sentences, all), ...sentences.reasons(all, size, setting.faults)], explanation, what);
      assert.deepEqual(all.map((each) => sentences.path(each)), paths, what);
      const running = [...stories.keys()].filter((number) => all[number].seconds < Infinity);
      const found = size ? last(fastestBySize(running.map((number) => stories[number]), setting)) : [];
      const numbered = found.map(([from, number]) => [from, running[number]]);
      assert.deepEqual(numbered, ranges, what);
      assert.deepEqual(sentences.turn(all, numbered, size), turn, what);
    }
  }
});
