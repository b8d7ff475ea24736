// Which contributions a slot holds after a step, followed back through the moves that wrote it.

import { movesOf } from "./story.js";

/**
 * A step that wrote a slot: its moves, what came from where, and the first number then held.
 * @typedef {{step: number, adds: boolean, moves: Move[], numbers: number[]}} Write
 *
 * The contributions in a slot, and how many times each is in it.
 * @typedef {Map<number, number>} Contents
 *
 * Of each slot its writes, and the contents found so far.
 * @typedef {{writes: Map<number, Write[]>, contents: Map<string, Contents>}} Memory
 */

/** @type {WeakMap<Story, Memory>} */
const memories = new WeakMap();

/**
 * A slot as one number: node * slots + slot; a contribution is that of the slot it began in.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 */
export function indexOf(story, node, slot) {
  return node * story.slots.length + slot;
}

/**
 * Found when something is first selected: it takes time, and many never do.
 * @param {Story} story
 * @returns {Memory}
 */
function memoryOf(story) {
  const known = memories.get(story);
  if (known) return known;
  /** @type {Memory["writes"]} */
  const writes = new Map();
  const last = story.frames.length - (story.wrong?.attempted ? 1 : 0); // which changes nothing
  for (let step = 1; step <= last; step++) {
    movesOf(story, step).forEach((move, number) => {
      if (story.lost?.[step].has(number)) return;
      const cell = indexOf(story, move.dst, move.into);
      const of = writes.get(cell) ?? [];
      writes.set(cell, of);
      let last = of[of.length - 1];
      if (last?.step !== step) of.push((last = { step, adds: !!move.adds, moves: [], numbers: [] }));
      last.moves.push(move);
      last.numbers.push(number);
    });
  }
  const found = { writes, contents: new Map() };
  memories.set(story, found);
  return found;
}

/**
 * All steps that wrote a slot.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 */
export function writesOf(story, node, slot) {
  return memoryOf(story).writes.get(indexOf(story, node, slot)) ?? [];
}

/**
 * The last write of a slot in the first `step` steps; undefined where it is as at the start.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 * @param {number} step
 */
export function lastWrite(story, node, slot, step) {
  return writesOf(story, node, slot).filter((write) => write.step <= step).at(-1);
}

/**
 * The contributions that a slot holds after a step.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 * @param {number} step
 * @returns {Contents}
 */
export function contentOf(story, node, slot, step) {
  const { contents } = memoryOf(story);
  const write = lastWrite(story, node, slot, step);
  const key = `${indexOf(story, node, slot)} ${write?.step ?? 0}`;
  const known = contents.get(key);
  if (known) return known;
  /** @type {Contents} */
  const found = new Map();
  if (!write) {
    if (startOf(story, node, slot) >= 0) found.set(indexOf(story, node, slot), 1);
  } else {
    const parts = write.moves.map(({ src, chunk }) => contentOf(story, src, chunk, write.step - 1));
    if (write.adds) parts.push(contentOf(story, node, slot, write.step - 1));
    for (const part of parts) {
      part.forEach((times, each) => found.set(each, story.news ? 1 : times + (found.get(each) ?? 0)));
    }
  }
  contents.set(key, found);
  return found;
}

/**
 * The number of a slot among those that hold data at the start; -1 where it is empty.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 */
function startOf(story, node, slot) {
  let before = 0;
  for (const [other, runs] of story.begins.entries()) {
    for (let i = 0; i < runs.length; i += 2) {
      if (other === node && runs[i] <= slot && slot < runs[i + 1]) return before + slot - runs[i];
      before += runs[i + 1] - runs[i];
    }
  }
  return -1;
}

/**
 * The first number in a slot after a step, as text; nothing where it is empty or not shown.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 * @param {number} step
 */
export function numberIn(story, node, slot, step) {
  const write = lastWrite(story, node, slot, step);
  if (!write) return story.firsts[startOf(story, node, slot)] ?? "";
  return story.frames[write.step - 1][10][write.numbers[0]] ?? "";
}

/**
 * Whether a contribution is there more than once, which is never asked for.
 * @param {Contents} content
 */
export function isDouble(content) {
  return [...content.values()].some((times) => times > 1);
}
