// Draws in SVG what a cell holds.

import { marksOf, PLAIN, textPlace } from "../core/marks.js";
import { redraw, svg } from "./elements.js";

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
 * @param {Element} group
 * @param {number} cell
 * @param {number[]} bars
 * @param {number[]} corner
 * @param {number[]} size
 */
export function drawContent(page, story, group, cell, bars, corner, size = bars) {
  /** @type {import("./elements.js").Drawing[]} */
  const drawings = [];
  for (const mark of marksOf(story, cell, bars, corner, size)) {
    const { rank, faint, x, y, width, height, text, em } = mark;
    const kind = { class: faint ? "stripe faint" : "stripe", "data-rank": rank };
    const fill = patternOf(page, rank);
    drawings.push({ name: "rect", attributes: { ...kind, x, y, width, height }, fill });
    if (!em) continue;
    const [middle, baseline] = textPlace(mark);
    const ground = { class: rank < PLAIN ? "number" : "number on-hatch", "data-rank": rank };
    const base = { x: middle, y: baseline, "font-size": em };
    drawings.push({ name: "text", attributes: { ...ground, ...base }, text });
  }
  redraw(group, drawings);
}

/**
 * @param {Page} page
 * @param {number} rank
 */
function patternOf(page, rank) {
  return rank < PLAIN ? "" : `url("#${page.id}-${rank}")`;
}

/**
 * @param {Page} page
 * @param {SVGElement} rect
 * @param {number} rank
 */
export function hatch(page, rect, rank) {
  rect.style.fill = patternOf(page, rank);
}
