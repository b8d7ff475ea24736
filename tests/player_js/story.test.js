// Stories that were packed together are unpacked as they were; quantities read as Python's.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { bytesText } from "../../animations/player/web/core/amounts.js";
import { rateText, timeText } from "../../animations/player/web/core/quantities.js";
import { unpacked } from "../../animations/player/web/core/story.js";

const { packed, stories, times, sizes, rates } = JSON.parse(readFileSync(0, "utf8"));

test("stories are as they were", async () => {
  const plain = JSON.stringify(await unpacked(packed), (_, value) => {
    return value instanceof Uint16Array ? [...value] : value;
  });
  assert.deepEqual(JSON.parse(plain), stories);
});

test("quantities read as in Python", () => {
  assert.deepEqual(times.map(([value]) => timeText(value)), times.map(([, text]) => text));
  assert.deepEqual(sizes.map(([value]) => bytesText(value)), sizes.map(([, text]) => text));
  assert.deepEqual(rates.map(([value]) => rateText(value)), rates.map(([, text]) => text));
});
