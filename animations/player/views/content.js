// Draws in SVG what a cell holds.

import { marksOf, PLAIN, textPlace } from "../core/marks.js";
import { svg } from "./elements.js";

/**
 * The width of the pattern of hatched stripes.
 * @param {Story} story
 */
export function hatchWidth({ bars: [bars] }) {
  return Math.min(Math.max(2 * bars[4], 6), 12);
}

/**
 * A pattern in the color of each rank from PLAIN on, as wide as suits the stripes.
 * @type {Mount}
 */
export function mountHatches(page, { story }) {
  const width = hatchWidth(story);
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
 * What a cell holds, like a cell of `bars` in any size.
 * @param {Page} page
 * @param {Story} story
 * @param {Element} parent
 * @param {number} cell
 * @param {number[]} bars
 * @param {number[]} corner
 * @param {number[]} size
 */
export function drawContent(page, story, parent, cell, bars, corner, size = bars) {
  for (const mark of marksOf(story, cell, bars, corner, size)) {
    const { rank, faint, x, y, width, height, text, em } = mark;
    const kind = faint ? "stripe faint" : "stripe";
    hatch(page, svg(parent, "rect", { class: kind, "data-rank": rank, x, y, width, height }), rank);
    if (!em) continue;
    const [middle, baseline] = textPlace(mark);
    const ground = rank < PLAIN ? "number" : "number on-hatch";
    const base = { x: middle, y: baseline, "font-size": em };
    svg(parent, "text", { class: ground, "data-rank": rank, ...base }, text);
  }
}

/**
 * @param {Page} page
 * @param {SVGElement} rect
 * @param {number} rank
 */
export function hatch(page, rect, rank) {
  if (rank >= PLAIN) rect.style.fill = `url(#${page.id}-${rank})`;
}
