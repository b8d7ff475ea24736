// The workbench beside the stage: the step's transfers, what can be done, the code that comes of it.

import { transferText, verdictText } from "../core/draft_words.js";
import { judged, transfersAt } from "../core/judge.js";
import { word } from "../core/say.js";
import { codeOf, functionName, recordingOf } from "../core/written.js";
import { button, copyFrom, html, renewChildren, saveAs, say } from "./elements.js";

/** @type {[Edit["edit"], string][]} */
const BUTTONS_OF_EDITS = [
  ["new step", "bench.new_step"], ["drop step", "bench.drop_step"], ["undo", "bench.undo"],
  ["redo", "bench.redo"], ["start here", "bench.start_here"], ["empty", "bench.empty"],
];
const SIGNS = ["=", "+"];

/** @type {Mount} */
export function mountBench(page, store) {
  const { story } = store;
  const { task } = story;
  page.build.hidden = !task;
  if (!task) return { slices: [], update() {} };
  const edit = (/** @type {Edit} */ change) => store.act({ kind: "edit", edit: change });
  const verbs = ["bench.overwrites", "bench.adds"].map((key, adds) => button(page.verbs, word(key), () => edit({ edit: "verb", adds })));
  for (const [name, key] of BUTTONS_OF_EDITS) button(page.edits, word(key), () => edit(/** @type {Edit} */ ({ edit: name })));
  mountOuts(page, store, task);
  for (const part of [page.bench, page.build]) part.addEventListener("click", keepKeys);
  /** @type {Building | null} */
  let listed = null;

  return {
    slices: ["building", "built"],
    update(changed) {
      const { building, built, step } = store.state;
      page.bench.hidden = page.script.hidden = !building;
      page.build.setAttribute("aria-pressed", `${building}`);
      page.scrub.max = `${building && built ? built.steps.length : store.last}`;
      page.scrub.value = `${building && built ? built.at : step}`;
      page.title.textContent = building ? word("bench.title", { collective: task.settings.collective.replaceAll("_", "-") }) : story.title;
      if (!building || !built) return;
      const { at, steps } = built;
      const of = word(at < steps.length ? "bench.step_of" : "bench.step_new", { step: at + 1, total: steps.length });
      page.scrub.setAttribute("aria-valuetext", of);
      page.place.textContent = of;
      say(page.subtitle, word("catalog.goal", { goal: task.goal }));
      const judgment = judged(story, steps);
      say(page.caption, verdictText(story, judgment));
      page.caption.dataset.verdict = judgment.right ? "right" : judgment.step ? "wrong" : "";
      say(page.note, built.said || word(built.picked ? "bench.choose" : "bench.hint"));
      page.note.classList.toggle("refused", built.refused);
      page.note.classList.remove("ending");
      for (const button of [page.first, page.back]) button.ariaDisabled = `${at === 0}`;
      for (const button of [page.next, page.last]) button.ariaDisabled = `${at === steps.length}`;
      verbs.forEach((button, adds) => button.setAttribute("aria-pressed", `${adds === built.adds}`));
      const same = listed?.steps === steps && !changed.has("building");
      if (!same) drawCode(page, task, built);
      if (!same || listed?.at !== at) {
        listRows(page, story, built, edit);
        lightCode(page, task, built);
      }
      listed = built;
    },
  };
}

/**
 * After a click of the pointer, keys are those of the stage again: Enter would press the button.
 * @param {MouseEvent} event
 */
function keepKeys({ target, detail }) {
  const button = /** @type {HTMLElement} */ (target).closest("button");
  if (!button || !detail) return;
  /** @type {HTMLElement | null} */
  const root = button.closest("[tabindex]");
  if (root) root.focus({ preventScroll: true });
  else button.blur();
}

/**
 * @param {Page} page
 * @param {Story} story
 * @param {Building} built
 * @param {(made: Edit) => void} edit
 */
function listRows(page, story, built, edit) {
  const transfers = transfersAt(story, built);
  renewChildren(page.rows, built.steps[built.at]?.length ? transfers.map(String) : [""], (place) => {
    if (!transfers.length) return html(null, "li", "faint", word("bench.none"));
    const row = html(null, "li");
    const [number, transfer] = transfers[place];
    const [text, adds] = [transferText(story, transfer), transfer[4]];
    html(row, "span", "", text);
    const turn = button(row, SIGNS[adds], () => edit({ edit: "turn", number }), "sign");
    turn.setAttribute("aria-label", word("bench.change", { sign: SIGNS[adds], other: SIGNS[1 - adds], transfer: text }));
    const away = button(row, "×", () => edit({ edit: "remove", number }));
    away.setAttribute("aria-label", word("bench.delete", { transfer: text }));
    return row;
  });
}

/**
 * Writes the lines that are not there yet.
 * @param {Page} page
 * @param {TaskData} task
 * @param {Building} built
 */
function drawCode({ script }, task, built) {
  const { lines } = codeOf(task, built.steps);
  const columns = `${Math.max(...lines.map((line) => line.length))}`;
  if (script.style.getPropertyValue("--columns") !== columns) script.style.setProperty("--columns", columns);
  renewChildren(script, lines, (at) => {
    const line = html(null, "div", "line", lines[at] || " ");
    line.style.setProperty("--indent", `${lines[at].length - lines[at].trimStart().length}`);
    return line;
  });
}

/**
 * @param {Page} page
 * @param {TaskData} task
 * @param {Building} built
 */
function lightCode({ script }, task, { steps, at }) {
  const { ranges } = codeOf(task, steps);
  const before = steps.slice(0, at).filter((step) => step.length).length;
  const [first, last] = (steps[at]?.length && ranges[before]) || [-1, -1];
  [...script.children].forEach((line, i) => line.classList.toggle("now", first <= i && i <= last));
  const now = /** @type {HTMLElement | null} */ (script.children[Math.max(first, 0)]);
  queueMicrotask(() => {
    script.scrollTop = first < 0 ? script.scrollHeight : (now?.offsetTop ?? 0) - script.clientHeight / 2;
  }); // once all is in place: it takes a layout
}

/**
 * Buttons that copy and save what was built.
 * @param {Page} page
 * @param {Store} store
 * @param {TaskData} task
 */
function mountOuts(page, store, task) {
  const name = functionName(task);
  const steps = () => store.state.built?.steps ?? [];
  const code = () => `${codeOf(task, steps()).lines.join("\n")}\n`;
  const recording = () => `${recordingOf(task, steps())}\n`;
  /** @type {[string, () => void][]} */
  const doings = [
    ["bench.copy_code", () => copied(page, code())],
    ["bench.save_code", () => saved(page, `${name}.py`, "text/x-python", code())],
    ["bench.copy_recording", () => copied(page, recording())],
    ["bench.save_recording", () => saved(page, `${name.replaceAll("_", "-")}.json`, "application/json", recording())],
  ];
  for (const [key, act] of doings) button(page.outs, word(key), act);
}

/**
 * @param {Page} page
 * @param {string} text
 */
async function copied(page, text) {
  const field = /** @type {HTMLTextAreaElement} */ (html(page.sheet, "textarea"));
  field.value = text;
  await copyFrom(field);
  field.remove();
  say(page.note, word("bench.copied"));
}

/**
 * @param {Page} page
 * @param {string} name
 * @param {string} type
 * @param {string} text
 */
function saved(page, name, type, text) {
  saveAs(name, type, text);
  say(page.note, word("bench.saved", { name }));
}
