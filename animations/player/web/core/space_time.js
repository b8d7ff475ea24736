// Where transfers lie in space and time: from one node's line to another's, on a clock.

import { movesOf } from "./story.js";

const GAP = 0.06; // of a step, before and after its transfers
const MOST_STEPS = 40; // in a window
const MOST_WAYS = 6000; // that are drawn

/**
 * A transfer of a step as a line from a sender's start to a receiver's end, in steps or ticks; what
 * is lost never ends.
 * @typedef {{step: number, number: number, src: number, dst: number, start: number, end: number, lost?: boolean}} Way
 */

/**
 * The clocks on which a story can be seen: its steps, and those that times are given of.
 * @param {Story} story
 */
export function clocksOf(story) {
  return ["steps", ...story.times.map(([clock]) => clock)];
}

/**
 * The transfers of a step; on the clock of a machine only those that go to another node.
 * @param {Story} story
 * @param {string} clock
 * @param {number} step
 * @returns {Way[]}
 */
export function waysOf(story, clock, step) {
  const moves = movesOf(story, step);
  const [, , , times] = story.times.find(([name]) => name === clock) ?? [];
  const ways = moves.map(({ src, dst }, number) => {
    const of = times?.[step - 1] ?? [];
    const at = of.length > 2 ? 2 * number : 0;
    const [start, end] = times ? [of[at], of[at + 1]] : [step - 1 + GAP, step - GAP];
    return end === Infinity ? { step, number, src, dst, start, end: story.measures.ticks, lost: true } : { step, number, src, dst, start, end };
  });
  return times ? ways.filter(({ src, dst, start }) => src !== dst && start >= 0) : ways;
}

/**
 * From when to when each move of a step travels, as parts of the time of the step.
 * @param {Story} story
 * @param {number} step
 * @returns {[begin: number, end: number][]}
 */
export function spansOf(story, step) {
  /** @type {[number, number][]} */
  const spans = movesOf(story, step).map(() => [0, 1]);
  const ways = story.clock ? waysOf(story, story.clock, step) : [];
  const from = Math.min(...ways.map(({ start }) => start));
  const all = Math.max(...ways.map(({ end }) => end)) - from;
  if (!(all > 0)) return spans;
  for (const { number, start, end } of ways) spans[number] = [(start - from) / all, (end - from) / all];
  return spans;
}

/**
 * The first and the last step that are seen together with a step: all of few, else a part of them.
 * @param {Story} story
 * @param {number} step
 * @returns {[first: number, last: number]}
 */
export function windowOf(story, step) {
  const last = story.frames.length;
  const busiest = Math.max(1, ...story.frames.map((frame) => frame[1].length / story.widths[0]));
  const long = Math.max(1, Math.min(MOST_STEPS, Math.floor(MOST_WAYS / busiest)));
  const first = Math.floor((Math.max(step, 1) - 1) / long) * long + 1;
  return [first, Math.min(last, first + long - 1)];
}

/**
 * What is seen of a story: the transfers of some steps, from when to when; `hidden` of them are
 * left out, as they are too many to be told apart.
 * @param {Story} story
 * @param {string} clock
 * @param {number} step
 */
export function diagramOf(story, clock, step) {
  const [first, last] = windowOf(story, step);
  const all = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => waysOf(story, clock, first + i)).flat();
  const ways = all.slice(0, MOST_WAYS);
  const whole = first === 1 && last === story.frames.length;
  const [from, to] = clock === "steps" ? [first - 1, last]
    : whole ? [0, story.measures.ticks]
    : [Math.min(...ways.map(({ start }) => start)), Math.max(...ways.map(({ end }) => end))];
  return { first, last, ways, from, to: Math.max(to, from + 1e-3), hidden: all.length - ways.length };
}

/**
 * When a step is over on a clock.
 * @param {Story} story
 * @param {string} clock
 * @param {number} step
 */
export function endOf(story, clock, step) {
  if (clock === "steps" || !step) return step;
  for (let each = step; each; each--) {
    const ends = waysOf(story, clock, each).map(({ end }) => end);
    if (ends.length) return ends.reduce((one, other) => Math.max(one, other));
  }
  return 0;
}

/**
 * Seconds of a number of ticks.
 * @param {Story} story
 * @param {string} clock
 * @param {number} ticks
 */
export function secondsOf(story, clock, ticks) {
  const [, , total] = story.times.find(([name]) => name === clock) ?? ["", "", 0];
  return (total * ticks) / story.measures.ticks;
}

/**
 * The transfer whose line is nearest to a point, in pixels; undefined where none is near.
 * @param {readonly Way[]} ways
 * @param {(way: Way) => number[]} lineOf its ends: x, y, x, y
 * @param {number} x
 * @param {number} y
 */
export function wayAt(ways, lineOf, x, y) {
  /** @type {Way | undefined} */
  let found;
  let closest = 14;
  for (const way of ways) {
    const [left, top, right, bottom] = lineOf(way);
    const [dx, dy] = [right - left, bottom - top];
    const part = Math.min(Math.max(((x - left) * dx + (y - top) * dy) / (dx * dx + dy * dy || 1), 0), 1);
    const away = Math.hypot(x - left - part * dx, y - top - part * dy);
    if (away < closest) [found, closest] = [way, away];
  }
  return found;
}
