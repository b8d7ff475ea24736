// The editor: the code in a field, a button that runs it, the verdict, and a slider for the ranks.

import { judged } from "../core/judge.js";
import { stepsOf, taskFrom } from "../core/task.js";
import { firstOther, triedOn, unrolled } from "../core/tried.js";
import { pythonProcess } from "../python_process.js";
import { codeArea } from "./code_area.js";
import { button, html, saveAs, set, write } from "./elements.js";

/**
 * What the page holds of an editor, see pack/editor.py; words: by their key of the phrases.
 * @typedef {{text: string, function: string, trials: Attempt[], words: Record<string, string>}} Editing
 * @typedef {{ranks: number, arguments: Record<string, unknown>, task: import("../core/task.js").PackedTask | null}} Attempt
 * @typedef {import("../core/tried.js").Trial} Trial
 * @typedef {import("../core/python_run.js").Made} Made
 */

const NO_ANSWER = "late"; // in place of what was raised

/**
 * @param {HTMLElement} root
 * @param {Story} story
 * @param {Editing} editing
 * @param {string} packed Python
 * @param {boolean} [opened] at once
 */
export function mountEditor(root, story, editing, packed, opened = false) {
  const { store } = /** @type {{collectives: {store: Store}} & any} */ (root).collectives;
  const { words, trials } = editing;
  const say = (/** @type {string} */ key, fields = {}) => fieldsIn(words[key], fields);
  const python = pythonProcess(packed);
  const parts = panelOf(root, words);
  const { area, panel, toggle, verdict, sweep, slider, marks, chosen } = parts;
  const sheet = /** @type {HTMLElement} */ (root.querySelector(".sheet") ?? root);
  /** @type {Map<number, Trial>} */
  let results = new Map();
  let turn = 0;
  area.write(editing.text);
  toggle.after(panel);
  sheet.querySelector("[data-part=source]")?.after(panel);

  const ranksText = (/** @type {number} */ ranks) => (ranks === 1 ? words.one_rank : say("ranks", { ranks }));
  const textOf = (/** @type {number} */ ranks, /** @type {Trial | undefined} */ trial) => {
    const named = { ranks: ranksText(ranks), step: trial?.step ?? 0, line: trial?.line ?? 0, error: trial?.error ?? "" };
    if (!trial) return say(trials.some((one) => one.ranks === ranks) ? "untried" : "refused", named);
    if (trial.right) return say("right", named);
    if (trial.error === NO_ANSWER) return say("late", named);
    if (trial.error) return say(trial.line ? "raised" : "raised_somewhere", named);
    return say(trial.step ? "wrong" : "incomplete", named);
  };
  const showChosen = () => {
    const ranks = Number(slider.value);
    const text = textOf(ranks, results.get(ranks));
    write(chosen, text);
    slider.setAttribute("aria-valuetext", text);
    for (const mark of marks) set(mark, "aria-current", `${mark.textContent === slider.value}`);
  };
  const showSweep = () => {
    for (const mark of marks) {
      const trial = results.get(Number(mark.textContent));
      set(mark, "class", trial ? (trial.right ? "holds" : "fails") : "");
    }
    const failed = trials.find(({ ranks }) => results.get(ranks)?.right === false);
    const first = failed && results.get(failed.ranks);
    const last = trials.at(-1)?.ranks;
    if (failed) write(sweep, `${say("first_wrong", { ranks: ranksText(failed.ranks) })} ${textOf(failed.ranks, first)}`);
    else if (results.size === trials.length) write(sweep, say("all_right", { first: trials[0].ranks, last }));
    else write(sweep, say("trying"));
    showChosen();
  };
  const tell = (/** @type {string} */ text, /** @type {string} */ kind) => {
    write(verdict, text);
    verdict.dataset.verdict = kind;
  };

  /**
   * The first changed line, the first step that the page's own schedule has otherwise, and the
   * line at fault: that which sent what is other there, or the changed one nearest above it.
   * @param {Made} schedule
   * @param {BuiltSteps} steps
   */
  const othersOf = (schedule, steps) => {
    const [old, now] = [editing.text, area.field.value].map((text) => text.split("\n"));
    const line = now.findIndex((text, i) => text !== old[i]) + 1;
    const last = now.length - [...now].reverse().findIndex((text, i) => text !== old[old.length - 1 - i]);
    const step = story.wrong ? 0 : firstOther(steps, stepsOf(story));
    if (!line || !step) return null;
    const known = new Set(stepsOf(story)[step - 1]?.map((each) => each.slice(0, 5).join()));
    const row = (schedule.steps[step - 1] ?? []).findIndex((each) => {
      return unrolled([each]).some((transfer) => !known.has(transfer.slice(0, 5).join()));
    });
    const sender = ownLineOf(schedule.lines[step - 1]?.[row]);
    return { line, step, fault: Math.max(line, Math.min(sender, last)) };
  };

  /**
   * Draws the schedule that was made for the ranks of the page, and says what is wrong with it.
   * @param {Made} schedule
   */
  const showOwn = (schedule) => {
    const steps = schedule.steps.map((rows) => unrolled(rows).map(([src, dst, chunk, into, adds]) => /** @type {Built} */ ([src, dst, chunk, into, adds])));
    store.act({ kind: "built", steps: steps.length ? steps : null, unmade: steps.length ? "" : words.unmade });
    const judgment = judged(story, steps);
    const broken = judgment.broken ?? judgment.cost.unequal;
    const raised = schedule.error && !broken;
    const step = raised ? steps.length + 1 : judgment.step;
    if (steps.length && !judgment.right && step) store.act({ kind: "step", step: step - 1 });
    const trial = { right: judgment.right && !raised, step, error: raised ? `${schedule.error}` : "", line: schedule.line ?? 0 };
    const other = trial.right || raised ? null : othersOf(schedule, steps);
    const more = trial.right || raised ? [] : [judgment.lost ? words.lost : "", other ? say("differs", other) : ""];
    tell([textOf(story.ranks, trial), ...more].filter(Boolean).join(" "), trial.right ? "right" : "wrong");
    const last = trial.right ? 0 : ownLineOf(schedule.lines[step - 1]?.flat());
    area.mark(trial.error ? trial.line : (other?.fault ?? last));
    return trial;
  };

  const run = async () => {
    const own = ++turn;
    results = new Map();
    tell(words.running, "");
    area.mark(0);
    const page = trials.filter(({ ranks }) => ranks === story.ranks);
    const order = [...page, ...trials.filter((one) => !page.includes(one))];
    const hear = (/** @type {number} */ number, /** @type {Made} */ schedule) => {
      const { ranks, task } = order[number];
      if (own !== turn) return;
      results.set(ranks, number && task ? triedOn(taskFrom(task), schedule) : showOwn(schedule));
      showSweep();
    };
    try {
      const unanswered = await python.run(area.field.value, editing.function, order.map((one) => one.arguments), hear);
      if (own !== turn || unanswered < 0) return;
      const trial = { right: false, step: 0, error: NO_ANSWER, line: 0 };
      results.set(order[unanswered].ranks, trial);
      if (!unanswered) {
        tell(textOf(story.ranks, trial), "wrong");
        store.act({ kind: "built", steps: null, unmade: words.unmade });
      }
      showSweep();
    } catch {
      tell(words.failed, "wrong");
    }
  };

  const open = (/** @type {boolean} */ shown, focused = true) => {
    sheet.classList.toggle("editing", shown);
    panel.hidden = !shown;
    toggle.setAttribute("aria-pressed", `${shown}`);
    if (!shown) return;
    python.start().catch(() => tell(words.failed, "wrong"));
    if (focused) area.field.focus();
  };
  parts.run.addEventListener("click", run);
  parts.revert.addEventListener("click", () => {
    turn++;
    results = new Map();
    area.write(editing.text);
    area.mark(0);
    tell("", "");
    write(sweep, "");
    store.act({ kind: "built", steps: null });
    showSweep();
    write(sweep, "");
  });
  toggle.addEventListener("click", () => open(panel.hidden !== false));
  slider.addEventListener("input", showChosen);
  panel.addEventListener("keydown", (event) => {
    event.stopPropagation(); // its keys are not those of the player
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
    if (event.key === "Escape") parts.run.focus();
  });
  document.addEventListener("keydown", (event) => {
    const other = event.ctrlKey || event.metaKey || event.altKey || store.state.help;
    if (event.key === "e" && !other && !/** @type {Element} */ (event.target).closest?.("input, textarea")) {
      event.preventDefault();
      open(panel.hidden !== false);
    }
  });
  slider.value = `${Math.min(story.ranks, Number(slider.max))}`;
  showChosen();
  if (opened) open(true, false);
}

