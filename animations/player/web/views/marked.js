// The selection in the lists: source lines and transfers that belong to it, ticks on the timeline.

import { capital } from "../core/phrases.js";
import { word } from "../core/say.js";
import { movesWith, stepsWith, textOf } from "../core/selection.js";
import { movesOf } from "../core/story.js";
import { html } from "./elements.js";

const MOST_TICKS = 400;

/** @type {Mount} */
export function mountMarked(page, store) {
  const { story } = store;
  let lines = new Set();
  return {
    slices: ["selection", "step", "panel"],
    update(changed) {
      const { selection, step } = store.state;
      if (changed.has("selection")) {
        const steps = selection ? stepsWith(story, selection) : [];
        lines = new Set(steps.flatMap((each) => linesOf(story, selection, each)));
        drawTicks(page, story, steps);
      }
      if (!selection && !changed.has("selection")) return;
      const own = selection && step ? movesWith(story, selection, step) : [];
      const now = new Set(linesOf(story, selection, step));
      const source = page.source.dataset.source ?? "";
      for (const [i, line] of [...page.source.querySelectorAll(".line")].entries()) {
        const at = `${source}.${i}`;
        const chosen = selection?.kind === "line" && textOf(selection) === `line:${at}`;
        line.classList.toggle("own", now.has(at) || chosen);
        line.classList.toggle("ever", lines.has(at));
      }
      [...page.list.children].forEach((item, i) => {
        if (own.includes(i)) item.setAttribute("aria-current", "true");
        else item.removeAttribute("aria-current");
      });
      page.list.prepend(...page.list.querySelectorAll("[aria-current]"));
    },
  };
}

/**
 * The lines that made the moves of a thing in a step, as source.line.
 * @param {Story} story
 * @param {Thing | null} thing
 * @param {number} step
 */
function linesOf(story, thing, step) {
  if (!thing || !step) return [];
  const [, , , , , , codes] = story.frames[step - 1];
  const moves = movesOf(story, step);
  const lines = new Set(movesWith(story, thing, step).map((number) => codes[moves[number].line]));
  return [...lines].flatMap((code) => {
    if (!code) return [];
    const [source, first, last] = code;
    return Array.from({ length: last - first + 1 }, (_, i) => `${source}.${first + i}`);
  });
}

/**
 * A tick over each step; a click on it goes there.
 * @param {Page} page
 * @param {Story} story
 * @param {number[]} steps
 */
function drawTicks(page, story, steps) {
  page.ticks.replaceChildren();
  if (steps.length > MOST_TICKS) return;
  for (const step of steps) {
    const tick = html(page.ticks, "button", step < story.frames.length ? "tick" : "tick end");
    tick.dataset.step = `${step}`;
    tick.tabIndex = -1; // the story links the same steps
    tick.setAttribute("aria-label", capital(word("parts.step", { number: step })));
    tick.style.left = `${(100 * step) / story.frames.length}%`;
  }
}
