// Draws what a cell holds: a stripe for each rank, and its number where that fits.

import { svg } from "./elements.js";

const [APART, THINNEST] = [0.84, 3]; // a bar: its share of the pitch; so high that it is seen
export const PLAIN = 8; // ranks from here on are hatched: they share the hues of the first ones

/**
 * A pattern in the color of each rank from PLAIN on, as wide as suits the stripes.
 * @type {Mount}
 */
export function mountHatches(page, { story }) {
  const width = Math.min(Math.max(2 * story.bars[0][4], 6), 12);
  const height = width;
  for (let rank = PLAIN; rank < story.bars[0].length - 5; rank++) {
    const kind = { patternUnits: "userSpaceOnUse", patternTransform: "rotate(35)", width, height };
    const pattern = svg(page.hatches, "pattern", { id: `${page.id}-${rank}`, ...kind });
    svg(pattern, "rect", { class: "stripe", "data-rank": rank, width, height });
    svg(pattern, "rect", { class: "hatch", width: 0.3 * width, height });
  }
  return { slices: [], update() {} };
}

/**
 * What a cell holds, like a cell of `bars` in any size: a stripe for each bar at its own height,
 * with its label or number if that fits.
 * @param {Page} page
 * @param {Story} story
 * @param {Element} parent
 * @param {number} cell
 * @param {number[]} bars
 * @param {number[]} corner
 * @param {number[]} size
 */
export function drawContent(page, story, parent, cell, bars, [left, top], size = bars) {
  if (!cell) return;
  const [full, faint, ...labels] = story.contents[cell];
  const [wide, high] = [size[0] / bars[0], size[1] / bars[1]];
  const [dx, width] = [wide * bars[2], wide * bars[3]];
  const height = heightOf(bars, high);
  for (const [i, rank] of [...full, ...faint].entries()) {
    const [x, y] = [left + dx, top + high * (bars[5 + rank] + bars[4] / 2) - height / 2];
    const kind = i < full.length ? "stripe" : "stripe faint";
    hatch(page, svg(parent, "rect", { class: kind, "data-rank": rank, x, y, width, height }), rank);
    if (!story.shows_ranks) continue;
    const [text, em] = fitted(labels.shift() || `${rank}`, width, height);
    if (!em) continue;
    const base = { x: x + width / 2, y: y + height / 2 + 0.36 * em, "font-size": em };
    const ground = rank < PLAIN ? "number" : "number on-hatch";
    svg(parent, "text", { class: ground, "data-rank": rank, ...base }, text);
  }
}

/**
 * What is written on a stripe and its size: a label too long is cut to what follows its arrow.
 * @param {string} label
 * @param {number} width
 * @param {number} height
 * @returns {[string, number]}
 */
export function fitted(label, width, height) {
  for (const text of new Set([label, label.split("→").at(-1) ?? ""])) {
    const em = Math.min(label === text && label.length < 3 ? 22 : 32, 1.1 * height);
    const room = width / (text.length < 2 ? 1.4 : 0.86 * text.length);
    if (Math.min(em, room) >= (text.length > 2 ? 13 : 11)) return [text, Math.min(em, room)];
  }
  return ["", 0];
}

/**
 * @param {Page} page
 * @param {SVGElement} rect
 * @param {number} rank
 */
export function hatch(page, rect, rank) {
  if (rank >= PLAIN) rect.style.fill = `url(#${page.id}-${rank})`;
}

/**
 * The height of a bar in a cell that is `high` times as high: bars that are so thin that they
 * overlap no longer do in a larger cell.
 * @param {number[]} bars
 * @param {number} high
 */
function heightOf(bars, high) {
  const pitch = bars[6] - bars[5];
  if (!(pitch > 0 && bars[4] > pitch)) return high * bars[4]; // one bar, or each over the whole cell
  return Math.max(high * APART * pitch, Math.min(high * bars[4], THINNEST));
}
