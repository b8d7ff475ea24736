// Sentences on the map of a machine: its bottleneck, a thing of it, and what a move has changed.

import { bytesText } from "./amounts.js";
import { timeWithFaster, linksAlike } from "./link_load.js";
import { capital } from "./phrases.js";
import { rateText, timeText } from "./quantities.js";
import { decimal, inARow, word } from "./say.js";
import { partName, seatOf, seatsOf } from "./seats.js";
import { calledNode } from "./setup_words.js";

/** @typedef {import("./link_load.js").Load} Load */

const SAME_TIME = 1e-9; // of a time: less apart is the same

/** @param {number} share */
export function percentText(share) {
  const percent = 100 * share;
  return decimal(`${percent > 99.5 || percent < 0.05 ? Math.round(percent) : Number(percent.toPrecision(2))} %`);
}

/**
 * A rate with the unit in which it is short.
 * @param {number} rate
 */
export function speedText(rate) {
  return rate >= 1e12 ? decimal(`${Number((rate / 1e12).toPrecision(3))} TB/s`) : rateText(rate);
}

/**
 * The name of a link, one way.
 * @param {Setup} setup
 * @param {number} link
 */
export function wayName(setup, link) {
  const gpus = setup.kinds[0][1];
  const [from, to] = [setup.links[0][link], setup.links[1][link]].map((node) => {
    return node < gpus ? `GPU ${seatOf(setup, node)}` : calledNode(setup, node);
  });
  return `${from} → ${to}`;
}

/**
 * What limits: the links that are busy most, and what latency takes.
 * @param {Setup} setup
 * @param {Load | null} load
 */
export function bottleneckWords(setup, load) {
  if (!load) return word("player.takes_ever");
  const { busiest, bytes, use, latency, total } = load;
  if (!busiest.length) return word("map.nothing");
  const [link] = busiest;
  const fields = {
    link: wayName(setup, link), number: busiest.length - 1, bytes: bytesText(bytes[link]),
    share: percentText(use[link]), latency: percentText(latency), time: timeText(total),
  };
  if (latency > use[link]) return word("map.mostly_latency", fields);
  const words = word(busiest.length > 1 ? "map.bottlenecks" : "map.bottleneck", fields);
  return inARow([words, latency >= 0.005 ? word("map.latency", fields) : ""]);
}

/**
 * What has become of the time and the bottleneck by a move of ranks.
 * @param {Setup} setup
 * @param {{moves: readonly string[], load: Load, setup: Setup}} before
 * @param {{moves: readonly string[], load: Load}} now
 */
export function moveTold(setup, before, now) {
  const ranks = setup.kinds[0][1];
  const [old, seats] = [before.moves, now.moves].map((moves) => /** @type {number[]} */ (seatsOf(moves, ranks)));
  const other = seats.map((_, rank) => rank).filter((rank) => seats[rank] !== old[rank]);
  const who = other.length === 2
    ? word("map.moved", { one: capital(calledNode(setup, other[0])), gpu: seats[other[0]], other: calledNode(setup, other[1]), back: seats[other[1]] })
    : now.moves.length ? moveWordsIn(setup, now.moves) : word("map.restored");
  const [was, is] = [before.load.total, now.load.total];
  const [more, less] = [is / was, was / is].map((times) => `${Number(times.toPrecision(3))}`).map(decimal);
  const fields = { time: timeText(is), before: timeText(was) };
  const changed = Math.abs(is - was) > SAME_TIME * was;
  const time = !changed ? word("map.as_before", fields) : is > was ? word("map.longer", { ...fields, times: more }) : word("map.shorter", { ...fields, times: less });
  const [[first], [second]] = [before.load.busiest, now.load.busiest];
  if (first === undefined) return inARow([who, time]);
  const stays = now.load.busiest.includes(first);
  const ends = { before: wayName(before.setup, first), now: wayName(setup, stays ? first : second) };
  return inARow([who, time, word(stays ? "map.bottleneck_stays" : "map.bottleneck_moves", ends)]);
}