/**
 * The text with its fields fieldsIn in.
 * @param {string} text
 * @param {Record<string, unknown>} fields
 */
function fieldsIn(text, fields) {
  return text.replace(/\{(\w+)\}/g, (_, name) => `${fields[name]}`);
}

/**
 * The line of the text that is the last of some stamps, 0 where none is.
 * @param {[string, string, number][]} stamps
 */
function ownLineOf(stamps = []) {
  return stamps.filter(([, file]) => file === "mine.py").at(-1)?.[2] ?? 0;
}

/**
 * The panel and the button that opens it.
 * @param {HTMLElement} root
 * @param {Record<string, string>} words
 */
function panelOf(root, words) {
  const tools = /** @type {HTMLElement} */ (root.querySelector("[data-part=build]"));
  const toggle = /** @type {HTMLElement} */ (tools.cloneNode());
  toggle.removeAttribute("data-part");
  Object.assign(toggle, { textContent: words.open, ariaLabel: words.title, hidden: false, className: "edit" });
  toggle.setAttribute("aria-pressed", "false");
  tools.after(toggle);
  const panel = document.createElement("section");
  panel.className = "panel editor";
  panel.hidden = true;
  panel.setAttribute("aria-label", words.title);
  const area = codeArea(panel, words.code);
  const row = html(panel, "div", "edits");
  const run = button(row, words.run, () => {}, "run");
  run.setAttribute("aria-keyshortcuts", "Control+Enter");
  run.title = "Ctrl+Enter";
  const revert = button(row, words.revert, () => {});
  button(row, words.save, () => saveAs("mine.py", "text/x-python", area.field.value));
  const verdict = html(panel, "p", "verdict");
  verdict.setAttribute("role", "status");
  const several = html(panel, "label", "several", words.slider);
  const slider = /** @type {HTMLInputElement} */ (html(several, "input"));
  Object.assign(slider, { type: "range", min: "1", max: `${MOST_RANKS}`, step: "1" });
  const strip = html(panel, "div", "strip");
  strip.setAttribute("aria-hidden", "true"); // the sentences say it
  const marks = Array.from({ length: MOST_RANKS }, (_, i) => html(strip, "span", "", `${i + 1}`));
  const chosen = html(panel, "p", "chosen");
  const sweep = html(panel, "p", "sweep");
  sweep.setAttribute("role", "status");
  const list = root.querySelector("dialog dl");
  if (list) {
    html(list, "dt", "", "e");
    html(list, "dd", "", words.help);
  }
  return { area, panel, toggle, run, revert, verdict, sweep, slider, marks, chosen };
}

const MOST_RANKS = 17; // ranks that are tried
