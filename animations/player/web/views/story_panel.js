// The story of what is selected, in the place of counters and legend.

import { breaksOf, targetName, targetsIn } from "../core/breaks.js";
import { settledStep } from "../core/motion.js";
import { word } from "../core/say.js";
import { textOf } from "../core/selection.js";
import { taleOf } from "../core/words.js";
import { button, html } from "./elements.js";
import { addCurve } from "./step_curve.js";
import { addText } from "./terms.js";

/** @typedef {import("../core/phrases.js").Part} Part */

/** @type {Mount} */
export function mountStory(page, store) {
  page.close.addEventListener("click", () => store.act({ kind: "select", thing: null }));
  return {
    slices: ["selection", "step", "landed", "panel", "setting"],
    update() {
      const { story } = store;
      const { selection, panel } = store.state;
      const shown = selection && panel !== "transfers";
      page.sheet.classList.toggle("chosen", !!shown);
      page.story.hidden = !shown;
      if (!shown) return;
      const { title, paragraphs } = taleOf(story, selection, settledStep(store.state));
      const focused = page.tale.contains(document.activeElement);
      const uses = new Set();
      const begun = page.thing.textContent !== title;
      if (begun) page.thing.textContent = title; // announced once
      page.tale.replaceChildren();
      const curved = selection.kind === "counter" && !selection.at[0] && story.curve.length > 1;
      paragraphs.forEach((parts, i) => {
        const paragraph = html(page.tale, "p");
        for (const part of parts) addPart(page, story, paragraph, part, uses);
        if (curved && !i) addCurve(page.tale, story);
      });
      if (begun) page.tale.scrollTop = 0;
      if (story.setup) addBreaks(page, store, story.setup, selection);
      if (focused) page.thing.focus();
    },
  };
}

/**
 * What can be broken of what is selected: a rank, or the links between two.
 * @param {Page} page
 * @param {Store} store
 * @param {Setup} setup
 * @param {Thing} thing
 */
function addBreaks(page, store, setup, thing) {
  for (const target of targetsIn(setup, thing)) {
    const paragraph = html(page.tale, "p", "edits", `${word("player.break_it")}: ${targetName(setup, target)} `);
    for (const { text, faults } of breaksOf(store.own, target)) {
      button(paragraph, text, () => store.act({ kind: "break", faults }));
    }
  }
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
  } else if ("step" in part) html(parent, "button", "go", word("parts.step", { number: part.step })).dataset.step = `${part.step}`;
  else if ("thing" in part) html(parent, "button", "go", part.text).dataset.thing = textOf(part.thing);
  else if ("sum" in part) html(parent, "b", "sum", part.sum);
  else html(parent, "code", "", part.code);
}
