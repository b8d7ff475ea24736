// A step of data-parallel training in numbers, as notebook/training_step.py computes it from the
// same closed forms: seconds, bytes, bytes per second.

/**
 * Of an all-reduce: chains of messages that run at the same time, of which the longest counts.
 * Each part of a chain has steps, the share of the vector that passes one after another, and
 * whether that is inside a node.
 * @typedef {{ways: [number, number, boolean][][], sent: number, busbw: number}} Form
 * @typedef {{parameters: number, dtype: string, ranks: number, machine: string, algorithm: string,
 *   bandwidth: number, latency: number, compute: number, buckets: number}} Setup
 * @typedef {{[machine: string]: {label: string, algorithms: string[],
 *   forms: {[algorithm: string]: {[ranks: number]: Form}}}}} Machines
 * @typedef {{machines: Machines, bits: {[dtype: string]: number}, forward: number,
 *   inside: {bandwidth: number, latency: number}, ranks: number[]}} Model
 * @typedef {{start: number[], end: number[], ready: number}} Buckets when all are ready, too
 */

/**
 * Seconds of an all-reduce when nothing else runs.
 * @param {Model} model
 * @param {Setup} setup
 * @param {Form} form
 * @param {number} size
 */
function syncSeconds(model, setup, form, size) {
  const times = form.ways.map((parts) =>
    parts.reduce((sum, [steps, share, inside]) => {
      const link = inside ? model.inside : setup;
      return sum + steps * link.latency + (share * size) / link.bandwidth;
    }, 0),
  );
  return Math.max(0, ...times);
}

/**
 * The buckets of a backward pass, one after another on the link.
 * @param {number} size
 * @param {number} buckets
 * @param {number} backward
 * @param {(size: number) => number} sync
 * @returns {Buckets}
 */
function bucketsOf(size, buckets, backward, sync) {
  const spans = /** @type {Buckets} */ ({ start: [], end: [], ready: 0 });
  const bound = (/** @type {number} */ k) => Number((BigInt(size) * BigInt(k)) / BigInt(buckets));
  const known = new Map();
  let [free, done] = [0, 0];
  for (let k = buckets - 1; k >= 0; k--) {
    const part = bound(k + 1) - bound(k);
    if (!known.has(part)) known.set(part, sync(part));
    done += backward * (size ? part / size : 1 / buckets);
    spans.start.push(Math.max(done, free));
    free = spans.start[spans.start.length - 1] + known.get(part);
    spans.end.push(free);
  }
  spans.ready = done;
  return spans;
}

/**
 * All numbers of a step; null where the number of ranks has no closed form here.
 * @param {Model} model
 * @param {Setup} setup
 */
export function trainingStep(model, setup) {
  const form = model.machines[setup.machine].forms[setup.algorithm]?.[setup.ranks];
  if (!form) return null;
  const sync = (/** @type {number} */ bytes) => syncSeconds(model, setup, form, bytes);
  const size = Math.ceil((setup.parameters * model.bits[setup.dtype]) / 8);
  const forward = model.forward * setup.compute;
  const backward = setup.compute - forward;
  const spans = bucketsOf(size, setup.buckets, backward, sync);
  const exposed = Math.max(0, spans.end[spans.end.length - 1] - spans.ready);
  const hidden = spans.end.reduce((sum, end, k) => sum + Math.max(0, Math.min(end, spans.ready) - spans.start[k]), 0);
  const busy = spans.end.reduce((sum, end, k) => sum + end - spans.start[k], 0);
  const [whole, step] = [sync(size), setup.compute + exposed];
  const algbw = whole && setup.ranks > 1 ? size / whole : 0;
  return {
    ...{ size, forward, backward, spans, exposed, hidden, busy, step, sync: whole, latency: sync(0) },
    ...{ sent: form.sent * size, algbw, busbw: algbw * form.busbw, efficiency: setup.compute / step },
  };
}

/**
 * The efficiency of each algorithm of the machine on each number of ranks.
 * @param {Model} model
 * @param {Setup} setup
 * @returns {{[algorithm: string]: number[]}}
 */
export function efficiencies(model, setup) {
  const each = model.machines[setup.machine].algorithms.map((algorithm) => {
    const steps = model.ranks.map((ranks) => trainingStep(model, { ...setup, ranks, algorithm }));
    return [algorithm, steps.map((step) => step?.efficiency ?? 0)];
  });
  return Object.fromEntries(each);
}
