// What an answer was worth and why, its number as a bar beside the right one, and the results.

import { amountOf, outcomeOf, resultLine, resultsCsv, resultsOf } from "../core/ask.js";
import { capital } from "../core/phrases.js";
import { word } from "../core/say.js";
import { button, copyFrom, html, saveAs } from "./elements.js";

export const HEADS = { reasoned: "ask.reasoned", right: "ask.right", wrong: "ask.wrong", skipped: "ask.skipped" };

/**
 * @param {Page} page
 * @param {string} text
 */
export function addHead(page, text) {
  const head = html(page.question, "h2", "", text);
  head.tabIndex = -1;
  page.told.textContent = text; // read aloud
}

/**
 * What the last answer was worth, and why.
 * @param {Page} page
 * @param {Story} story
 * @param {Asks} asks
 * @param {Store} store
 */
export function buildVerdict(page, story, asks, store) {
  const say = (/** @type {string} */ text, className = "") => html(page.question, "p", className, text);
  const number = asks.answers.length - 1;
  const question = story.questions[number];
  const over = number + 1 === story.questions.length;
  if (!question) addHead(page, word("ask.score"));
  else {
    const answer = asks.answers[number];
    const outcome = outcomeOf(question, answer);
    addHead(page, word(HEADS[outcome]));
    page.question.dataset.outcome = outcome;
    say(word("ask.asked", { prompt: question.prompt, detail: question.detail }), "faint");
    say(word("ask.explained", { answer: capital(question.options[question.right][0]), why: question.explanation }), "explanation");
    if (outcome === "wrong") {
      const [text, feedback] = question.options[answer.option] ?? [answer.typed, word("ask.count_again")];
      say(word("ask.you_said", { answer: answer.typed || text, feedback }), "believed");
      if (question.form === "number") addBars(page, question, answer.typed);
    }
    const because = answer.reason === null ? undefined : question.reasons[answer.reason];
    const feedback = because?.[1] === question.options[answer.option]?.[1] ? "" : because?.[1] ?? ""; // said already
    if (because?.[1]) say(word("ask.your_reason", { reason: because[0], feedback }).trim());
    else if (!because && outcome !== "skipped") say(word("ask.no_reason"));
    page.told.textContent = [...page.question.querySelectorAll("h2, p:not(.faint)")].map((part) => part.textContent).join(" ");
  }
  const actions = html(page.question, "div", "actions");
  button(actions, word(over || !question ? "ask.close" : "ask.continue"), () => store.act({ kind: "continue" }), "answer");
  if (over) addResults(page, actions, story, asks);
}

/**
 * The right number and the one that was typed, as bars of one scale.
 * @param {Page} page
 * @param {Question} question
 * @param {string} typed
 */
function addBars(page, { options, right, unit }, typed) {
  const [text, , value] = options[right];
  const [amount, said] = [amountOf(typed, unit) ?? 0, /[a-z]/i.test(typed) ? typed : `${typed} ${unit}`];
  const longest = Math.max(value, amount);
  const bars = html(page.question, "div", "amounts");
  bars.setAttribute("aria-hidden", "true"); // the sentences say it
  for (const [name, label, number] of /** @type {const} */ ([["right", text, value], ["wrong", said, amount]])) {
    html(bars, "span", "", label);
    const bar = html(html(bars, "span", "track"), "span", `bar ${name}`);
    bar.style.width = `${number < longest ? (100 * number) / longest : 100}%`;
  }
}

/**
 * The results as a line to copy, and as files.
 * @param {Page} page
 * @param {HTMLElement} actions
 * @param {Story} story
 * @param {Asks} asks
 */
function addResults(page, actions, story, asks) {
  const results = resultsOf(story, asks);
  const line = /** @type {HTMLTextAreaElement} */ (html(page.question, "textarea"));
  Object.assign(line, { readOnly: true, value: resultLine(story, asks), rows: 3, ariaLabel: word("ask.results") });
  const copy = button(actions, word("ask.copy"), async () => {
    await copyFrom(line);
    copy.textContent = word("ask.copied");
  });
  const files = { CSV: () => resultsCsv(results), JSON: () => `${JSON.stringify(results, null, 1)}\n` };
  for (const [name, content] of Object.entries(files)) {
    button(actions, name, () => saveAs(`answers.${name.toLowerCase()}`, "text/plain", content()));
  }
}
