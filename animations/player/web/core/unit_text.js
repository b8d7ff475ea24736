// Numbers with units, as collectives/units.py writes them to so many digits.

/** How numbers are written; a page of another language changes it. */
export const numbers = { written: (/** @type {string} */ text) => text };

/** @typedef {[string, number][]} Units */

const TIMES = /** @type {Units} */ ([["ps", 1e-12], ["ns", 1e-9], ["µs", 1e-6], ["ms", 1e-3], ["s", 1]]);
const DECIMAL = /** @type {Units} */ (["B", "KB", "MB", "GB", "TB", "PB", "EB"].map((unit, power) => [unit, 1000 ** power]));
const BINARY_SIZES = /** @type {Units} */ (["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"].map((unit, power) => [unit, 1024 ** power]));
const COUNTS = /** @type {Units} */ ([["T", 1e12], ["B", 1e9], ["M", 1e6], ["K", 1e3], ["", 1]]);

/**
 * To so many digits; of two as near, as in Python, the one with an even last digit.
 * @param {number} value
 * @param {number} digits
 */
function roundedTo(value, digits) {
  const [all, power] = value.toExponential(60).replace(".", "").split("e");
  const even = /^50*$/.test(all.slice(digits)) && Number(all[digits - 1]) % 2 === 0;
  return even ? Number(`${all[0]}.${all.slice(1, digits)}e${power}`) : Number(value.toPrecision(digits));
}

/**
 * Without an exponent where it is large.
 * @param {number} value
 */
export function digitsText(value, digits = 3) {
  return numbers.written(englishText(value, digits));
}

/**
 * @param {number} value
 * @param {number} digits
 */
function englishText(value, digits) {
  if (!value) return "0";
  const near = roundedTo(value, digits);
  const power = Math.floor(Math.log10(near * (1 + 1e-15)));
  if (power >= digits) return Math.round(value).toLocaleString("en");
  if (power < -4) return `${Number(near.toPrecision(digits))}`.replace(/e-(\d)$/, "e-0$1");
  const text = near.toFixed(Math.max(0, digits - 1 - power));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/**
 * @param {number} value
 * @param {Units} units
 */
function withUnit(value, units, digits = 3) {
  if (!value) return `0 ${units.find(([, scale]) => scale === 1)?.[0]}`;
  const fitting = units.filter(([, scale]) => Math.abs(value) >= scale * 0.9995);
  const [unit, scale] = fitting[fitting.length - 1] ?? units[0];
  return `${digitsText(value / scale, digits)} ${unit}`;
}

/** @param {number} seconds */
export const secondsText = (seconds) => withUnit(seconds, TIMES);

/** @param {number} bytes */
export const sizeText = (bytes) => withUnit(bytes, DECIMAL);

/** @param {number} bytes */
export const binaryText = (bytes) => withUnit(bytes, BINARY_SIZES);

/** @param {number} bytes per second */
export const speedText = (bytes) => `${withUnit(bytes, DECIMAL)}/s`;

/** @param {number} number of parameters */
export function countText(number) {
  const [letter, scale] = COUNTS.find(([unit, size]) => number >= size || !unit) ?? COUNTS[4];
  return `${digitsText(number / scale)}${letter}`;
}
