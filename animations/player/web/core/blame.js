// The first wrong step of a run whose promise is not kept, found as collectives/proof/diagnosis
// finds it: after it the promise cannot be kept any more, or a slot is spoiled, or data too late.

import { unmet } from "./machine.js";

/**
 * @typedef {import("./machine.js").Run} Run
 * @typedef {import("./machine.js").Task} Task
 * @typedef {import("./machine.js").Version} Version
 * @typedef {import("./machine.js").CellIndex} CellIndex
 *
 * Of each origin slot the ranks whose data is there, and those whose data is there again, as bits.
 * @typedef {Map<number, [bigint, bigint]>} Masks
 *
 * The ranks in `required`, as bits, each with its data of slot `origin`.
 * @typedef {{origin: number, required: bigint, exactlyOnce: boolean}} Goal
 *
 * All versions in the order in which they came to be, by cell and by origin slot.
 * @typedef {{task: Task, masks: Map<Version, Masks>, ofCell: Map<CellIndex, Version[]>,
 *   ofSlot: Map<number, Version[]>, goals: Map<CellIndex, Goal>, some: Goal[]}} Past
 */

const MOST_EXAMINED = 64; // wrong cells that are looked into
const MOST_LATE = 64; // ranks' data that are followed
const MOST_COVERED = 64; // contributions up to which exact covers are looked for
const MOST_TRIED = 2000; // partial covers

/**
 * The promised cells that end wrong, and the step in which the first of them went wrong: 0 where
 * no step did, and the schedule only ends too early or never began. Lost: after it nothing can
 * put the cell right.
 * @param {Run} run
 * @returns {{wrong: number[], step: number, lost?: boolean}}
 */
export function diagnosed(run) {
  const wrong = unmet(run);
  if (!wrong.length) return { wrong, step: 0 };
  const past = pastOf(run);
  /** @type {Map<Goal, number>} */
  const lost = new Map();
  const end = run.states[run.steps.length];
  const steps = wrong.slice(0, MOST_EXAMINED).map((cell) => {
    const goal = /** @type {Goal} */ (past.goals.get(cell));
    if (!lost.has(goal)) lost.set(goal, lostAt(past, goal));
    const version = end[cell];
    const fit = !version || fits(goal, masksOf(past, version));
    const other = !version ? Infinity : fit ? lateAt(past, version, goal) : spoiledAt(past, version, goal);
    return Math.min(other, lost.get(goal) ?? Infinity);
  });
  const step = Math.min(...steps);
  if (step === Infinity) return { wrong, step: 0 };
  return { wrong, step, lost: [...lost.values()].includes(step) };
}

/**
 * @param {Run} run
 * @returns {Past}
 */
function pastOf({ task, states }) {
  const goals = goalsOf(task);
  const some = [...new Set(goals.values())];
  /** @type {Past} */
  const past = { task, masks: new Map(), ofCell: new Map(), ofSlot: new Map(), goals, some };
  states.forEach((state, step) => {
    for (const version of state) {
      if (version?.step !== step) continue;
      const masks = masksFrom(task, version);
      past.masks.set(version, masks);
      listed(past.ofCell, version.cell).push(version);
      const before = version.old ? masksOf(past, version.old) : new Map();
      for (const slot of new Set([...masks.keys(), ...before.keys()])) {
        listed(past.ofSlot, slot).push(version);
      }
    }
  });
  return past;
}

/**
 * What each promised cell needs; equal goals are one object.
 * @param {Task} task
 */
function goalsOf(task) {
  const start = new Set(task.start);
  /** @type {Map<string, Goal>} */
  const known = new Map();
  /** @type {Map<CellIndex, Goal>} */
  const goals = new Map();
  for (const [cell, origin, first, end] of task.promised) {
    const key = `${origin} ${first} ${end}`;
    if (!known.has(key)) {
      let required = 0n;
      for (let rank = first; rank < end; rank++) {
        if (start.has(rank * task.slots + origin)) required |= 1n << BigInt(rank);
      }
      known.set(key, { origin, required, exactlyOnce: task.exactlyOnce });
    }
    goals.set(cell, /** @type {Goal} */ (known.get(key)));
  }
  return goals;
}

