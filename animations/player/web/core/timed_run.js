// What a story's machine is given to time: its messages for a vector of any size, by both clocks.

import { dataflow, lockstep } from "./clock/clocks.js";
import { stepMessages } from "./clock/messages.js";
import { brokenMachine } from "./faults.js";
import { SEATING } from "./seating.js";
import { movesOf } from "./story.js";

/** @typedef {import("./clock/clocks.js").Timing} Timing */
/** @typedef {import("./clock/messages.js").Rows} Rows */

/**
 * The sizes that a vector may have so that all chunks are as large: multiples of this many bytes;
 * 0 where the chunks have sizes of their own.
 * @param {Story} story
 */
export function grainOf({ chunks, setup }) {
  if (!setup?.chunks || !setup.size) return 0;
  const grain = setup.unit * leastMultiple(chunks, setup.chunks);
  return setup.size % (setup.unit * chunks) ? 0 : grain;
}

/**
 * @param {number} one
 * @param {number} other
 */
function leastMultiple(one, other) {
  let [a, b] = [one, other];
  while (b) [a, b] = [b, a % b];
  return (one / a) * other;
}

/**
 * The bytes of a vector that is so many times as large, or nearly so: see grainOf.
 * @param {Story} story
 * @param {number} times
 */
export function vectorBytes(story, times) {
  const { size } = /** @type {Setup} */ (story.setup);
  const grain = grainOf(story);
  return times === 1 || !grain ? size : Math.max(1, Math.round((size * times) / grain)) * grain;
}

/**
 * The rows of each step, slot by slot: those of what is timed, or of what is drawn.
 * @param {Story} story
 * @returns {Rows[]}
 */
function rowsOf(story) {
  const { steps, needs } = /** @type {Setup} */ (story.setup);
  /** @type {number[][]} */
  let before = [];
  const rows = steps
    ? steps.map((columns) => {
        const changes = columns.length === 4 ? columns : [...columns, columns[2]];
        const follows = before.length && before[0].length === changes[0].length;
        before = changes.map((column, at) => (follows ? column.map((each, i) => before[at][i] + each) : column));
        const [src, dst, chunk, into] = before;
        return { src, dst, chunk, into, bytes: [] };
      })
    : story.frames.map((_, i) => {
        const moves = movesOf(story, i + 1);
        const column = (/** @type {"src" | "dst" | "chunk" | "into"} */ name) => moves.map((move) => move[name]);
        return { src: column("src"), dst: column("dst"), chunk: column("chunk"), into: column("into"), bytes: [] };
      });
  return rows.map((each, i) => (needs ? { ...each, needs: needs[i] } : each));
}

/**
 * The same with the bytes of each row: further slots have the size of what comes into them.
 * @param {Story} story
 * @param {Rows[]} steps
 * @param {number} size
 */
function sizedRows(story, steps, size) {
  const { chunks, unit, slots, nodes } = /** @type {Setup} */ (story.setup);
  const count = Math.floor(size / unit);
  const [whole, more] = [Math.floor(count / chunks), count % chunks];
  const live = new Float64Array(nodes * slots);
  for (let cell = 0; cell < live.length; cell++) {
    const slot = cell % slots;
    if (slot < chunks) live[cell] = unit * (whole + Number(slot < more));
  }
  return steps.map((rows) => {
    const bytes = rows.src.map((src, i) => live[src * slots + rows.chunk[i]]);
    rows.into.forEach((into, i) => {
      if (into >= chunks) live[rows.dst[i] * slots + into] = bytes[i];
    });
    return { ...rows, bytes };
  });
}

/** @type {WeakMap<Story, {rows: Rows[], size: number, sized: Rows[]}>} */
const sizedRuns = new WeakMap();

/**
 * The rows of each step for a vector of so many bytes.
 * @param {Story} story
 * @param {number} size
 */
export function runOf(story, size) {
  const known = sizedRuns.get(story);
  if (known?.size === size) return known.sized;
  const setup = /** @type {Setup} */ (story.setup);
  const rows = known?.rows ?? rowsOf(story);
  const drawn = () => rows.map((each, i) => ({ ...each, bytes: movesOf(story, i + 1).map((move) => (size ? story.bytes[move.size] : 0)) }));
  const sized = setup.chunks ? sizedRows(story, rows, size) : drawn();
  sizedRuns.set(story, { rows, size, sized });
  return sized;
}

/**
 * The times of a story under a setting, by a clock.
 * @param {Story} story
 * @param {Setting} setting
 * @param {string} clock
 * @returns {Timing}
 */
export function timeRun(story, setting, clock) {
  return timeBytes(story, vectorBytes(story, setting.size), setting, clock);
}

/**
 * The same of a vector of so many bytes, which may be none; uneven chunks are as they are, or none.
 * @param {Story} story
 * @param {number} size
 * @param {Setting} setting
 * @param {string} clock
 * @returns {Timing}
 */
export function timeBytes(story, size, setting, clock) {
  return timeOn(story, clock, runUnder(story, size, setting));
}

/**
 * The machine of a story under a setting, with ranks where they have been moved, and its messages.
 * @param {Story} story the page's own
 * @param {number} size
 * @param {Setting} setting
 */
export function runUnder(story, size, setting) {
  const { machine, delays } = brokenMachine(SEATING.setup(/** @type {Setup} */ (story.setup), setting.moves), setting);
  return { machine, delays, steps: messagesOn(story, size, machine) };
}

/**
 * The messages of each step for a vector of so many bytes, on a machine.
 * @param {Story} story
 * @param {number} size
 * @param {import("./clock/messages.js").Machine} machine
 */
export function messagesOn(story, size, machine) {
  return runOf(story, size).map((rows) => stepMessages(machine, /** @type {Setup} */ (story.setup).nodes, rows));
}

/**
 * @param {Story} story
 * @param {string} clock
 * @param {{machine: import("./clock/messages.js").Machine, delays: number[], steps: import("./clock/messages.js").StepMessages[]}} run
 * @returns {Timing}
 */
export function timeOn(story, clock, { machine, delays, steps }) {
  const setup = /** @type {Setup} */ (story.setup);
  return clock === "lockstep" ? lockstep(machine, steps, delays) : dataflow(machine, steps, { nodes: setup.nodes, slots: setup.slots, delays });
}
