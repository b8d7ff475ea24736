// The machine plays transfers on contributions and judges a schedule by its collective's promise.
// It has the executor's rules: all reads of a step come before its writes, rows add in order.

/**
 * Where a slot is: node * slots + slot.
 * @typedef {number} CellIndex
 *
 * The numbers of a transfer: src, dst, chunk, into, whether it adds, and the slot of src that
 * must be full as well where it is not the chunk.
 * @typedef {readonly [number, number, number, number, number, number?]} Transfer
 *
 * Which contributions are in a slot, and how many times each: rank * slots + origin slot → times.
 * @typedef {ReadonlyMap<number, number>} Content
 *
 * A promised slot and what it needs: the cell, the slot the contributions come from, and their
 * ranks, from the first to the one before the end, as far as they start with this slot.
 * @typedef {readonly [CellIndex, number, number, number]} Promised
 *
 * What has to be done, and with what: `start` are the cells that hold their own data. atHome:
 * data in a slot that is not its own is of no use to anybody.
 * @typedef {{nodes: number, ranks: number, slots: number, promisedSlots: number,
 *   start: readonly CellIndex[], promised: readonly Promised[], exactlyOnce: boolean,
 *   atHome: boolean}} Task
 *
 * What a slot holds from one step on, until the next that writes it; step 0 is the start. `read`
 * are the versions its transfers read, in their order; `old` is what was there, and `adds`
 * whether it is still in it.
 * @typedef {{cell: CellIndex, step: number, content: Content, adds: boolean,
 *   old: Version | undefined, read: readonly Version[]}} Version
 *
 * A schedule as far as it was played, and what every slot holds: states[k] after step k.
 * @typedef {{task: Task, steps: readonly (readonly Transfer[])[],
 *   states: readonly (readonly (Version | undefined)[])[]}} Run
 */

/** A step that cannot be played: a slot that is not there, empty, or written twice. */
export class BrokenStep extends Error {
  /**
   * @param {number} step
   * @param {"range" | "conflict" | "empty"} rule
   * @param {Transfer} transfer
   */
  constructor(step, rule, transfer) {
    super(`step ${step}: ${rule}`);
    this.step = step;
    this.rule = rule;
    this.transfer = transfer;
  }
}

/**
 * Nothing played yet.
 * @param {Task} task
 * @returns {Run}
 */
export function startRun(task) {
  const state = /** @type {(Version | undefined)[]} */ (Array(task.nodes * task.slots));
  for (const cell of task.start) {
    const content = new Map([[cell, 1]]);
    state[cell] = { cell, step: 0, content, adds: false, old: undefined, read: [] };
  }
  return { task, steps: [], states: [state] };
}

/**
 * The run with a step more; the run itself stays. Throws BrokenStep.
 * @param {Run} run
 * @param {readonly Transfer[]} transfers
 * @returns {Run}
 */
export function playStep(run, transfers) {
  const { task, steps, states } = run;
  const step = steps.length + 1;
  checkStep(task, step, transfers);
  const before = states[steps.length];
  const written = readAll(task, step, before, transfers);
  const after = before.slice();
  for (const [cell, { adds, read }] of written) {
    const old = before[cell];
    const parts = adds && old ? [old, ...read] : read;
    const content = parts.map((part) => part.content).reduce(sumOf);
    after[cell] = { cell, step, content, adds, old, read };
  }
  return { task, steps: [...steps, transfers], states: [...states, after] };
}

/**
 * A whole schedule played. Throws BrokenStep, for a slot that is not there or is written twice
 * before any step that reads an empty one, as the recorder does.
 * @param {Task} task
 * @param {readonly (readonly Transfer[])[]} steps
 */
export function playAll(task, steps) {
  steps.forEach((transfers, index) => checkStep(task, index + 1, transfers));
  return steps.reduce(playStep, startRun(task));
}

/**
 * The promised cells that do not hold what they should, in their order.
 * @param {Run} run
 * @returns {CellIndex[]}
 */
export function unmet({ task, states }) {
  const start = new Set(task.start);
  return task.promised.filter((required) => !meets(task, start, required, states.at(-1)?.[required[0]]))
    .map(([cell]) => cell);
}

/**
 * @param {Task} task
 * @param {ReadonlySet<CellIndex>} start
 * @param {Promised} due
 * @param {Version | undefined} version
 */
function meets(task, start, [, origin, first, end], version) {
  if (!version) return false;
  let needed = 0;
  for (let rank = first; rank < end; rank++) {
    const contribution = rank * task.slots + origin;
    if (!start.has(contribution)) continue;
    const times = version.content.get(contribution);
    if (!times || (task.exactlyOnce && times > 1)) return false;
    needed++;
  }
  return version.content.size === needed;
}

/**
 * What each slot that a step writes is made of, read before anything is written.
 * @param {Task} task
 * @param {number} step
 * @param {readonly (Version | undefined)[]} before
 * @param {readonly Transfer[]} transfers
 */
function readAll(task, step, before, transfers) {
  /** @type {Map<CellIndex, {adds: boolean, read: Version[]}>} */
  const written = new Map();
  for (const transfer of transfers) {
    const [src, dst, chunk, into, adds, needs = chunk] = transfer;
    const version = before[src * task.slots + chunk];
    if (!version || !before[src * task.slots + needs]) throw new BrokenStep(step, "empty", transfer);
    const cell = dst * task.slots + into;
    const found = written.get(cell);
    if (found) found.read.push(version);
    else written.set(cell, { adds: Boolean(adds), read: [version] });
  }
  return written;
}

/**
 * Throws BrokenStep for a node or a slot that is not there, or a slot that one transfer
 * overwrites and another writes.
 * @param {Task} task
 * @param {number} step
 * @param {readonly Transfer[]} transfers
 */
function checkStep({ nodes, slots }, step, transfers) {
  const overwritten = new Map();
  for (const transfer of transfers) {
    const [src, dst, chunk, into, adds, needs = chunk] = transfer;
    const inside = [src, dst].every((node) => node >= 0 && node < nodes);
    if (!inside || ![chunk, into, needs].every((slot) => slot >= 0 && slot < slots)) {
      throw new BrokenStep(step, "range", transfer);
    }
    const cell = dst * slots + into;
    if (overwritten.has(cell) && (overwritten.get(cell) || !adds)) {
      throw new BrokenStep(step, "conflict", transfer);
    }
    overwritten.set(cell, !adds);
  }
}

/**
 * @param {Content} one
 * @param {Content} other
 * @returns {Content}
 */
function sumOf(one, other) {
  const sums = new Map(one);
  for (const [contribution, times] of other) {
    sums.set(contribution, (sums.get(contribution) ?? 0) + times);
  }
  return sums;
}
