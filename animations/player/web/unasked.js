// What stands in the place of all that asks (see page.py), on a page without questions.

/** @type {Mount} */
export function mountQuestion() {
  return { slices: [], update() {} };
}

export const mountAsked = mountQuestion;

export function askKey() {
  return false;
}

export function keepAnswers() {}
