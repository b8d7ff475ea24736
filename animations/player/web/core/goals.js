// What cells and ranks must hold at the end, beside what they hold now.

import { contentOf, isDouble } from "./origins.js";
import { MOST_TOLD, cellLink, chips, count } from "./phrases.js";
import { goalOf } from "./selection.js";

/** @typedef {import("./phrases.js").Part} Part */

/**
 * What a cell must hold at the end, and what of it is still missing.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 * @param {import("./origins.js").Contents} content
 * @returns {Part[]}
 */
export function goalParts(story, node, slot, content) {
  const goal = goalOf(story, node, slot);
  if (!goal) return ["The promise asks nothing of this slot."];
  const there = goal.filter((contribution) => content.has(contribution));
  const more = content.size > there.length || isDouble(content) ? " What is here now must be overwritten." : "";
  if (there.length === goal.length && !more) return ["Complete: this is what the promise asks for."];
  const missing = new Set(goal.filter((contribution) => !content.has(contribution)));
  const left = missing.size ? ` ${missing.size} of ${goal.length} still missing (dashed).` : "";
  const whose = story.blocks || goal.length < 2 ? "" : "ranks ";
  return [`Goal: ${whose}`, ...chips(story, goal, slot, missing), `.${left}${more}`];
}

/**
 * How much of what a rank must hold at the end is there.
 * @param {Story} story
 * @param {number} node
 * @param {number} step
 * @returns {Part[][]}
 */
export function goalsOfRank(story, node, step) {
  /** @type {Part[][]} */
  const open = [];
  let all = 0;
  for (const slot of story.slots.keys()) {
    const goal = goalOf(story, node, slot);
    if (!goal) continue;
    all++;
    const content = contentOf(story, node, slot, step);
    const there = goal.filter((contribution) => content.has(contribution)).length;
    if (there === goal.length && content.size === there && !isDouble(content)) continue;
    open.push([open.length ? ", " : "", cellLink(story, node, slot), ` (${there} of ${goal.length})`]);
  }
  if (!all) return [["The promise asks nothing of it."]];
  const done = `Goal: ${all - open.length} of ${count(all, "promised slot")} complete`;
  if (!open.length) return [[`${done}.`]];
  const rest = open.length - MOST_TOLD;
  const parts = open.slice(0, MOST_TOLD).flat();
  return [[`${done}. Still open, with the contributions that are there: `, ...parts, rest > 0 ? ` and ${rest} more.` : "."]];
}
