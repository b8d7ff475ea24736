// Parts of sentences: names of slots and functions, steps, contributions.

import { namesInRow, word, wordParts } from "./say.js";

/**
 * A part of a paragraph: text; a contribution; a link to a step; another thing; code; an equation.
 * @typedef {string | {chip: number, text: string, missing: boolean} | {step: number} | {thing: Thing, text: string}
 *   | {code: string} | {sum: string}} Part
 */

export const MOST_TOLD = 6; // moves or nodes in a sentence
const MOST_CHIPS = 64; // contributions shown one by one
export const MOST_STEPS_TOLD = 40; // links to steps in a list

/**
 * The function and the text of a statement.
 * @param {Story} story
 * @param {CodeLine | null | undefined} code
 * @returns {Part[]}
 */
export function lineParts(story, code) {
  if (!code) return [];
  const [source, first] = code;
  const [text] = story.sources[source];
  const name = functionAt(text, first);
  /** @type {Part} */
  const link = { thing: { kind: "line", at: [source, first] }, text: word("parts.line_of", { line: first + 1, function: name }) };
  return wordParts("parts.by_line", { line: link, code: { code: text[first].trim() } });
}

/**
 * The function that a line is in.
 * @param {string[]} lines
 * @param {number} line
 */
export function functionAt(lines, line) {
  for (let i = line; i >= 0; i--) {
    const name = /^(?:\s*def |# (?=gpu))(\w+(?: \d+, tb \d+)?)/.exec(lines[i])?.[1];
    if (name) return name;
  }
  return word("parts.the_source");
}

/**
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 * @returns {Part}
 */
export function cellLink(story, node, slot) {
  return { thing: { kind: "cell", at: [node, slot] }, text: bare(story, slot) };
}

/**
 * A slot's name after "its": chunk 2, block for rank 2.
 * @param {Story} story
 * @param {number} slot
 */
export function bare(story, slot) {
  return story.slots[slot].replace(new RegExp(`^(${word("parts.articles")}) `), "");
}

/**
 * @param {Story} story
 * @param {number[]} at
 */
export function chunkName(story, [slot, rank]) {
  if (story.blocks) return word("parts.block", { rank, slot });
  return story.news ? word("parts.news") : story.chunks === 1 ? word("parts.whole_vector") : word("parts.chunk", { slot });
}

/**
 * Some nodes, each once: rank 2 and rank 4; nobody.
 * @param {Story} story
 * @param {number[]} nodes
 */
export function ranksIn(story, nodes) {
  const names = [...new Set(nodes)].sort((a, b) => a - b).map((node) => story.names[node]);
  if (!names.length) return word("parts.nobody");
  return names.length > MOST_TOLD ? word("parts.others", { number: names.length }) : namesInRow(names);
}

/**
 * Links to steps, as many as fit.
 * @param {number[]} steps
 * @returns {Part[]}
 */
export function stepParts(steps) {
  const parts = steps.slice(0, MOST_STEPS_TOLD).flatMap((step, i) => {
    /** @type {Part[]} */
    const part = i ? [word("parts.comma"), { step }] : [{ step }];
    return part;
  });
  const more = steps.length - MOST_STEPS_TOLD;
  return more > 0 ? [...parts, word("parts.and_more", { number: more })] : parts;
}

/** @param {number} step */
export function afterStep(step) {
  return step ? word("parts.after_step", { step }) : word("parts.at_start");
}

/** @param {string} text */
export function capital(text) {
  return /[\u4e00-\u9fff]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A chip for each contribution.
 * @param {Story} story
 * @param {import("./origins.js").Contents | number[]} content
 * @param {number} slot
 * @param {Set<number>} missing
 * @returns {Part[]}
 */
export function chips(story, content, slot, missing = new Set()) {
  const slots = story.slots.length;
  const times = content instanceof Map ? content : new Map();
  const all = (content instanceof Map ? [...content.keys()] : [...content]).sort((a, b) => a - b);
  /** @type {Part[]} */
  const shown = all.slice(0, MOST_CHIPS).map((contribution) => {
    const [rank, origin] = [Math.floor(contribution / slots), contribution % slots];
    const own = story.blocks ? `${rank}→${origin}` : all.length > 1 ? `${rank}` : word("parts.rank", { number: rank });
    const text = origin === slot || story.blocks || story.chunks < 2 ? own : ofChunk(rank, origin);
    const repeats = times.get(contribution) > 1 ? ` × ${times.get(contribution)}` : "";
    return { chip: rank, text: text + repeats, missing: missing.has(contribution) };
  });
  return all.length > MOST_CHIPS ? [...shown, word("parts.chips_more", { number: all.length - MOST_CHIPS })] : shown;
}

/**
 * What a slot holds, in a few letters: "empty", "all 8", "0–3, 5", "2 (chunk 1)", "0, 1; 1 × 2".
 * @param {Story} story
 * @param {import("./origins.js").Contents} content
 * @param {number} slot
 * @returns {string}
 */
export function contentText(story, content, slot) {
  const slots = story.slots.length;
  const doubles = [...content].filter(([, times]) => times > 1);
  if (doubles.length) {
    const single = contentText(story, new Map([...content.keys()].map((each) => [each, 1])), slot);
    const repeats = doubles.map(([each, times]) => `${Math.floor(each / slots)} × ${times}`);
    return `${single}; ${repeats.join(", ")}`;
  }
  const all = [...content.keys()].sort((a, b) => a - b).map((number) => [Math.floor(number / slots), number % slots]);
  const comma = word("parts.comma");
  if (!all.length) return word("parts.empty");
  if (story.blocks) return all.map(([rank, origin]) => `${rank}→${origin}`).join(comma);
  if (story.chunks > 1 && all.some(([, origin]) => origin !== slot)) {
    return all.map(([rank, origin]) => ofChunk(rank, origin)).join(comma);
  }
  if (all.length === story.ranks && all.length > 1) return word("parts.all", { number: story.ranks });
  /** @type {number[][]} */
  const runs = [];
  for (const [rank] of all) {
    const last = runs[runs.length - 1];
    if (last && last[1] === rank - 1) last[1] = rank;
    else runs.push([rank, rank]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(comma);
}

/**
 * @param {number} rank
 * @param {number} chunk
 */
function ofChunk(rank, chunk) {
  return word("parts.of_chunk", { rank, chunk });
}
