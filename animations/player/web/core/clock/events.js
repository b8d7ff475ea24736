// Runs messages through time: each waits for its data and its ports, then its bytes share links; as
// collectives/cost/clocks/event_queue.py has it.

import { TIE } from "./flows.js";
import { heapPop, heapPush } from "./heap.js";

/** @typedef {import("./messages.js").StepMessages} StepMessages */
/** @typedef {ReturnType<typeof import("./flows.js").createFlows>} Flows */

const [SENT, READY, OUT, INTO, FLOW] = [0, 1, 2, 3, 4]; // kinds of entries, in the order in which they happen
const NO_MESSAGE = Infinity;

/** @param {number[]} lanes how many messages each link takes at once */
export function createEvents(lanes) {
  /** @type {{waits: number, time: number, message: number, later: number[]}[]} */
  const events = []; // each starts its message, or ends message ~`message`, when all it waits for has happened
  const [starts, ends] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])]; // the events of each message
  /** @type {number[][]} */
  const ports = []; // at OUT and INTO the link of each message
  [ports[OUT], ports[INTO]] = [[], []];
  /** @type {Map<number, number[]>[]} */
  const queues = [];
  [queues[OUT], queues[INTO]] = [new Map(), new Map()];
  /** @type {Map<number, number>[]} */
  const served = [];
  [served[OUT], served[INTO]] = [new Map(), new Map()];
  /** @type {import("./heap.js").Tuple[]} */
  const heap = [];

  const event = (/** @type {number} */ message, /** @type {number} */ time, waits = 0) =>
    events.push({ waits, time, message, later: [] }) - 1;

  const happened = (/** @type {number} */ number, /** @type {number} */ time) => {
    const one = events[number];
    one.waits--;
    one.time = Math.max(one.time, time);
    if (!one.waits) heapPush(heap, [one.time, READY, number]);
  };

  return {
    /** An event that is no message, not before this time. */
    add: (/** @type {number} */ time) => event(NO_MESSAGE, time),
    /** Lets an event wait for an earlier one. */
    follow(/** @type {number} */ earlier, /** @type {number} */ later) {
      events[earlier].later.push(later);
      events[later].waits++;
    },
    /**
     * Messages of a step behind those at their ports: the events that start and end each.
     * @param {StepMessages} step
     * @param {number[]} delays
     */
    messages({ src, dst, path, turns }, delays) {
      const first = starts.length;
      const begin = src.map((node, m) => event(first + m, delays[node]));
      const end = dst.map((node, m) => event(~(first + m), delays[node], 1)); // which waits for its last byte
      starts.push(...begin);
      ends.push(...end);
      for (const links of path) {
        ports[OUT].push(links[0]);
        ports[INTO].push(links[links.length - 1]);
      }
      for (const side of [OUT, INTO]) {
        for (const m of turns) {
          const port = ports[side][first + m];
          const queue = queues[side].get(port);
          if (queue) queue.push(first + m);
          else queues[side].set(port, [first + m]);
        }
      }
      return [begin, end];
    },
    /**
     * Start, end of sending and end of each message; Infinity where it is never reached.
     * @param {number[]} lead seconds before bytes flow
     * @param {number[]} bytes
     * @param {number[]} limit
     * @param {Flows} flows
     */
    run(lead, bytes, limit, flows) {
      const [start, sent, end] = [0, 0, 0].map(() => lead.map(() => Infinity));

      const free = (/** @type {number} */ side, /** @type {number} */ message, /** @type {number} */ time) => {
        const port = ports[side][message];
        const done = (served[side].get(port) ?? 0) + 1;
        served[side].set(port, done);
        const next = queues[side].get(port)?.[done + lanes[port] - 1];
        if (next !== undefined) happened(starts[next], time);
      };
      const lastByte = (/** @type {number} */ message, /** @type {number} */ now) => {
        sent[message] = now;
        free(OUT, message, now);
        free(INTO, message, now);
        for (const later of events[starts[message]].later) happened(later, now);
        happened(ends[message], now);
      };
      const happen = (/** @type {number} */ time, /** @type {number} */ kind, /** @type {number} */ number) => {
        if (kind === SENT) for (const later of events[number].later) happened(later, time);
        else if (kind === FLOW) {
          if (limit[number] > 0 && bytes[number] > 0) flows.begin(number, bytes[number], time);
          else if (limit[number] > 0) lastByte(number, time);
        } else {
          const { message } = events[number];
          if (message !== NO_MESSAGE && message >= 0) {
            start[message] = time;
            heapPush(heap, [time + lead[message], FLOW, message]);
          } else {
            if (message !== NO_MESSAGE) end[~message] = time;
            heapPush(heap, [time, SENT, number]);
          }
        }
      };

      for (const side of [OUT, INTO]) {
        for (const [port, queue] of queues[side]) {
          for (const message of queue.slice(lanes[port])) events[starts[message]].waits++;
        }
      }
      events.forEach(({ waits, time }, number) => waits || heapPush(heap, [time, READY, number]));
      for (;;) {
        const now = Math.min(heap.length ? heap[0][0] : Infinity, flows.nextEnd());
        if (now === Infinity) return { start, sent, end }; // what is left is over dead links, or waits for it
        for (const message of flows.finished(now)) lastByte(message, now);
        while (heap.length && heap[0][0] <= now * (1 + TIE)) {
          const [time, kind, number] = heapPop(heap);
          happen(time, kind, number);
        }
        flows.settle(now);
      }
    },
  };
}
