// What is counted: numbers, and bars against their lower bounds.

import { settledStep, stepsOver } from "../core/motion.js";
import { word } from "../core/say.js";
import { html, touchable, write } from "./elements.js";
import { addText } from "./terms.js";

const EM = [0.54, 0.59]; // widths of a letter and of a digit

/** @type {Mount} */
export function mountCounters(page, store) {
  const { story } = store;
  if (story.wrong) return showDiagnosis(page, story, story.wrong);
  addText(page, story, page.heading, story.heading);
  const rows = story.counters.map((counter, i) => {
    const row = buildCounter(page, story, counter);
    touchable(row.row, row.numbers, `counter:${i}`);
    if (!i && (story.trade.length || story.curve.length)) row.numbers.before(whyChip(counter));
    return row;
  });
  return {
    slices: ["step", "part", "setting"],
    update(changed) {
      const { story } = store;
      if (changed.has("setting")) story.counters.forEach(([label], i) => relabel(page, story, rows[i].row, label));
      if (changed.has("setting") || changed.has("step") || changed.has("landed")) {
        const settled = settledStep(store.state);
        story.counters.forEach(([, , texts], i) => write(rows[i].numbers, texts[settled]));
      }
      const over = stepsOver(story, store.state);
      const done = Math.floor(over);
      story.counters.forEach(([, values, , bound], i) => {
        const scale = Math.max(values.at(-1) ?? 0, bound ?? 0) || 1;
        const next = values[done + 1] ?? values[done];
        const now = values[done] + (over - done) * (next - values[done]);
        rows[i].bar.style.width = `${(100 * now) / scale}%`;
        rows[i].bound.style.left = `${(100 * (bound ?? 0)) / scale}%`;
        rows[i].bound.hidden = bound === null;
      });
    },
  };
}

/**
 * Another label, where it names links that the reader has changed.
 * @param {Page} page
 * @param {Story} story
 * @param {HTMLElement} row
 * @param {string} label
 */
function relabel(page, story, row, label) {
  const part = /** @type {HTMLElement} */ (row.firstElementChild);
  if (part.textContent === label) return;
  part.replaceChildren();
  addText(page, story, part, label);
}

/**
 * A button that opens why it takes so many steps.
 * @param {Counter} counter
 */
function whyChip([, values]) {
  const chip = document.createElement("button");
  Object.assign(chip, { className: "why", textContent: word("controls.why", { number: values.at(-1) ?? 0 }) });
  chip.dataset.thing = "counter:0";
  return chip;
}

/**
 * What is wrong, where the counters of a right schedule stand: those of a wrong one say nothing.
 * @param {Page} page
 * @param {Story} story
 * @param {NonNullable<Story["wrong"]>} wrong
 * @returns {View}
 */
function showDiagnosis(page, story, { heading, text }) {
  page.counters.replaceChildren();
  page.counters.classList.add("diagnosis");
  html(page.counters, "h2", "", heading);
  const paragraph = html(page.counters, "p");
  paragraph.tabIndex = 0; // it may be longer than its panel
  addText(page, story, paragraph, text);
  return { slices: [], update() {} };
}

/**
 * A row of a counter, in letters small enough for its longest numbers.
 * @param {Page} page
 * @param {Story} story
 * @param {Counter} counter
 */
function buildCounter(page, story, [label, , texts]) {
  const row = html(page.counters, "div", "row told");
  const longest = Math.max(...texts.map((text) => text.length));
  row.style.setProperty("--ems", `${EM[0] * label.length + EM[1] * longest}`);
  addText(page, story, html(row, "span"), label);
  const numbers = html(row, "span", "numbers");
  const track = html(page.counters, "div", "track");
  return { row, numbers, bar: html(track, "div", "bar"), bound: html(track, "div", "bound") };
}
