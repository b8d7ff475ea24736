// The task of a story as the machine takes it, its own schedule, and what a schedule costs.

import { movesOf } from "./story.js";

/** @typedef {import("./machine.js").Task} Task */

/** @type {WeakMap<Story, Task>} */
const tasks = new WeakMap();

/**
 * What has to be done; there is a task only where a page shows each rank.
 * @param {Story} story
 * @returns {Task}
 */
export function taskOf(story) {
  const known = tasks.get(story);
  if (known) return known;
  const counts = { nodes: story.names.length, ranks: story.ranks, slots: story.slots.length, promised: story.promised };
  const { exactly_once, at_home } = /** @type {TaskData} */ (story.task);
  const task = taskFrom({ ...counts, begins: story.begins, needs: story.needs, exactly_once, at_home });
  tasks.set(story, task);
  return task;
}

/**
 * The task that runs of slots say: those that hold data at the start, and those that are promised,
 * see `Origins` of story/origins.py.
 * @typedef {{nodes: number, ranks: number, slots: number, promised: number, begins: number[][],
 *   needs: number[][], exactly_once: boolean, at_home: boolean}} PackedTask
 * @param {PackedTask} packed
 * @returns {Task}
 */
export function taskFrom({ begins, needs, promised: promisedSlots, exactly_once: exactlyOnce, at_home: atHome, ...counts }) {
  const { slots } = counts;
  const start = begins.flatMap((runs, node) => {
    return pairsOf(runs).flatMap(([first, end]) => range(first, end).map((slot) => node * slots + slot));
  });
  const promised = needs.flatMap(([node, first, count, origin, low, high, ...growth]) => {
    return range(0, count).map((by) => {
      const [own, from, end] = [origin, low, high].map((number, i) => number + by * growth[i]);
      return /** @type {const} */ ([node * slots + first + by, own, from, end]);
    });
  });
  return { ...counts, promisedSlots, start, promised, exactlyOnce, atHome };
}

/**
 * The schedule of a story, of a wrong one also what is not shown of it.
 * @param {Story} story
 * @returns {BuiltSteps}
 */
export function stepsOf(story) {
  return [...shownSteps(story), .../** @type {TaskData} */ (story.task).later];
}

/**
 * The transfers of each step that is drawn.
 * @param {Story} story
 */
export function shownSteps(story) {
  return story.frames.map((_, i) => {
    return movesOf(story, i + 1).map(({ src, dst, chunk, into, adds }) => /** @type {Built} */ ([src, dst, chunk, into, adds]));
  });
}

/**
 * Steps as others are told of them: what adds says so by true.
 * @param {BuiltSteps} steps
 */
export function sharedSteps(steps) {
  return steps.map((step) => step.map(([src, dst, chunk, into, adds]) => [src, dst, chunk, into, !!adds]));
}

/**
 * @param {[...numbers: number[], adds: boolean][]} step
 * @returns {Built[]}
 */
export function fromSharedStep(step) {
  return step.map(([src, dst, chunk, into, adds]) => /** @type {Built} */ ([src, dst, chunk, into, Number(adds)]));
}

/**
 * Steps in which a message travels, the most messages that a node sends or receives in one, and
 * the bytes that each node sends. Chunks of different sizes: where a slot of any size is written
 * from one of another size, `unequal` is the number of the first such step.
 * @param {Story} story
 * @param {BuiltSteps} steps
 */
export function costOf(story, steps) {
  const { chunk_bytes: bytes } = /** @type {TaskData} */ (story.task);
  const [nodes, slots] = [story.names.length, story.slots.length];
  const even = bytes.every((size) => size === bytes[0]);
  const size = range(0, nodes * slots).map((cell) => (even ? bytes[0] : bytes[cell % slots] ?? 0));
  const cost = { steps: 0, ports: 0, sent: Array(nodes).fill(0), unequal: 0 };
  steps.forEach((transfers, index) => {
    const before = size.slice();
    const messages = new Set();
    const carried = new Set();
    for (const [src, dst, chunk, into] of transfers) {
      const [from, to] = [src * slots + chunk, dst * slots + into];
      if (into >= bytes.length) size[to] = before[from];
      else if (before[from] !== size[to]) cost.unequal ||= index + 1;
      const key = `${from} ${dst}`;
      if (src === dst || carried.has(key)) continue;
      messages.add(src * nodes + dst);
      carried.add(key);
      cost.sent[src] += before[from];
    }
    cost.steps += messages.size ? 1 : 0;
    cost.ports = Math.max(cost.ports, mostPorts(nodes, messages));
  });
  return cost;
}

/**
 * @param {number} nodes
 * @param {Set<number>} messages
 */
function mostPorts(nodes, messages) {
  const ports = Array(2 * nodes).fill(0);
  for (const message of messages) {
    ports[Math.floor(message / nodes)]++;
    ports[nodes + (message % nodes)]++;
  }
  return Math.max(0, ...ports);
}

/**
 * @param {number} first
 * @param {number} end
 */
function range(first, end) {
  return Array.from({ length: end - first }, (_, i) => first + i);
}

/**
 * @param {number[]} numbers
 */
function pairsOf(numbers) {
  return range(0, numbers.length / 2).map((i) => [numbers[2 * i], numbers[2 * i + 1]]);
}
