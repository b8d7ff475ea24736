// What cells and ranks must hold at the end, beside what they hold now.

import { contentOf, isDouble } from "./origins.js";
import { MOST_TOLD, cellLink, chips } from "./phrases.js";
import { count, word, wordParts } from "./say.js";
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
  if (!goal) return [word("goals.none_of_slot")];
  const there = goal.filter((contribution) => content.has(contribution));
  const more = content.size > there.length || isDouble(content) ? word("goals.overwrite") : "";
  if (there.length === goal.length && !more) return [word("goals.complete")];
  const missing = new Set(goal.filter((contribution) => !content.has(contribution)));
  const left = missing.size ? word("goals.missing", { missing: missing.size, all: goal.length }) : "";
  const key = story.blocks || goal.length < 2 ? "goals.goal" : "goals.goal_ranks";
  return wordParts(key, { chips: chips(story, goal, slot, missing), missing: left, more });
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
    const parts = wordParts("goals.there", { slot: cellLink(story, node, slot), there: `${there}`, all: `${goal.length}` });
    open.push([open.length ? word("parts.comma") : "", ...parts]);
  }
  if (!all) return [[word("goals.none_of_rank")]];
  const done = word("goals.done", { done: all - open.length, slots: count(all, "promised_slot") });
  if (!open.length) return [[done]];
  const rest = open.length - MOST_TOLD;
  const more = rest > 0 ? word("parts.and_more", { number: rest }) : "";
  return [[done, " ", ...wordParts("goals.open", { slots: open.slice(0, MOST_TOLD).flat(), more })]];
}
