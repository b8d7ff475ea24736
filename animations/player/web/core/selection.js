// What can be selected, as a text in an address, and which moves and cells belong to it.

import { contentOf, indexOf, writesOf } from "./origins.js";
import { movesOf } from "./story.js";

/**
 * The kinds of things and what their numbers are: rank 3, cell 3.2 (slot 2 of rank 3), chunk 2
 * (2.1: the block of rank 1 for rank 2), transfer 5.0 (the first of step 5), line 0.7 (the eighth
 * of source 0), link 2.3, counter 1.
 * @param {Story} story
 * @param {number[]} at
 * @returns {Record<Thing["kind"], number[]>}
 */
function limits(story, at) {
  const nodes = story.names.length;
  return {
    rank: [nodes],
    cell: [nodes, story.slots.length],
    chunk: story.blocks ? [story.chunks, story.ranks] : [story.chunks],
    transfer: [story.frames.length + 1, story.frames[at[0] - 1] ? movesOf(story, at[0]).length : 0],
    line: [story.sources.length, story.sources[at[0]]?.[0].length ?? 0],
    link: [nodes, nodes],
    counter: [story.counters.length],
  };
}

/**
 * The thing that a text names, null if there is none in this story.
 * @param {Story} story
 * @param {string} text
 * @returns {Thing | null}
 */
export function thingOf(story, text) {
  const [, name, numbers] = /^([a-z]+):(\d{1,5}(?:\.\d{1,5})?)$/.exec(text) ?? [];
  if (!name) return null;
  const kind = /** @type {Thing["kind"]} */ (name);
  const at = numbers.split(".").map(Number);
  const ends = limits(story, at)[kind];
  const fits = Array.isArray(ends) && ends.length === at.length;
  return fits && at.every((number, i) => number < ends[i]) ? { kind, at } : null;
}

/** @param {Thing | null} thing */
export function textOf(thing) {
  return thing ? `${thing.kind}:${thing.at.join(".")}` : "";
}

/**
 * A thing as others are told of it: {rank}, {rank, slot}, {chunk: [2]}, {transfer: [5, 0]} …
 * @param {Thing | null} thing
 */
export function sharedOf(thing) {
  if (!thing) return null;
  const { kind, at } = thing;
  if (kind === "cell") return { rank: at[0], slot: at[1] };
  return { [kind]: kind === "rank" || kind === "counter" ? at[0] : at };
}

/**
 * The thing that others name so, null if the story does not have it.
 * @param {Story} story
 * @param {Record<string, number | number[]> | null} shared
 */
