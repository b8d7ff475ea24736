// The story of what is selected, in sentences with values, as parts that a view makes elements of.

import { flowText, trafficOf } from "./amounts.js";
import { goalParts, goalsOfRank } from "./goals.js";
import { contentOf, lastWrite, numberIn, writesOf } from "./origins.js";
import { MOST_STEPS_TOLD, MOST_TOLD, chips } from "./phrases.js";
import { lineParts, functionAt, cellLink, bare, chunkName, ranksIn, stepParts, afterStep, count, capital } from "./phrases.js";
import { chunkOf, movesWith, stepsWith } from "./selection.js";
import { movesOf } from "./story.js";

/**
 * @typedef {import("./phrases.js").Part} Part
 * @typedef {{title: string, paragraphs: Part[][]}} Tale
 */

/**
 * What is said of a thing when a step is over.
 * @param {Story} story
 * @param {Thing} thing
 * @param {number} step
 * @returns {Tale}
 */
export function taleOf(story, thing, step) {
  return TALES[thing.kind](story, thing.at, step);
}

/** @type {Record<Thing["kind"], (story: Story, at: number[], step: number) => Tale>} */
const TALES = {
  cell: cellTale,
  chunk: chunkTale,
  rank: rankTale,
  transfer: transferTale,
  line: lineTale,
  link: linkTale,
  counter: counterTale,
};

/**
 * @param {Story} story
 * @param {number[]} at
 * @param {number} step
 * @returns {Tale}
 */
function cellTale(story, [node, slot], step) {
  const content = contentOf(story, node, slot, step);
  const write = lastWrite(story, node, slot, step);
  const number = numberIn(story, node, slot, step);
  const value = number && ` Its first number is ${number}.`;
  /** @type {Part[]} */
  const holds = [`${afterStep(step)} it `, ...heldParts(story, content, slot), `.${write ? "" : value}`];
  const paragraphs = [holds];
  if (write) {
    paragraphs.push(...writeParts(story, node, slot, write.step));
    if (write.step < step) paragraphs.push([`Unchanged since `, { step: write.step }, "."]);
  } else if (content.size) {
    paragraphs.push(["Nothing has been written here: it is the rank's own data from the start."]);
  }
  paragraphs.push(goalParts(story, node, slot, content));
  const writes = writesOf(story, node, slot);
  if (writes.length) paragraphs.push(["All writes: ", ...stepParts(writes.map((each) => each.step)), "."]);
  const whole = chunkOf(story, node, slot);
  if (whole) paragraphs.push([{ thing: whole, text: `Follow ${chunkName(story, whole.at)}` }]);
  return { title: `${capital(story.names[node])}, ${story.slots[slot]}`, paragraphs };
}

/**
 * What a slot holds.
 * @param {Story} story
 * @param {import("./origins.js").Contents} content
 * @param {number} slot
 * @returns {Part[]}
 */
function heldParts(story, content, slot) {
  if (!content.size) return ["is empty"];
  const several = content.size > 1;
  const of = story.news ? "what was heard from" : several ? "the sum of the data of" : "the data of";
  const noun = story.blocks ? (several ? "the blocks" : "the block") : of;
  const all = several && content.size === story.ranks && !story.blocks;
  const which = all ? ` all ${story.ranks} ranks: ` : several && !story.blocks ? ` ${content.size} ranks: ` : " ";
  return [`holds ${story.operation === "+" || !several ? noun : "the combined data of"}${which}`, ...chips(story, content, slot)];
}

/**
 * The step that wrote a slot: old + sent = new, who sent it, by which line.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 * @param {number} step
 * @returns {Part[][]}
 */
function writeParts(story, node, slot, step) {
  const write = lastWrite(story, node, slot, step);
  if (!write) return [];
  const senders = write.moves.map(({ src, chunk }, i) => {
    /** @type {Part} */
    const link = { thing: { kind: "transfer", at: [step, write.numbers[i]] }, text: story.names[src] };
    const from = src === node ? "its own " : "its ";
    return [i ? ", " : "", link, ` ${write.adds ? "added" : "sent"} ${from}${bare(story, chunk)}`];
  });
  /** @type {Part[][]} */
  const sentences = [["In ", { step }, " ", ...senders.flat(), `${write.adds ? "." : ", which overwrote what was here."}`]];
  const sum = equation(story, node, slot, step);
  if (sum) sentences.push([{ sum }, "  (the first number of each)"]);
  const [{ line }] = write.moves;
  sentences.push(lineParts(story, story.frames[step - 1][6][line]));
  return sentences.filter((parts) => parts.length);
}

