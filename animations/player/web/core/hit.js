// What lies at a point of the stage.

import { along } from "./motion.js";
import { boxOf, boxOfWell, shapeOf } from "./places.js";
import { chunkOf } from "./selection.js";

const NEAR = 12; // from a link, or beside a cell
const REACH = 60; // from the end of a line to the card it belongs to
const PARTS = 24; // of a curve, looked at one by one

/**
 * A cell, the chunk whose label that is, a rank, or a link; null where nothing is.
 * @param {Story} story
 * @param {number} x
 * @param {number} y
 * @returns {Thing | null}
 */
export function thingAt(story, x, y) {
  for (const node of story.cards.keys()) {
    const shape = shapeOf(story, node);
    if (distance(boxOf(story, [node]), x, y) > 0) continue;
    for (const well of shape.cells.keys()) {
      const [cellLeft, cellTop, width, height] = boxOfWell(story, node, well);
      const slot = story.well.indexOf(well);
      if (!distance([cellLeft, cellTop, width, height], x, y)) return { kind: "cell", at: [node, slot] };
      const below = y - cellTop - height;
      const onLabel = below > 0 && below < 1.6 * shape.letters;
      if (onLabel && !distance([cellLeft, y, width, 0], x, y)) return chunkOf(story, node, slot);
    }
    return { kind: "rank", at: [node] };
  }
  for (const [box, , , , , , , node] of story.chips) {
    if (node !== undefined && !distance(box, x, y)) return { kind: "rank", at: [node] };
  }
  for (const line of story.lines) {
    const at = linkOf(story, line);
    const points = story.curves[line[0]];
    for (let i = 0; at && i <= PARTS; i++) {
      const [one, other] = [i, i + 1].map((part) => along(points, Math.min(part / PARTS, 1)));
      if (toSegment(one, other, x, y) < NEAR) return { kind: "link", at };
    }
  }
  return null;
}

/**
 * The nodes that a line of the stage links, the lower one first; null if it does not end at two.
 * @param {Story} story
 * @param {Line} line
 * @returns {number[] | null}
 */
export function linkOf(story, [curve]) {
  const points = story.curves[curve];
  const [one, other] = [points.slice(0, 2), points.slice(-2)].map(([x, y]) => nearest(story, x, y));
  return one < 0 || other < 0 || one === other ? null : [Math.min(one, other), Math.max(one, other)];
}

/**
 * The node whose card is at most REACH away; -1 where there is none.
 * @param {Story} story
 * @param {number} x
 * @param {number} y
 */
function nearest(story, x, y) {
  let [found, closest] = [-1, REACH];
  story.cards.forEach((_, node) => {
    const away = distance(boxOf(story, [node]), x, y);
    if (away < closest) [found, closest] = [node, away];
  });
  return found;
}

/**
 * From a box to a point, 0 in it.
 * @param {number[]} box
 * @param {number} x
 * @param {number} y
 */
function distance([left, top, width, height], x, y) {
  const dx = Math.max(left - x, 0, x - left - width);
  const dy = Math.max(top - y, 0, y - top - height);
  return Math.hypot(dx, dy);
}

/**
 * @param {number[]} one
 * @param {number[]} other
 * @param {number} x
 * @param {number} y
 */
function toSegment(one, other, x, y) {
  const [dx, dy] = [other[0] - one[0], other[1] - one[1]];
  const length = dx * dx + dy * dy || 1;
  const part = Math.min(Math.max(((x - one[0]) * dx + (y - one[1]) * dy) / length, 0), 1);
  return Math.hypot(x - one[0] - part * dx, y - one[1] - part * dy);
}
