// A story under a setting: texts, amounts, counters and times as the page's machine then has them,
// and of a schedule that stops for ever what arrives, and what never does.

import { inARow, word } from "./say.js";
import { bytesText, sizeBeside } from "./amounts.js";
import { endsOfMoves, framesUnder, lostMoves, sentIn } from "./arriving.js";
import { linkOf } from "./hit.js";
import { rateText, timeText } from "./quantities.js";
import { clockOf, isOwnSetting } from "./setting.js";
import { movesOf } from "./story.js";
import { vectorBytes, timeRun } from "./timed_run.js";
import { SEATING } from "./seating.js";
import { faultWords } from "./setup_words.js";

/** @typedef {import("./timed_run.js").Timing} Timing */

const CLOCK_NAMES = /** @type {const} */ (["lockstep", "dataflow"]);
const BEYOND = 1.25; // of what ends, where something never does

/** @type {WeakMap<Story, {key: string, found: Story}>} */
const latest = new WeakMap();

/**
 * @param {Story} story
 * @param {Setting} setting
 * @returns {Story}
 */
export function storyUnder(story, setting) {
  if (!story.setup || isOwnSetting(setting)) return story;
  const key = JSON.stringify(setting);
  const known = latest.get(story);
  if (known?.key === key) return known.found;
  const found = changedStory(story, SEATING.setup(story.setup, setting.moves), setting);
  latest.set(story, { key, found });
  return found;
}

/**
 * @param {Story} story
 * @param {Setup} setup
 * @param {Setting} setting
 * @returns {Story}
 */
export function changedStory(story, setup, setting) {
  const timings = CLOCK_NAMES.map((clock) => timeRun(story, setting, clock));
  const timing = timings[CLOCK_NAMES.indexOf(/** @type {"lockstep"} */ (clockOf(setup, setting)))];
  const lost = timing.total === Infinity ? lostMoves(story, setup, timing) : undefined;
  const size = vectorBytes(story, setting.size);
  const bytes = bytesUnder(story, size);
  const plain = { ...story, setup, lost, bytes, setting, timing };
  return {
    ...plain,
    sizes: story.news ? story.sizes : bytes.map((size) => bytesText(size)),
    ...framesUnder(plain),
    subtitles: subtitlesUnder(story, setup, setting, size),
    counters: countersUnder(plain, setup, setting, size),
    times: timings.map((each) => [each.clock, [setup.name, ...settingWords(setup, { ...setting, faults: [] })].join(", "), wholeOf(each), ticksOf(story, setup, each)]),
    trade: story.trade.map((sentence, i) => (i ? word("player.as_it_is", { sentence }) : sentence)),
    ending: lost ? word("player.never_ends") : inARow([setup.ending, ...turnsAt(setup, setting, size)]),
    ...(lost ? stalled(plain, setup, lost) : {}),
  };
}

/**
 * Who is faster with a vector of so many bytes, where nothing but the size is other.
 * @param {Setup} setup
 * @param {Setting} setting
 * @param {number} size
 */
function turnsAt(setup, setting, size) {
  if (!isOwnSetting({ ...setting, size: 1 })) return [];
  return setup.turns.slice(0, 1).map(([turn, below, above]) => (size < turn ? below : above));
}

/**
 * All time of a diagram: somewhat more than what ever ends, where something never does.
 * @param {Timing} timing
 */
function wholeOf({ total, messages }) {
  if (total < Infinity) return total;
  const known = messages.flatMap(({ start, end }) => [...start, ...end]).filter((time) => time < Infinity);
  return BEYOND * known.reduce((one, other) => Math.max(one, other), 0) || 1e-6;
}

/**
 * When the moves of each step begin and end, in ticks; nothing for what never begins.
 * @param {Story} story
 * @param {Setup} setup
 * @param {Timing} timing
 */
function ticksOf(story, setup, timing) {
  const scale = story.measures.ticks / (wholeOf(timing) || 1);
  return story.frames.map((_, i) => endsOfMoves(story, setup, timing, i).flatMap(([start, end]) => {
    return start === Infinity ? [NaN, NaN] : [start * scale, end === Infinity ? Infinity : end * scale];
  }));
}

/**
 * The bytes of each of the story's sizes in a vector of so many.
 * @param {Story} story
 * @param {number} size
 */
function bytesUnder(story, size) {
  const setup = /** @type {Setup} */ (story.setup);
  if (story.news || size === setup.size || !setup.size) return story.bytes;
  return story.bytes.map((bytes) => Math.round((bytes * size) / setup.size));
}

/**
 * @param {Story} story
 * @param {Setup} setup
 * @param {Setting} setting
 * @param {number} size
 */
function subtitlesUnder(story, setup, setting, size) {
  const own = bytesText(setup.size);
  const more = settingWords(setup, setting).map((text) => ` · ${text}`).join("");
  return story.subtitles.map((text) => {
    const parts = text.split(" · ");
    const at = parts.indexOf(own);
    if (at >= 0) parts[at] = bytesText(size);
    return parts.join(" · ") + more;
  });
}

/**
 * What is other than on the page's own machine, but for the size, in short words.
 * @param {Setup} setup
 * @param {Setting} setting
 */
