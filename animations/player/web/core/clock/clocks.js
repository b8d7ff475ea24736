// The two clocks of collectives/cost/clocks: lockstep, with a barrier after each step, and dataflow,
// in which a message waits for its data and its two ports only, and shares links with others.

import { createEvents } from "./events.js";
import { TIE, createFlows } from "./flows.js";
import { sharedLinks } from "./messages.js";

/** @typedef {import("./messages.js").Machine} Machine */
/** @typedef {import("./messages.js").StepMessages} StepMessages */

/**
 * Seconds: of each step, and of each of its messages; Infinity for what never happens.
 * @typedef {{clock: string, total: number, begins: number[], ends: number[],
 *   messages: {src: number[], dst: number[], size: number[], start: number[], sent: number[], end: number[]}[]}} Timing
 */

/**
 * @param {Machine} machine
 * @param {StepMessages[]} steps
 * @param {{nodes: number, slots: number, delays: number[]}} run nodes and slots of the algorithm; seconds by which each is late
 * @returns {Timing}
 */
export function dataflow(machine, steps, { nodes, slots, delays }) {
  const shared = sharedLinks(machine, steps);
  const flows = createFlows(shared.flatMap(({ groups }) => groups), shared.flatMap(({ limit }) => limit), machine.capacity);
  const events = createEvents(machine.lanes);
  const columns = ["latency", "size"].map((name) => steps.flatMap((step) => /** @type {any} */ (step)[name]));
  orderMessages(steps, events, { slots, delays: Array.from({ length: nodes }, (_, node) => delays[node] ?? 0) });
  const times = events.run(columns[0], columns[1], shared.flatMap(({ limit }) => limit), flows);
  let first = 0;
  const messages = steps.map(({ src, dst, size }) => {
    const of = [first, (first += src.length)];
    return { src, dst, size, start: times.start.slice(...of), sent: times.sent.slice(...of), end: times.end.slice(...of) };
  });
  let latest = 0;
  const begins = messages.map(({ start }) => (start.length ? start.reduce((one, other) => Math.min(one, other)) : 0));
  const ends = messages.map(({ end }, i) => {
    if (!end.length) return (begins[i] = latest);
    const over = largest(end);
    latest = Math.max(latest, over);
    return over;
  });
  return { clock: "dataflow", total: Math.max(largest(delays), largest(ends)), begins, ends, messages };
}

/**
 * Lets each message wait for the slots that it reads, needs and writes, and for its ports.
 * @param {StepMessages[]} steps
 * @param {ReturnType<typeof createEvents>} events
 * @param {{slots: number, delays: number[]}} run
 */
function orderMessages(steps, events, { slots, delays }) {
  /** @type {Map<number, number[]>} */
  const ready = new Map(); // events that make a slot ready to be read
  /** @type {Map<number, number[]>} */
  const readers = new Map(); // messages that read it since
  for (const step of steps) {
    const { rows, row } = step;
    const [starts, ends] = events.messages(step, delays);
    /** @type {Map<number, Set<number>>} */
    const waits = new Map();
    /** @type {Map<number, number[]>} */
    const writers = new Map();
    /** @type {Map<number, number[]>} */
    const copies = new Map();
    const append = (/** @type {Map<number, number[]>} */ lists, /** @type {number} */ key, /** @type {number} */ event) => {
      const list = lists.get(key);
      if (list) list.push(event);
      else lists.set(key, [event]);
    };
    const waitFor = (/** @type {number} */ event, /** @type {readonly number[]} */ others) => {
      const own = waits.get(event) ?? new Set();
      waits.set(event, own);
      for (const other of others) own.add(other);
    };
    row.forEach((message, i) => {
      const [read, write] = [rows.src[i] * slots + rows.chunk[i], rows.dst[i] * slots + rows.into[i]];
      const need = rows.needs ? rows.src[i] * slots + rows.needs[i] : read;
      const event = message < 0 ? events.add(delays[rows.dst[i]]) : starts[message];
      if (message < 0) append(copies, write, event);
      else {
        for (const cell of new Set([read, need])) append(readers, cell, event);
        append(writers, write, ends[message]);
      }
      waitFor(event, ready.get(read) ?? []);
      waitFor(event, ready.get(need) ?? []);
    });
    for (const write of new Set([...writers.keys(), ...copies.keys()])) {
      const before = [...(ready.get(write) ?? []), ...(readers.get(write) ?? [])];
      readers.delete(write);
      const all = [...(writers.get(write) ?? []), ...(copies.get(write) ?? [])];
      for (const event of all) waitFor(event, before);
      for (const copy of copies.get(write) ?? []) waitFor(copy, writers.get(write) ?? []); // what a node has itself comes last
      ready.set(write, [...new Set(all)]);
    }
    for (const [event, others] of waits) for (const other of others) events.follow(other, event);
  }
}

/**
 * @param {Machine} machine
 * @param {StepMessages[]} steps
 * @param {number[]} delays
 * @returns {Timing}
 */
export function lockstep(machine, steps, delays) {
  let base = largest(delays);
  const [begins, ends] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  const messages = steps.map((step) => {
    const sent = stepAlone(machine, step).map((seconds) => base + seconds);
    begins.push(base);
    const start = sent.map(() => base);
    base = Math.max(base, largest(sent));
    ends.push(base);
    return { src: step.src, dst: step.dst, size: step.size, start, sent, end: sent };
  });
  return { clock: "lockstep", total: base, begins, ends, messages };
}

/**
 * When each message of a step has arrived if all start at once.
 * @param {Machine} machine
 * @param {StepMessages} step
 */
function stepAlone({ group, capacity }, { path, latency, size, limit }) {
  const wanted = capacity.map(() => 0);
  path.forEach((links, i) => links.forEach((link) => (wanted[group[link]] += limit[i])));
  const fits = wanted.every((rate, each) => rate <= capacity[each] * (1 + TIE));
  if (fits) return size.map((bytes, i) => (limit[i] > 0 ? latency[i] + bytes / limit[i] : Infinity));
  const capped = path.map((links, i) => Math.min(limit[i], ...links.map((link) => capacity[group[link]])));
  const flows = createFlows(path.map((links) => links.map((link) => group[link])), capped, capacity);
  const end = size.map((bytes, i) => (capped[i] > 0 ? (bytes ? Infinity : latency[i]) : Infinity));
  const waiting = [...size.keys()].filter((i) => size[i] && capped[i] > 0).sort((one, other) => latency[one] - latency[other]);
  for (let at = 0, now; ; flows.settle(now)) {
    now = Math.min(flows.nextEnd(), at < waiting.length ? latency[waiting[at]] : Infinity);
    if (now === Infinity) return end;
    for (const flow of flows.finished(now)) end[flow] = now;
    for (; at < waiting.length && latency[waiting[at]] <= now; at++) flows.begin(waiting[at], size[waiting[at]], now);
  }
}

/** @param {readonly number[]} numbers */
function largest(numbers) {
  return numbers.reduce((one, other) => Math.max(one, other), 0);
}