/**
 * @param {Setup} setup
 * @param {readonly string[]} moves
 */
function moveWordsIn(setup, moves) {
  return `${moves.map((text) => word("map.on_gpu", { rank: capital(calledNode(setup, Number(text.split("=")[0]))), gpu: text.split("=")[1] })).join(", ")}.`;
}

/**
 * Pairs of what is known of a part and its value.
 * @param {Story} own
 * @param {Story} story under the setting
 * @param {Load} load
 * @param {MapPart} part
 * @param {{step: number, setting: Setting}} state
 * @returns {[name: string, value: string][]}
 */
export function factsOf(own, story, load, { kind, at }, { step, setting }) {
  const setup = /** @type {Setup} */ (story.setup);
  const map = /** @type {MachineMap} */ (story.map);
  const [src, dst, latency, bandwidth] = setup.links;
  const rate = bandwidth.map((each) => each * setting.bandwidth);
  const now = load.step(step);
  const faster = (/** @type {readonly number[]} */ links) => {
    const seconds = timeWithFaster(own, setting, links);
    const less = 1 - seconds / load.total;
    const change = less > 5e-4 ? word("map.less", { percent: percentText(less) }) : word("map.same");
    return word("map.takes", { time: timeText(seconds), change });
  };
  if (kind === "link") {
    const back = src.findIndex((from, link) => from === dst[at] && dst[link] === src[at]);
    const fields = { rate: speedText(rate[at]), both: speedText(rate[at] + (rate[back] ?? 0)), latency: timeText(latency[at] * setting.latency) };
    const carried = { bytes: bytesText(load.bytes[at]), share: percentText(load.use[at]) };
    /** @type {[string, string][]} */
    const facts = [
      [word("player.bandwidth"), !rate[at] ? word("map.dead") : word(back >= 0 ? "map.speed" : "map.rate", fields)],
      [word("map.carries"), load.bytes[at] ? word("map.carried", carried) : word("map.idle")],
    ];
    if (step > 0) facts.push(["", word("map.now", { bytes: bytesText(now.bytes[at]), share: percentText(now.use[at]) })]);
    if (load.bytes[at]) {
      const alike = linksAlike(own, load, at);
      facts.push([word("map.faster"), faster([at])]);
      if (alike.length > 1) facts.push([word("map.alike", { number: alike.length }), faster(alike)]);
    }
    if (map.sources[at]) facts.push([word("map.source"), map.sources[at]]);
    return facts;
  }
  const [out, into] = [src, dst].map((ends) => [...ends.keys()].filter((link) => ends[link] === at));
  const [sent, got] = [out, into].map((links) => ({
    bytes: bytesText(links.reduce((sum, link) => sum + load.bytes[link], 0)),
    share: percentText(links.reduce((most, link) => Math.max(most, load.use[link]), 0)),
  }));
  /** @type {[string, string][]} */
  const facts = [[word("map.carries"), word("map.out", sent)], ["", word("map.in", got)]];
  if (map.memory && at < setup.kinds[0][1]) {
    facts.push([word("map.memory"), word("map.memory_of", { rate: speedText(map.memory[1]), gpu: map.memory[0] })]);
  }
  if ([...out, ...into].some((link) => load.bytes[link])) facts.push([word("map.all_faster"), faster([...out, ...into])]);
  if (map.memory && at < setup.kinds[0][1]) facts.push([word("map.source"), map.memory[2]]);
  if (at >= setup.kinds[0][1] && map.makeup) facts.push(["", word("map.drawn", { source: map.makeup })]);
  return facts;
}

/**
 * The part as a list names it.
 * @param {Setup} setup
 * @param {MapPart} part
 */
export function partText(setup, { kind, at }) {
  return kind === "link" ? wayName(setup, at) : partName(setup, at);
}
