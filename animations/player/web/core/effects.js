// What faults do to a story's clock: how much longer it takes, who waits for whom, whether steps meet.

import { word } from "./say.js";
import { pathsOf, readFault } from "./faults.js";
import { timeText } from "./quantities.js";
import { OWN_SETTING, clockOf } from "./setting.js";
import { movesOf } from "./story.js";
import { timeRun } from "./timed_run.js";

/** @typedef {import("./timed_run.js").Timing} Timing */
/** @typedef {{node: number, other: number, start: number, end: number, step: number}} Wait for the message of a step; it never ends: Infinity */

const MOST_TOLD_WAITS = 4;
const SHORTEST_WAIT = 1e-2; // of all time, that is told
const ROUNDING = 1e-9; // of all time

/**
 * Between which messages each node waits, and for whom: whom its next message comes from or goes to.
 * Where something never arrives also who waits for it for ever.
 * @param {Timing} timing
 * @param {number} nodes
 * @param {readonly number[]} delays
 * @returns {Wait[]}
 */
export function waitsOf({ messages, total }, nodes, delays) {
  const busy = Array.from({ length: nodes }, () => /** @type {[start: number, end: number, other: number, step: number, comes: boolean][]} */ ([]));
  messages.forEach(({ src, dst, start, sent, end }, i) => src.forEach((from, m) => {
    busy[from].push([start[m], sent[m], dst[m], i + 1, false]);
    busy[dst[m]].push([start[m], end[m], from, i + 1, true]);
  }));
  /** @type {Wait[]} */
  const found = [];
  busy.forEach((own, node) => {
    let free = delays[node] ?? 0;
    own.sort((one, other) => one[0] - other[0] || one[3] - other[3] || one[1] - other[1] || one[2] - other[2]);
    for (const [start, end, other, step, comes] of own) {
      if (start === Infinity || end === Infinity) {
        if (!comes && total === Infinity) continue; // its message waits for what it has to bring
        found.push({ node, other, start: free, end: Infinity, step });
        break;
      }
      if (start - free > ROUNDING * (total < Infinity ? total : start)) found.push({ node, other, start: free, end: start, step });
      free = Math.max(free, end);
    }
  });
  return found;
}

/**
 * Whether messages of two steps are under way at once, and whether a port ever holds two messages
 * or a message leaves before what it reads has arrived: found by looking at all of them.
 * @param {Story} story as it is under the setting
 */
export function stepsMeet(story) {
  const timing = /** @type {Timing} */ (story.timing);
  const setup = /** @type {Setup} */ (story.setup);
  const [paths, lanes] = [pathsOf(setup), setup.links[4]];
  const rounding = ROUNDING * (timing.total < Infinity ? timing.total : 1);
  /** @type {Map<string, [start: number, end: number][]>} */
  const ports = new Map();
  let [overlap, pair, before, last] = [0, [0, 0], 0, 0];
  timing.messages.forEach(({ src, dst, start, sent, end }, i) => {
    const begins = start.filter((time) => time < Infinity);
    const first = begins.reduce((one, other) => Math.min(one, other), Infinity);
    if (before - first > overlap + rounding) [overlap, pair] = [before - first, [last, i + 1]];
    src.forEach((from, m) => {
      if (start[m] === Infinity) return;
      const links = /** @type {number[]} */ (paths.get(from * setup.nodes + dst[m]));
      const [out, into] = [links[0], links[links.length - 1]];
      for (const key of [lanes[out] === 1 && `out ${out}`, lanes[into] === 1 && `into ${into}`]) {
        if (!key) continue;
        const held = ports.get(key) ?? [];
        ports.set(key, held);
        held.push([start[m], sent[m]]);
      }
      if (end[m] < Infinity && end[m] > before) [before, last] = [end[m], i + 1];
    });
  });
  const crowded = [...ports.values()].some((held) => {
    held.sort((one, other) => one[0] - other[0]);
    return held.some(([start], i) => i && held[i - 1][1] - start > rounding);
  });
  return { overlap, pair, crowded, early: setup.steps ? false : leavesEarly(story, timing, rounding) };
}

/**
 * @param {Story} story
 * @param {Timing} timing
 * @param {number} rounding
 */
