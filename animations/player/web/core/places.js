// Where the cells of a story lie on its stage.

const NARROW = 5; // width of a cell up to which a card has one well for all of them
const [SUM_LETTER, SUM_HEIGHT] = [19, 34]; // of a sum: the width of a letter, the height
const SOWED = 12; // places in a row that are tried where none beside the card is free
const ASIDE = 26; // pixels from a card to what is said of a cell in it

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

/**
 * Where a box of a size covers the least of the cards, near a slot and not over its card.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 * @param {number[]} size
 * @returns {Point}
 */
export function freePlace(story, node, slot, [width, height]) {
  const boxes = story.cards.map((_, each) => boxOf(story, [each]));
  const [x, y, cardWidth, cardHeight] = boxes[node];
  const [x0, y0, stageWidth, stageHeight] = story.stage;
  const [middleX, middleY] = centerOfSlot(story, node, slot);
  const [across, down] = [middleX - width / 2, middleY - height / 2];
  const distance = (/** @type {number[]} */ [u, v]) => Math.hypot(u - across, v - down);
  const sowed = Array.from({ length: SOWED ** 2 }, (_, i) => {
    const [column, row] = [i % SOWED, Math.floor(i / SOWED)].map((place) => place / (SOWED - 1));
    return [x0 + column * (stageWidth - width), y0 + row * (stageHeight - height)];
  });
  const corners = [
    [x + cardWidth + ASIDE, down],
    [x - width - ASIDE, down],
    [across, y + cardHeight + ASIDE],
    [across, y - height - ASIDE],
    ...sowed.sort((one, other) => distance(one) - distance(other)),
  ].map(([u, v]) => [
    Math.min(Math.max(u, x0), x0 + stageWidth - width),
    Math.min(Math.max(v, y0), y0 + stageHeight - height),
  ]);
  const covered = corners.map(([u, v]) => {
    const parts = boxes.map((box, i) => overlap(box, [u, v, width, height]) * (i === node ? 3 : 1));
    return parts.reduce((sum, part) => sum + part, 0);
  });
  return /** @type {Point} */ (corners[covered.indexOf(Math.min(...covered))]);
}

/**
 * The box of what is said of a slot beside its card, such as 17 + 9 = 26.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 * @param {string} text
 * @returns {Box}
 */
export function boxOfSum(story, node, slot, text) {
  const size = /** @type {const} */ ([SUM_LETTER * text.length, SUM_HEIGHT]);
  return [...freePlace(story, node, slot, [...size]), ...size];
}

/**
 * The area that two boxes share.
 * @param {number[]} one
 * @param {number[]} other
 */
export function overlap(one, other) {
  const [wide, high] = [0, 1].map((i) => {
    return Math.min(one[i] + one[i + 2], other[i] + other[i + 2]) - Math.max(one[i], other[i]);
  });
  return Math.max(0, wide) * Math.max(0, high);
}
