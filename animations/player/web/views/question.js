// The question before a step, and the score.

import { isAsking, isPlaced, openQuestion, outcomeOf, scoreText } from "../core/ask.js";
import { word } from "../core/say.js";
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
    const label = html(page.question, "label", "amount", word("ask.your_answer"));
    const input = /** @type {HTMLInputElement} */ (html(label, "input"));
    input.type = "text";
    input.autocomplete = "off";
    input.placeholder = question.unit;
    input.setAttribute("aria-label", word("ask.your_answer_of", { detail: question.detail }));
    input.addEventListener("input", () => act({ typed: input.value }));
    html(label, "span", "faint", question.unit);
  } else if (letters) {
    const texts = question.options.map(([text]) => text);
    addRadios(page, `${prefix}-option`, "answers", texts, LETTERS, (option) => act({ option }));
  } else {
    const label = html(page.question, "label", "place", word("ask.place"));
    const select = /** @type {HTMLSelectElement} */ (html(label, "select"));
    html(select, "option", "", "…").setAttribute("value", "");
    question.options.forEach(([text], i) => html(select, "option", "", text).setAttribute("value", `${i}`));
    select.addEventListener("change", () => act({ option: select.value ? Number(select.value) : null }));
  }
  html(page.question, "p", "because", word("ask.because"));
  const reasons = question.reasons.map(([text]) => text);
  addRadios(page, `${prefix}-reason`, "reasons", reasons, "123", (reason) => act({ reason }));
  const actions = html(page.question, "div", "actions");
  button(actions, word("ask.answer"), () => store.act({ kind: "answer" }), "answer");
  button(actions, word("ask.hint"), () => act({ hint: true }), "hint");
  button(actions, word("ask.skip"), () => store.act({ kind: "skip" }), "skip");
  if (letters && isPlaced(question)) html(actions, "span", "faint", word("ask.or_click"));
  html(page.question, "p", "tip").setAttribute("aria-live", "polite");
}

/**
 * A group of choices, of which one is chosen.
 * @param {Page} page
 * @param {string} name
 * @param {"answers" | "reasons"} kind
 * @param {string[]} texts
 * @param {string} keys that choose them
 * @param {(number: number) => void} choose
 */
function addRadios(page, name, kind, texts, keys, choose) {
  const group = html(page.question, "div", kind);
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-label", word(kind === "answers" ? "ask.answers" : "ask.reasons"));
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
  const lacks = question.form === "number" ? word("ask.type_number", { unit: question.unit }) : word("ask.choose_first");
  const text = draft.missing ? lacks : draft.stray ? word("ask.stray") : draft.hint ? question.hint : "";
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
  html(row, "h3", "", word("ask.score"));
  html(row, "span", "faint", scoreText(story, asks));
  const chips = html(page.question, "ol", "chips");
  story.questions.forEach((question, i) => {
    const answer = asks.answers[i];
    const outcome = answer && outcomeOf(question, answer);
    const chip = html(chips, "li", "", outcome ? CHIPS[outcome] : "");
    chip.dataset.outcome = outcome ?? "";
    chip.setAttribute("aria-label", word("ask.chip", { number: i + 1, outcome: word(outcome ? HEADS[outcome] : "ask.unanswered") }));
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
