// A story in modeled time: when each move begins and lands, and what cells hold at any moment; as
// animations/story/timed_board.py has it.

import { bytesText } from "../amounts.js";
import { endsOfMoves, sentIn } from "../arriving.js";
import { movesOf } from "../story.js";

/** @typedef {import("../clock/clocks.js").Timing} Timing */
/**
 * What a well holds from a time on.
 * @typedef {{time: number, step: number, local: boolean, number: number, node: number, well: number, cell: number}} Landing
 */
/** @typedef {ReturnType<typeof momentsOf>} Moments */

const SAME_MOMENT = 1e-9; // of all time: moments that are nearer are the same

/**
 * A story by a timing of its messages. `story` has a frame for each time at which something lands
 * or has left, with the cells that change then and what each node has sent: its step is `reached`.
 * @param {Story} story
 * @param {Timing} timing
 * @param {readonly number[]} delays seconds by which each rank is late
 */
export function momentsOf(story, timing, delays) {
  const { spans, targets } = moveTimes(story, timing, delays);
  const until = timing.messages.flatMap(({ end }) => end).reduce((one, other) => (other < Infinity ? Math.max(one, other) : one), 0);
  const whole = Math.max(until, timing.total < Infinity ? timing.total : 0);
  const rounding = SAME_MOMENT * whole;
  const contents = [...story.contents];
  const landings = landingsOf(story, targets, contents);
  const { times, frames, amounts } = instantsOf(story, timing, landings, rounding);
  const ended = runningOf(spans.map((step) => latestOf(step.map(([, end]) => end))), Math.max);
  const begun = runningOf(spans.map((step) => earliestOf(step.map(([begin]) => begin))).reverse(), Math.min).reverse();
  const isUnderWay = (/** @type {number} */ step, /** @type {number} */ early) => spans[step - 1].some(([begin, end]) => begin <= early && early < end);
  return {
    story: /** @type {Story} */ ({ ...story, contents, frames, amounts }),
    timing, spans, until, whole,
    /** How many of these times there have been. */
    reached: (/** @type {number} */ now) => placeAfter(times, now + rounding),
    /** The numbers of the steps of which something is on its way. */
    underWay(/** @type {number} */ now) {
      const early = now + rounding;
      const [first, end] = [placeAfter(ended, early) + 1, placeAfter(begun, early) + 1];
      return Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i).filter((step) => isUnderWay(step, early));
    },
    /** Whether a move of a step is on its way. */
    flies(/** @type {number} */ step, /** @type {number} */ number, /** @type {number} */ now) {
      const [begin, end] = spans[step - 1][number];
      return begin <= now + rounding && now + rounding < end;
    },
    /** The first steps of which everything has landed. */
    landed: (/** @type {number} */ now) => placeAfter(ended, now + rounding),
    /** The last step of which something has begun. */
    begun: (/** @type {number} */ now) => placeAfter(begun, now + rounding),
    /** How many of the steps in which a message travels have ended. */
    done: (/** @type {number} */ now) => timing.ends.filter((end, i) => timing.messages[i].src.length && end <= now + rounding).length,
    /** The times at which a message begins or ends, each once. */
    events: distinctTimes(timing.messages.flatMap(({ start, end }) => [...start, ...end]), rounding),
  };
}

/**
 * Begin and end of each move of each step; and the ends once more, each after those into its slot.
 * @param {Story} story
 * @param {Timing} timing
 * @param {readonly number[]} delays
 */