export function fromShared(story, shared) {
  const [[name, value] = ["", 0], slot] = Object.entries(shared ?? {});
  return thingOf(story, slot ? `cell:${value}.${slot[1]}` : `${name}:${[value].flat().join(".")}`);
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
export function sameValue(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * The chunk, or the block, of which a cell is the home or the goal; null for scratch.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 * @returns {Thing | null}
 */
export function chunkOf(story, node, slot) {
  if (!story.blocks) return slot < story.chunks ? { kind: "chunk", at: [slot] } : null;
  if (slot >= story.promised) return null;
  const received = slot >= story.chunks;
  return { kind: "chunk", at: received ? [node, slot - story.chunks] : [slot, node] };
}

/** @type {WeakMap<Story, {name: string, steps: number[][], cells: Uint8Array[]}>} */
const ways = new WeakMap();

/**
 * Of each step the moves that carry a chunk, and the cells that hold it after it.
 * @param {Story} story
 * @param {number[]} at
 */
function wayOf(story, [slot, rank]) {
  const name = `${slot}.${rank}`;
  const known = ways.get(story);
  if (known?.name === name) return known;
  const slots = story.slots.length;
  let held = new Uint8Array(story.names.length * slots);
  story.begins.forEach((runs, node) => {
    for (let i = 0; i < runs.length; i += 2) {
      const inside = runs[i] <= slot && slot < runs[i + 1];
      if (inside && (rank ?? node) === node) held[node * slots + slot] = 1;
    }
  });
  const [steps, cells] = [/** @type {number[][]} */ ([[]]), [held]];
  story.frames.forEach((_, i) => {
    const moves = movesOf(story, i + 1);
    const arriving = moves.filter((_, number) => !story.lost?.[i + 1].has(number));
    const [before, now] = [held, held.slice()];
    const carry = (/** @type {Move} */ move) => before[move.src * slots + move.chunk];
    for (const move of arriving) if (!move.adds) now[move.dst * slots + move.into] = 0;
    for (const move of arriving) if (carry(move)) now[move.dst * slots + move.into] = 1;
    steps.push([...moves.keys()].filter((number) => carry(moves[number])));
    cells.push((held = now));
  });
  const found = { name, steps, cells };
  ways.set(story, found);
  return found;
}

/**
 * The numbers of the moves of a step that belong to a thing.
 * @param {Story} story
 * @param {Thing} thing
 * @param {number} step
 * @returns {number[]}
 */
export function movesWith(story, { kind, at }, step) {
  const [first, second] = at;
  if (kind === "counter" || !step) return [];
  if (kind === "transfer") return first === step ? [second] : [];
  if (kind === "chunk") return wayOf(story, at).steps[step];
  const lines = story.frames[step - 1][6];
  /** @type {(move: Move) => boolean} */
  const belongs = ({ src, dst, chunk, into, line }) => {
    if (kind === "rank") return src === first || dst === first;
    if (kind === "link") return (src === first && dst === second) || (src === second && dst === first);
    if (kind === "line") return isOn(lines[line], at);
    return (src === first && chunk === second) || (dst === first && into === second);
  };
  const moves = movesOf(story, step);
  return [...moves.keys()].filter((number) => belongs(moves[number]));
}

/**
 * Whether a line of source is one of a statement's.
 * @param {CodeLine | null} code
 * @param {number[]} at
 */
function isOn(code, [source, line]) {
  return !!code && code[0] === source && code[1] <= line && line <= code[2];
}

/**
 * The steps in which a thing sends, receives or changes.
 * @param {Story} story
 * @param {Thing} thing
 * @returns {number[]}
 */
export function stepsWith(story, thing) {
  if (thing.kind === "cell") {
    return writesOf(story, thing.at[0], thing.at[1]).map(({ step }) => step);
  }
  const steps = story.frames.map((_, i) => i + 1);
  return steps.filter((step) => movesWith(story, thing, step).length);
}

/**
 * The cells of a thing after a step, as [node, slot].
 * @param {Story} story
 * @param {Thing} thing
 * @param {number} step
 * @returns {[node: number, slot: number][]}
 */
export function cellsWith(story, thing, step) {
  const { kind, at } = thing;
  const slots = story.slots.length;
  if (kind === "cell") return [[at[0], at[1]]];
  if (kind === "chunk") {
    const held = wayOf(story, at).cells[step];
    const cells = [...held.keys()].filter((cell) => held[cell]);
    return cells.map((cell) => [Math.floor(cell / slots), cell % slots]);
  }
  if (kind !== "transfer" && kind !== "line") return [];
  const moves = movesOf(story, step);
  const own = movesWith(story, thing, step).map((i) => moves[i]);
  return own.flatMap(({ src, dst, chunk, into }) => [[src, chunk], [dst, into]]);
}

/**
 * The thing selected when a cell's selection moves by ranks and slots; a cell to begin with.
 * @param {Story} story
 * @param {Thing | null} thing
 * @param {number[]} by
 * @param {Move | undefined} hero
 * @returns {Thing}
 */
export function shifted(story, thing, [ranks, slots], hero) {
  if (thing?.kind === "rank" && !slots) {
    const nodes = story.names.length;
    return { kind: "rank", at: [(thing.at[0] + ranks + nodes) % nodes] };
  }
  if (thing?.kind === "rank") return { kind: "cell", at: [thing.at[0], 0] };
  if (thing?.kind !== "cell") return { kind: "cell", at: hero ? [hero.dst, hero.into] : [0, 0] };
  const sizes = limits(story, thing.at).cell;
  const at = [ranks, slots].map((by, i) => (thing.at[i] + by + sizes[i]) % sizes[i]);
  return { kind: "cell", at };
}

/**
 * What a cell must hold at the end, as its contributions; null where nothing is promised.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 */
export function goalOf(story, node, slot) {
  for (const [rank, first, count, origin, from, end, ...growth] of story.needs) {
    const by = slot - first;
    if (rank !== node || by < 0 || by >= count) continue;
    const [own, low, high] = [origin, from, end].map((number, i) => number + by * growth[i]);
    /** @type {number[]} */
    const goal = [];
    for (let other = low; other < high; other++) {
      const start = indexOf(story, other, own);
      if (contentOf(story, other, own, 0).has(start)) goal.push(start);
    }
    return goal;
  }
  return null;
}