export function settingWords(setup, setting) {
  const links = /** @type {const} */ (["latency", "bandwidth"]).filter((name) => setting[name] !== 1);
  const words = links.map((name) => word(name === "latency" ? "player.times_latency" : "player.times_bandwidth", { times: setting[name] }));
  return [...words, ...SEATING.words(setup, setting.moves), ...faultWords(setup, setting.faults)];
}

/**
 * @param {Story} story
 * @param {Setup} setup
 * @param {Setting} setting
 * @param {number} size
 * @returns {Counter[]}
 */
function countersUnder(story, setup, setting, size) {
  const { lost, timing } = story;
  const [steps, port, time] = story.counters;
  const texts = (/** @type {(string | number)[]} */ values, /** @type {string} */ bound) =>
    values.map((now) => [now, lost ? "–" : values[values.length - 1], bound].filter((text) => text !== "").join(" / "));
  const arrived = [0];
  const ports = busiestPorts(story, setup);
  story.frames.forEach((_, i) => arrived.push(arrived[i] + Number(sentIn(story, i + 1).length > 0)));
  const ratio = setup.size ? size / setup.size : 1;
  const amount = (/** @type {number} */ value) => (story.news ? `${value}` : sizeBeside(value, size));
  const seconds = [0, .../** @type {Timing} */ (timing).ends];
  const whole = seconds.filter((each) => each < Infinity);
  const written = seconds.map((each) => (each < Infinity ? timeText(each) : word("player.never")));
  const [delay, moving] = setup.bound ?? [0, 0];
  const lowest = setup.bound && delay * setting.latency + (moving * ratio) / setting.bandwidth;
  const bound = port[3] === null ? null : port[3] * ratio;
  const portBound = port[3] === null ? (port[2][0].split(" / ")[2] ?? "") : amount(Math.ceil(bound ?? 0));
  return [
    [steps[0], arrived, texts(arrived, steps[3] === null ? "" : `${steps[3]}`), steps[3]],
    [port[0], ports, texts(ports.map(amount), portBound), bound],
    [
      timeLabel(time[0], setup, setting),
      seconds.map((each) => (each < Infinity ? each : Math.max(...whole))),
      texts(written, lowest === null ? "" : timeText(lowest)), lowest,
    ],
  ];
}

/**
 * What has gone through the busiest port after each step, in one direction: a switch has a port
 * for each node that it is linked to.
 * @param {Story} story
 * @param {Setup} setup
 */
function busiestPorts(story, { ports }) {
  /** @type {Map<string, number>} */
  const carried = new Map();
  let busiest = 0;
  return [0, ...story.frames.map((_, i) => {
    for (const [src, amount, dst] of sentIn(story, i + 1)) {
      for (const key of [`${src} out ${src < ports ? 0 : dst}`, `${dst} in ${dst < ports ? 0 : src}`]) {
        carried.set(key, (carried.get(key) ?? 0) + amount);
        busiest = Math.max(busiest, /** @type {number} */ (carried.get(key)));
      }
    }
    return busiest;
  })];
}

/**
 * The label of the time with the figures of a message where it has them, and the clock if another one.
 * @param {string} label
 * @param {Setup} setup
 * @param {Setting} setting
 */
function timeLabel(label, setup, setting) {
  const { figures } = setup;
  const clock = clockOf(setup, setting);
  const more = clock === setup.clock ? "" : `, ${clock}`;
  if (!figures && setup.seats) return label.replace(/[\d.]+ \S+ \+ [\d.]+ \S+/, word("player.changed_links")) + more;
  if (!figures) return `${label}${setting.latency !== 1 || setting.bandwidth !== 1 ? ` ${word("player.changed_links")}` : ""}${more}`;
  const [own, now] = [[1, 1], [setting.latency, setting.bandwidth]].map(([latency, bandwidth]) => {
    return `${timeText(figures[0] * latency)} + ${rateText(figures[1] * bandwidth)}`;
  });
  return label.replace(own, now) + more;
}

/**
 * Captions, notes and lines of a schedule that stops for ever.
 * @param {Story} story
 * @param {Setup} setup
 * @param {Set<number>[]} lost
 */
function stalled(story, setup, lost) {
  const first = lost.findIndex((numbers) => numbers.size > 0);
  const captions = story.captions.map((caption, step) => {
    if (!lost[step].size) return caption;
    const moves = movesOf(story, step);
    const kind = lost[step].size === moves.length ? "player.nothing_arrives" : "player.some_arrive";
    return word(kind, { step, total: story.frames.length, arrive: moves.length - lost[step].size, all: moves.length });
  });
  const notes = story.notes.map((note, step) => (first > 0 && step >= first ? "" : note));
  const lines = story.lines.map((line) => {
    const [one, other] = linkOf(story, line) ?? [-1, -1];
    const uses = (/** @type {number} */ step) => movesOf(story, step).some(({ src, dst }, number) => {
      return !lost[step]?.has(number) && ((src === one && dst === other) || (src === other && dst === one));
    });
    if (line[6] || one < 0) return line;
    return /** @type {Line} */ ([line[0], line[1].filter((step) => !lost[step]?.size || uses(step)), ...line.slice(2)]);
  });
  return { captions, notes, lines };
}

