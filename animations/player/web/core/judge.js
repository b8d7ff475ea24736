// Judges a schedule that somebody builds: as far as it can be played, whether it is right, its cost.

import { diagnosed } from "./blame.js";
import { BrokenStep, playAll, playStep, startRun } from "./machine.js";
import { costOf, taskOf } from "./task.js";

/**
 * What is known of a schedule: as far as it can be played; the step that cannot, and why, unless
 * sizes that do not fit are refused before it; the promised cells that end wrong; the first wrong
 * step, 0 where none is, and whether nothing after it can put that right; what it costs.
 * @typedef {{run: import("./machine.js").Run, broken: BrokenStep | null, wrong: number[],
 *   step: number, lost: boolean, right: boolean, cost: ReturnType<typeof costOf>}} Judgment
 */

/** @type {WeakMap<BuiltSteps, Judgment>} */
const judgments = new WeakMap();

/**
 * @param {Story} story
 * @param {BuiltSteps} steps
 * @returns {Judgment}
 */
export function judged(story, steps) {
  const known = judgments.get(steps);
  if (known) return known;
  const task = taskOf(story);
  let run = startRun(task);
  const unplayable = problemOf(() => playAll(task, steps));
  problemOf(() => steps.forEach((step) => (run = playStep(run, step))));
  const cost = costOf(story, steps);
  const { wrong, step, lost = false } = unplayable ? { wrong: [], step: 0 } : diagnosed(run);
  const broken = sizesFirst(unplayable, cost.unequal) ? null : unplayable;
  const found = broken ? broken.step : cost.unequal || step;
  const right = !broken && !cost.unequal && !wrong.length;
  const judgment = { run, broken, wrong, step: found, lost, right, cost };
  judgments.set(steps, judgment);
  return judgment;
}

/**
 * Whether sizes are refused before what cannot be played: rules of slots and sizes are those of
 * all steps, before any step is played.
 * @param {BrokenStep | null} broken
 * @param {number} unequal
 */
function sizesFirst(broken, unequal) {
  return unequal > 0 && (!broken || broken.rule === "empty" || unequal < broken.step);
}

/** @param {() => unknown} play */
function problemOf(play) {
  try {
    play();
  } catch (problem) {
    if (problem instanceof BrokenStep) return problem;
    throw problem;
  }
  return null;
}

/**
 * Whether the cells of a transfer are there: written code may name others.
 * @param {Story} story
 * @param {Built} transfer
 */
export function isThere({ names, slots }, [src, dst, chunk, into]) {
  return [src, dst].every((node) => node in names) && [chunk, into].every((slot) => slot in slots);
}

/**
 * The transfers of a draft's step whose cells are there, with their numbers.
 * @param {Story} story
 * @param {Building} draft
 */
export function transfersAt(story, { steps, at }) {
  return [...(steps[at] ?? []).entries()].filter(([, transfer]) => isThere(story, transfer));
}

/**
 * What a draft holds after its first `at` steps, or as many of them as can be played.
 * @param {Story} story
 * @param {Building} draft
 */
export function stateOf(story, { steps, at }) {
  const { states } = judged(story, steps).run;
  return states[Math.min(at, states.length - 1)];
}

/**
 * What a cell holds after the first `at` steps; undefined where it is empty.
 * @param {Story} story
 * @param {Building} draft
 * @param {Place} at
 */
export function versionAt(story, draft, [node, slot]) {
  return stateOf(story, draft)[node * story.slots.length + slot];
}
