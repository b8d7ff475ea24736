// Decodes a story (see data.py) and the moves of its steps.

import { inflated } from "./unpacking.js";

/**
 * The stories that were packed (see `pack` in data.py); a promise of them.
 * @param {string} text
 * @returns {Promise<Story[]>}
 */
export async function unpacked(text) {
  return storiesOf(await inflated(text));
}

/**
 * @param {ArrayBuffer} whole
 * @returns {Story[]}
 */
export function storiesOf(whole) {
  const length = new DataView(whole).getUint32(0, true);
  const fields = Object.entries(JSON.parse(new TextDecoder().decode(new Uint8Array(whole, 4, length))));
  /** @type {any[]} */
  const stories = fields[0][1].map((/** @type {unknown} */ _, /** @type {number} */ i) => {
    return Object.fromEntries(fields.map(([name, values]) => [name, values[i]]));
  });
  const numbers = new Uint16Array(whole.slice(4 + length));
  let at = 0;
  /** @type {(total: number, width: number) => (count: number) => Uint16Array} */
  const table = (total, width) => {
    const base = at;
    let row = 0;
    at += total;
    return (count) => {
      const taken = new Uint16Array(count);
      for (let column = 0, from = base + row; column < width; column++, from += total / width) {
        for (let i = column, next = from; i < count; i += width) taken[i] = numbers[next++];
      }
      row += count / width;
      return taken;
    };
  };
  /** @type {number[][]} */
  const frames = stories.flatMap((story) => story.frames);
  const starts = table(sum(stories.map((story) => story.start)), 3);
  /** @type {number[]} */
  const widths = stories[0].widths;
  const tables = widths.map((width, i) => table(sum(frames.map((f) => f[i + 1])), width));
  for (const story of stories) {
    story.start = starts(story.start);
    for (const frame of story.frames) {
      tables.forEach((take, i) => (frame[i + 1] = take(frame[i + 1])));
    }
  }
  return stories;
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * The moves of a step; of the start none.
 * @param {Story} story
 * @param {number} step
 * @returns {Move[]}
 */
export function movesOf(story, step) {
  if (!step) return [];
  const [numbers, [width]] = [story.frames[step - 1][1], story.widths];
  return Array.from({ length: numbers.length / width }, (_, i) => moveAt(numbers, width * i));
}

/**
 * The move of a step that its caption speaks of; undefined at the start or if nothing moves.
 * @param {Story} story
 * @param {number} step
 */
export function followedMove(story, step) {
  const [, numbers, , , , , , , followed] = story.frames[step - 1] ?? [0, []];
  return numbers.length ? moveAt(numbers, story.widths[0] * followed) : undefined;
}

/**
 * @param {Numbers} numbers
 * @param {number} i
 * @returns {Move}
 */
function moveAt(numbers, i) {
  return {
    src: numbers[i],
    dst: numbers[i + 1],
    chunk: numbers[i + 2],
    into: numbers[i + 3],
    adds: numbers[i + 4],
    cell: numbers[i + 5],
    size: numbers[i + 6],
    data: numbers[i + 7],
    line: numbers[i + 8],
  };
}

/**
 * What tells a move of a step, or the data of its element, from the others.
 * @param {Pick<Move, "src" | "dst" | "chunk" | "into"> | DOMStringMap} move
 */
export function keyOf({ src, dst, chunk, into }) {
  return [src, dst, chunk, into].join(" ");
}

/**
 * Whether something is seen in a state.
 * @param {States} states
 * @param {number} state
 */
export function isShown(states, state) {
  return !states || (states[0] <= state && state <= states[1]);
}

/**
 * Whether a state shows a deadlock: the last one, once its step has landed.
 * @param {Story} story
 * @param {number} settled
 */
export function isHalted({ wrong, frames }, settled) {
  return !!wrong?.waits.length && settled === frames.length;
}