/**
 * Old + sent = new with the first numbers; nothing where these are not shown.
 * @param {Story} story
 * @param {number} node
 * @param {number} slot
 * @param {number} step
 */
export function equation(story, node, slot, step) {
  const write = lastWrite(story, node, slot, step);
  const now = numberIn(story, node, slot, step);
  if (!write || !now) return "";
  const sent = write.moves.map(({ src, chunk }) => numberIn(story, src, chunk, step - 1));
  const old = numberIn(story, node, slot, step - 1);
  if (!write.adds) return `${sent[0]} ${old ? `replaces ${old}` : "comes into an empty slot"}`;
  const parts = old ? [old, ...sent] : sent;
  const { operation } = story;
  const sum = operation.length > 1 ? `${operation}(${parts.join(", ")})` : parts.join(` ${operation} `);
  return `${sum} = ${now}`;
}

/**
 * @param {Story} story
 * @param {number[]} at
 * @param {number} step
 * @returns {Tale}
 */
function chunkTale(story, at, step) {
  const thing = /** @type {Thing} */ ({ kind: "chunk", at });
  const steps = stepsWith(story, thing);
  /** @type {Part[][]} */
  const paragraphs = [[`Its way takes ${count(steps.length, "step")}:`]];
  const past = steps.filter((each) => each <= step).length;
  const first = Math.max(0, Math.min(past - MOST_STEPS_TOLD / 2, steps.length - MOST_STEPS_TOLD));
  if (first) paragraphs.push([`… ${first} steps before`]);
  for (const each of steps.slice(first, first + MOST_STEPS_TOLD)) {
    const now = each === step ? " ← now" : "";
    paragraphs.push([{ step: each }, ": ", ...moveParts(story, thing, each), now]);
  }
  const later = steps.length - first - MOST_STEPS_TOLD;
  if (later > 0) paragraphs.push([`… ${later} steps after`]);
  if (!steps.length) paragraphs[0] = ["No transfer carries it: it stays where it is."];
  return { title: capital(chunkName(story, at)), paragraphs };
}

/**
 * The moves of a thing in a step: rank 2 → rank 3 +, …
 * @param {Story} story
 * @param {Thing} thing
 * @param {number} step
 * @returns {Part[]}
 */
function moveParts(story, thing, step) {
  const moves = movesOf(story, step);
  const numbers = movesWith(story, thing, step);
  const parts = numbers.slice(0, MOST_TOLD).flatMap((number, i) => {
    const { src, dst, adds } = moves[number];
    const text = `${story.names[src]} → ${story.names[dst]} ${adds ? "+" : "="}`;
    /** @type {Part[]} */
    const part = [i ? ", " : "", { thing: { kind: "transfer", at: [step, number] }, text }];
    return part;
  });
  const more = numbers.length - MOST_TOLD;
  return more > 0 ? [...parts, ` and ${more} more`] : parts;
}

/**
 * @param {Story} story
 * @param {number[]} at
 * @param {number} step
 * @returns {Tale}
 */
function rankTale(story, [node], step) {
  const thing = /** @type {Thing} */ ({ kind: "rank", at: [node] });
  const name = story.names[node];
  const noun = name.split(" ")[0];
  const meaning = story.terms.find(([, term]) => term === noun)?.[0];
  const own = [...trafficOf(story, story.frames.length)].map(([key]) => key.split(" ").map(Number));
  const to = ranksIn(story, own.filter(([src]) => src === node).map(([, dst]) => dst));
  const from = ranksIn(story, own.filter(([, dst]) => dst === node).map(([src]) => src));
  /** @type {Part[][]} */
  const paragraphs = meaning ? [[`A ${noun}: ${meaning.charAt(0).toLowerCase()}${meaning.slice(1)}`]] : [];
  if (story.roles[node]) paragraphs.push([`Its place: ${story.roles[node]}.`]);
  paragraphs.push([`In all it sends to ${to} and receives from ${from}.`]);
  const now = step ? moveParts(story, thing, step) : [];
  if (step) paragraphs.push(["In ", { step }, now.length ? ": " : " it is idle", ...now, "."]);
  const flow = (/** @type {number} */ until) =>
    `sent ${flowText(story, until, node, -1)}, received ${flowText(story, until, -1, node)}`;
  paragraphs.push([`So far: ${flow(step)}.`], [`In all: ${flow(story.frames.length)}.`]);
  paragraphs.push(...goalsOfRank(story, node, step));
  return { title: capital(name), paragraphs };
}

