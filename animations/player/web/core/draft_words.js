// What is said of a schedule that somebody builds: its transfers, what is wrong, what it costs.

import { bytesText } from "./amounts.js";
import { bare, capital, count, ranksIn } from "./phrases.js";
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
  return capital(`${bare(story, slot)} of ${story.names[node]}`);
}

/**
 * What a transfer does: Rank 0 adds chunk 1 into rank 2.
 * @param {Story} story
 * @param {Built} transfer
 */
export function transferText(story, [src, dst, chunk, into, adds]) {
  const [from, to] = [src, dst].map((node) => story.names[node]);
  if (story.news) return capital(src === dst ? `${from} keeps what it heard` : `${from} tells ${to}`);
  const expected = into === chunk || (into >= story.chunks && into < story.promised);
  const there = expected ? "" : `${bare(story, into)} of `;
  const way = adds ? "into" : "to";
  return capital(`${from} ${adds ? "adds" : "sends"} ${story.slots[chunk]} ${way} ${there}${to}`);
}

/**
 * What a cell holds: chunk 1 of rank 2 holds the data of rank 0 and rank 2.
 * @param {Story} story
 * @param {Place} at
 * @param {Version | undefined} version
 */
export function heldText(story, [node, slot], version) {
  const name = `${bare(story, slot)} of ${story.names[node]}`;
  return version ? `${name} holds ${contributionsText(story, version)}.` : `${name} is empty.`;
}

/**
 * @param {Story} story
 * @param {Version} version
 */
function contributionsText(story, { content }) {
  const slots = story.slots.length;
  const ranks = [...content.keys()].map((contribution) => Math.floor(contribution / slots));
  const more = [...content].filter(([, times]) => times > 1).map(([of]) => Math.floor(of / slots));
  const twice = more.length ? `, that of ${ranksIn(story, more)} more than once` : "";
  const whose = new Set(ranks).size === story.ranks ? "the data of all ranks" : `the data of ${ranksIn(story, ranks)}`;
  return `${story.news ? "news" : whose}${story.news ? ` of ${ranksIn(story, ranks)}` : twice}`;
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
  const [from, to] = [cellText(story, [src, chunk]), bare(story, into)];
  const there = `${to} of ${story.names[dst]}`;
  if (src === dst && chunk === into) return `${from} is there already: choose another cell.`;
  if (!state[src * slots + chunk]) return `${from} is empty before this step: there is nothing to send.`;
  const same = others.filter((other) => other[1] === dst && other[3] === into);
  if (same.some((other) => other[0] === src && other[2] === chunk)) {
    return `${from} goes to ${there} in this step already.`;
  }
  if (same.some((other) => !other[4] || !adds)) {
    return `${capital(there)} would have two writers in this step, of which one overwrites it: only additions go together.`;
  }
  const bytes = story.task?.chunk_bytes ?? [];
  const [one, other] = [bytes[chunk], bytes[into]];
  if (one !== undefined && other !== undefined && one !== other) {
    return `${from} is ${bytesText(one)}, ${there} is ${bytesText(other)}: it does not fit.`;
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
  if (right) return `Right, ${costText(story, cost)}`;
  if (broken) return `Step ${step} cannot be played: ${brokenText(story, broken)}`;
  if (cost.unequal) return `Step ${step} writes data into a slot of another size.`;
  const since = step ? `Wrong from step ${step} on` : "Not there yet";
  const { promised } = judgment.run.task;
  return `${since}: ${wrong.length} of ${count(promised.length, "promised cell")} not as promised; `
    + `${faultText(story, judgment)}.`;
}

/**
 * @param {Story} story
 * @param {import("./machine.js").BrokenStep} broken
 */
function brokenText(story, { rule, transfer: [src, dst, chunk, into, , needs = chunk] }) {
  if (rule === "range") return "it names a rank or a slot that is not there.";
  if (rule === "conflict") return `${bare(story, into)} of ${story.names[dst]} is written twice.`;
  return `${bare(story, needs)} of ${story.names[src]} is empty.`;
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
  const name = cellName(story, wrong[0]);
  if (!run.states[run.steps.length][wrong[0]]) return `${name} is empty`;
  const news = story.news ? "has not heard of" : "lacks the data of";
  return `${name} ${news} ${ranksIn(story, needed.filter((rank) => !times(rank)))}`;
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
  if (twice.length) return `${cellName(story, cell)} has the data of ${ranksIn(story, twice)} more than once`;
  const content = run.states[run.steps.length][cell]?.content ?? new Map();
  const foreign = [...content.keys()].find((of) => of % slots !== origin || !needed.includes(Math.floor(of / slots)));
  if (foreign === undefined) return "";
  return `${cellName(story, cell)} has ${cellName(story, foreign)} in it, which does not belong there`;
}

/**
 * The ranks whose data of slot `origin` a promised cell needs, and how many times it has that.
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
  return `${bare(story, cell % slots)} of ${story.names[Math.floor(cell / slots)]}`;
}

/**
 * Steps and bytes beside the least that is possible, and beside those of the story's schedule.
 * @param {Story} story
 * @param {ReturnType<typeof costOf>} cost
 */
function costText(story, { steps, ports, sent }) {
  const { least_bytes: leastBytes, fewest } = /** @type {TaskData} */ (story.task);
  const [fewer, enough, title] = fewest[Math.max(ports, 1) - 1] ?? [steps, false, ""];
  const with_ = ports > 1 && fewest.length ? ` with ${ports} ports a rank` : "";
  const possible = enough ? `${fewer} ${fewer === 1 ? "is" : "are"} possible (${title})` : `at least ${fewer} ${fewer === 1 ? "is" : "are"} needed`;
  const few = `in ${count(steps, "step")}${with_}${steps > fewer ? `; ${possible}` : fewest.length ? ", the fewest possible" : ""}.`;
  if (story.news) return few;
  const busiest = (/** @type {number[]} */ bytes) => Math.max(0, ...bytes.slice(0, story.ranks));
  const [own, shown] = [busiest(sent), busiest(costOf(story, stepsOf(story)).sent)];
  const bound = leastBytes === null ? "" : own > leastBytes ? `; it must send at least ${amountText(story, leastBytes)}` : ", the least possible";
  const other = own === shown || story.wrong ? "" : ` In the schedule you started from it sends ${amountText(story, shown)}.`;
  return `${few} The busiest rank sends ${amountText(story, own)}${bound}.${other}`;
}

/**
 * Bytes, and how many chunks these are where all are of one size.
 * @param {Story} story
 * @param {number} bytes
 */
function amountText(story, bytes) {
  const [size, ...others] = story.task?.chunk_bytes ?? [];
  const chunks = bytes / size;
  const whole = size && others.every((other) => other === size) && Number.isInteger(chunks);
  const noun = story.blocks ? "block" : story.chunks === 1 ? "vector" : "chunk";
  return whole && bytes ? `${count(chunks, noun)} (${bytesText(bytes)})` : bytesText(bytes);
}
