// What is to be said of a schedule that a function made: right, or its first wrong step.

import { diagnosed } from "./blame.js";
import { BrokenStep, playAll } from "./machine.js";

/**
 * Right, or wrong: in which step, 0 if no step is, and by what: what it raised, if anything.
 * @typedef {{right: boolean, step: number, error: string, line: number}} Trial
 */

/**
 * The rows of a step, slot by slot.
 * @param {number[][]} rows
 */
export function unrolled(rows) {
  return rows.flatMap(([src, dst, chunk, into, count, adds, needs]) => {
    const length = Math.max(count, 1);
    return Array.from({ length }, (_, by) => {
      const transfer = /** @type {const} */ ([src, dst, chunk + by, count < 1 ? -1 : into + by, adds]);
      return needs === undefined ? transfer : /** @type {const} */ ([...transfer, needs + by]);
    });
  });
}

/**
 * The first step whose transfers are not those of another schedule; 0 where all are.
 * @param {BuiltSteps} steps
 * @param {BuiltSteps} others
 */
export function firstOther(steps, others) {
  const [own, known] = [steps, others].map((all) => all.map((step) => `${step.map((each) => each.slice(0, 5).join()).sort()}`));
  const longest = own.length > known.length ? own : known;
  return longest.findIndex((_, i) => own[i] !== known[i]) + 1;
}

/**
 * @param {import("./machine.js").Task} task
 * @param {import("./python_run.js").Made} made
 * @returns {Trial}
 */
export function triedOn(task, { steps, error = "", line = 0 }) {
  const transfers = steps.map(unrolled);
  const wrong = { right: false, error: "", line: 0 };
  try {
    const run = playAll(task, transfers);
    if (error) return { ...wrong, step: steps.length + 1, error, line };
    const found = diagnosed(run);
    return found.wrong.length ? { ...wrong, step: found.step } : { ...wrong, right: true, step: 0 };
  } catch (problem) {
    if (!(problem instanceof BrokenStep)) throw problem;
    return { ...wrong, step: problem.step };
  }
}
