// Questions: how far a player may step until one is answered, what an answer is worth, the results.

import { count, word } from "./say.js";

const ROUNDED = 0.01; // of a number of bytes, as it is typed rounded
const SKIPPED = -1;
const UNKNOWN = -2; // a number that nothing is known of

/** @type {Record<string, number>} */
const SIZE_UNITS = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40 };

/** @type {AskDraft} */
export const NO_DRAFT = { option: null, typed: "", reason: null, hint: false, missing: false, stray: false };

/**
 * Nothing answered yet; null where nothing is asked.
 * @param {Story | undefined} story
 * @returns {Asks | null}
 */
export function asksOf(story) {
  return story?.questions?.length ? { answers: [], draft: NO_DRAFT, told: false } : null;
}

/**
 * The last step that may be shown.
 * @param {Story} story
 * @param {Asks | null} asks
 */
export function limitOf(story, asks) {
  const next = asks && story.questions[asks.answers.length];
  return next ? Math.min(next.step - 1, story.frames.length) : story.frames.length;
}

/**
 * Whether questions are still to come, and what follows must not be told.
 * @param {Story} story
 * @param {Asks | null} asks
 */
export function isAsking(story, asks) {
  return !!asks && asks.answers.length < story.questions.length;
}

/**
 * The question that is to be answered now; undefined on the way to it, and while an answer is told.
 * @param {Story} story
 * @param {Pick<State, "step" | "asks">} state
 */
export function openQuestion(story, { step, asks }) {
  const next = asks && !asks.told ? story.questions[asks.answers.length] : undefined;
  return next && step >= Math.min(next.step - 1, story.frames.length) ? next : undefined;
}

/**
 * The question whose answer is told and the answer, while the step it is about is shown.
 * @param {Story} story
 * @param {Pick<State, "step" | "asks">} state
 * @returns {[question: Question, answer: Answer] | null}
 */
export function toldAnswer(story, { step, asks }) {
  const number = asks?.told ? asks.answers.length - 1 : -1;
  if (!asks || number < 0) return null;
  const question = story.questions[number];
  const [before, after] = [question.step - 1, question.step].map((at) => Math.min(at, story.frames.length));
  return before <= step && step <= after ? [question, asks.answers[number]] : null;
}

/**
 * The option that a place on the stage means: the node that is asked for, or the one transfer that
 * goes to it; null where no answer does.
 * @param {Story} story
 * @param {Question} question
 * @param {Thing} thing
 */
export function optionAt(story, { form, options }, { kind, at: [node, slot] }) {
  if (form === "place") return node;
  const fits = options.map(([, , , [mark]]) => {
    const [, , , dst, into] = mark;
    return dst === node && (kind === "rank" || story.well[into] === story.well[slot]);
  });
  const found = fits.indexOf(true);
  return found === fits.lastIndexOf(true) && found >= 0 ? found : null;
}

/**
 * Whether a question may be answered by a place on the stage.
 * @param {Question} question
 */
export function isPlaced({ form, options }) {
  return form === "place" || options.every(([, , , [mark]]) => mark?.[0] === "transfer");
}

/**
 * The number that was typed, in the unit that is meant where none is; null if it is none.
 * @param {string} typed
 * @param {string} unit
 */
export function amountOf(typed, unit) {
  const [, digits, name] = /^\s*(\d[\d\s_,]*(?:\.\d*)?|\.\d+)\s*(\p{L}*)\s*$/iu.exec(typed) ?? [];
  if (digits === undefined) return null;
  const plain = digits.replace(/[\s_]/g, "");
  const decimal = /^\d+,\d+$/.test(plain) && !/,\d{3}$/.test(plain);
  const number = Number(decimal ? plain.replace(",", ".") : plain.replace(/,/g, ""));
  if (Number.isNaN(number)) return null;
  const [given, meant] = [name, unit].map((each) => each.toLowerCase().replace(/s$/, ""));
  if (!(meant in SIZE_UNITS)) return !given || given === meant ? number : null;
  const scale = SIZE_UNITS[given === "byte" ? "b" : given || meant];
  return scale ? number * scale : null;
}

/**
 * The option that a draft means; null while it says nothing.
 * @param {Question} question
 * @param {AskDraft} draft
 */
export function optionOf(question, draft) {
  if (question.form !== "number") return draft.option;
  const amount = amountOf(draft.typed, question.unit);
  if (amount === null) return null;
  const exact = !(question.unit.toLowerCase() in SIZE_UNITS);
  const near = question.options.findIndex(([, , value]) => Math.abs(amount - value) <= (exact ? 0 : ROUNDED * value));
  return near < 0 ? UNKNOWN : near;
}

