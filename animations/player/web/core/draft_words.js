// What is said of a schedule that somebody builds: its transfers, what is wrong, what it costs.

import { bytesText } from "./amounts.js";
import { bare, capital, ranksIn } from "./phrases.js";
import { count, word } from "./say.js";
import { costOf, stepsOf } from "./task.js";

/**
 * @typedef {import("./judge.js").Judgment} Judgment
 * @typedef {import("./machine.js").Version} Version
 */

/**
 * A cell, to begin a sentence: Chunk 2 of rank 1.
 * @param {Story} story
 * @param {Place} at
 */
export function cellText(story, [node, slot]) {
  return capital(cellAt(story, node, slot));
}

/**
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 */
function cellAt(story, node, slot) {
  return word("draft.cell", { slot: bare(story, slot), node: story.names[node] });
}

/**
 * What a transfer does: Rank 0 adds chunk 1 into rank 2.
 * @param {Story} story
 * @param {Built} transfer
 */
export function transferText(story, [src, dst, chunk, into, adds]) {
  const [from, to] = [src, dst].map((node) => story.names[node]);
  if (story.news) return capital(word(src === dst ? "draft.keeps" : "draft.tells", { from, to }));
  const expected = into === chunk || (into >= story.chunks && into < story.promised);
  const keys = expected ? ["draft.sends", "draft.adds"] : ["draft.sends_slot", "draft.adds_slot"];
  return capital(word(keys[adds], { from, to, chunk: story.slots[chunk], slot: bare(story, into) }));
}

/**
 * What a cell holds: chunk 1 of rank 2 holds the data of rank 0 and rank 2.
 * @param {Story} story
 * @param {Place} at
 * @param {Version | undefined} version
 */
export function heldText(story, [node, slot], version) {
  const cell = cellAt(story, node, slot);
  return version ? word("draft.holds", { cell, content: contributionsText(story, version) }) : word("draft.is_empty", { cell });
}

/**
 * @param {Story} story
 * @param {Version} version
 */
function contributionsText(story, { content }) {
  const slots = story.slots.length;
  const ranks = [...content.keys()].map((contribution) => Math.floor(contribution / slots));
  const more = [...content].filter(([, times]) => times > 1).map(([of]) => Math.floor(of / slots));
  const all = new Set(ranks).size === story.ranks;
  const data = word(story.news ? "draft.news_of" : all ? "draft.data_of_all" : "draft.data_of", { ranks: ranksIn(story, ranks) });
  return more.length && !story.news ? word("draft.twice", { data, ranks: ranksIn(story, more) }) : data;
}

/**
 * Why a transfer cannot be placed beside the others of its step; nothing where it can.
 * @param {Story} story
 * @param {readonly (Version | undefined)[]} state
 * @param {readonly Built[]} others
 * @param {Built} transfer
 */
export function refusal(story, state, others, [src, dst, chunk, into, adds]) {
  const slots = story.slots.length;
  const [cell, there] = [cellText(story, [src, chunk]), cellAt(story, dst, into)];
  if (src === dst && chunk === into) return word("draft.there_already", { cell });
  if (!state[src * slots + chunk]) return word("draft.empty_before", { cell });
  const same = others.filter((other) => other[1] === dst && other[3] === into);
  if (same.some((other) => other[0] === src && other[2] === chunk)) {
    return word("draft.goes_already", { cell, there });
  }
  if (same.some((other) => !other[4] || !adds)) {
    return word("draft.two_writers", { there: capital(there) });
  }
  const bytes = story.task?.chunk_bytes ?? [];
  const [one, other] = [bytes[chunk], bytes[into]];
  if (one !== undefined && other !== undefined && one !== other) {
    return word("draft.no_fit", { cell, size: bytesText(one), there, other: bytesText(other) });
  }
  return "";
}

/**
 * What is to be said of a schedule: right and at what cost, or what is not right yet.
 * @param {Story} story
 * @param {Judgment} judgment
 */
export function verdictText(story, judgment) {
  const { broken, cost, right, step, wrong } = judgment;
  if (right) return word("draft.right", { cost: costText(story, cost) });
  if (broken) return word("draft.unplayable", { step, why: brokenText(story, broken) });
  if (cost.unequal) return word("draft.unequal", { step });
  const since = step ? word("draft.wrong_from", { step }) : word("draft.not_yet");
  const cells = count(judgment.run.task.promised.length, "promised_cell");
  return word("draft.wrong", { since, wrong: wrong.length, cells, fault: faultText(story, judgment) });
}

/**
 * @param {Story} story
 * @param {import("./machine.js").BrokenStep} broken
 */
function brokenText(story, { rule, transfer: [src, dst, chunk, into, , needs = chunk] }) {
  if (rule === "range") return word("draft.out_of_range");
  if (rule === "conflict") return word("draft.conflict", { cell: cellAt(story, dst, into) });
  return word("draft.is_empty", { cell: cellAt(story, src, needs) });
}

