// Ranks on other GPUs of a page's machine: their moves as the command line spells them, and the
// setup in which nodes, links and paths are those of the ranks there; see machines/seats.py.

import { pathsOf, readFault, readPaths, typedNode } from "./faults.js";
import { SEATING } from "./seating.js";
import { word } from "./say.js";
import { calledNode } from "./setup_words.js";

const MOST_MOVES = 2; // that are named
const PLACE = /^(\d{1,7})=(\d{1,7})$/;

/**
 * The GPU of each rank after these moves, one after another; null where one names no rank or GPU.
 * @param {readonly string[]} moves each as rank=GPU
 * @param {number} ranks
 */
export function seatsOf(moves, ranks) {
  const seats = Array.from({ length: ranks }, (_, rank) => rank);
  for (const text of moves) {
    const [, rank, seat] = (PLACE.exec(text) ?? []).map(Number);
    if (!(rank < ranks && seat < ranks)) return null;
    const there = seats.indexOf(seat);
    [seats[rank], seats[there]] = [seats[there], seats[rank]];
  }
  return seats;
}

/**
 * The fewest moves that bring each rank to its GPU.
 * @param {readonly number[]} seats
 */
export function fewestMoves(seats) {
  const now = seats.map((_, rank) => rank);
  return seats.flatMap((seat, rank) => {
    if (now[rank] === seat) return [];
    const there = now.indexOf(seat);
    [now[rank], now[there]] = [now[there], now[rank]];
    return [`${rank}=${seat}`];
  });
}

/**
 * The moves after one more: a rank to a GPU, and the rank there in its place.
 * @param {Setup} setup the page's own
 * @param {readonly string[]} moves
 * @param {number} rank
 * @param {number} seat
 */
export function withMove(setup, moves, rank, seat) {
  return fewestMoves(seatsOf([...moves, `${rank}=${seat}`], setup.kinds[0][1]) ?? []);
}

/**
 * Moves that a page knows: those of an explored machine on which all messages then have a path.
 * @param {Story} story the page's own
 * @param {readonly string[]} moves
 */
function knownMoves({ setup }, moves) {
  if (!setup?.explored) return [];
  const seats = seatsOf(moves, setup.kinds[0][1]);
  return seats && reaches(setup, seats) ? fewestMoves(seats) : [];
}

/**
 * Whether all pairs that have a path keep one.
 * @param {Setup} setup
 * @param {readonly number[]} seats
 */
function reaches(setup, seats) {
  const paths = pathsOf(setup);
  const { nodes } = setup;
  const there = (/** @type {number} */ node) => seats[node] ?? node;
  return [...paths.keys()].every((key) => paths.has(there(Math.floor(key / nodes)) * nodes + there(key % nodes)));
}

/** @type {WeakMap<Setup, Map<string, Setup>>} */
const seatedSetups = new WeakMap();

/**
 * The setup with ranks on other GPUs.
 * @param {Setup} setup the page's own
 * @param {readonly string[]} [moves]
 * @returns {Setup}
 */
export function seatedSetup(setup, moves = []) {
  if (!moves.length) return setup;
  const known = seatedSetups.get(setup) ?? new Map();
  seatedSetups.set(setup, known);
  const key = moves.join();
  if (!known.has(key)) known.set(key, seated(setup, moves));
  return known.get(key);
}

/**
 * @param {Setup} setup
 * @param {readonly string[]} moves
 * @returns {Setup}
 */
function seated(setup, moves) {
  const ranks = setup.kinds[0][1];
  const seats = /** @type {number[]} */ (seatsOf(moves, ranks));
  const rankAt = seats.map((_, seat) => seats.indexOf(seat));
  const ends = setup.links.slice(0, 2).map((column) => column.map((node) => rankAt[node] ?? node));
  const paths = new Map([...pathsOf(setup).keys()].map((key) => {
    const [src, dst] = [Math.floor(key / setup.nodes), key % setup.nodes].map((node) => seats[node] ?? node);
    return [key, /** @type {number[]} */ (pathsOf(setup).get(src * setup.nodes + dst))];
  }));
  const alike = new Set([...pathsOf(setup).values()].map((links) => figuresOf(setup, links))).size <= 1;
  const found = { ...setup, links: [...ends, ...setup.links.slice(2)], figures: alike ? setup.figures : null, seats };
  if (rootHasMoved(found)) found.bound = null;
  readPaths(found, paths);
  return found;
}

/**
 * Latency and bandwidth of a path.
 * @param {Setup} setup
 * @param {readonly number[]} links
 */
function figuresOf({ links: [, , latency, bandwidth] }, links) {
  return `${links.reduce((sum, link) => sum + latency[link], 0).toPrecision(9)} ${Math.min(...links.map((link) => bandwidth[link]))}`;
}

/**
 * Faults of links as the ranks that stand there then are called: a broken cable stays where it is.
 * @param {Setup} setup the page's own
 * @param {Setting} before
 * @param {readonly string[]} moves
 * @returns {import("./faults.js").Fault[]}
 */
function faultsAfter(setup, before, moves) {
  const [old, now] = [before.moves, moves].map((each) => seatedSetup(setup, each));
  return before.faults.map((fault) => {
    const links = readFault(old, fault)?.links ?? [];
    if (!links.length) return fault;
    const [, sign, rest] = /** @type {RegExpExecArray} */ (/[^-→>]*([-→>])[^=]*(.*)/.exec(fault[1]));
    const [src, dst] = [now.links[0][links[0]], now.links[1][links[0]]].map((node) => typedNode(now, node));
    return [fault[0], `${src}${sign}${dst}${rest}`];
  });
}

/**
 * The GPU on which a node stands; the node itself where it is no rank.
 * @param {Setup} setup
 * @param {number} node
 */
export function seatOf({ seats }, node) {
  return seats?.[node] ?? node;
}

/**
 * What a node is called: a rank with the GPU on which it stands.
 * @param {Setup} setup
 * @param {number} node
 */
export function partName(setup, node) {
  const rank = calledNode(setup, node);
  return node < setup.kinds[0][1] ? word("map.gpu", { gpu: seatOf(setup, node), rank }) : rank;
}

/**
 * Whether the rank that has a part of its own is on another GPU: bounds may then be others.
 * @param {Setup} setup
 */
export function rootHasMoved({ rooted = -1, seats }) {
  return rooted >= 0 && !!seats && seats[rooted] !== rooted;
}

/**
 * Which ranks stand on other GPUs, in a few words.
 * @param {Setup} setup
 * @param {readonly string[]} moves
 */
function moveWords(setup, moves) {
  if (moves.length > MOST_MOVES) return [word("map.many_moved", { number: (setup.seats ?? []).filter((seat, rank) => seat !== rank).length })];
  return moves.map((text) => {
    const [rank, gpu] = text.split("=");
    return word("map.on_gpu", { rank: calledNode(setup, Number(rank)), gpu });
  });
}

Object.assign(SEATING, { setup: seatedSetup, known: knownMoves, faults: faultsAfter, words: moveWords });
