// Answers are kept for the tab where a browser allows it, so that a reload does not lose them.

import { resultsOf } from "./core/ask.js";
import { sameValue } from "./core/selection.js";

/**
 * Restores what was answered in this tab on the same page, and keeps what is answered from now on.
 * @param {Store} store
 */
export function keepAnswers(store) {
  const { story } = store;
  if (!store.state.asks) return;
  const name = `collectives ${location.pathname}${location.search}`;
  const asked = story.questions.map(({ prompt, detail }) => [prompt, detail]);
  let { answers } = store.state.asks;
  try {
    const kept = JSON.parse(sessionStorage.getItem(name) ?? "null");
    if (kept && sameValue(kept.asked, asked)) store.act({ kind: "answers", results: kept.results });
  } catch {
    // a frame in a sandbox keeps nothing, and what is there may be another program's
  }
  store.subscribe(["asks"], () => {
    const now = store.state.asks?.answers ?? [];
    if (now === answers) return;
    answers = now;
    try {
      sessionStorage.setItem(name, JSON.stringify({ asked, results: resultsOf(story, store.state.asks) }));
    } catch {
      // nor is anything kept there
    }
  });
}
