// What a question asks for, marked on the stage: a cell or a rank, and the rank that was chosen.

import { openQuestion } from "../core/ask.js";
import { placeOfSlot, shapeOf } from "../core/places.js";
import { thingOf } from "../core/selection.js";
import { svg } from "./elements.js";

/** @type {Mount} */
export function mountAsked(page, store) {
  const { story } = store;
  return {
    slices: ["asks", "step", "landed"],
    update() {
      const { asks } = store.state;
      if (!asks) return;
      page.asked.replaceChildren();
      const question = openQuestion(story, store.state);
      if (!question) return;
      const thing = thingOf(story, question.about);
      if (thing) drawMark(page, boxOf(story, thing), "?");
      if (question.form === "place" && asks.draft.option !== null) {
        drawMark(page, boxOf(story, { kind: "rank", at: [asks.draft.option] }), "");
      }
    },
  };
}

/**
 * The box of a cell or of a card.
 * @param {Story} story
 * @param {Thing} thing
 * @returns {Box}
 */
function boxOf(story, { kind, at: [node, slot] }) {
  if (kind === "cell") {
    const [[x, y], [width, height]] = placeOfSlot(story, node, slot);
    return [x, y, width, height];
  }
  const [x, y] = story.cards[node];
  const [width, height] = shapeOf(story, node).size;
  return [x, y, width, height];
}

/**
 * @param {Page} page
 * @param {Box} box
 * @param {string} sign
 */
function drawMark(page, [x, y, width, height], sign) {
  const d = `M${x - 3} ${y - 3}h${width + 6}v${height + 6}h${-width - 6}z`;
  svg(page.asked, "path", { class: sign ? "wanted" : "picked", d });
  if (sign) svg(page.asked, "text", { x: x + width / 2, y: y + height + 34 }, sign);
}
