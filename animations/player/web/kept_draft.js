// The workbench's draft is kept for the tab where a browser allows it, so that a reload does not lose it.

import { draftOf, draftText } from "./core/draft_link.js";
import { sameValue } from "./core/selection.js";

/**
 * Restores what was built in this tab on the same page unless the address named a draft, and keeps
 * what is built from now on.
 * @param {Store} store
 * @param {string} recording what the address begins with, where there are several recordings
 */
export function keepDraft(store, recording) {
  const story = store.own; // whatever is set of its machine
  const of = [story.title, story.subtitles[0], ...story.sources.map(([text]) => text)];
  const name = `collectives draft ${location.pathname}${location.search} ${recording}`;
  try {
    const known = JSON.parse(sessionStorage.getItem(name) ?? "{}");
    const mine = sameValue(known.of, of) && !store.state.built;
    const kept = mine ? draftOf(story, `${known.text}`) : null;
    if (kept) openDraft(store, kept);
    if (kept && !known.building) store.act({ kind: "build" });
  } catch {
    // a frame in a sandbox keeps nothing, and what is there may be another program's
  }
  let last = "";
  store.subscribe(["built", "building"], () => {
    const { built, building } = store.state;
    const text = built ? draftText(story, built) : "";
    if (last === (last = `${building} ${text}`)) return; // as only the cursor moved
    try {
      if (built) sessionStorage.setItem(name, JSON.stringify({ of, text, building }));
      else sessionStorage.removeItem(name);
    } catch {
      // nor is anything kept there
    }
  });
}

/**
 * Goes to the workbench with a draft.
 * @param {Store} store
 * @param {{steps: BuiltSteps, at: number}} draft
 */
export function openDraft(store, { steps, at }) {
  store.act({ kind: "built", steps });
  if (store.state.building) store.act({ kind: "step", step: at });
}
