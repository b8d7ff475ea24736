// What the cells of the cards hold, drawn where it changed.

import { settledStep } from "../core/motion.js";
import { placeOfWell } from "../core/places.js";
import { createReplay } from "../core/replay.js";
import { drawContent } from "./content.js";

/** @type {Mount} */
export function mountCells(page, store) {
  const { story } = store;
  const replay = createReplay(story);
  /** @type {SVGElement[]} */
  const groups = [...page.cards.querySelectorAll(/** @type {"g"} */ (".cell"))];
  return {
    slices: ["step", "landed"],
    update() {
      for (const number of replay.seek(settledStep(store.state))) {
        const { node = 0, slot = 0 } = groups[number].dataset;
        const [corner, bars] = placeOfWell(story, Number(node), Number(slot));
        groups[number].replaceChildren();
        drawContent(page, story, groups[number], replay.held[number], bars, corner);
      }
    },
  };
}