/**
 * @param {Task} task
 * @param {Version} version
 * @returns {Masks}
 */
function masksFrom(task, { content }) {
  /** @type {Masks} */
  const masks = new Map();
  for (const [contribution, times] of content) {
    const slot = contribution % task.slots;
    const bit = 1n << BigInt((contribution - slot) / task.slots);
    const [ranks, more] = masks.get(slot) ?? [0n, 0n];
    masks.set(slot, [ranks | bit, times > 1 ? more | bit : more]);
  }
  return masks;
}

/**
 * @param {Past} past
 * @param {Version} version
 */
function masksOf(past, version) {
  return /** @type {Masks} */ (past.masks.get(version));
}

/**
 * The due ranks whose data this brings; none if anything in it is in the way.
 * @param {Goal} goal
 * @param {Masks} masks
 */
function usable(goal, masks) {
  const [ranks, more] = masks.get(goal.origin) ?? [0n, 0n];
  const foreign = masks.size !== 1 || ranks & ~goal.required;
  return foreign || (goal.exactlyOnce && more) ? 0n : ranks;
}

/**
 * @param {Goal} goal
 * @param {Masks} masks
 */
function fits(goal, masks) {
  return !masks.size || usable(goal, masks) > 0n;
}

/**
 * The step of the first transfer that made a version unfit for its goal: what is unfit is
 * followed back to where it was made of parts that were fit, or that somebody else needs.
 * @param {Past} past
 * @param {Version} end
 * @param {Goal} goal
 */
function spoiledAt(past, end, goal) {
  let step = Infinity;
  followed(end, (version) => {
    const bad = inputs(version).filter((part) => {
      return !fits(goal, masksOf(past, part)) && !wanted(past, part);
    });
    if (!bad.length && version.read.length) step = Math.min(step, version.step);
    return bad;
  });
  return step;
}

/**
 * @param {Past} past
 * @param {Version} part
 */
function wanted({ task, masks, some }, part) {
  const held = /** @type {Masks} */ (masks.get(part));
  if (!some.some((goal) => usable(goal, held))) return false;
  const slot = part.cell % task.slots;
  const scratch = part.cell >= task.ranks * task.slots || slot >= task.promisedSlots;
  return !task.atHome || !part.read.length || held.has(slot) || scratch;
}

/**
 * The first step after which what is left cannot be put together to the goal any more.
 * @param {Past} past
 * @param {Goal} goal
 */
function lostAt(past, goal) {
  /** @type {Map<bigint, number>} */
  const left = new Map();
  const count = (/** @type {bigint} */ part, /** @type {number} */ change) => {
    left.set(part, (left.get(part) ?? 0) + change);
  };
  /** @type {readonly bigint[] | null} */
  let needed = null;
  const versions = past.ofSlot.get(goal.origin) ?? [];
  for (let first = 0, next = 0; first < versions.length; first = next) {
    const { step } = versions[first];
    const gone = [];
    for (; versions[next]?.step === step; next++) {
      const { old } = versions[next];
      const before = old ? usable(goal, masksOf(past, old)) : 0n;
      const now = usable(goal, masksOf(past, versions[next]));
      if (before === now) continue;
      count(before, -1);
      count(now, 1);
      if (before) gone.push(before);
    }
    if (step && needed?.every((part) => (left.get(part) ?? 0) > 0)) continue;
    const parts = [...left].filter(([part, times]) => part && times > 0).map(([part]) => part);
    needed = cover(goal, parts);
    if (!needed) {
      const ranks = missingFrom(goal, parts) || goal.required;
      return gone.some((part) => part & ranks) ? step : Infinity; // else it never was possible
    }
  }
  return Infinity;
}

