// The first number in each slot, on the cells of the stage, while a key asks for it.

import { settledStep } from "../core/motion.js";
import { numberIn } from "../core/origins.js";
import { placeOfSlot } from "../core/places.js";
import { redraw } from "./elements.js";

const LETTER_WIDE = 0.62; // of a number in bold, of its size
const [LEAST_NUMBER, MOST_NUMBER] = [17.5, 21];

/** @type {Mount} */
export function mountValues(page, store) {
  const { story } = store;
  return {
    slices: ["step", "landed", "values", "building"],
    update() {
      const { values, building } = store.state;
      const nodes = values && !building ? [...story.cards.keys()] : [];
      const step = settledStep(store.state);
      page.sheet.classList.toggle("valued", nodes.length > 0);
      redraw(page.values, nodes.flatMap((node) => numbersOn(story, node, step)));
    },
  };
}

/**
 * The numbers on a card; those of narrow cells are higher and lower by turns, as each is wider.
 * @param {Story} story
 * @param {number} node
 * @param {number} step
 */
function numbersOn(story, node, step) {
  const texts = [...story.slots.keys()].map((slot) => numberIn(story, node, slot, step));
  const sizeIn = (/** @type {number} */ width, /** @type {string} */ text) => width / (LETTER_WIDE * text.length);
  const narrow = texts.some((text, slot) => text && sizeIn(placeOfSlot(story, node, slot)[1][0], text) < LEAST_NUMBER);
  return texts.flatMap((text, slot) => {
    if (!text) return [];
    const [[x, y], [width, height]] = placeOfSlot(story, node, slot);
    const size = Math.min(MOST_NUMBER, sizeIn(narrow ? 1.9 * width : width, text), (narrow ? 0.4 : 0.9) * height);
    const middle = y + height * (narrow ? 0.3 + 0.4 * (slot % 2) : 0.5);
    const place = { x: x + width / 2, y: middle + 0.36 * size, "font-size": size.toFixed(1) };
    return [{ name: "text", attributes: { class: "value", "data-at": `${node}.${slot}`, ...place }, text }];
  });
}
