// The lanes of nodes in modeled time: what each sends, receives and waits for, and which are shown.

import { waitsOf } from "../effects.js";

/** @typedef {import("../clock/clocks.js").Timing} Timing */
/** @typedef {{start: number, end: number, src: number}} Bar */
/** @typedef {{node: number, sends: Bar[], receives: Bar[], waits: import("../effects.js").Wait[]}} Lane */

const MOST_LANES = 16; // that can be told apart

/**
 * The lanes that are shown: of more ranks the busiest, and those that wait longest, as
 * animations/stages/lanes.py chooses them.
 * @param {Timing} timing
 * @param {number} ranks
 * @param {number} nodes
 * @param {readonly number[]} delays
 * @returns {Lane[]}
 */
export function lanesOf(timing, ranks, nodes, delays) {
  /** @type {Lane[]} */
  const lanes = Array.from({ length: nodes }, (_, node) => ({ node, sends: [], receives: [], waits: [] }));
  for (const { src, dst, start, sent, end } of timing.messages) {
    src.forEach((from, m) => {
      if (start[m] === Infinity) return;
      lanes[from].sends.push({ start: start[m], end: sent[m], src: from });
      lanes[dst[m]].receives.push({ start: start[m], end: end[m], src: from });
    });
  }
  for (const wait of waitsOf(timing, nodes, delays)) lanes[wait.node].waits.push(wait);
  const shown = nodes > MOST_LANES ? lanes.slice(0, ranks) : lanes;
  if (shown.length <= MOST_LANES) return shown;
  const sum = (/** @type {{start: number, end: number}[]} */ spans) => spans.reduce((all, { start, end }) => all + (end < Infinity ? end - start : 0), 0);
  const busy = [...shown].sort((one, other) => sum(other.sends) + sum(other.receives) - sum(one.sends) - sum(one.receives) || one.node - other.node);
  const chosen = new Set(busy.slice(0, MOST_LANES / 2));
  const waiting = [...shown].sort((one, other) => sum(other.waits) - sum(one.waits) || one.node - other.node);
  for (const lane of waiting) if (chosen.size < MOST_LANES) chosen.add(lane);
  return shown.filter((lane) => chosen.has(lane));
}

/**
 * Times for an axis: round ones, about as many as are wanted.
 * @param {number} whole
 * @param {number} tickCount
 */
export function ticksTo(whole, tickCount) {
  const rough = whole / Math.max(1, tickCount);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((part) => part * power >= rough * (1 - 1e-9)) ?? 10);
  return Array.from({ length: Math.floor((whole / step) * (1 + 1e-9)) + 1 }, (_, i) => i * step);
}
