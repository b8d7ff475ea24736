// A schedule that somebody builds: places, moves and takes away transfers, with undo and redo.

import { cellText, heldText, refusal, transferText } from "./draft_words.js";
import { stateOf, versionAt } from "./judge.js";
import { capital } from "./phrases.js";
import { word } from "./say.js";

const MOST_UNDONE = 200;

/**
 * @param {Story} story
 * @param {BuiltSteps} steps
 * @param {number} at
 * @returns {Building}
 */
export function startDraft(story, steps, at) {
  const place = { cursor: /** @type {Place} */ ([0, 0]), picked: null, adds: Number(story.task?.adds) };
  const limited = Math.min(Math.max(at, 0), steps.length);
  return { steps, at: limited, past: [], future: [], ...place, said: "", refused: false };
}

/**
 * The draft at another step; steps without a transfer are left behind.
 * @param {Building} draft
 * @param {number} at
 * @returns {Building}
 */
export function goneTo(draft, at) {
  const target = Math.min(Math.max(at, 0), draft.steps.length);
  const before = draft.steps.slice(0, target).filter((step) => step.length);
  const steps = [...before, ...draft.steps.slice(target).filter((step) => step.length)];
  const same = steps.length === draft.steps.length;
  return { ...draft, steps: same ? draft.steps : steps, at: before.length, picked: null, ...QUIET };
}

const QUIET = { said: "", refused: false };

/**
 * The draft after an edit; what cannot be done says why and changes nothing else.
 * @param {Story} story
 * @param {Building} draft
 * @param {Edit} edit
 * @returns {Building}
 */
export function edited(story, draft, edit) {
  const { steps, at } = draft;
  const transfers = steps[at] ?? [];
  const without = (/** @type {number} */ number) => transfers.filter((_, i) => i !== number);
  switch (edit.edit) {
    case "place": {
      const { from: [src, chunk], to: [dst, into], adds = draft.adds } = edit;
      return placed(story, draft, transfers, [src, dst, chunk, into, adds]);
    }
    case "move": {
      const [src, , chunk, , adds] = transfers[edit.number];
      return placed(story, draft, without(edit.number), [src, edit.to[0], chunk, edit.to[1], adds]);
    }
    case "turn": {
      const [src, dst, chunk, into, adds] = transfers[edit.number];
      return placed(story, draft, without(edit.number), [src, dst, chunk, into, 1 - adds], edit.number);
    }
    case "remove": {
      const said = word("draft.taken_away", { transfer: transferText(story, transfers[edit.number]) });
      return changed(draft, replaced(steps, at, without(edit.number)), at, said);
    }
    case "new step": {
      if (!transfers.length) return refused(draft, word("draft.no_transfer"));
      const more = [...steps.slice(0, at + 1), [], ...steps.slice(at + 1)];
      return changed(draft, more, at + 1, word("draft.new_step", { step: at + 2 }));
    }
    case "drop step":
      if (at === steps.length) return refused(draft, word("draft.no_step"));
      return changed(draft, steps.filter((_, i) => i !== at), at, word("draft.step_gone", { step: at + 1 }));
    case "start here":
      if (at === steps.length) return refused(draft, word("draft.none_after"));
      return changed(draft, steps.slice(0, at), at, word("draft.rest_gone"));
    case "empty":
      if (!steps.length) return refused(draft, word("draft.empty_already"));
      return changed(draft, [], 0, word("draft.emptied"));
    case "undo":
      return undone(draft, "past", "future", word("draft.no_undo"));
    case "redo":
      return undone(draft, "future", "past", word("draft.no_redo"));
    case "verb":
      return { ...draft, adds: edit.adds, ...QUIET };
    case "put down":
      return { ...draft, picked: null, ...QUIET };
    case "cursor":
      return { ...draft, cursor: edit.at, refused: false, said: capital(held(story, draft, edit.at)) };
    case "pick":
      return picked(story, draft, edit.at);
  }
}

/**
 * With a transfer more; its place in the step is the last one unless that is given.
 * @param {Story} story
 * @param {Building} draft
 * @param {readonly Built[]} others
 * @param {Built} transfer
 * @param {number} number
 */
function placed(story, draft, others, transfer, number = others.length) {
  const { steps, at } = draft;
  const why = refusal(story, stateOf(story, draft), others, transfer);
  if (why) return refused(draft, why);
  const transfers = [...others.slice(0, number), transfer, ...others.slice(number)];
  const now = changed(draft, replaced(steps, at, transfers), at, "");
  const cell = /** @type {Place} */ ([transfer[1], transfer[3]]);
  const there = held(story, { ...now, at: at + 1 }, cell);
  return { ...now, cursor: cell, said: word("draft.then", { transfer: transferText(story, transfer), held: there }) };
}

/**
 * @param {Story} story
 * @param {Building} draft
 * @param {Place} at
 */
function held(story, draft, at) {
  return heldText(story, at, versionAt(story, draft, at));
}

/**
 * @param {Story} story
 * @param {Building} draft
 * @param {Place} at
 * @returns {Building}
 */
function picked(story, draft, at) {
  const full = versionAt(story, draft, at);
  const there = { ...draft, cursor: at };
  if (!full) return refused(there, word("draft.nothing_to_send", { cell: cellText(story, at) }));
  const said = word("draft.picked_up", { cell: cellText(story, at) });
  return { ...there, picked: at, said, refused: false };
}

/**
 * @param {BuiltSteps} steps
 * @param {number} at
 * @param {readonly Built[]} transfers
 */
function replaced(steps, at, transfers) {
  return [...steps.slice(0, at), transfers, ...steps.slice(at + 1)];
}

/**
 * @param {Building} draft
 * @param {string} said
 * @returns {Building}
 */
function refused(draft, said) {
  return { ...draft, picked: null, said, refused: true };
}

/**
 * @param {Building} draft
 * @param {BuiltSteps} steps
 * @param {number} at
 * @param {string} said
 * @returns {Building}
 */
function changed(draft, steps, at, said) {
  /** @type {Building["past"]} */
  const past = [...draft.past, [draft.steps, draft.at]];
  const kept = past.slice(-MOST_UNDONE);
  return { ...draft, steps, at, past: kept, future: [], picked: null, said, refused: false };
}

/**
 * @param {Building} draft
 * @param {"past" | "future"} from
 * @param {"past" | "future"} to
 * @param {string} none
 * @returns {Building}
 */
function undone(draft, from, to, none) {
  const last = draft[from].at(-1);
  if (!last) return refused(draft, none);
  /** @type {Building["past"]} */
  const kept = [...draft[to], [draft.steps, draft.at]];
  const [steps, at] = last;
  return { ...draft, steps, at, [from]: draft[from].slice(0, -1), [to]: kept, picked: null, ...QUIET };
}
