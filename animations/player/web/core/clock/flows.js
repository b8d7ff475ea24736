// Fair rates of flows that begin and end one by one, as collectives/cost/clocks/fair_flows.py has
// them: flows with the same shared links and limit are one class; links are contested where flows
// want more than they have, and an event changes only classes joined to it by contested links.

import { heapPop, heapPush } from "./heap.js";

export const TIE = 1e-13; // relative: what happens this close together happens at once
const CONTESTED = 1 + 1e-12; // of its capacity: a link that flows want more of is contested

/**
 * @typedef {{limit: number, groups: number[], flows: number, rate: number, served: number, since: number,
 *   heads: import("./heap.js").Tuple[], version: number}} FlowClass
 */

/**
 * Flows over shared links; `groups` and `limit` of each flow, bytes per second, above 0.
 * @param {number[][]} groups
 * @param {number[]} limit
 * @param {number[]} capacity of each group
 */
export function createFlows(groups, limit, capacity) {
  /** @type {FlowClass[]} */
  const classes = [];
  /** @type {Map<string, number>} */
  const known = new Map();
  const classOf = groups.map((own, flow) => {
    const key = `${limit[flow]} ${own.join(" ")}`;
    const which = known.get(key) ?? classes.length;
    if (which === classes.length) {
      known.set(key, which);
      classes.push({ limit: limit[flow], groups: own, flows: 0, rate: 0, served: 0, since: 0, heads: [], version: 0 });
    }
    return which;
  });
  const wanted = capacity.map(() => 0);
  const users = capacity.map(() => /** @type {Set<number>} */ (new Set()));
  /** @type {Set<number>} */
  const contested = new Set();
  /** @type {Set<number>} */
  const changed = new Set();
  /** @type {Set<number>} */
  const near = new Set(); // links that were contested when a class on them changed
  /** @type {import("./heap.js").Tuple[]} */
  const ends = [];

  const serve = (/** @type {FlowClass} */ each, /** @type {number} */ now) => {
    each.served += each.rate * (now - each.since);
    each.since = now;
  };

  const count = (/** @type {number} */ which, /** @type {number} */ more) => {
    const each = classes[which];
    changed.add(which);
    each.flows += more;
    for (const group of each.groups) {
      wanted[group] += more * each.limit;
      if (wanted[group] > capacity[group] * CONTESTED) contested.add(group);
      else if (contested.delete(group)) near.add(group);
    }
    if (more > 0 && each.flows === 1) each.groups.forEach((group) => users[group].add(which));
    if (each.flows) return;
    [each.served, each.rate] = [0, 0];
    for (const group of each.groups) {
      if (contested.has(group)) near.add(group);
      users[group].delete(which);
      if (users[group].size) continue;
      wanted[group] = 0; // what rounding has left goes
      contested.delete(group);
    }
  };

  /** Classes under way whose rates may change: joined to what changed by contested links. */
  const reached = () => {
    const found = new Set([...changed].filter((which) => classes[which].flows));
    const seen = new Set(near);
    for (const which of found) classes[which].groups.forEach((group) => contested.has(group) && seen.add(group));
    for (const group of seen) {
      for (const which of users[group]) {
        if (found.has(which)) continue;
        found.add(which);
        classes[which].groups.forEach((other) => contested.has(other) && seen.add(other));
      }
    }
    return [...found];
  };

  /** @returns {[which: number, rate: number][]} of every class that may have another rate now */
  const rates = () => {
    const touched = reached();
    /** @type {[number, number][]} */
    const found = [];
    /** @type {Map<number, number[]>} */
    const sharing = new Map();
    /** @type {Map<number, number>} */
    const weight = new Map();
    /** @type {Set<number>} */
    const growing = new Set();
    for (const which of touched) {
      for (const group of classes[which].groups) {
        if (!contested.has(group)) continue;
        const own = sharing.get(group);
        if (own) own.push(which);
        else sharing.set(group, [which]);
        weight.set(group, (weight.get(group) ?? 0) + classes[which].flows);
        growing.add(which);
      }
      if (!growing.has(which)) found.push([which, classes[which].limit]);
    }
    const left = new Map([...weight.keys()].map((group) => [group, capacity[group]]));
    const byLimit = [...growing].sort((one, other) => classes[other].limit - classes[one].limit);
    while (growing.size) {
      let [share, fullest] = [Infinity, -1];
      for (const [group, flows] of weight) {
        const part = /** @type {number} */ (left.get(group)) / flows;
        if (part < share || (part === share && group < fullest)) [share, fullest] = [part, group];
      }
      /** @type {number[]} */
      const stay = [];
      while (byLimit.length && classes[byLimit[byLimit.length - 1]].limit <= share) stay.push(/** @type {number} */ (byLimit.pop()));
      const limited = stay.length > 0;
      for (const which of limited ? stay : (sharing.get(fullest) ?? [])) {
        if (!growing.delete(which)) continue;
        const each = classes[which];
        const level = limited ? each.limit : share;
        found.push([which, level]);
        for (const group of each.groups) {
          if (!weight.has(group)) continue;
          const rest = /** @type {number} */ (weight.get(group)) - each.flows;
          left.set(group, Math.max(/** @type {number} */ (left.get(group)) - level * each.flows, 0));
          if (rest) weight.set(group, rest);
          else weight.delete(group);
        }
      }
    }
    return found;
  };

  /** When the next flow ends if none begins before; Infinity where none ever does. */
  const nextEnd = () => {
    while (ends.length && ends[0][2] !== classes[ends[0][1]].version) heapPop(ends);
    return ends.length ? ends[0][0] : Infinity;
  };

  return {
    nextEnd,
    /** Lets a flow of so many bytes go; its rate is found by `settle`. */
    begin(/** @type {number} */ flow, /** @type {number} */ size, /** @type {number} */ now) {
      const which = classOf[flow];
      serve(classes[which], now);
      heapPush(classes[which].heads, [classes[which].served + size, flow]);
      count(which, 1);
    },
    /** The flows that end now, or as good as now. */
    finished(/** @type {number} */ now) {
      /** @type {number[]} */
      const ended = [];
      while (nextEnd() <= now * (1 + TIE)) {
        const which = heapPop(ends)[1];
        const each = classes[which];
        each.version++;
        serve(each, now);
        const reach = each.served * (1 + TIE);
        for (let first = true; each.heads.length && (first || each.heads[0][0] <= reach); first = false) {
          ended.push(heapPop(each.heads)[1]);
          count(which, -1);
        }
      }
      return ended;
    },
    /** Finds the rates from now on, after all that begins or ends now. */
    settle(/** @type {number} */ now) {
      if (!changed.size) return;
      for (const [which, rate] of rates()) {
        const each = classes[which];
        if (!changed.has(which) && Math.abs(rate - each.rate) <= TIE * rate) continue;
        serve(each, now);
        each.rate = rate;
        each.version++;
        if (rate > 0) heapPush(ends, [now + Math.max(each.heads[0][0] - each.served, 0) / rate, which, each.version]);
      }
      changed.clear();
      near.clear();
    },
  };
}
