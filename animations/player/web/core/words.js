// The story of what is selected, in sentences with values, as parts that a view makes elements of.

import { flowText, trafficOf } from "./amounts.js";
import { goalParts, goalsOfRank } from "./goals.js";
import { contentOf, lastWrite, numberIn, writesOf } from "./origins.js";
import { MOST_STEPS_TOLD, MOST_TOLD, chips } from "./phrases.js";
import { lineParts, functionAt, cellLink, bare, chunkName, ranksIn, stepParts, afterStep, capital } from "./phrases.js";
import { count, word, wordParts } from "./say.js";
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
  const value = number && !write ? word("story.first_number", { number }) : "";
  const paragraphs = [[...wordParts("story.holds", { when: afterStep(step), content: heldParts(story, content, slot) }), value]];
  if (write) {
    paragraphs.push(...writeParts(story, node, slot, write.step));
    if (write.step < step) paragraphs.push(wordParts("story.unchanged", { step: { step: write.step } }));
  } else if (content.size) {
    paragraphs.push([word("story.own_data")]);
  }
  paragraphs.push(goalParts(story, node, slot, content));
  const writes = writesOf(story, node, slot);
  if (writes.length) paragraphs.push(wordParts("story.all_writes", { steps: stepParts(writes.map((each) => each.step)) }));
  const whole = chunkOf(story, node, slot);
  if (whole) paragraphs.push([{ thing: whole, text: word("story.follow", { chunk: chunkName(story, whole.at) }) }]);
  return { title: word("story.cell", { node: capital(story.names[node]), slot: story.slots[slot] }), paragraphs };
}

/**
 * What a slot holds.
 * @param {Story} story
 * @param {import("./origins.js").Contents} content
 * @param {number} slot
 * @returns {Part[]}
 */
