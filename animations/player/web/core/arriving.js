// What of a story arrives where something stops it: moves, amounts and the cells that they change.

import { bytesText } from "./amounts.js";
import { movesOf } from "./story.js";

/** @typedef {import("./timed_run.js").Timing} Timing */

/**
 * Of each step the numbers of its moves that never arrive.
 * @param {Story} story
 * @param {Setup} setup
 * @param {Timing} timing
 */
export function lostMoves(story, setup, timing) {
  /** @type {Set<number>} */
  const stuck = new Set(); // cells that never get what a step writes, and so nothing after it
  const cell = (/** @type {number} */ node, /** @type {number} */ slot) => node * setup.slots + slot;
  return [new Set(), ...story.frames.map((_, i) => {
    const moves = movesOf(story, i + 1);
    const ends = endsOfMoves(story, setup, timing, i);
    const ever = (/** @type {Move} */ move, /** @type {number} */ number) => !stuck.has(cell(move.dst, move.into)) && ends[number][1] < Infinity;
    const found = new Set([...moves.keys()].filter((number) => !ever(moves[number], number)));
    const missed = new Set([...found].map((number) => cell(moves[number].dst, moves[number].into)));
    moves.forEach((move, number) => { // a node adds last what it has itself
      const waits = stuck.has(cell(move.src, move.chunk)) || missed.has(cell(move.dst, move.into));
      if (move.src === move.dst && waits) found.add(number);
    });
    for (const number of found) stuck.add(cell(moves[number].dst, moves[number].into));
    return found;
  })];
}

/**
 * When each move of a step begins and ends, in seconds; 0 for those within a node.
 * @param {Story} story
 * @param {Setup} setup
 * @param {Timing} timing
 * @param {number} index of the step
 */
export function endsOfMoves(story, { nodes }, timing, index) {
  const { start, end, src, dst } = timing.messages[index] ?? { start: [], end: [], src: [], dst: [] };
  const rows = new Map(src.map((from, i) => [from * nodes + dst[i], i]));
  return movesOf(story, index + 1).map((move) => {
    const row = rows.get(move.src * nodes + move.dst);
    return row === undefined ? [0, 0] : [start[row], end[row]];
  });
}

/**
 * What each node has sent after each step, and the cells that what arrives has changed.
 * @param {Story} story
 */
export function framesUnder(story) {
  const { lost } = story;
  const contents = [...story.contents];
  const held = heldAtStart(story);
  const sent = story.names.map(() => 0);
  const known = new Map([[0, 0]]);
  const frames = story.frames.map((frame, i) => {
    for (const [src, bytes] of sentIn(story, i + 1)) sent[src] += bytes;
    for (const each of sent) if (!known.has(each)) known.set(each, known.size);
    const changed = [...frame];
    if (frame[3].length) changed[3] = sent.map((each) => /** @type {number} */ (known.get(each)));
    if (lost?.[i + 1].size) changed[2] = [...cellsThatArrive(story, i + 1), ...partlyReached(story, i + 1, held, contents)];
    if (lost) keepHeld(held, /** @type {Numbers} */ (changed[2]));
    return /** @type {Frame} */ (changed);
  });
  const amounts = [...known.keys()];
  return { frames, contents, amounts: story.news ? amountsOfNews(story, amounts) : amounts.map((amount) => bytesText(amount)) };
}

/**
 * Messages as the story counts them, in its own words.
 * @param {Story} story
 * @param {number[]} amounts
 */
function amountsOfNews(story, amounts) {
  const words = new Map(story.amounts.map((text) => [Number(text.split(" ")[0].replaceAll(",", "")), text]));
  return amounts.map((amount) => words.get(amount) ?? `${amount}`);
}

/**
 * Who sends how much in a step, slot by slot, each once to a node; messages where no data moves.
 * @param {Story} story
 * @param {number} step
 * @returns {[src: number, amount: number, dst: number][]}
 */
export function sentIn(story, step) {
  /** @type {Map<string, [number, number, number]>} */
  const found = new Map();
  movesOf(story, step).forEach(({ src, dst, chunk, size }, number) => {
    if (src === dst || story.lost?.[step].has(number)) return;
    found.set(`${src} ${dst} ${story.news ? "" : chunk}`, [src, story.news ? 1 : story.bytes[size], dst]);
  });
  return [...found.values()];
}

/** @param {Story} story */
function heldAtStart(story) {
  /** @type {Map<string, number>} */
  const held = new Map();
  keepHeld(held, story.start);
  return held;
}

/**
 * @param {Map<string, number>} held of each well of a node its cell
 * @param {Numbers} changes
 */
function keepHeld(held, changes) {
  for (let i = 0; i < changes.length; i += 3) held.set(`${changes[i]} ${changes[i + 1]}`, changes[i + 2]);
}

/**
 * Cells to which a step adds something that arrives and something that never does: with the stripes
 * of what arrives, which is new to the contents.
 * @param {Story} story
 * @param {number} step
 * @param {Map<string, number>} held before the step
 * @param {Content[]} contents to which the new ones are added
 */
function partlyReached(story, step, held, contents) {
  const moves = movesOf(story, step);
  const lost = /** @type {Set<number>} */ (story.lost?.[step]);
  const cell = (/** @type {Move} */ { dst, into }) => `${dst} ${story.well[into]}`;
  const stuck = new Set([...lost].map((number) => cell(moves[number])));
  /** @type {Map<string, Set<number>>} */
  const stripes = new Map();
  moves.forEach((move, number) => {
    if (lost.has(number) || !stuck.has(cell(move)) || !move.adds) return;
    const known = stripes.get(cell(move)) ?? new Set(contents[held.get(cell(move)) ?? 0][0]);
    for (const rank of contents[move.cell][0] ?? []) known.add(rank);
    stripes.set(cell(move), known);
  });
  return [...stripes].flatMap(([at, ranks]) => {
    const found = contents.push([[...ranks].sort((one, other) => one - other), []]) - 1;
    return [...at.split(" ").map(Number), found];
  });
}

/**
 * @param {Story} story
 * @param {number} step
 */
function cellsThatArrive(story, step) {
  const moves = movesOf(story, step);
  const lost = new Set([.../** @type {Set<number>} */ (story.lost?.[step])].map((number) => `${moves[number].dst} ${story.well[moves[number].into]}`));
  const changes = story.frames[step - 1][2];
  /** @type {number[]} */
  const kept = [];
  for (let i = 0; i < changes.length; i += 3) {
    if (!lost.has(`${changes[i]} ${changes[i + 1]}`)) kept.push(...changes.slice(i, i + 3));
  }
  return kept;
}
