// The question before a step, and the score.

import { isAsking, isPlaced, openQuestion, outcomeOf, scoreText } from "../core/ask.js";
import { button, html } from "./elements.js";
import { addHead, buildVerdict, HEADS } from "./verdict.js";

const LETTERS = "ABCD";
const CHIPS = { reasoned: "✓", right: "~", wrong: "✗", skipped: "–" };

/** @type {Mount} */
export function mountQuestion(page, store) {
  const { story } = store;
  /** @type {Question | Asks | null | undefined} what the panel was built for */
  let built;
  const act = (/** @type {Partial<AskDraft>} */ draft) => store.act({ kind: "draft", draft });
  page.score.hidden = !store.state.asks;
  page.score.addEventListener("click", () => store.act({ kind: "score" }));
  return {
    slices: ["asks", "step", "landed"],
    update() {
      const { asks } = store.state;
      if (!asks) return;
      const open = openQuestion(story, store.state);
      const shown = open ?? (asks.told ? asks : null);
      page.sheet.classList.toggle("asking", !!shown);
      page.sheet.classList.toggle("unanswered", isAsking(story, asks));
      page.score.setAttribute("aria-pressed", `${!!shown}`);
      page.question.hidden = !shown;
      if (shown !== built) {
        const { activeElement } = document;
        const focused = page.question.contains(activeElement) || (!!open && activeElement === page.play);
        page.question.replaceChildren();
        if (open) buildQuestion(page, open, act, store);
        else if (shown) {
          buildVerdict(page, story, asks, store);
          page.stage?.scrollIntoView({ block: "nearest" }); // where the answer is drawn
        }
        if (shown) buildScore(page, story, asks);
        if (focused) focusHead(page);
        markTimeline(page, story, asks);
      }
      built = shown;
      if (open) showDraft(page, open, asks.draft);
    },
  };
}

/** @param {Page} page */
function focusHead(page) {
  /** @type {HTMLElement | null} */
  const head = page.question.querySelector("h2");
  (head ?? page.play).focus();
}

/**
 * @param {Page} page
 * @param {Question} question
 * @param {(draft: Partial<AskDraft>) => void} act
 * @param {Store} store
 */
function buildQuestion(page, question, act, store) {
  addHead(page, question.prompt);
  html(page.question, "p", "faint", question.detail);
  const [prefix, letters] = [page.id, question.form === "choice"];
  if (question.form === "number") {
    const label = html(page.question, "label", "amount", "Your answer ");
    const input = /** @type {HTMLInputElement} */ (html(label, "input"));
    input.type = "text";
    input.autocomplete = "off";
    input.placeholder = question.unit;
    input.setAttribute("aria-label", `Your answer, ${question.detail}`);
    input.addEventListener("input", () => act({ typed: input.value }));
    html(label, "span", "faint", question.unit);
  } else if (letters) {
    const texts = question.options.map(([text]) => text);
    addRadios(page, `${prefix}-option`, "Answers", texts, LETTERS, (option) => act({ option }));
  } else {
    const label = html(page.question, "label", "place", "Click it on the stage, or choose it here ");
    const select = /** @type {HTMLSelectElement} */ (html(label, "select"));
    html(select, "option", "", "…").setAttribute("value", "");
    question.options.forEach(([text], i) => html(select, "option", "", text).setAttribute("value", `${i}`));
    select.addEventListener("change", () => act({ option: select.value ? Number(select.value) : null }));
  }
  html(page.question, "p", "because", "because");
  const reasons = question.reasons.map(([text]) => text);
  addRadios(page, `${prefix}-reason`, "Reasons", reasons, "123", (reason) => act({ reason }));
  const actions = html(page.question, "div", "actions");
  button(actions, "Answer", () => store.act({ kind: "answer" }), "answer");
  button(actions, "Hint", () => act({ hint: true }), "hint");
  button(actions, "Skip", () => store.act({ kind: "skip" }), "skip");
  if (letters && isPlaced(question)) html(actions, "span", "faint", "or click on the stage the cell it goes to");
  html(page.question, "p", "tip").setAttribute("aria-live", "polite");
}