function moveTimes(story, timing, delays) {
  const setup = /** @type {Setup} */ (story.setup);
  /** @type {Map<number, number>} */
  const written = new Map();
  /** @type {Map<number, number>} */
  const touched = new Map(); // read or written
  const cell = (/** @type {number} */ node, /** @type {number} */ slot) => node * setup.slots + slot;
  const later = (/** @type {Map<number, number>} */ times, /** @type {number} */ at, /** @type {number} */ seconds) => times.set(at, Math.max(times.get(at) ?? 0, seconds));
  /** @type {number[][]} */
  const targets = [];
  const spans = story.frames.map((_, i) => {
    const moves = movesOf(story, i + 1);
    const found = endsOfMoves(story, setup, timing, i);
    const [from, into] = [moves.map(({ src, chunk }) => cell(src, chunk)), moves.map((move) => cell(move.dst, move.into))];
    const isLocal = (/** @type {number} */ k) => moves[k].src === moves[k].dst;
    const remote = [...moves.keys()].filter((k) => !isLocal(k));
    for (const k of remote) later(touched, from[k], found[k][0]);
    const before = into.map((at) => touched.get(at) ?? 0);
    for (const k of remote) later(touched, into[k], found[k][1]);
    for (const k of moves.keys()) {
      if (!isLocal(k)) continue;
      const ready = Math.max(written.get(from[k]) ?? 0, touched.get(into[k]) ?? 0, delays[moves[k].dst] ?? 0);
      found[k] = timing.clock === "lockstep" ? [timing.begins[i], timing.ends[i]] : [ready, ready];
    }
    const landing = moves.map((_, k) => Math.max(found[k][1], before[k]));
    into.forEach((at, k) => [written, touched].forEach((times) => later(times, at, landing[k])));
    targets.push(landing);
    return found;
  });
  return { spans, targets };
}

/**
 * What lands in which well when, in the order of time. Where cells show ranks, a well of one slot
 * shows each contribution as it lands; others show what a step makes of them once all of it is there.
 * @param {Story} story
 * @param {number[][]} targets
 * @param {Content[]} contents to which those are added that no step ends with
 */
function landingsOf(story, targets, contents) {
  /** @type {Landing[]} */
  const found = [];
  const slotsOf = story.well.map((well) => story.well.filter((other) => other === well).length);
  const last = new Map(); // when the last step so far has result a well what it is
  const held = new Map(); // what it is then
  const start = story.start;
  for (let i = 0; i < start.length; i += 3) held.set(`${start[i]} ${start[i + 1]}`, start[i + 2]);
  story.frames.forEach((frame, i) => {
    const changes = new Map();
    for (let k = 0; k < frame[2].length; k += 3) changes.set(`${frame[2][k]} ${frame[2][k + 1]}`, frame[2][k + 2]);
    /** @type {Map<string, [number, Move][]>} */
    const arriving = new Map();
    movesOf(story, i + 1).forEach((move, number) => {
      const key = `${move.dst} ${story.well[move.into]}`;
      arriving.set(key, [...(arriving.get(key) ?? []), [number, move]]);
    });
    for (const [key, moves] of arriving) {
      const [node, well] = key.split(" ").map(Number);
      const when = (/** @type {number} */ number, /** @type {Move} */ { src, dst }) => ({ time: targets[i][number], step: i + 1, number, local: src === dst, node, well });
      const order = moves.map(([number, move]) => ({ ...when(number, move), move })).sort(inTime);
      const result = changes.get(key) ?? held.get(key) ?? 0;
      const alone = story.shows_ranks && slotsOf[moves[0][1].into] === 1;
      let shown = held.get(key) ?? 0;
      order.forEach(({ move, ...at }, k) => {
        const whole = k === order.length - 1;
        const time = alone ? at.time : Math.max(at.time, last.get(key) ?? 0);
        if (whole) last.set(key, time);
        if (time === Infinity || (!alone && !whole)) return;
        shown = whole ? result : move.adds && shown ? numberOf(story, contents, stripesOf(contents[shown], contents[move.cell])) : move.cell;
        found.push({ ...at, time, cell: shown });
      });
      held.set(key, result);
    }
  });
  return found.sort(inTime);
}

/** @type {WeakMap<object, Map<string, number>>} */
const stripeNumbers = new WeakMap(); // numbers of contents that no step ends with, of each page's story
const BEYOND_ALL = 3 << 14; // the first of them, after all that a story has

/**
 * The number of a content that a story does not have, the same in each of its runs: who paints cells
 * knows them by it.
 * @param {Story} story
 * @param {Content[]} contents
 * @param {Content} content
 */
