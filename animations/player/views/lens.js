// The chunk that the caption speaks of, enlarged in the middle of a ring.

import { placeOfSlot } from "../core/places.js";
import { followedMove } from "../core/story.js";
import { drawContent } from "./content.js";
import { svg } from "./elements.js";

/** @type {Mount} */
export function mountLens(page, store) {
  const { story } = store;
  return {
    slices: ["step"],
    update() {
      page.lens.replaceChildren();
      const move = followedMove(story, store.state.step);
      if (story.lens && move) drawLens(page, story, story.lens, move);
    },
  };
}

/**
 * @param {Page} page
 * @param {Story} story
 * @param {Box} lens
 * @param {Move} move
 */
function drawLens(page, story, [x, y, width, height], { src, dst, chunk, cell, data }) {
  const group = svg(page.lens, "g", { transform: `translate(${x} ${y})` });
  const at = [-width / 2, -height / 2];
  const box = { x: at[0], y: at[1], width, height, rx: story.rounding[1] };
  svg(group, "rect", { class: "well", ...box });
  drawContent(page, story, group, cell, placeOfSlot(story, src, chunk)[1], at, [width, height]);
  svg(group, "rect", { class: "enlarged", ...box });
  svg(group, "text", { class: "chunk", y: at[1] - 16 }, story.data[data]);
  svg(group, "text", { class: "way", y: 34 - at[1] }, `${story.names[src]} → ${story.names[dst]}`);
}
