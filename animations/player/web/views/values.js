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
 * The numbers on a card, across its cells or, where these are narrow, along them.
 * @param {Story} story
 * @param {number} node
 * @param {number} step
 */
function numbersOn(story, node, step) {
  return [...story.slots.keys()].flatMap((slot) => {
    const text = numberIn(story, node, slot, step);
    if (!text) return [];
    const [[x, y], [width, height]] = placeOfSlot(story, node, slot);
    const across = width / (LETTER_WIDE * text.length);
    const along = Math.min(height / (LETTER_WIDE * text.length), 0.9 * width);
    const turned = across < LEAST_NUMBER && along > across;
    const size = Math.min(MOST_NUMBER, turned ? along : across, 0.9 * height);
    const middle = `translate(${x + width / 2} ${y + height / 2})${turned ? "rotate(-90)" : ""}`;
    const place = { transform: middle, y: 0.36 * size, "font-size": size.toFixed(1) };
    return [{ name: "text", attributes: { class: "value", "data-at": `${node}.${slot}`, ...place }, text }];
  });
}