/**
 * @param {Story} story
 * @param {number[]} at
 * @param {number} now
 * @returns {Tale}
 */
function transferTale(story, [step, number], now) {
  const move = movesOf(story, step)[number];
  const { src, dst, chunk, into, adds, size, line } = move;
  const [one, other] = [story.names[src], story.names[dst]];
  const size_ = story.sizes[size];
  /** @type {Part[][]} */
  const paragraphs = [
    [
      "In ", { step }, ` ${one} ${adds ? "adds" : "sends"} its `,
      cellLink(story, src, chunk), adds ? " into " : " to ", cellLink(story, dst, into),
      ` of ${other}${size_ && `: ${size_}`}. `,
      adds ? "+ adds it to what is there." : "= overwrites what is there.",
    ],
  ];
  const sum = equation(story, dst, into, step);
  if (sum) paragraphs.push([{ sum }, "  (the first number of each)"]);
  const carried = contentOf(story, src, chunk, step - 1);
  const whose = story.blocks || carried.size < 2 ? "" : "ranks ";
  paragraphs.push([`It carries: ${whose}`, ...chips(story, carried, chunk)]);
  paragraphs.push(lineParts(story, story.frames[step - 1][6][line]));
  if (src !== dst) paragraphs.push([{ thing: { kind: "link", at: [src, dst] }, text: `The link ${one} – ${other}` }]);
  if (step !== now) paragraphs.push([now < step ? "It is still to come: go to " : "It is over: go to ", { step }, "."]);
  return { title: `${capital(one)} → ${other}, step ${step}`, paragraphs: paragraphs.filter((parts) => parts.length) };
}

/**
 * @param {Story} story
 * @param {number[]} at
 * @param {number} step
 * @returns {Tale}
 */
function lineTale(story, [source, line], step) {
  const thing = /** @type {Thing} */ ({ kind: "line", at: [source, line] });
  const steps = stepsWith(story, thing);
  const [text] = story.sources[source];
  const total = steps.reduce((sum, each) => sum + movesWith(story, thing, each).length, 0);
  /** @type {Part[][]} */
  const paragraphs = [[{ code: text[line].trim() || " " }]];
  if (!steps.length) paragraphs.push(["This line makes no transfer itself."]);
  else {
    paragraphs.push([`It made ${count(total, "transfer")} in ${count(steps.length, "step")}: `, ...stepParts(steps), "."]);
    const now = movesWith(story, thing, step).length;
    if (now) paragraphs.push(["In ", { step }, ": ", ...moveParts(story, thing, step), "."]);
  }
  return { title: `Line ${line + 1} of ${functionAt(text, line)}`, paragraphs };
}

/**
 * @param {Story} story
 * @param {number[]} at
 * @param {number} step
 * @returns {Tale}
 */
function linkTale(story, [one, other], step) {
  const steps = stepsWith(story, { kind: "link", at: [one, other] });
  const [a, b] = [story.names[one], story.names[other]];
  const flow = (/** @type {number} */ until) =>
    `${a} → ${b} ${flowText(story, until, one, other)}; ${b} → ${a} ${flowText(story, until, other, one)}`;
  /** @type {Part[][]} */
  const paragraphs = [[`So far: ${flow(step)}.`], [`In all: ${flow(story.frames.length)}.`]];
  if (steps.length) paragraphs.push(["Used in ", ...stepParts(steps), "."]);
  return { title: `Link ${a} – ${b}`, paragraphs };
}

/**
 * @param {Story} story
 * @param {number[]} at
 * @param {number} step
 * @returns {Tale}
 */
function counterTale(story, [number], step) {
  const [label, , texts, bound] = story.counters[number];
  const [now, all, boundText] = texts[step].split(" / ");
  const paragraphs = [[`${afterStep(step)}: ${now}. In all: ${all}.`]];
  if (bound !== null && boundText) {
    const meaning = story.terms.find(([, term]) => term === "lower bound")?.[0] ?? "";
    paragraphs.push([`Lower bound: ${boundText}. ${meaning}`]);
    if (boundText === all) paragraphs.push(["This algorithm reaches it."]);
  }
  for (const sentence of story.trade) paragraphs.push([sentence]);
  for (const [meaning, term, ...uses] of story.terms) {
    if ([term, ...uses].some((use) => label.includes(use))) paragraphs.push([`${capital(term)}: ${meaning}`]);
  }
  return { title: capital(label), paragraphs };
}