/**
 * The state of the questions once the draft is answered; if it says nothing, that this is missing.
 * @param {Question} question
 * @param {Asks} asks
 * @returns {Asks}
 */
export function answeredBy(question, asks) {
  const option = optionOf(question, asks.draft);
  if (option === null) return { ...asks, draft: { ...asks.draft, missing: true } };
  const { typed, reason } = asks.draft;
  return { answers: [...asks.answers, { option, typed: typed.trim(), reason }], draft: NO_DRAFT, told: true };
}

/**
 * @param {Asks} asks
 * @returns {Asks}
 */
export function skippedBy(asks) {
  const answer = { option: SKIPPED, typed: "", reason: null };
  return { answers: [...asks.answers, answer], draft: NO_DRAFT, told: true };
}

/**
 * What became of an answer: right with a right reason, right, wrong, or skipped.
 * @param {Question} question
 * @param {Answer} answer
 * @returns {"reasoned" | "right" | "wrong" | "skipped"}
 */
export function outcomeOf(question, { option, reason }) {
  if (option === SKIPPED) return "skipped";
  if (option !== question.right) return "wrong";
  return reason === question.reason ? "reasoned" : "right";
}

/**
 * Each answer as others are told of it, in order.
 * @param {Story} story
 * @param {Asks | null} asks
 * @returns {Result[]}
 */
export function resultsOf(story, asks) {
  return (asks?.answers ?? []).map((answer, i) => {
    const { kind, step, prompt, detail, options, reasons, reason } = story.questions[i];
    const skipped = answer.option === SKIPPED;
    return {
      kind,
      step,
      asked: word("ask.asked", { prompt, detail }),
      answered: skipped ? null : answer.typed || options[answer.option]?.[0] || "",
      because: answer.reason === null ? null : reasons[answer.reason][0],
      right: skipped ? null : answer.option === story.questions[i].right,
      right_reason: skipped ? null : answer.reason === reason,
    };
  });
}

/**
 * The state of the questions after these results; of one that does not fit, as after those before.
 * @param {Story} story
 * @param {Result[]} results
 * @returns {Asks}
 */
export function asksAfter(story, results) {
  /** @type {Answer[]} */
  const answers = [];
  for (const [i, { kind, answered, because }] of results.entries()) {
    const question = story.questions[i];
    if (question?.kind !== kind) break;
    const typed = question.form === "number" ? answered ?? "" : "";
    const named = question.options.findIndex(([text]) => text === answered);
    const option = answered === null ? SKIPPED : typed ? optionOf(question, { ...NO_DRAFT, typed }) : named;
    const reason = question.reasons.findIndex(([text]) => text === because);
    answers.push({ option: option ?? UNKNOWN, typed, reason: reason < 0 ? null : reason });
  }
  return { answers, draft: NO_DRAFT, told: false };
}

/**
 * The score so far, in words.
 * @param {Story} story
 * @param {Asks} asks
 * @param {string} key of the words
 */
export function scoreText(story, asks, key = "ask.so_many") {
  const outcomes = asks.answers.map((answer, i) => outcomeOf(story.questions[i], answer));
  if (!outcomes.length) return count(story.questions.length, "question");
  const reasoned = outcomes.filter((outcome) => outcome === "reasoned").length;
  return word(key, { right: reasoned, all: outcomes.length });
}

/**
 * One line to paste.
 * @param {Story} story
 * @param {Asks} asks
 */
export function resultLine(story, asks) {
  const marks = { reasoned: "✓", right: word("ask.mark_right"), wrong: "✗", skipped: word("ask.mark_skipped") };
  const each = asks.answers.map((answer, i) => {
    const question = story.questions[i];
    return `${question.kind} ${marks[outcomeOf(question, answer)]}`;
  });
  const { title, ranks } = story;
  const fields = { title, score: scoreText(story, asks, "ask.line_score"), each: each.join(word("parts.comma")) };
  return ranks ? word("ask.line", { ...fields, ranks: count(ranks, "rank") }) : word("ask.line_alone", fields);
}

/** @param {Result[]} results */
export function resultsCsv(results) {
  const names = /** @type {const} */ (["kind", "step", "asked", "answered", "because", "right", "right_reason"]);
  const cell = (/** @type {unknown} */ value) => {
    const text = `${value ?? ""}`;
    const safe = /^[=+@-]/.test(text) ? `'${text}` : text; // no formula where a table opens it
    return /[",\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  };
  const rows = results.map((result) => names.map((name) => cell(result[name])).join(","));
  return [names.join(","), ...rows, ""].join("\n");
}
