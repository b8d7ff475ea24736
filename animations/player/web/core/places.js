// Where the cells of a story lie on its stage.

const NARROW = 5; // width of a cell up to which a card has one well for all of them

/**
 * @param {Story} story
 * @param {number} node
 */
export function shapeOf(story, node) {
  return story.shapes[story.cards[node][2]];
}

/**
 * The upper left corner of a well's cell, and its entry of `bars`.
 * @param {Story} story
 * @param {number} node
 * @param {number} well
 * @returns {[Point, number[]]}
 */
export function placeOfWell(story, node, well) {
  const [left, top, size] = shapeOf(story, node).cells[well];
  return [[story.cards[node][0] + left, story.cards[node][1] + top], story.bars[size]];
}

/**
 * The box of a well's cell.
 * @param {Story} story
 * @param {number} node
 * @param {number} well
 * @returns {Box}
 */
export function boxOfWell(story, node, well) {
  const [[x, y], [width, height]] = placeOfWell(story, node, well);
  return [x, y, width, height];
}

/**
 * The upper left corner of a slot's cell, and its entry of `bars`.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 */
export function placeOfSlot(story, node, slot) {
  return placeOfWell(story, node, story.well[slot]);
}

/**
 * The middle of a slot's cell, and its size.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 */
export function centerOfSlot(story, node, slot) {
  const [[x, y], [width, height]] = placeOfSlot(story, node, slot);
  return [x + width / 2, y + height / 2, width, height];
}

/**
 * The box of a cell, or of a card where no slot is named.
 * @param {Story} story
 * @param {number[]} at
 * @returns {Box}
 */
export function boxOf(story, [node, slot]) {
  if (slot !== undefined) return boxOfWell(story, node, story.well[slot]);
  const [x, y] = story.cards[node];
  return [x, y, ...shapeOf(story, node).size];
}

/**
 * The path around a box.
 * @param {Box} box
 */
export function ringOf([x, y, width, height]) {
  return `M${x} ${y}h${width}v${height}h${-width}z`;
}

/**
 * Whether cells are so narrow that they share a well, and outlines would cover them.
 * @param {Story} story
 */
export function isNarrow(story) {
  return !story.table && story.bars[0][0] < NARROW;
}
