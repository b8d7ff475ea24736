// When somebody would take an algorithm: computed from executed steps, bytes and times of all that
// keep the same promise on the same machine with as many ranks.

import { sizeBeside } from "./amounts.js";
import { decimal, word } from "./say.js";
import { timeOf } from "./time.js";

const SIZES = Array.from({ length: 23 }, (_, i) => 2 ** (10 + i)); // bytes of vectors: 1 KiB to 4 GiB
const AS_FAST = 1 + 1e-6; // what is no longer than this is as fast

/** @typedef {Entry & MapRow} Placed */

/**
 * Those that an entry can be compared with, itself among them.
 * @param {Placed[]} entries
 * @param {Placed} entry
 */
export function rivalsOf(entries, { collective, machine, ranks }) {
  return entries.filter((other) => {
    return other.collective === collective && other.machine === machine && other.ranks === ranks && !other.wrong && !other.crowd;
  });
}

/**
 * Seconds of an entry on its machine with a vector of so many bytes.
 * @param {Entry} entry
 * @param {number} size
 */
export function secondsWith(entry, size = entry.size) {
  return timeOf(entry, entry.times.length - 1, { size, latency: 1, bandwidth: 1 });
}

/**
 * Whether no rival is faster.
 * @param {Placed[]} rivals
 * @param {Placed} entry
 * @param {number} size
 */
export function isFastest(rivals, entry, size = entry.size) {
  if (entry.wrong || entry.crowd) return false;
  const own = secondsWith(entry, size);
  return rivals.every((rival) => own <= secondsWith(rival, size) * AS_FAST);
}

/**
 * One line of why: the first that is true.
 * @param {Placed[]} rivals
 * @param {Placed} entry
 */
export function reasonFor(rivals, entry) {
  const { crowd, size, steps, bytes } = entry;
  if (entry.wrong) return word("catalog.wrong");
  if (crowd) return word("catalog.crowd", { number: crowd });
  const ranges = rangeOf(rivals, entry);
  if (ranges) return ranges;
  if (isFastest(rivals, entry)) return size ? word("gallery.fastest_at", { size: sizeBeside(size, size) }) : word("gallery.none_faster");
  const fewest = steps <= Math.min(...rivals.map((rival) => rival.steps));
  const lightest = bytes > 0 && bytes <= Math.min(...rivals.map((rival) => rival.bytes));
  if (fewest && lightest) return word("gallery.fewest_of_both", { steps, bytes: sizeBeside(bytes, size) });
  if (fewest) return word("gallery.fewest_steps", { steps });
  if (lightest) return word("gallery.fewest_bytes", { bytes: sizeBeside(bytes, size) });
  const times = secondsWith(entry) / Math.min(...rivals.map((rival) => secondsWith(rival)));
  if (times < 2) return word("gallery.longer", { percent: decimal(`${Number((100 * (times - 1)).toPrecision(2))}`) });
  return word("gallery.times", { times: decimal(`${Number(times.toPrecision(2))}`) });
}

/**
 * From which size of the vector to which no rival is faster; nothing where there is none.
 * @param {Placed[]} rivals
 * @param {Placed} entry
 */
function rangeOf(rivals, entry) {
  if (!entry.size || rivals.length < 2) return "";
  const wins = SIZES.map((size) => isFastest(rivals, entry, size));
  const [first, last] = [wins.indexOf(true), wins.lastIndexOf(true)];
  if (first < 0 || wins.slice(first, last + 1).includes(false)) return "";
  const [from, to] = [first, last].map((at) => sizeBeside(SIZES[at], 1024));
  if (first === 0 && last === SIZES.length - 1) return word("gallery.fastest_always");
  if (first === 0) return word("gallery.fastest_up_to", { size: to });
  return last === SIZES.length - 1 ? word("gallery.fastest_from", { size: from }) : word("gallery.fastest_between", { from, to });
}
