// Faults as the command line spells them, and the machine of a page with these in it: a slow or cut
// link, a slow or late rank; see collectives/cost/fault_texts.py.

/**
 * @typedef {"slow-link" | "slow-rank" | "late" | "dead"} FaultKind
 * @typedef {[kind: FaultKind, text: string]} Fault
 * @typedef {{kind: FaultKind, links: number[], rank: number, value: number}} ReadFault links or a rank; times slower, or seconds
 */

export const FAULT_KINDS = /** @type {const} */ (["slow-link", "slow-rank", "late", "dead"]);
const WAY = /^\s*([a-z ]*\d{1,9})\s*([-→>])\s*([a-z ]*\d{1,9})\s*$/i;
const TIME = /^\s*(\d+\.?\d*|\.\d+)(?:e([-+]?\d+))?\s*(ns|us|µs|ms|s)\s*$/;
const POWERS = { ns: -9, us: -6, "µs": -6, ms: -3, s: 0 };
const LEAST_SHARE = 1e-9; // of a speed

/**
 * The name of a node of a machine: rank 3, switch 0.
 * @param {Setup} setup
 * @param {number} node
 */
export function nodeName({ kinds }, node) {
  let number = node;
  for (const [kind, count] of kinds) {
    if (number < count) return `${kind} ${number}`;
    number -= count;
  }
  return `${node}`;
}

/**
 * A node as an option names it: a rank by its number, another one without a blank.
 * @param {Setup} setup
 * @param {number} node
 */
export function typedNode(setup, node) {
  return nodeName(setup, node).replace(/^rank /, "").replaceAll(" ", "");
}

/**
 * @param {Setup} setup
 * @param {string} text
 */
function nodeOf(setup, text) {
  const name = text.trim().toLowerCase();
  const nodes = setup.kinds.reduce((sum, [, count]) => sum + count, 0);
  if (/^\d+$/.test(name)) return Number(name) < nodes ? Number(name) : -1;
  const key = name.replaceAll(" ", "");
  return Array.from({ length: nodes }, (_, node) => nodeName(setup, node).toLowerCase().replaceAll(" ", "")).indexOf(key);
}

/**
 * The links that a text names, in both directions or, where an arrow says so, in one.
 * @param {Setup} setup
 * @param {string} text
 */
function linksOf(setup, text) {
  const [, one, sign, other] = WAY.exec(text) ?? [];
  const [src, dst] = [one, other].map((end) => (end === undefined ? -1 : nodeOf(setup, end)));
  const [begins, ends] = setup.links;
  const found = begins.findIndex((begin, link) => begin === src && ends[link] === dst);
  const back = sign === "-" ? begins.findIndex((begin, link) => begin === dst && ends[link] === src) : -1;
  return [found, back].filter((link) => link >= 0); // of a cable that messages take one way, that way
}

/**
 * How many times slower something is of whose speed a share is left: 0.5 or 50%; NaN for no share.
 * @param {string} text
 */
function slownessOf(text) {
  const [, digits, percent] = /^\s*([\d.]+(?:e[-+]?\d+)?)\s*(%?)\s*$/i.exec(text) ?? [];
  const share = Number(digits) / (percent ? 100 : 1);
  return share >= LEAST_SHARE && share <= 1 ? 1 / share : NaN;
}

/**
 * A fault with its links or its rank; null where the text names none of this machine.
 * @param {Setup} setup
 * @param {Fault} fault
 * @returns {ReadFault | null}
 */
export function readFault(setup, [kind, text]) {
  if (kind === "dead") {
    const links = linksOf(setup, text);
    return links.length ? { kind, links, rank: -1, value: Infinity } : null;
  }
  const at = kind === "slow-link" ? text.lastIndexOf("=") : text.indexOf("=");
  const [name, given] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (kind === "slow-link") {
    const [links, value] = [linksOf(setup, name), slownessOf(given)];
    return links.length && value === value ? { kind, links, rank: -1, value } : null;
  }
  const rank = /^\s*\d{1,9}\s*$/.test(name) ? Number(name) : -1;
  const [, digits, power = "0", unit] = TIME.exec(given) ?? [];
  const seconds = Number(`${digits}e${Number(power) + POWERS[/** @type {keyof POWERS} */ (unit)]}`);
  const value = kind === "late" ? seconds : slownessOf(given);
  return rank >= 0 && rank < setup.kinds[0][1] && value === value ? { kind, links: [], rank, value } : null;
}

/**
 * The links of a machine, so many times as slow to answer and as fast, with faults in them; and by
 * how many seconds ranks are late. Faults that name nothing here change nothing.
 * @param {Setup} setup
 * @param {Setting} setting
 * @returns {{machine: import("./clock/messages.js").Machine, delays: number[]}}
 */
export function brokenMachine(setup, setting) {
  const [src, dst, latency, bandwidth, lanes, group] = setup.links;
  const slower = src.map(() => 1);
  const [delay, rate] = [latency.map((each) => each * setting.latency), bandwidth.map((each) => each * setting.bandwidth)];
  const before = widest(group, rate, lanes, setup.capacity.length);
  /** @type {number[]} */
  const delays = [];
  for (const fault of setting.faults) {
    const found = readFault(setup, fault);
    if (found?.kind === "late") delays[found.rank] = found.value;
    if (found?.kind !== "slow-rank") continue;
    src.forEach((begin, link) => {
      if (begin !== found.rank && dst[link] !== found.rank) return;
      rate[link] /= found.value;
      slower[link] *= found.value;
    });
  }
  slower.forEach((times, link) => (delay[link] *= times));
  for (const fault of setting.faults) {
    const found = readFault(setup, fault);
    for (const link of found?.links ?? []) rate[link] /= /** @type {ReadFault} */ (found).value;
  }
  const after = widest(group, rate, lanes, setup.capacity.length);
  const capacity = setup.capacity.map((each, i) => (before[i] > 0 ? each * setting.bandwidth * (after[i] / before[i]) : 0));
  const machine = { src, dst, latency: delay, bandwidth: rate, lanes, group, capacity, paths: pathsOf(setup) };
  return { machine, delays: Array.from(delays, (seconds) => seconds ?? 0) };
}

/**
 * The largest bandwidth of each group.
 * @param {number[]} group
 * @param {number[]} rate
 * @param {number[]} lanes
 * @param {number} groups
 */
export function widest(group, rate, lanes, groups) {
  const found = Array.from({ length: groups }, () => 0);
  group.forEach((each, link) => (found[each] = Math.max(found[each], rate[link] * lanes[link])));
  return found;
}

/** @type {WeakMap<Setup, Map<number, number[]>>} */
const decodedPaths = new WeakMap();

/**
 * Keeps the paths of a setup that are not those it is packed with.
 * @param {Setup} setup
 * @param {Map<number, number[]>} paths
 */
export function readPaths(setup, paths) {
  decodedPaths.set(setup, paths);
}

/**
 * The links of each pair of nodes; its key is source × nodes + destination.
 * @param {Setup} setup
 */
export function pathsOf(setup) {
  const known = decodedPaths.get(setup);
  if (known) return known;
  /** @type {Map<number, number[]>} */
  const found = new Map();
  const row = setup.paths.map(() => 0);
  for (let i = 0; i < setup.paths[0].length; i++) {
    setup.paths.forEach((column, at) => (row[at] += column[i]));
    const [src, dst, ...links] = row;
    found.set(src * setup.nodes + dst, links.filter((link) => link >= 0));
  }
  decodedPaths.set(setup, found);
  return found;
}
