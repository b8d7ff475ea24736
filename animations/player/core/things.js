// What can be selected in a picture, and where it lies on the stage.

import { movesOf } from "./story.js";
import { placeOfSlot, shapeOf } from "./places.js";

/**
 * @param {Thing | null} one
 * @param {Thing | null} other
 */
export function sameThing(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * The slot, else the rank at a point of the stage; null where there is none.
 * @param {Story} story
 * @param {Point} point
 * @returns {Thing | null}
 */
export function thingAt(story, point) {
  const rank = story.cards.findIndex((_, node) => isIn(boxOfRank(story, node), point));
  if (rank < 0) return null;
  const slot = story.well.findIndex((_, at) => isIn(boxOfSlot(story, rank, at), point));
  return slot < 0 ? { rank } : { rank, slot };
}

/**
 * The boxes of what is selected, of a transfer those of both its slots, in its own step.
 * @param {Story} story
 * @param {Thing | null} thing
 * @param {number} step
 * @returns {Box[]}
 */
export function boxesOf(story, thing, step) {
  if (!thing) return [];
  if ("rank" in thing) {
    const { rank, slot } = thing;
    return [slot === undefined ? boxOfRank(story, rank) : boxOfSlot(story, rank, slot)];
  }
  const [at, number] = thing.transfer;
  if (at !== step) return [];
  const { src, chunk, dst, into } = movesOf(story, step)[number];
  return [boxOfSlot(story, src, chunk), boxOfSlot(story, dst, into)];
}

/**
 * @param {Story} story
 * @param {number} node
 * @returns {Box}
 */
function boxOfRank(story, node) {
  const [left, top] = story.cards[node];
  return [left, top, ...shapeOf(story, node).size];
}

/**
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 * @returns {Box}
 */
function boxOfSlot(story, node, slot) {
  const [[x, y], [width, height]] = placeOfSlot(story, node, slot);
  return [x, y, width, height];
}

/**
 * @param {Box} box
 * @param {Point} point
 */
function isIn([left, top, width, height], [x, y]) {
  return x >= left && x < left + width && y >= top && y < top + height;
}
