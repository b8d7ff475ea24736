// How long each of those that are compared takes, and what of it is latency and what bytes; as
// collectives/cost/choose/ranking.py and crossover.py have it.

import { criticalPath } from "../clock/critical_path.js";
import { clockOf } from "../setting.js";
import { timeBytes, timeRun } from "../timed_run.js";

/**
 * What one of them takes: seconds, Infinity for never, until when anything of it moves, and without
 * faults; the time of its messages without bytes, what late ranks add, what bytes add; its steps.
 * @typedef {{name: string, label: string, seconds: number, until: number, clean: number, latency: number,
 *   delay: number, moved: number, steps: number, done: (now: number) => number,
 *   path: import("../clock/critical_path.js").CriticalPath, names: string[], lost: number[]}} Standing lost: step and nodes of a message that never arrives
 */

const [LADDER, LARGEST_TRIED, SAME_TIME] = [4, 2 ** 34, 1e-9]; // bytes to which sizes are tried; of a time, to be as long
const NO_DELAY = 1e-12; // of a time: less is none

/**
 * @param {string} name
 * @param {string} label
 * @param {Story} own
 * @param {Setting} setting
 * @param {import("../clock/clocks.js").Timing} [known] its timing under the setting
 * @returns {Standing}
 */
export function standingOf(name, label, own, setting, known) {
  const clock = clockOf(/** @type {Setup} */ (own.setup), setting);
  const timing = known ?? timeRun(own, setting, clock);
  const inTime = { ...setting, faults: setting.faults.filter(([kind]) => kind !== "late") };
  const { total } = timing;
  const lateness = inTime.faults.length < setting.faults.length && total < Infinity ? total - timeRun(own, inTime, clock).total : 0;
  const delay = lateness > total * NO_DELAY ? lateness : 0;
  const latency = timeBytes(own, 0, inTime, clock).total;
  const ends = timing.messages.flatMap(({ end }) => end).filter((end) => end < Infinity);
  const until = total < Infinity ? total : ends.reduce((one, other) => Math.max(one, other), 0);
  const counted = timing.ends.filter((_, i) => timing.messages[i].src.length);
  return {
    name, label, latency, delay, until,
    seconds: total,
    clean: setting.faults.length ? timeRun(own, { ...setting, faults: [] }, clock).total : total,
    moved: Math.max(0, total - latency - delay),
    steps: counted.length,
    done: (now) => counted.filter((end) => end <= now * (1 + SAME_TIME)).length,
    path: criticalPath(timing),
    names: own.names,
    lost: lostIn(timing),
  };
}

/**
 * Step, source and destination of the first message that begins and never arrives; nothing where all do.
 * @param {import("../clock/clocks.js").Timing} timing
 */
function lostIn({ messages }) {
  for (const [i, { src, dst, start, end }] of messages.entries()) {
    const m = end.findIndex((time, at) => time === Infinity && start[at] < Infinity);
    if (m >= 0) return [i + 1, src[m], dst[m]];
  }
  return [];
}

/**
 * Who is the fastest from which size on: pairs of bytes and of a number; timed one after the other,
 * so that this can be done in parts. Returns none where no data moves.
 * @param {readonly Story[]} stories of those that end
 * @param {Setting} setting
 * @returns {Generator<void, [size: number, fastest: number][], void>}
 */
export function* fastestBySize(stories, setting) {
  const chunks = stories.map(({ setup }) => /** @type {Setup} */ (setup).chunks);
  if (stories.length < 2 || !chunks.every((number) => number)) return [];
  const clock = clockOf(/** @type {Setup} */ (stories[0].setup), setting);
  const known = stories.map(() => new Map());
  function* seconds(/** @type {number} */ number, /** @type {number} */ size) {
    if (!known[number].has(size)) {
      known[number].set(size, timeBytes(stories[number], size, setting, clock).total);
      yield;
    }
    return /** @type {number} */ (known[number].get(size));
  }
  /** Below 0 if the first is faster, above if the other is. */
  function* faster(/** @type {number} */ one, /** @type {number} */ other, /** @type {number} */ size) {
    const [first, second] = [yield* seconds(one, size), yield* seconds(other, size)];
    if (Math.abs(first - second) <= SAME_TIME * Math.max(first, second) || first === second) return 0;
    return first < second ? -1 : 1;
  }
  function* fastest(/** @type {number} */ size, /** @type {number} */ usual) {
    let lead = usual;
    for (const number of stories.keys()) if ((yield* faster(number, lead, size)) < 0) lead = number;
    return lead;
  }
  let low = chunks.reduce((one, other) => Math.max(one, other));
  /** @type {[number, number][]} */
  const found = [[low, yield* fastest(low, 0)]];
  while (low < LARGEST_TRIED) {
    const [, lead] = found[found.length - 1];
    const next = Math.min(LARGEST_TRIED, low * LADDER);
    let [high, now] = [next, yield* fastest(next, lead)];
    if (now !== lead) {
      for (let turn = 0; turn < stories.length; turn++) { // at each turn another may be the faster one before it
        let [from, to, wide, halve] = [low, high, high - low, false];
        for (; wide > Math.max(1, Math.floor(from / 1000)); wide = to - from) {
          let middle = Math.floor((from + to) / 2);
          const ahead = (yield* seconds(now, from)) - (yield* seconds(lead, from));
          const behind = (yield* seconds(now, to)) - (yield* seconds(lead, to));
          if (!halve && Number.isFinite(ahead - behind)) { // beside where a line through both is zero
            const zero = from + Math.floor(wide * ahead / (ahead - behind) + 0.5);
            const beside = zero + Math.max(1, Math.floor(from / 20_000)) * (zero > middle ? -1 : 1);
            middle = Math.min(to - 1, Math.max(from + 1, beside));
          }
          if ((yield* faster(lead, now, middle)) === -1) from = middle;
          else to = middle;
          halve = 2 * (to - from) > wide;
        }
        high = to;
        now = yield* fastest(high, now);
      }
      found.push([high, now]);
    }
    low = high;
  }
  return found;
}
