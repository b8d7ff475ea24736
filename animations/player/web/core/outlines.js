// The path around cells of a stage, together where they are neighbors.

import { isNarrow, shapeOf } from "./places.js";

const CLOSE = 1.3; // from one cell to the next, in widths of a cell, where they stand together

/**
 * @param {Story} story
 * @param {[node: number, slot: number][]} cells
 */
export function outlines(story, cells) {
  /** @type {boolean[][]} */
  const touched = [];
  for (const [node, slot] of cells) (touched[node] ??= [])[story.well[slot]] = true;
  /** @type {string[]} */
  const edges = [];
  touched.forEach((_, node) => outlineCard(story, touched, node, edges));
  return edges.join("");
}

/**
 * Adds the edges around the touched cells of a card.
 * @param {Story} story
 * @param {boolean[][]} touched
 * @param {number} node
 * @param {string[]} edges
 */
function outlineCard(story, touched, node, edges) {
  const wells = touched[node];
  const shape = shapeOf(story, node);
  const pad = isNarrow(story) ? 1.5 : 0;
  const [above, below] = [node - 1, node + 1].map((other) =>
    story.table && story.cards[other]?.[0] === story.cards[node][0] ? touched[other] : undefined,
  );
  const joined = (/** @type {number} */ well, /** @type {number} */ other) => {
    const [a, b] = [shape.cells[well], shape.cells[other]];
    const near = CLOSE * story.bars[a[2]][0];
    return wells[other] && b && a[1] === b[1] && a[2] === b[2] && Math.abs(a[0] - b[0]) < near;
  };
  wells.forEach((_, well) => {
    const [left, top, size] = shape.cells[well];
    const [x, y] = [story.cards[node][0] + left - pad, story.cards[node][1] + top - pad];
    const [width, height] = [story.bars[size][0] + 2 * pad, story.bars[size][1] + 2 * pad];
    const long = joined(well, well + 1) ? shape.cells[well + 1][0] - left : width;
    if (!above?.[well]) edges.push(`M${x} ${y}h${long}`);
    if (!below?.[well]) edges.push(`M${x} ${y + height}h${long}`);
    if (!joined(well, well - 1)) edges.push(`M${x} ${y}v${height}`);
    if (!joined(well, well + 1)) edges.push(`M${x + width} ${y}v${height}`);
  });
}