/**
 * A group of choices, of which one is chosen.
 * @param {Page} page
 * @param {string} name
 * @param {string} head
 * @param {string[]} texts
 * @param {string} keys that choose them
 * @param {(number: number) => void} choose
 */
function addRadios(page, name, head, texts, keys, choose) {
  const group = html(page.question, "div", head.toLowerCase());
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-label", head);
  texts.forEach((text, i) => {
    const label = html(group, "label", "choice");
    const input = /** @type {HTMLInputElement} */ (html(label, "input"));
    input.type = "radio";
    input.name = name;
    input.addEventListener("change", () => choose(i));
    html(label, "span", "", text);
    html(label, "kbd", "", keys[i]).setAttribute("aria-hidden", "true");
  });
}

/**
 * Shows a draft in the fields of its question.
 * @param {Page} page
 * @param {Question} question
 * @param {AskDraft} draft
 */
function showDraft(page, question, draft) {
  const check = (/** @type {string} */ group, /** @type {number | null} */ chosen) => {
    /** @type {NodeListOf<HTMLInputElement>} */
    const inputs = page.question.querySelectorAll(`.${group} input`);
    inputs.forEach((input, i) => (input.checked = i === chosen));
  };
  check("answers", draft.option);
  check("reasons", draft.reason);
  const select = page.question.querySelector("select");
  if (select) select.value = `${draft.option ?? ""}`;
  if (draft.missing && !document.activeElement?.matches(".question :is(input, select, button)")) {
    /** @type {HTMLElement | null} */ (page.question.querySelector("input, select"))?.focus();
  }
  const hint = page.question.querySelector(".tip");
  const lacks = question.form === "number" ? `Type a number, in ${question.unit}.` : "Choose an answer first.";
  const stray = "No answer goes there alone: click the cell that the chunk goes to.";
  const text = draft.missing ? lacks : draft.stray ? stray : draft.hint ? question.hint : "";
  if (hint && hint.textContent !== text) hint.textContent = text;
}

/**
 * How many were answered for the right reason, and a chip for each question.
 * @param {Page} page
 * @param {Story} story
 * @param {Asks} asks
 */
function buildScore(page, story, asks) {
  const row = html(page.question, "div", "row score");
  html(row, "h3", "", "Score");
  html(row, "span", "faint", scoreText(story, asks));
  const chips = html(page.question, "ol", "chips");
  story.questions.forEach((question, i) => {
    const answer = asks.answers[i];
    const outcome = answer && outcomeOf(question, answer);
    const chip = html(chips, "li", "", outcome ? CHIPS[outcome] : "");
    chip.dataset.outcome = outcome ?? "";
    chip.setAttribute("aria-label", `Question ${i + 1}: ${outcome ? HEADS[outcome] : "not answered yet"}`);
  });
}

/**
 * A mark over each step before which something is asked.
 * @param {Page} page
 * @param {Story} story
 * @param {Asks} asks
 */
function markTimeline(page, story, asks) {
  page.marks.replaceChildren();
  /** @type {Map<number, string>} */
  const signs = new Map(); // those of a step side by side
  story.questions.forEach((question, i) => {
    const [answer, at] = [asks.answers[i], Math.min(question.step - 0.5, story.frames.length)];
    signs.set(at, `${signs.get(at) ?? ""}${answer ? CHIPS[outcomeOf(question, answer)] : "?"}`);
  });
  for (const [at, sign] of signs) {
    const end = at < story.frames.length ? "" : "end"; // beside the timeline's end, not beyond it
    html(page.marks, "span", end, sign).style.left = `${(100 * at) / Math.max(1, story.frames.length)}%`;
  }
}