function leavesEarly(story, timing, rounding) {
  /** @type {Map<string, number>} */
  const ready = new Map();
  return timing.messages.some(({ src, dst, start, end }, i) => {
    const place = new Map(src.map((from, m) => [`${from} ${dst[m]}`, m]));
    const moves = movesOf(story, i + 1).map((move) => ({ ...move, m: place.get(`${move.src} ${move.dst}`) ?? -1 }));
    const early = moves.some(({ src: from, chunk, m }) => m >= 0 && (ready.get(`${from} ${chunk}`) ?? 0) - start[m] > rounding);
    const times = moves.map(({ src: from, dst: to, chunk, into, m }) => /** @type {[string, number]} */ ([`${to} ${into}`, m < 0 ? (ready.get(`${from} ${chunk}`) ?? 0) : end[m]]));
    for (const [cell, time] of times) ready.set(cell, Math.max(ready.get(cell) ?? 0, time));
    return early;
  });
}

/**
 * What the faults of a story under a setting do, in sentences; none without faults.
 * @param {Story} own the story as it is without
 * @param {Story} story
 * @returns {string[]}
 */
export function effectsOf(own, story) {
  const { setup, setting, timing } = story;
  if (!setup || !setting?.faults.length || !timing) return [];
  const clean = timeRun(own, { ...setting, faults: [] }, clockOf(setup, setting)).total;
  const more = timing.total - clean;
  const fields = { time: timeText(timing.total), more: timeText(more), clean: timeText(clean) };
  const endless = timing.total === Infinity;
  const sentences = [
    endless ? word("player.takes_ever") : more > ROUNDING * clean ? word("player.takes_longer", fields) : word("player.takes_as_long", fields),
  ];
  return endless ? sentences : [...sentences, meetWords(story, setup)];
}

/**
 * The waits of a step that can be seen; in the last one all that never end.
 * @param {Story} story under a setting with faults
 * @param {number} step
 */
export function waitsIn(story, step) {
  const { setup, timing, setting } = story;
  if (!setup || !timing || !setting?.faults.length) return [];
  const endless = timing.total === Infinity;
  const last = endless && step === story.frames.length;
  return waitsOf(timing, setup.nodes, delaysOf(setup, setting)).filter((wait) => {
    if (!last && wait.step !== step) return false;
    return endless ? wait.end === Infinity : wait.end - wait.start > SHORTEST_WAIT * timing.total;
  });
}

/**
 * Who waits for whom in a step, in a sentence; nothing where nobody does.
 * @param {Story} story under a setting with faults
 * @param {number} step
 */
export function waitWords(story, step) {
  const setup = /** @type {Setup} */ (story.setup);
  const endless = story.timing?.total === Infinity;
  const waits = waitsIn(story, step);
  waits.sort((one, other) => (endless ? one.step - other.step || one.node - other.node : other.end - other.start - (one.end - one.start)));
  const sentences = waits.slice(0, MOST_TOLD_WAITS).map(({ node, other, start, end }) => {
    return word(endless ? "player.waits_ever" : "player.waits", { who: story.names[node], other: story.names[other], time: endless ? "" : timeText(end - start) });
  });
  const rest = waits.length - sentences.length;
  return sentences.length ? `${sentences.join("; ")}${rest ? `; ${word("player.more_wait", { number: rest })}` : ""}.` : "";
}

/**
 * By how many seconds each rank is late.
 * @param {Setup} setup
 * @param {Setting} [setting]
 */
export function delaysOf(setup, setting = OWN_SETTING) {
  /** @type {number[]} */
  const delays = [];
  for (const fault of setting.faults) {
    const found = readFault(setup, fault);
    if (found?.kind === "late") delays[found.rank] = found.value;
  }
  return delays;
}

/**
 * Whether steps collide.
 * @param {Story} story
 * @param {Setup} setup
 */
function meetWords(story, setup) {
  const { overlap, pair, crowded, early } = stepsMeet(story);
  if (crowded || early) return word(crowded ? "player.ports_shared" : "player.data_missing");
  if (!overlap) return word("player.steps_apart");
  return word("player.steps_overlap", { first: pair[0], second: pair[1], time: timeText(overlap) });
}