/**
 * What is wrong with the first of the cells that have too much, else with the first of all.
 * @param {Story} story
 * @param {Judgment} judgment
 */
function faultText(story, { run, wrong }) {
  const spoiled = wrong.map((cell) => spoiledText(story, run, cell)).find((text) => text);
  if (spoiled) return spoiled;
  const { needed, times } = neededOf(run, wrong[0]);
  const cell = cellName(story, wrong[0]);
  if (!run.states[run.steps.length][wrong[0]]) return word("draft.lacks_all", { cell });
  const ranks = ranksIn(story, needed.filter((rank) => !times(rank)));
  return word(story.news ? "draft.not_heard" : "draft.lacks", { cell, ranks });
}

/**
 * @param {Story} story
 * @param {import("./machine.js").Run} run
 * @param {number} cell
 */
function spoiledText(story, run, cell) {
  const { needed, origin, times } = neededOf(run, cell);
  const { slots, exactlyOnce } = run.task;
  const twice = exactlyOnce ? needed.filter((rank) => times(rank) > 1) : [];
  const name = cellName(story, cell);
  if (twice.length) return word("draft.doubled", { cell: name, ranks: ranksIn(story, twice) });
  const content = run.states[run.steps.length][cell]?.content ?? new Map();
  const foreign = [...content.keys()].find((of) => of % slots !== origin || !needed.includes(Math.floor(of / slots)));
  if (foreign === undefined) return "";
  return word("draft.foreign", { cell: name, other: cellName(story, foreign) });
}

/**
 * The ranks whose data of slot `origin` a promised cell needs, and how portsText times it has that.
 * @param {import("./machine.js").Run} run
 * @param {number} cell
 */
function neededOf({ task, states, steps }, cell) {
  const { slots, start, promised } = task;
  const required = promised.find(([place]) => place === cell);
  const [, origin, first, end] = /** @type {import("./machine.js").Promised} */ (required);
  const ranks = Array.from({ length: end - first }, (_, i) => first + i);
  const content = states[steps.length][cell]?.content;
  return {
    origin,
    needed: ranks.filter((rank) => start.includes(rank * slots + origin)),
    times: (/** @type {number} */ rank) => content?.get(rank * slots + origin) ?? 0,
  };
}

/**
 * @param {Story} story
 * @param {number} cell
 */
function cellName(story, cell) {
  const slots = story.slots.length;
  return cellAt(story, Math.floor(cell / slots), cell % slots);
}

/**
 * Steps and bytes beside the least that is possible, and beside those of the story's schedule.
 * @param {Story} story
 * @param {ReturnType<typeof costOf>} cost
 */
function costText(story, { steps, ports, sent }) {
  const { least_bytes: leastBytes, fewest } = /** @type {TaskData} */ (story.task);
  const [fewer, enough, title] = fewest[Math.max(ports, 1) - 1] ?? [steps, false, ""];
  const portsText = ports > 1 && fewest.length ? word("draft.with_ports", { ports }) : "";
  const keys = enough ? ["draft.possible", "draft.possible_one"] : ["draft.needed", "draft.needed_one"];
  const possible = word(keys[Number(fewer === 1)], { fewer, title });
  const fewestText = steps > fewer ? possible : fewest.length ? word("draft.fewest") : "";
  const few = word("draft.few", { steps: count(steps, "step"), ports: portsText, least: fewestText });
  if (story.news) return few;
  const busiest = (/** @type {number[]} */ bytes) => Math.max(0, ...bytes.slice(0, story.ranks));
  const [own, shown] = [busiest(sent), busiest(costOf(story, stepsOf(story)).sent)];
  const above = leastBytes !== null && own > leastBytes;
  const bound = leastBytes === null ? "" : above ? word("draft.at_least", { amount: amountText(story, leastBytes) }) : word("draft.least");
  const busy = word("draft.busiest", { amount: amountText(story, own), bound });
  const other = own === shown || story.wrong ? [] : [word("draft.before", { amount: amountText(story, shown) })];
  return [few, busy, ...other].join(" ");
}

/**
 * Bytes, and how portsText chunks these are where all are of one size.
 * @param {Story} story
 * @param {number} bytes
 */
function amountText(story, bytes) {
  const [size, ...others] = story.task?.chunk_bytes ?? [];
  const chunks = bytes / size;
  const whole = size && others.every((other) => other === size) && Number.isInteger(chunks);
  const noun = story.blocks ? "block" : story.chunks === 1 ? "vector" : "chunk";
  return whole && bytes ? word("draft.amount", { chunks: count(chunks, noun), bytes: bytesText(bytes) }) : bytesText(bytes);
}