/**
 * @param {Goal} goal
 * @param {readonly bigint[]} parts
 */
function missingFrom(goal, parts) {
  return goal.required & ~parts.reduce((there, part) => there | part, 0n);
}

/**
 * Parts that add up to what is due: all of them if that is not known, null if none do.
 * @param {Goal} goal
 * @param {bigint[]} parts
 */
function cover(goal, parts) {
  if (missingFrom(goal, parts)) return null;
  if (!goal.exactlyOnce || ones(goal.required) > MOST_COVERED) return parts;
  const sorted = [...parts].sort((one, other) => ones(other) - ones(one));
  const tried = { number: 0 };
  return exactCover(goal.required, sorted, tried) ?? (tried.number > MOST_TRIED ? sorted : null);
}

/**
 * Disjoint parts whose union is `rest`; null if there are none, or too many were tried.
 * @param {bigint} rest
 * @param {readonly bigint[]} parts
 * @param {{number: number}} tried
 * @returns {bigint[] | null}
 */
function exactCover(rest, parts, tried) {
  if (!rest) return [];
  const first = rest & -rest;
  for (const part of parts) {
    if (++tried.number > MOST_TRIED) return null;
    if (!(part & first)) continue;
    const found = exactCover(rest & ~part, parts.filter((other) => !(other & part)), tried);
    if (found) return [part, ...found];
  }
  return null;
}

/**
 * The step in which missing data was passed over: it came to a slot only after that was read,
 * and never to another.
 * @param {Past} past
 * @param {Version} end
 * @param {Goal} goal
 */
function lateAt(past, end, goal) {
  const held = (/** @type {Version} */ version) => masksOf(past, version).get(goal.origin)?.[0] ?? 0n;
  const missing = goal.required & ~held(end);
  if (ones(missing) > MOST_LATE) return Infinity;
  const cells = new Map([...bits(missing)].map((rank) => {
    const versions = (past.ofSlot.get(goal.origin) ?? []).filter((v) => held(v) >> rank & 1n);
    return [rank, new Set(versions.map((version) => version.cell))];
  }));
  let best = [Infinity, Infinity]; // how much too late, and when it was passed over
  followed(end, (version) => {
    for (const { cell } of version.read) {
      for (const later of past.ofCell.get(cell) ?? []) {
        const here = held(later) & missing;
        if (later.step < version.step || !here) continue;
        const only = [...bits(here)].filter((rank) => {
          const home = Number(rank) * past.task.slots + goal.origin;
          return [...(cells.get(rank) ?? [])].every((known) => known === home || known === cell);
        });
        const came = later.read.some((source) => only.some((rank) => held(source) >> rank & 1n));
        const found = [later.step - version.step, version.step];
        if (came && (found[0] - best[0] || found[1] - best[1]) < 0) best = found;
      }
    }
    return inputs(version);
  });
  return best[1];
}

/**
 * Visits a version and, each once, what `visit` returns for it, and so on.
 * @param {Version} end
 * @param {(version: Version) => readonly Version[]} visit
 */
function followed(end, visit) {
  const seen = new Set([end]);
  for (const version of seen) visit(version).forEach((part) => seen.add(part));
}

/**
 * What a version was made of.
 * @param {Version} version
 */
function inputs({ adds, old, read }) {
  return adds && old ? [old, ...read] : read;
}

/** @param {bigint} mask */
function ones(mask) {
  return [...bits(mask)].length;
}

/**
 * The numbers of the bits that are set.
 * @param {bigint} mask
 */
function* bits(mask) {
  for (let rank = 0n; mask >> rank; rank++) if (mask >> rank & 1n) yield rank;
}

/**
 * The list of a key, made where there is none.
 * @template K, V
 * @param {Map<K, V[]>} lists
 * @param {K} key
 * @returns {V[]}
 */
function listed(lists, key) {
  const found = lists.get(key) ?? [];
  lists.set(key, found);
  return found;
}
