// What the reader has changed of a page's machine: its size and links, and what is wrong with it.

import { FAULT_KINDS, readFault, typedNode } from "./faults.js";
import { SEATING, seatedStory } from "./seating.js";
import { vectorBytes } from "./timed_run.js";

/** @typedef {import("./faults.js").Fault} Fault */

/** @type {Setting} */
export const OWN_SETTING = { size: 1, latency: 1, bandwidth: 1, faults: [], moves: [] };
/** How many times those of the page a slider can make them. */
export const SETTING_STEPS = {
  size: Array.from({ length: 25 }, (_, i) => 2 ** (i - 16)),
  latency: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100],
  bandwidth: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
};
export const SLIDER_NAMES = /** @type {const} */ (["size", "latency", "bandwidth"]);
const MOST_FAULTS = 64;

/** @param {Setting} setting */
export function isOwnSetting({ size, latency, bandwidth, faults, moves }) {
  return size === 1 && latency === 1 && bandwidth === 1 && !faults.length && !moves.length;
}

/**
 * Whether a link may be cut here: the picture then shows what never arrives, which it can where each
 * cell is a slot, and where what is drawn is all that is timed.
 * @param {Story} story
 */
export function canStall({ setup, table, well }) {
  return !!setup && !setup.steps && !table && new Set(well).size === well.length;
}

/**
 * A fault that this page can have, or null: one that it can read, and no cut that it cannot show.
 * @param {Story} story
 * @param {Fault} fault
 */
export function knownFault(story, fault) {
  const found = story.setup && readFault(story.setup, fault);
  return found && (fault[0] !== "dead" || canStall(story)) ? found : null;
}

/**
 * With further faults; of a rank or link that has one of the kind already, in its place.
 * @param {Story} story
 * @param {readonly Fault[]} known
 * @param {readonly Fault[]} more
 * @returns {Fault[]}
 */
export function withFaults(story, known, more) {
  const setup = /** @type {Setup} */ (story.setup);
  const placeOf = (/** @type {Fault} */ fault) => {
    const found = readFault(setup, fault);
    const links = [...(found?.links ?? [])].sort((one, other) => one - other);
    return found && found.rank >= 0 ? `${found.kind} ${found.rank}` : `link ${links.join(" ")}`;
  };
  const fresh = more.filter((fault) => knownFault(story, fault));
  const taken = new Set(fresh.map(placeOf));
  return [...known.filter((fault) => !taken.has(placeOf(fault))), ...fresh].slice(-MOST_FAULTS);
}

/**
 * What an address names: values that sliders have, faults that the page can show.
 * @param {Story} story
 * @param {URLSearchParams} named
 * @returns {Setting}
 */
export function namedSetting(story, named) {
  const setting = { ...OWN_SETTING };
  if (!story.setup) return setting;
  for (const name of SLIDER_NAMES) {
    const value = Number(named.get(name) ?? 1);
    if (SETTING_STEPS[name].includes(value)) setting[name] = value;
  }
  const faults = FAULT_KINDS.flatMap((kind) => named.getAll(kind).map((text) => /** @type {Fault} */ ([kind, text])));
  const moves = SEATING.known(story, (named.get("place") || "").split(",").filter(Boolean));
  return { ...setting, moves, faults: withFaults(seatedStory(story, moves), [], faults) };
}

/**
 * A setting as an address names it.
 * @param {Setting} setting
 */
export function settingNames(setting) {
  const sliders = SLIDER_NAMES.filter((name) => setting[name] !== 1).map((name) => `${name}=${setting[name]}`);
  if (setting.moves.length) sliders.push(`place=${setting.moves.join(",")}`);
  return [...sliders, ...setting.faults.map(([kind, text]) => `${kind}=${encodeURIComponent(text)}`)];
}

/**
 * The cut that makes a rank dead: all of its links.
 * @param {Setup} setup
 * @param {number} rank
 * @returns {Fault[]}
 */
export function deadRank(setup, rank) {
  const [src, dst] = setup.links;
  const ends = new Set([...src.keys()].flatMap((link) => (src[link] === rank ? [dst[link]] : dst[link] === rank ? [src[link]] : [])));
  return [...ends].map((end) => ["dead", `${rank}-${typedNode(setup, end)}`]);
}

/**
 * The line that has the same time on the command line; empty where no words say it.
 * @param {Story} story
 * @param {Setting} setting
 */
export function timeCommand(story, setting) {
  const { setup } = story;
  if (!setup?.command.length) return "";
  const words = [...setup.command];
  if (setup.size) words.push("--size", `${vectorBytes(story, setting.size)}B`);
  addTimes(words, "--latency", setting.latency, "ns", 2e9 * setup.links[2][0]); // of both links of a way
  addTimes(words, "--bandwidth", setting.bandwidth, "GB/s", setup.links[3][0] / 1e9);
  words.push("--clock", clockOf(setup, setting));
  for (const text of setting.moves) words.push("--place", text);
  for (const [kind, text] of setting.faults) words.push(`--${kind}`, text.replaceAll(" ", ""));
  return words.map((word) => (/^[\w.,:=%µ/-]+$/.test(word) ? word : `'${word.replaceAll("'", "")}'`)).join(" ");
}

/**
 * How many times the latency or bandwidth of the machine; where the words name its own, that many.
 * @param {string[]} words
 * @param {string} option
 * @param {number} times
 * @param {string} unit
 * @param {number} own of its links, in that unit
 */
function addTimes(words, option, times, unit, own) {
  const at = words.indexOf(option);
  if (times === 1) return;
  if (at >= 0) words[at + 1] = `${Number((own * times).toPrecision(12))}${unit}`;
  else words.push(option, `${times}x`);
}

/**
 * The clock of the counters: with faults that without barriers, where they are seen to spread.
 * @param {Setup} setup
 * @param {Setting} setting
 */
export function clockOf({ clock }, { faults }) {
  return faults.length ? "dataflow" : clock;
}