function heldParts(story, content, slot) {
  if (!content.size) return [word("story.is_empty")];
  const several = content.size > 1;
  const kind = Number(several) + Number(several && content.size === story.ranks);
  const sums = story.operation === "+" ? ["story.holds_sum_some", "story.holds_sum_all"]
    : ["story.holds_combined_some", "story.holds_combined_all"];
  const keys = story.blocks ? ["story.holds_block", "story.holds_blocks", "story.holds_blocks"]
    : story.news ? ["story.holds_news_one", "story.holds_news_some", "story.holds_news_all"]
    : ["story.holds_data_one", ...sums];
  return wordParts(keys[kind], { number: `${content.size}`, chips: chips(story, content, slot) });
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
    const keys = write.adds ? ["story.added", "story.added_own"] : ["story.sent", "story.sent_own"];
    return [i ? word("parts.comma") : "", ...wordParts(keys[Number(src === node)], { who: link, slot: bare(story, chunk) })];
  });
  const sentences = [wordParts(write.adds ? "story.written" : "story.overwritten", { step: { step }, senders: senders.flat() })];
  const sum = equation(story, node, slot, step);
  if (sum) sentences.push(wordParts("story.equation", { sum: { sum } }));
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
  if (!write.adds) return old ? word("story.replaces", { new: sent[0], old }) : word("story.into_empty", { new: sent[0] });
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
  const paragraphs = [[word("story.its_way", { steps: count(steps.length, "step") })]];
  const past = steps.filter((each) => each <= step).length;
  const first = Math.max(0, Math.min(past - MOST_STEPS_TOLD / 2, steps.length - MOST_STEPS_TOLD));
  if (first) paragraphs.push([word("story.steps_before", { number: first })]);
  for (const each of steps.slice(first, first + MOST_STEPS_TOLD)) {
    const now = each === step ? word("story.now") : "";
    paragraphs.push(wordParts("story.moves", { step: { step: each }, moves: moveParts(story, thing, each), now }));
  }
  const later = steps.length - first - MOST_STEPS_TOLD;
  if (later > 0) paragraphs.push([word("story.steps_after", { number: later })]);
  if (!steps.length) paragraphs[0] = [word("story.stays")];
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
    const part = [i ? word("parts.comma") : "", { thing: { kind: "transfer", at: [step, number] }, text }];
    return part;
  });
  const more = numbers.length - MOST_TOLD;
  return more > 0 ? [...parts, word("parts.and_more", { number: more })] : parts;
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
  const paragraphs = meaning ? [[word("story.noun", { noun, meaning: meaning.charAt(0).toLowerCase() + meaning.slice(1) })]] : [];
  if (story.roles[node]) paragraphs.push([word("story.place", { role: story.roles[node] })]);
  paragraphs.push([word("story.partners", { to, from })]);
  const now = step ? moveParts(story, thing, step) : [];
  if (step) paragraphs.push(wordParts(now.length ? "story.in_step" : "story.idle_in", { step: { step }, moves: now }));
  const flow = (/** @type {number} */ until) =>
    word("story.flow", { sent: flowText(story, until, node, -1), received: flowText(story, until, -1, node) });
  paragraphs.push(...flowParts(story, step, flow));
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
  const { src, dst, chunk, into, adds, line } = move;
  const [one, other] = [story.names[src], story.names[dst]];
  const amount = story.sizes[move.size];
  const cells = { chunk: cellLink(story, src, chunk), into: cellLink(story, dst, into) };
  const size = amount && word("story.size", { size: amount });
  const paragraphs = [wordParts(adds ? "story.adds" : "story.sends", { step: { step }, from: one, to: other, size, ...cells })];
  const sum = equation(story, dst, into, step);
  if (sum) paragraphs.push(wordParts("story.equation", { sum: { sum } }));
  const carried = contentOf(story, src, chunk, step - 1);
  const key = story.blocks || carried.size < 2 ? "story.carries" : "story.carries_ranks";
  paragraphs.push(wordParts(key, { chips: chips(story, carried, chunk) }));
  paragraphs.push(lineParts(story, story.frames[step - 1][6][line]));
  if (src !== dst) paragraphs.push([{ thing: { kind: "link", at: [src, dst] }, text: word("story.link", { one, other }) }]);
  if (step !== now) paragraphs.push(wordParts(now < step ? "story.to_come" : "story.is_over", { step: { step } }));
  return { title: word("story.transfer", { from: capital(one), to: other, step }), paragraphs: paragraphs.filter((parts) => parts.length) };
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
  if (!steps.length) paragraphs.push([word("story.no_transfer")]);
  else {
    const numbers = { transfers: count(total, "transfer"), steps: count(steps.length, "step") };
    paragraphs.push(wordParts("story.made", { ...numbers, links: stepParts(steps) }));
    const now = movesWith(story, thing, step).length;
    if (now) paragraphs.push(wordParts("story.in_step", { step: { step }, moves: moveParts(story, thing, step) }));
  }
  return { title: word("story.line", { line: line + 1, function: functionAt(text, line) }), paragraphs };
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
  const flow = (/** @type {number} */ until) => {
    const [there, back] = [flowText(story, until, one, other), flowText(story, until, other, one)];
    return word("story.both_ways", { one: a, other: b, there, back });
  };
  const paragraphs = flowParts(story, step, flow);
  if (steps.length) paragraphs.push(wordParts("story.used_in", { steps: stepParts(steps) }));
  return { title: word("story.link_title", { one: a, other: b }), paragraphs };
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
  const paragraphs = [[word("story.counted", { when: afterStep(step), now, all })]];
  if (bound !== null && boundText) {
    const meaning = story.terms.find(([, term]) => term === word("parts.bound_term"))?.[0] ?? "";
    paragraphs.push([word("story.bound", { bound: boundText, meaning })]);
    if (boundText === all) paragraphs.push([word("story.reaches")]);
  }
  for (const sentence of story.trade) paragraphs.push([sentence]);
  for (const [meaning, term, ...uses] of story.terms) {
    if ([term, ...uses].some((use) => label.includes(use))) paragraphs.push([word("story.term", { term: capital(term), meaning })]);
  }
  return { title: capital(label), paragraphs };
}

/**
 * What has flowed so far, and in all.
 * @param {Story} story
 * @param {number} step
 * @param {(until: number) => string} flow
 * @returns {Part[][]}
 */
function flowParts(story, step, flow) {
  return [[word("story.so_far", { flow: flow(step) })], [word("story.in_all", { flow: flow(story.frames.length) })]];
}
