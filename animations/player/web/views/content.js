// Draws in SVG what a cell holds.

import { marksOf, textPlace } from "../core/marks.js";
import { redraw, svg } from "./elements.js";

/**
 * The width of the pattern of hatched stripes.
 * @param {Story} story
 */
export function hatchWidth({ bars: [bars] }) {
  return Math.min(Math.max(2 * bars[4], 6), 12);
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
    const fill = patternOf(page, story, rank);
    drawings.push({ name: "rect", attributes: { ...kind, x, y, width, height }, fill });
    if (!em || em < page.least) continue;
    const [middle, baseline] = textPlace(mark);
    const ground = { class: rank < story.measures.plain ? "number" : "number on-hatch", "data-rank": rank };
    const base = { x: middle, y: baseline, "font-size": em };
    drawings.push({ name: "text", attributes: { ...ground, ...base }, text });
  }
  redraw(group, drawings);
}

/**
 * A pattern in the color of a rank whose color is hatched, as wide as suits the stripes; made at its first use.
 * @param {Page} page
 * @param {Story} story
 * @param {number} rank
 */
function patternOf(page, story, rank) {
  if (rank < story.measures.plain) return "";
  const [id, width] = [`${page.id}-${rank}`, hatchWidth(story)];
  if (!page.hatches.children.namedItem(id)) {
    const kind = { patternUnits: "userSpaceOnUse", patternTransform: "rotate(35)", width, height: width };
    const pattern = svg(page.hatches, "pattern", { id, ...kind });
    svg(pattern, "rect", { class: "stripe", "data-rank": rank, width, height: width });
    svg(pattern, "rect", { class: "hatch", width: 0.3 * width, height: width });
  }
  return `url("#${id}")`;
}

/**
 * @param {Page} page
 * @param {Story} story
 * @param {SVGElement} rect
 * @param {number} rank
 */
export function hatch(page, story, rect, rank) {
  rect.style.fill = patternOf(page, story, rank);
}
