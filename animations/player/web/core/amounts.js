// How many messages and bytes have gone from node to node, and bytes as text.

import { count, decimal, word } from "./say.js";
import { movesOf } from "./story.js";

/** @typedef {Map<string, [messages: number, bytes: number]>} Traffic */

/** @type {WeakMap<Story, Map<number, Traffic>>} */
const counted = new WeakMap();
const MOST_COUNTED = 3; // numbers of steps of which the traffic is kept: now, the next, all

/**
 * What has gone from node to node in the first steps; a message is all of a step between two.
 * @param {Story} story
 * @param {number} until
 * @returns {Traffic}
 */
export function trafficOf(story, until) {
  const known = counted.get(story) ?? new Map();
  counted.set(story, known);
  const last = story.frames.length;
  if (!known.has(until)) {
    const from = known.has(until - 1) ? until - 1 : 0;
    const traffic = new Map(known.get(from));
    for (let step = from + 1; step <= until; step++) addTraffic(story, traffic, step);
    for (const old of known.keys()) if (old !== last && known.size >= MOST_COUNTED) known.delete(old);
    known.set(until, traffic);
  }
  return /** @type {Traffic} */ (known.get(until));
}

/**
 * @param {Story} story
 * @param {Traffic} traffic
 * @param {number} step
 */
function addTraffic(story, traffic, step) {
  /** @type {Map<string, Map<number, number>>} */
  const sent = new Map();
  for (const [number, { src, dst, chunk, size }] of movesOf(story, step).entries()) {
    if (src === dst || story.lost?.[step].has(number)) continue;
    const key = `${src} ${dst}`;
    sent.set(key, (sent.get(key) ?? new Map()).set(chunk, story.bytes[size]));
  }
  for (const [key, sizes] of sent) {
    const [messages, bytes] = traffic.get(key) ?? [0, 0];
    const more = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    traffic.set(key, [messages + 1, bytes + more]);
  }
}

/**
 * Messages and bytes from one node to another in the first steps; -1 for any.
 * @param {Story} story
 * @param {number} until
 * @param {number} one
 * @param {number} other
 */
export function flowText(story, until, one, other) {
  let [messages, bytes] = [0, 0];
  for (const [key, [number, size]] of trafficOf(story, until)) {
    const [src, dst] = key.split(" ").map(Number);
    if ((one >= 0 && src !== one) || (other >= 0 && dst !== other)) continue;
    [messages, bytes] = [messages + number, bytes + size];
  }
  const number = count(messages, "message");
  return story.news ? number : word("amounts.flow", { messages: number, bytes: bytesText(bytes) });
}

/**
 * Bytes in MiB, KiB … where others beside them are, else as bytesText writes them.
 * @param {number} size
 * @param {number} whole
 */
export function sizeBeside(size, whole) {
  if (!size || !bytesText(whole).includes("iB")) return bytesText(size);
  const power = Math.max(0, BINARY.filter((_, i) => size >= 0.9995 * 1024 ** i).length - 1);
  return decimal(`${Number((size / 1024 ** power).toPrecision(4))} ${BINARY[power]}`);
}

const UNITS = ["B", "KB", "MB", "GB", "TB", "PB", "EB"];
const BINARY = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/**
 * Bytes as Python's size_text writes them: the shortest unit that is exact, else so many digits.
 * @param {number} size
 */
export function bytesText(size, digits = 4) {
  if (size < 1000) return `${size} B`;
  const exact = [[1000, UNITS], [1024, BINARY]].flatMap(([base, units]) => {
    return /** @type {string[]} */ (units).map((unit, power) => {
      const scale = /** @type {number} */ (base) ** power;
      const number = `${Number((size / scale).toPrecision(6))}`;
      return { number, scale, unit, fits: size >= scale && Math.round(Number(number) * scale) === size };
    });
  }).filter(({ fits, number }) => fits && number.length <= 4);
  exact.sort((a, b) => a.number.length - b.number.length || b.scale - a.scale);
  if (exact.length) return decimal(`${exact[0].number} ${exact[0].unit}`);
  const power = UNITS.filter((_, i) => size >= 0.9995 * 1000 ** i).length - 1;
  return decimal(`${Number((size / 1000 ** power).toPrecision(digits))} ${UNITS[power]}`);
}
