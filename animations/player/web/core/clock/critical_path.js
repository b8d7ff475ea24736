// The critical path of a timing: messages one after another that take all of its time; as
// collectives/cost/clocks/critical_path.py and collectives/comparison/path_waits.py have it.

/** @typedef {import("./clocks.js").Timing} Timing */
/** @typedef {{step: number, src: number, dst: number, size: number, start: number, sent: number, end: number}} Sent a message */
/** @typedef {"data" | "port" | "link" | "step"} WaitKind */
/**
 * Messages one after another: how many, their bytes, how many wait for what; and the longest of
 * them, undefined where nothing is sent or something never ends, with its seconds.
 * @typedef {{messages: number, size: number, waits: Record<WaitKind, number>, longest?: Sent, seconds: number}} CriticalPath
 */

const ROUNDED_OFF = 1e-9; // of all time: less apart is at once

/**
 * @param {Timing} timing
 * @returns {CriticalPath}
 */
export function criticalPath({ clock, total, messages }) {
  const all = messages.flatMap(({ src, dst, size, start, sent, end }, i) =>
    src.map((from, m) => ({ step: i + 1, src: from, dst: dst[m], size: size[m], start: start[m], sent: sent[m], end: end[m] })));
  const waits = { data: 0, port: 0, link: 0, step: 0 };
  if (!all.length || !(total < Infinity)) return { messages: 0, size: 0, waits, seconds: 0 };
  const near = ROUNDED_OFF * total;
  const [ended, left] = [momentsBy(all, "end"), momentsBy(all, "sent")];
  const path = [all.reduce((last, { end }, row) => (end > all[last].end ? row : last), 0)];
  for (let row = messageBefore(all, ended, left, path[0], near); row >= 0; row = messageBefore(all, ended, left, row, near)) path.push(row);
  path.reverse();
  path.slice(1).forEach((row, i) => waits[clock === "lockstep" ? "step" : waitOf(all[path[i]], all[row], near)]++);
  const took = path.map((row, i) => (i + 1 < path.length ? all[path[i + 1]].start : total) - all[row].start);
  const longestTime = took.reduce((one, other) => Math.max(one, other));
  const slowest = took.findIndex((seconds) => seconds >= longestTime * (1 - ROUNDED_OFF));
  const size = path.reduce((sum, row) => sum + all[row].size, 0);
  return { messages: path.length, size, waits, longest: all[path[slowest]], seconds: took[slowest] };
}

/**
 * What a message waits for while the one before it is sent.
 * @param {Sent} one
 * @param {Sent} next
 * @param {number} near
 * @returns {WaitKind}
 */
function waitOf(one, next, near) {
  if (Math.abs(one.end - next.start) <= near && one.dst === next.src) return "data";
  return [next.src, next.dst].some((node) => node === one.src || node === one.dst) ? "port" : "link";
}

/**
 * Finds the messages that end, or have left, at a time.
 * @param {Sent[]} all
 * @param {"end" | "sent"} name
 */
function momentsBy(all, name) {
  const order = [...all.keys()].sort((one, other) => all[one][name] - all[other][name] || one - other);
  return (/** @type {number} */ time, /** @type {number} */ near) => {
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[order[middle]][name] < time - near) low = middle + 1;
      else high = middle;
    }
    const found = [];
    for (let i = low; i < order.length && all[order[i]][name] < time + near; i++) found.push(order[i]);
    return found.sort((one, other) => one - other);
  };
}

/**
 * What ends, or leaves a port or a link, when a message begins: with its data first; -1 for nothing.
 * @param {Sent[]} all
 * @param {ReturnType<typeof momentsBy>} ended
 * @param {ReturnType<typeof momentsBy>} left
 * @param {number} row
 * @param {number} near
 */
function messageBefore(all, ended, left, row, near) {
  const { start, src, dst } = all[row];
  if (start <= near) return -1;
  const [arrived, gone] = [ended(start, near), left(start, near)];
  const shares = (/** @type {number} */ other) => all[other].src === src || all[other].dst === dst;
  const kinds = [arrived.filter((other) => all[other].dst === src), arrived.filter(shares), gone.filter(shares), arrived, gone];
  for (const found of kinds) {
    const earlier = found.filter((other) => all[other].start < start - near || other < row); // so that the path has an end
    if (earlier.length) return earlier[earlier.length - 1];
  }
  return -1;
}
