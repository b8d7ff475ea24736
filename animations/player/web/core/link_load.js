// What each link of a page's machine carries, in a step and in all, for which share of the time; and
// how long all takes where links are twice as fast. As Timing.link_use has it in Python.

import { widest } from "./faults.js";
import { messagesOn, runUnder, timeBytes, timeOn, vectorBytes } from "./timed_run.js";
import { clockOf } from "./setting.js";

/** @typedef {import("./clock/messages.js").Machine} Machine */
/**
 * Bytes and shares of the time of each link: in all, and by step. latency: the share of the time
 * that the same messages take without bytes. busiest: the links that are busy for the largest share.
 * @typedef {{total: number, bytes: number[], use: number[], latency: number, busiest: number[],
 *   step: (step: number) => {bytes: number[], use: number[]}}} Load
 */

const SAME_USE = 1e-6; // of a share of the time: less apart is the same

/** @type {WeakMap<Story, {key: string, load: Load}>} */
const latestLoads = new WeakMap();

/**
 * The load of the links of a story under a setting; null where it never ends.
 * @param {Story} own
 * @param {Setting} setting
 * @returns {Load | null}
 */
export function loadOf(own, setting) {
  const key = JSON.stringify(setting);
  const known = latestLoads.get(own);
  if (known?.key === key) return known.load;
  const setup = /** @type {Setup} */ (own.setup);
  const clock = clockOf(setup, setting);
  const run = runUnder(own, vectorBytes(own, setting.size), setting);
  const timing = timeOn(own, clock, run);
  if (timing.total === Infinity) return null;
  const { machine, steps } = run;
  const carried = steps.map((each) => bytesOf(machine, [each]));
  const bytes = machine.src.map((_, link) => carried.reduce((sum, each) => sum + each[link], 0));
  const use = useOf(machine, bytes, timing.total);
  const highest = use.reduce((one, other) => Math.max(one, other), 0);
  const load = {
    total: timing.total,
    bytes,
    use,
    latency: timing.total ? timeBytes(own, 0, setting, clock).total / timing.total : 0,
    busiest: highest ? [...use.keys()].filter((link) => use[link] >= highest * (1 - SAME_USE)) : [],
    step: (/** @type {number} */ step) => {
      const now = carried[step - 1] ?? bytes.map(() => 0);
      return { bytes: now, use: useOf(machine, now, timing.ends[step - 1] - timing.begins[step - 1]) };
    },
  };
  latestLoads.set(own, { key, load });
  return load;
}

/**
 * The bytes that each link carries.
 * @param {Machine} machine
 * @param {import("./clock/messages.js").StepMessages[]} steps
 */
function bytesOf(machine, steps) {
  const bytes = machine.src.map(() => 0);
  for (const { path, size } of steps) path.forEach((links, m) => links.forEach((link) => (bytes[link] += size[m])));
  return bytes;
}

/**
 * The share of some seconds in which the capacity of each link that is used is.
 * @param {Machine} machine
 * @param {number[]} bytes
 * @param {number} seconds
 */
function useOf({ bandwidth, lanes, group, capacity }, bytes, seconds) {
  const shared = capacity.map(() => 0);
  bytes.forEach((each, link) => (shared[group[link]] += each));
  return bytes.map((each, link) => {
    if (!each || !seconds) return 0;
    return Math.max(each / (bandwidth[link] * lanes[link]), shared[group[link]] / capacity[group[link]]) / seconds;
  });
}

/**
 * How long all takes if these links are twice as fast.
 * @param {Story} story the page's own
 * @param {Setting} setting
 * @param {readonly number[]} links
 */
export function timeWithFaster(story, setting, links) {
  const clock = clockOf(/** @type {Setup} */ (story.setup), setting);
  const size = vectorBytes(story, setting.size);
  const { machine, delays } = runUnder(story, size, setting);
  const bandwidth = machine.bandwidth.map((rate, link) => (links.includes(link) ? 2 * rate : rate));
  const [before, after] = [machine.bandwidth, bandwidth].map((rate) => widest(machine.group, rate, machine.lanes, machine.capacity.length));
  const capacity = machine.capacity.map((each, i) => (before[i] > 0 ? each * (after[i] / before[i]) : 0));
  const faster = { ...machine, bandwidth, capacity };
  return timeOn(story, clock, { machine: faster, delays, steps: messagesOn(story, size, faster) }).total;
}

/**
 * Links of the same figures, between nodes of the same kinds, that carry as much.
 * @param {Story} own
 * @param {Load} load
 * @param {number} link
 */
export function linksAlike(own, load, link) {
  const { links: [src, dst, latency, bandwidth], kinds } = /** @type {Setup} */ (own.setup);
  const kindOf = (/** @type {number} */ node) => {
    let last = 0;
    return kinds.findIndex(([, count]) => node < (last += count));
  };
  const figures = (/** @type {number} */ each) => [kindOf(src[each]), kindOf(dst[each]), latency[each], bandwidth[each]].join(" ");
  return [...src.keys()].filter((each) => figures(each) === figures(link) && Math.abs(load.use[each] - load.use[link]) <= SAME_USE * load.use[link]);
}

/** What a page's own machine carries; for links in the order of load. */
export function byUse(/** @type {Load} */ { use }) {
  return [...use.keys()].sort((one, other) => use[other] - use[one] || one - other);
}
