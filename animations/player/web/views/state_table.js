// The state as a table, for readers who do not see the picture: what each slot of each node holds.

import { settledStep } from "../core/motion.js";
import { goalOf } from "../core/selection.js";
import { contentOf, isDouble } from "../core/origins.js";
import { afterStep, contentText } from "../core/phrases.js";
import { word } from "../core/say.js";
import { html } from "./elements.js";

const PAUSE = 500; // milliseconds without a step after which it is written
const [UNASKED, MOST_WRITTEN] = [1024, 4096]; // cells that are written without a focus, and when it has the focus

/** @type {Mount} */
export function mountStateTable(page, store) {
  const { names, slots } = store.own;
  const cells = names.length * slots.length;
  let [timer, written, writtenStory] = [0, -1, store.own];
  const write = () => {
    const step = settledStep(store.state);
    const { story } = store;
    if (written === step && writtenStory === story) return;
    [written, writtenStory] = [step, story];
    page.state.replaceChildren();
    if (cells <= MOST_WRITTEN) writeTable(page.state, story, step);
    else html(page.state, "p", "", word("controls.too_many", { number: cells }));
  };
  page.state.addEventListener("focus", write);
  return {
    slices: ["step", "landed", "playing", "setting"],
    update() {
      clearTimeout(timer);
      if (page.state.contains(document.activeElement)) write();
      else if (cells <= UNASKED && !store.state.playing) timer = setTimeout(write, PAUSE);
    },
  };
}

/**
 * @param {HTMLElement} parent
 * @param {Story} story
 * @param {number} step
 */
function writeTable(parent, story, step) {
  const table = html(parent, "table", "");
  html(table, "caption", "", word("controls.whose", { when: afterStep(step) }));
  const head = html(html(table, "thead", ""), "tr", "");
  html(head, "td", "");
  for (const slot of story.slots) html(head, "th", "", slot).setAttribute("scope", "col");
  const body = html(table, "tbody", "");
  story.names.forEach((name, node) => {
    const row = html(body, "tr", "");
    html(row, "th", "", name).setAttribute("scope", "row");
    story.slots.forEach((_, slot) => html(row, "td", "", textAt(story, node, slot, step)));
  });
}

/**
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 * @param {number} step
 */
function textAt(story, node, slot, step) {
  const content = contentOf(story, node, slot, step);
  const goal = goalOf(story, node, slot);
  const complete = goal && goal.length === content.size && !isDouble(content) && goal.every((each) => content.has(each));
  const text = contentText(story, content, slot);
  return complete ? word("controls.complete", { content: text }) : text;
}
