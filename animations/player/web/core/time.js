// The time of a schedule on a crossbar, by the lockstep clock: a step begins when the one before
// has ended, its messages share ports fairly (collectives/cost/clocks/lockstep.py counts the same).
// Where messages take turns, a port starts them one after another (collectives/cost/choose/ports.py).

/**
 * @typedef {import("./machine.js").Transfer} Transfer
 *
 * A message under way: the links it takes, and how much of it has not arrived yet.
 * @typedef {{links: readonly [number, number], left: number, rate: number}} Flow
 *
 * The size of the vector in bytes, in how many chunks it is cut; seconds; bytes per second.
 * @typedef {{size: number, chunks: number, latency: number, bandwidth: number}} Setting
 */

const TIE = 1e-13; // relative: flows that end this close together end at once

/**
 * Of each step how long its messages take, in units of a chunk on an idle port and without
 * latency; null for a step without a message.
 * @param {readonly (readonly Transfer[])[]} steps
 * @param {readonly number[]} lanes messages that each node sends at full speed, and receives
 */
export function loadsOf(steps, lanes) {
  return steps.map((transfers) => {
    const sizes = messageSizes(transfers, lanes.length);
    return sizes.size ? lastArrival(sizes, lanes) : null;
  });
}

/**
 * Of each step how many messages start one after another at the busiest port; 0 without any.
 * @param {readonly (readonly Transfer[])[]} steps
 * @param {readonly number[]} lanes messages that a node starts, and receives, at a time
 */
export function startsOf(steps, lanes) {
  return steps.map((transfers) => {
    const [out, into] = [lanes.map(() => 0), lanes.map(() => 0)];
    for (const message of messageSizes(transfers, lanes.length).keys()) {
      out[Math.floor(message / lanes.length)]++;
      into[message % lanes.length]++;
    }
    const busiest = Math.max(...lanes.map((lane, node) => Math.max(out[node], into[node]) / lane));
    return busiest && Math.max(1, busiest);
  });
}

/**
 * Seconds until each step has ended; before the first it is 0.
 * @param {readonly (number | null)[]} loads
 * @param {Setting} setting
 * @param {readonly number[]} starts latencies of each step; 1 where all messages start at once
 */
export function timesOf(loads, { size, chunks, latency, bandwidth }, starts = loads.map(() => 1)) {
  const times = [0];
  loads.forEach((load, i) => {
    const took = load === null ? 0 : starts[i] * latency + (load * size) / (chunks * bandwidth);
    times.push(times[times.length - 1] + took);
  });
  return times;
}

/**
 * Seconds of a whole schedule: so many messages start one after another, and carry `share` of the
 * vector over the busiest ports.
 * @param {{starts: number, share: number}} schedule
 * @param {{size: number, latency: number, bandwidth: number}} setting
 */
export function timeOf({ starts, share }, { size, latency, bandwidth }) {
  return starts * latency + (share * size) / bandwidth;
}

/**
 * Chunks of each message, src * nodes + dst → chunks: one that goes twice is in it once.
 * @param {readonly Transfer[]} transfers
 * @param {number} nodes
 */
function messageSizes(transfers, nodes) {
  /** @type {Map<number, Set<number>>} */
  const chunks = new Map();
  for (const [src, dst, chunk] of transfers) {
    if (src === dst) continue;
    const message = src * nodes + dst;
    chunks.set(message, (chunks.get(message) ?? new Set()).add(chunk));
  }
  return new Map([...chunks].map(([message, { size }]) => [message, size]));
}

/**
 * When the last of these messages has arrived that all begin at once.
 * @param {ReadonlyMap<number, number>} sizes
 * @param {readonly number[]} lanes
 */
function lastArrival(sizes, lanes) {
  const nodes = lanes.length;
  const capacity = [...lanes, ...lanes]; // of the ports out, then of those in
  /** @type {Flow[]} */
  let live = [...sizes].map(([message, left]) => {
    return { links: [Math.floor(message / nodes), nodes + (message % nodes)], left, rate: 0 };
  });
  let now = 0;
  while (live.length) {
    shareFairly(live, capacity);
    const soon = Math.min(...live.map(({ left, rate }) => left / rate));
    now += soon;
    live = live.filter((flow) => flow.left / flow.rate > soon + TIE * now);
    for (const flow of live) flow.left -= flow.rate * soon;
  }
  return now;
}

/**
 * Gives each flow its max-min rate: all grow together until a link of theirs is full, up to 1.
 * @param {readonly Flow[]} flows
 * @param {readonly number[]} capacity
 */
function shareFairly(flows, capacity) {
  const room = [...capacity];
  let growing = flows;
  while (growing.length) {
    const users = room.map(() => 0);
    for (const { links } of growing) for (const link of links) users[link]++;
    const level = (/** @type {Flow} */ { links }) => {
      return Math.min(1, ...links.map((link) => room[link] / users[link]));
    };
    const lowest = Math.min(...growing.map(level)) * (1 + TIE);
    const full = growing.filter((flow) => level(flow) <= lowest);
    for (const flow of full) flow.rate = level(flow);
    for (const flow of full) for (const link of flow.links) room[link] -= flow.rate;
    growing = growing.filter((flow) => !full.includes(flow));
  }
}
