// The keys while a question is open: letters and digits choose, Enter answers.

import { openQuestion, optionOf } from "./core/ask.js";

const ASK_FIELDS = "[data-part=question] :is(input, select, textarea)";

/**
 * Obeys a key for the question, or leaves it to the field it is typed in; says whether it did.
 * @param {KeyboardEvent} event
 * @param {Page} page
 * @param {Store} store
 */
export function askKey(event, page, store) {
  const { asks } = store.state;
  if (!asks) return false;
  const question = openQuestion(store.story, store.state);
  const target = /** @type {Partial<Element>} */ (event.target);
  const field = target.closest?.(ASK_FIELDS);
  const key = event.key.toLowerCase();
  if (key === "q" && !field?.matches("[type=text]")) {
    store.act({ kind: "score" });
    return true;
  }
  if (key === "enter" && !target.closest?.("button, a, summary, [role=button], select, textarea")) {
    const typed = question && field?.matches("[type=text]") && optionOf(question, asks.draft) !== null;
    if (typed && asks.draft.reason === null) focusReasons(page);
    else if (question) store.act({ kind: "answer" });
    else if (asks.told) store.act({ kind: "continue" });
    else return false;
    return true;
  }
  if (field && (key === "escape" || key === "tab")) return false;
  const chosen = question && !field?.matches("[type=text], select") ? choiceOf(question, key, !!field) : null;
  if (chosen) {
    store.act({ kind: "draft", draft: chosen });
    return true;
  }
  if (question?.form === "number" && !field && /^[\d.]$/.test(key)) {
    /** @type {HTMLInputElement | null} */ (page.question.querySelector("[type=text]"))?.focus();
    return "typed";
  }
  return field ? "typed" : false;
}

/**
 * A number is typed; its reason comes next.
 * @param {Page} page
 */
function focusReasons(page) {
  /** @type {HTMLInputElement | null} */ (page.question.querySelector(".reasons input"))?.focus();
}

/**
 * What a key chooses: an answer by its letter, a reason by its number, or a hint.
 * @param {Question} question
 * @param {string} key
 * @param {boolean} inField where digits are not the beginning of a number
 * @returns {Partial<AskDraft> | null}
 */
function choiceOf({ form, options, reasons }, key, inField) {
  const [option, reason] = ["abcd".indexOf(key), "123".indexOf(key)];
  if (key.length > 1) return null;
  if (key === "h") return { hint: true };
  if (form === "choice" && option >= 0) return option < options.length ? { option } : {};
  return (form !== "number" || inField) && reason >= 0 && reason < reasons.length ? { reason } : null;
}
