// What a reader can break: ranks and links of the machine, and the faults that each can have.

import { word } from "./say.js";
import { pathsOf, typedNode } from "./faults.js";
import { timeText } from "./quantities.js";
import { canStall, deadRank } from "./setting.js";
import { calledNode, linkName } from "./setup_words.js";

/**
 * A rank, or a link by its number, both ways; as a text: rank:3, cable:12.
 * @typedef {{kind: "rank" | "cable", at: number}} Target
 * @typedef {{text: string, faults: import("./faults.js").Fault[]}} Break
 */

const TIMES_SLOWER = [2, 10];
const LATENESS = [0.1, 1]; // of the time that all of it takes

/**
 * All ranks, then all links, of two directions the one that comes first.
 * @param {Setup} setup
 * @returns {Target[]}
 */
export function targetsOf(setup) {
  const [src, dst] = setup.links;
  const known = new Set();
  const cables = [...src.keys()].filter((link) => {
    const key = [src[link], dst[link]].sort((one, other) => one - other).join(" ");
    return !known.has(key) && known.add(key);
  });
  const ranks = Array.from({ length: setup.kinds[0][1] }, (_, at) => /** @type {Target} */ ({ kind: "rank", at }));
  return [...ranks, ...cables.map((at) => /** @type {Target} */ ({ kind: "cable", at }))];
}

/**
 * @param {Setup} setup
 * @param {Target} target
 */
export function targetName(setup, { kind, at }) {
  return kind === "rank" ? calledNode(setup, at) : linkName(setup, at);
}

/**
 * What of the machine a thing of the picture is: a rank itself, of a link those between its ends.
 * @param {Setup} setup
 * @param {Thing | null} thing
 * @returns {Target[]}
 */
export function targetsIn(setup, thing) {
  if (thing?.kind === "rank" && thing.at[0] < setup.kinds[0][1]) return [{ kind: "rank", at: thing.at[0] }];
  if (thing?.kind !== "link") return [];
  const [one, other] = thing.at;
  const [src, dst] = setup.links;
  const ways = [[one, other], [other, one]].flatMap(([from, to]) => pathsOf(setup).get(from * setup.nodes + to) ?? []);
  const ends = new Set(ways.map((link) => [src[link], dst[link]].sort((a, b) => a - b).join(" ")));
  return targetsOf(setup).filter(({ kind, at }) => kind === "cable" && ends.has([src[at], dst[at]].sort((a, b) => a - b).join(" ")));
}

/**
 * The faults that a target can have on this page.
 * @param {Story} story
 * @param {Target} target
 * @returns {Break[]}
 */
export function breaksOf(story, { kind, at }) {
  const setup = /** @type {Setup} */ (story.setup);
  const cuts = canStall(story);
  if (kind === "cable") {
    const name = [setup.links[0][at], setup.links[1][at]].map((node) => typedNode(setup, node)).join("-");
    /** @type {Break[]} */
    const slower = TIMES_SLOWER.map((times) => ({ text: word("player.slower_by", { times }), faults: [["slow-link", `${name}=${1 / times}`]] }));
    return cuts ? [...slower, { text: word("player.cut"), faults: [["dead", name]] }] : slower;
  }
  const whole = story.counters[2][1].at(-1) ?? 0;
  const delays = [...new Set(LATENESS.map((part) => Number((part * whole).toPrecision(1))))].filter((seconds) => seconds > 0);
  /** @type {Break[]} */
  const found = delays.map((seconds) => {
    const time = timeText(seconds);
    return { text: word("player.late_by", { time }), faults: [["late", `${at}=${time.replace(" ", "").replace("µ", "u")}`]] };
  });
  found.push({ text: word("player.slower_by", { times: TIMES_SLOWER[0] }), faults: [["slow-rank", `${at}=${1 / TIMES_SLOWER[0]}`]] });
  const dead = deadRank(setup, at);
  return cuts && dead.length ? [...found, { text: word("player.dead"), faults: dead }] : found;
}
