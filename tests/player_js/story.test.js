// Stories that were packed together are unpacked as they were; quantities read as Python's.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { bytesText } from "../../animations/player/web/core/amounts.js";
import { rateText, timeText } from "../../animations/player/web/core/quantities.js";
import { boxOf, boxOfSum, overlap } from "../../animations/player/web/core/places.js";
import { followedMove, unpacked } from "../../animations/player/web/core/story.js";
import { equation } from "../../animations/player/web/core/words.js";

const { packed, stories, drawn, times, sizes, rates } = JSON.parse(readFileSync(0, "utf8"));

test("stories are as they were", async () => {
  const plain = JSON.stringify(await unpacked(packed), (_, value) => {
    return value instanceof Uint16Array ? [...value] : value;
  });
  assert.deepEqual(JSON.parse(plain), stories);
});

test("a sum lies beside the card that it is of, and inside of the stage", async () => {
  const covered = (await unpacked(drawn)).flatMap((story) => {
    const { dst, into } = followedMove(story, 1) ?? {};
    const text = dst === undefined ? "" : equation(story, dst, into, 1);
    if (!text) return [];
    const box = boxOfSum(story, dst, into, text);
    assert.ok(overlap(box, story.stage) > 0.999 * box[2] * box[3], story.title);
    assert.equal(overlap(box, boxOf(story, [dst])), 0, story.title);
    return story.cards.map((_, node) => overlap(box, boxOf(story, [node])) && story.title).filter(Boolean);
  });
  assert.deepEqual([...new Set(covered)], []);
});

test("quantities read as in Python", () => {
  assert.deepEqual(times.map(([value]) => timeText(value)), times.map(([, text]) => text));
  assert.deepEqual(sizes.map(([value]) => bytesText(value)), sizes.map(([, text]) => text));
  assert.deepEqual(rates.map(([value]) => rateText(value)), rates.map(([, text]) => text));
});
