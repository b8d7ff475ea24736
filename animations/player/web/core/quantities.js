// Times and rates as text, each with its unit.

import { decimal } from "./say.js";

const TIME_UNITS = /** @type {const} */ ([[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]]);

/**
 * To three digits.
 * @param {number} seconds
 */
export function timeText(seconds) {
  if (!seconds) return "0 s";
  const [unit, name] = TIME_UNITS.find(([least]) => seconds >= least * 0.9995) ?? TIME_UNITS[3];
  const [whole, digits] = [Math.floor(Math.log10(seconds / unit) + 0.0003), 3];
  const text = (seconds / unit).toFixed(Math.max(0, digits - 1 - whole));
  return decimal(`${text.includes(".") ? text.replace(/\.?0+$/, "") : text} ${name}`);
}

/** @param {number} bytes per second */
export function rateText(bytes) {
  return decimal(`${Number((bytes / 1e9).toPrecision(3))} GB/s`);
}
