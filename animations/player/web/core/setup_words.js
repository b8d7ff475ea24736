// Sentences on a page's machine and what is wrong with it.

import { deadRank } from "./setting.js";
import { nodeName, readFault } from "./faults.js";
import { timeText } from "./quantities.js";
import { decimal, word } from "./say.js";

/** @typedef {import("./faults.js").Fault} Fault */

/**
 * @param {Setup} setup
 * @param {number} link
 */
export function linkName(setup, link) {
  return `${calledNode(setup, setup.links[0][link])} – ${calledNode(setup, setup.links[1][link])}`;
}

/**
 * A node of the machine in the language of the page.
 * @param {Setup} setup
 * @param {number} node
 */
export function calledNode(setup, node) {
  const [, kind, number] = /^(.*)( \d+)$/.exec(nodeName(setup, node)) ?? [];
  return `${setup.called?.[kind] ?? kind}${number}`;
}

/**
 * Each fault in a few words; all cuts of a rank's links are one.
 * @param {Setup} setup
 * @param {readonly Fault[]} faults
 */
export function faultWords(setup, faults) {
  return faultGroups(setup, faults).map(({ text }) => text);
}

/**
 * @param {Setup} setup
 * @param {readonly Fault[]} faults
 * @returns {{text: string, faults: Fault[]}[]}
 */
export function faultGroups(setup, faults) {
  const ends = (/** @type {Fault} */ fault) => readFault(setup, fault)?.links.join(" ") ?? "";
  const cut = faults.filter(([kind]) => kind === "dead");
  /** @type {{text: string, faults: Fault[]}[]} */
  const found = [];
  /** @type {Set<Fault>} */
  const taken = new Set();
  for (let rank = 0; rank < setup.kinds[0][1] && cut.length; rank++) {
    const all = deadRank(setup, rank).map((fault) => cut.find((other) => sameLinks(ends(fault), ends(other))));
    if (!all.length || all.some((fault) => !fault)) continue;
    const own = /** @type {Fault[]} */ (all);
    own.forEach((fault) => taken.add(fault));
    found.push({ text: word("player.dead_rank", { rank: calledNode(setup, rank) }), faults: own });
  }
  for (const fault of faults) if (!taken.has(fault)) found.push({ text: wordsOf(setup, fault), faults: [fault] });
  return found;
}

/**
 * @param {string} one
 * @param {string} other
 */
function sameLinks(one, other) {
  return one.split(" ").sort().join() === other.split(" ").sort().join();
}

/**
 * @param {Setup} setup
 * @param {Fault} fault
 */
function wordsOf(setup, fault) {
  const found = readFault(setup, fault);
  if (!found) return fault.join(" ");
  const { kind, rank, links, value } = found;
  const times = decimal(`${Number(value.toPrecision(3))}`);
  if (kind === "late") return word("player.late", { rank: calledNode(setup, rank), time: timeText(value) });
  if (kind === "slow-rank") return word("player.slow_rank", { rank: calledNode(setup, rank), times });
  return word(kind === "dead" ? "player.cut_link" : "player.slow_link", { link: linkName(setup, links[0]), times });
}