export function numberOf(story, contents, content) {
  const numbers = stripeNumbers.get(story.legend) ?? new Map();
  stripeNumbers.set(story.legend, numbers);
  const key = JSON.stringify(content);
  const number = numbers.get(key) ?? BEYOND_ALL + numbers.size;
  numbers.set(key, number);
  contents[number] = content;
  return number;
}

/**
 * @param {Pick<Landing, "time" | "step" | "local" | "number">} one
 * @param {Pick<Landing, "time" | "step" | "local" | "number">} other
 */
function inTime(one, other) {
  if (one.time !== other.time) return one.time < other.time ? -1 : 1;
  return one.step - other.step || Number(one.local) - Number(other.local) || one.number - other.number;
}

/**
 * The stripes of two contents.
 * @param {Content} one
 * @param {Content} other
 */
function stripesOf([full = []], [more = []]) {
  return [[...new Set([...full, ...more])].sort((a, b) => a - b), []];
}

/**
 * The times at which something lands or has left, and what is there from then on.
 * @param {Story} story
 * @param {Timing} timing
 * @param {Landing[]} landings
 * @param {number} rounding
 */
function instantsOf(story, timing, landings, rounding) {
  /** @type {[time: number, src: number, amount: number][]} */
  const departures = [];
  timing.messages.forEach(({ src, dst, sent }, i) => {
    if (i >= story.frames.length) return;
    const rows = new Map(src.map((from, m) => [`${from} ${dst[m]}`, sent[m]]));
    for (const [from, amount, to] of sentIn(story, i + 1)) departures.push([rows.get(`${from} ${to}`) ?? Infinity, from, amount]);
  });
  departures.sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
  const times = distinctTimes([...landings.map(({ time }) => time), ...departures.map(([time]) => time)], rounding);
  const sums = new Map([[0, 0]]);
  const sent = story.names.map(() => 0);
  let [gone, there] = [0, 0];
  const frames = times.map((time) => {
    for (; gone < departures.length && departures[gone][0] <= time + rounding; gone++) sent[departures[gone][1]] += departures[gone][2];
    for (const each of sent) if (!sums.has(each)) sums.set(each, sums.size);
    /** @type {number[]} */
    const changes = [];
    for (; there < landings.length && landings[there].time <= time + rounding; there++) {
      const { node, well, cell } = landings[there];
      changes.push(node, well, cell);
    }
    return /** @type {Frame} */ ([0, [], changes, sent.map((each) => /** @type {number} */ (sums.get(each))), [], [], [], [], 0, 0, []]);
  });
  return { times, frames, amounts: [...sums.keys()].map((amount) => (story.news ? amountOfNews(story, amount) : bytesText(amount))) };
}

/**
 * Messages in the words of a story, where it has them.
 * @param {Story} story
 * @param {number} amount
 */
function amountOfNews({ amounts }, amount) {
  return amounts.find((text) => Number(text.split(" ")[0].replaceAll(",", "")) === amount) ?? `${amount}`;
}

/**
 * Finite times in their order; of those that are as good as equal the last.
 * @param {number[]} times
 * @param {number} rounding
 */
function distinctTimes(times, rounding) {
  const sorted = times.filter((time) => time < Infinity).sort((one, other) => one - other);
  return sorted.filter((time, i) => i === sorted.length - 1 || sorted[i + 1] - time > rounding);
}

/**
 * How many of the sorted times are not after one.
 * @param {readonly number[]} sorted
 * @param {number} time
 */
function placeAfter(sorted, time) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param {readonly number[]} numbers */
function latestOf(numbers) {
  return numbers.reduce((one, other) => Math.max(one, other), 0);
}

/** @param {readonly number[]} numbers */
function earliestOf(numbers) {
  return numbers.reduce((one, other) => Math.min(one, other), Infinity);
}

/**
 * Of each number what it and those before it make.
 * @param {readonly number[]} numbers
 * @param {(one: number, other: number) => number} of
 */
function runningOf(numbers, of) {
  /** @type {number[]} */
  const found = [];
  for (const each of numbers) found.push(found.length ? of(found[found.length - 1], each) : each);
  return found;
}
