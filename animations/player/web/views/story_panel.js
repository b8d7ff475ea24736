// The story of what is selected, in the place of counters and legend.

import { settledStep } from "../core/motion.js";
import { textOf } from "../core/selection.js";
import { taleOf } from "../core/words.js";
import { html } from "./elements.js";
import { addText } from "./terms.js";

/** @typedef {import("../core/phrases.js").Part} Part */

/** @type {Mount} */
export function mountStory(page, store) {
  const { story } = store;
  page.close.addEventListener("click", () => store.act({ kind: "select", thing: null }));
  return {
    slices: ["selection", "step", "landed", "panel"],
    update() {
      const { selection, panel } = store.state;
      const shown = selection && panel !== "transfers";
      page.sheet.classList.toggle("chosen", !!shown);
      page.story.hidden = !shown;
      if (!shown) return;
      const { title, paragraphs } = taleOf(story, selection, settledStep(store.state));
      const focused = page.tale.contains(document.activeElement);
      const uses = new Set();
      if (page.thing.textContent !== title) page.thing.textContent = title; // announced once
      page.tale.replaceChildren();
      for (const parts of paragraphs) {
        const paragraph = html(page.tale, "p");
        for (const part of parts) addPart(page, story, paragraph, part, uses);
      }
      if (focused) page.thing.focus();
    },
  };
}

/**
 * @param {Page} page
 * @param {Story} story
 * @param {HTMLElement} parent
 * @param {Part} part
 * @param {Set<string>} uses
 */
function addPart(page, story, parent, part, uses) {
  if (typeof part === "string") addText(page, story, parent, part, uses);
  else if ("chip" in part) {
    const chip = html(parent, "span", part.chip < story.measures.plain ? "chip" : "chip hatched", part.text);
    chip.classList.toggle("missing", part.missing);
    chip.dataset.rank = `${part.chip}`;
    parent.append(" ");
  } else if ("step" in part) html(parent, "button", "go", `step ${part.step}`).dataset.step = `${part.step}`;
  else if ("thing" in part) html(parent, "button", "go", part.text).dataset.thing = textOf(part.thing);
  else if ("sum" in part) html(parent, "b", "sum", part.sum);
  else html(parent, "code", "", part.code);
}
