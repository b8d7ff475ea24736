// Parts of sentences: names of slots and functions, steps, numbers of things.

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
  const link = { thing: { kind: "line", at: [source, first] }, text: `line ${first + 1} of ${name}` };
  return ["By ", link, ": ", { code: text[first].trim() }];
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
  return "the source";
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
  return story.slots[slot].replace(/^(its|the) /, "");
}

/**
 * @param {Story} story
 * @param {number[]} at
 */
export function chunkName(story, [slot, rank]) {
  if (story.blocks) return `block ${rank}→${slot}`;
  return story.news ? "the news" : story.chunks === 1 ? "the whole vector" : `chunk ${slot}`;
}

/**
 * Some nodes, each once: rank 2 and rank 4; nobody.
 * @param {Story} story
 * @param {number[]} nodes
 */
export function ranksIn(story, nodes) {
  const names = [...new Set(nodes)].sort((a, b) => a - b).map((node) => story.names[node]);
  if (!names.length) return "nobody";
  if (names.length > MOST_TOLD) return `${names.length} others`;
  const head = names.slice(0, -1).join(", ");
  return head ? `${head} and ${names[names.length - 1]}` : names[0];
}

/**
 * Links to steps, as many as fit.
 * @param {number[]} steps
 * @returns {Part[]}
 */
export function stepParts(steps) {
  const parts = steps.slice(0, MOST_STEPS_TOLD).flatMap((step, i) => {
    /** @type {Part[]} */
    const part = i ? [", ", { step }] : [{ step }];
    return part;
  });
  const more = steps.length - MOST_STEPS_TOLD;
  return more > 0 ? [...parts, ` and ${more} more`] : parts;
}

/** @param {number} step */
export function afterStep(step) {
  return step ? `After step ${step}` : "At the start";
}

/**
 * @param {number} number
 * @param {string} noun
 */
export function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
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
    const own = story.blocks ? `${rank}→${origin}` : all.length > 1 ? `${rank}` : `rank ${rank}`;
    const text = origin === slot || story.blocks || story.chunks < 2 ? own : `${rank} (chunk ${origin})`;
    const repeats = times.get(contribution) > 1 ? ` × ${times.get(contribution)}` : "";
    return { chip: rank, text: text + repeats, missing: missing.has(contribution) };
  });
  return all.length > MOST_CHIPS ? [...shown, `and ${all.length - MOST_CHIPS} more`] : shown;
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
  if (!all.length) return "empty";
  if (story.blocks) return all.map(([rank, origin]) => `${rank}→${origin}`).join(", ");
  if (story.chunks > 1 && all.some(([, origin]) => origin !== slot)) {
    return all.map(([rank, origin]) => `${rank} (chunk ${origin})`).join(", ");
  }
  if (all.length === story.ranks && all.length > 1) return `all ${story.ranks}`;
  /** @type {number[][]} */
  const runs = [];
  for (const [rank] of all) {
    const last = runs[runs.length - 1];
    if (last && last[1] === rank - 1) last[1] = rank;
    else runs.push([rank, rank]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(", ");
}
