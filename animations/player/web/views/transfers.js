// Every transfer of a step in words, with the values that move, if they are asked for.

import { word } from "../core/say.js";
import { movesOf } from "../core/story.js";
import { html, touchable } from "./elements.js";

const FEW = 8; // transfers up to which their list has larger letters
const MOST_LISTED = 300; // transfers of a step that are listed

/** @type {Mount} */
export function mountTransfers(page, store) {
  return {
    slices: ["step", "panel", "setting"],
    update() {
      const { story } = store;
      const { step, panel } = store.state;
      const listed = panel === "transfers";
      page.sheet.classList.toggle("telling", listed);
      page.list.replaceChildren();
      if (!listed) return;
      const moves = movesOf(story, step);
      const values = step ? story.frames[step - 1][7] : [];
      page.list.classList.toggle("few", moves.length <= FEW);
      page.number.textContent = step ? `${moves.length}` : word("controls.nothing_moved");
      moves.slice(0, MOST_LISTED).forEach((move, i) => {
        const [item, way] = listMove(page, story, move, story.lost?.[step].has(i) ? neverText(story) : (values[i] ?? ""));
        touchable(item, way, `transfer:${step}.${i}`);
      });
      const more = moves.length - MOST_LISTED;
      if (more > 0) html(page.list, "li", "faint", word("controls.more_transfers", { number: more }));
    },
  };
}

/**
 * What is said of a transfer that never arrives.
 * @param {Story} story
 */
function neverText({ setup }) {
  return setup ? word("player.never_arrives") : "";
}

/**
 * @param {Page} page
 * @param {Story} story
 * @param {Move} move
 * @param {string} values
 */
function listMove(page, story, { src, dst, adds, size, data }, values) {
  const item = html(page.list, "li");
  const [one, other] = [story.names[src], story.names[dst]];
  const alike = other.startsWith(one.split(" ")[0]); // rank 0 → 1, but rank 0 → switch 1
  const name = html(item, "span", "way", `${one} → ${alike ? other.split(" ")[1] : other}`);
  html(item, "b", "", adds ? "+" : "=");
  html(item, "span", "", story.data[data]);
  html(item, "span", "size", story.sizes[size]);
  html(item, "span", "values", values);
  return [item, name];
}
