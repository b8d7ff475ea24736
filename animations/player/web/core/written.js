// A schedule that was built, written down: as a Python function, and as a recording.

import { capital } from "./phrases.js";
import { sha256 } from "./sha256.js";

const WIDEST = 88; // letters of a line of code
const COLUMNS = ["src", "dst", "chunk", "into", "count", "reduces"];
const BLOCK = 0xffff; // bytes of a stored block of zlib

/**
 * The function's name: built_all_reduce.
 * @param {TaskData} task
 */
export function functionName({ settings: { collective } }) {
  return `built_${collective}`;
}

/**
 * The Python code, line by line, and of each step with transfers its first and last line.
 * @param {TaskData} task
 * @param {BuiltSteps} steps
 */
export function codeOf(task, steps) {
  const name = functionName(task);
  const { ranks, pieces, collective } = task.settings;
  const chunks = pieces === ranks || collective === "barrier" ? "" : `, chunks=${pieces}`;
  const bodies = filledSteps(steps).map((step) => statement(step));
  const used = ["reduce", "send", "together"].filter((word) => {
    return bodies.some((lines) => lines.some((line) => line.includes(`${word}(`)));
  });
  const lines = [
    `"""${capital(task.promise)}: built by hand for ${ranks} ranks.`,
    ...["", `${commandOf(task, name)}`, '"""', ""],
    ...(used.length ? [`from collectives import ${used.join(", ")}`, "", ""] : [""]),
  ];
  const first = lines.length;
  lines.push(`def ${name}(n${chunks}):`, `    """${capital(task.promise)}."""`);
  const ranges = bodies.map((body) => {
    lines.push(...body.map((line) => `    ${line}`));
    return [lines.length - body.length, lines.length - 1];
  });
  if (!bodies.length) lines.push("    yield from ()");
  return { lines, first, ranges };
}

/**
 * The steps that have transfers: others are dropped, as the recorder does.
 * @param {BuiltSteps} steps
 */
export function filledSteps(steps) {
  return steps.filter((step) => step.length);
}

/**
 * @param {TaskData} task
 * @param {string} name
 */
function commandOf({ settings }, name) {
  const { ranks, root, nodes, slots, pieces, helpers, collective } = settings;
  const scratch = slots - (["all_to_all", "send_recv"].includes(collective) ? 2 : 1) * pieces;
  const parts = [`collectives check ${name}.py:${name} -n ${ranks}`];
  if (root) parts.push(`--root ${root}`);
  if (scratch) parts.push(`--scratch ${scratch}`);
  if (nodes > ranks) parts.push(`--nodes ${nodes}`);
  if (helpers) parts.push(`--helpers ${helpers}`);
  return parts.join(" ");
}

/**
 * The lines that yield a step.
 * @param {readonly Built[]} step
 */
function statement(step) {
  const calls = [1, 0].map((adds) => step.filter((transfer) => transfer[4] === adds))
    .filter((rows) => rows.length).map((rows) => callOf(rows));
  if (calls.length === 1) return joinedLines(`yield ${calls[0][0]}(`, calls[0][1], ")");
  const parts = calls.map(([verb, values]) => {
    return joinedLines(`[${verb}(`, values, ")],").map((line) => `    ${line}`);
  });
  return ["yield from together(", ...parts.flat(), ")"];
}

/**
 * The verb and the arguments of transfers.
 * @param {readonly Built[]} rows
 * @returns {[string, string[]]}
 */
function callOf(rows) {
  const [src, dst, chunk, into] = [0, 1, 2, 3].map((i) => rows.map((row) => row[i]));
  const all = (/** @type {number[]} */ values) => values.every((value) => value === values[0]);
  const text = (/** @type {number[]} */ values) => (all(values) ? `${values[0]}` : listText(values));
  const alone = rows.length > 1 && [src, dst, chunk, into].every(all);
  const values = [text(src), alone ? listText(dst) : text(dst)];
  if (chunk.some((slot) => slot)) values.push(`chunk=${text(chunk)}`);
  if (into.some((slot, i) => slot !== chunk[i])) values.push(`into=${text(into)}`);
  return [rows[0][4] ? "reduce" : "send", values];
}

/** @param {number[]} values */
function listText(values) {
  return `[${values.join(", ")}]`;
}

/**
 * A call in one line, or an argument a line where that is too long.
 * @param {string} head
 * @param {string[]} values
 * @param {string} tail
 */
function joinedLines(head, values, tail) {
  const line = head + values.join(", ") + tail;
  return line.length <= WIDEST ? [line] : [head, ...values.map((value) => `    ${value},`), tail];
}

/**
 * The recording as `collectives check FILE.json` reads it (see recording/saved.py), as text.
 * @param {TaskData} task
 * @param {BuiltSteps} steps
 */
export function recordingOf(task, steps) {
  const name = functionName(task);
  const { lines, first, ranges } = codeOf(task, steps);
  const filled = filledSteps(steps);
  const tables = filled.map((step) => {
    return [0, 1, 2, 3].map((i) => step.map((row) => row[i])).concat([step.map(() => 1), step.map((row) => row[4])]);
  });
  const columns = COLUMNS.map((column, i) => [column, packedColumn(tables.flatMap((table) => table[i]))]);
  columns.push(["origin", packedColumn(filled.flatMap((step, i) => step.map(() => i)))]);
  const packed = {
    lengths: packedColumn(filled.map((step) => step.length)),
    columns: Object.fromEntries(columns),
    stamps: ranges.map(([line]) => [[0, line + 1, {}, false]]),
    sources: [[name, `${name}.py`, first + 1, `${lines.slice(first).join("\n")}\n`]],
  };
  const digest = `sha256:${sha256(digestBytes(tables))}`;
  return JSON.stringify({ ...task.settings, algorithm: name, digest, packed }, null, 1);
}

/**
 * What the digest is of: of each step its length, then its columns, as 64-bit integers.
 * @param {number[][][]} tables
 */
function digestBytes(tables) {
  const numbers = tables.flatMap((table) => [table[0].length, ...table.flat()]);
  const view = new DataView(new ArrayBuffer(8 * numbers.length));
  numbers.forEach((number, i) => view.setUint32(8 * i, number, true));
  return new Uint8Array(view.buffer);
}

/** @param {number[]} numbers */
function packedColumn(numbers) {
  const view = new DataView(new ArrayBuffer(2 * numbers.length));
  numbers.forEach((number, i) => view.setUint16(2 * i, number, true));
  const letters = stored(new Uint8Array(view.buffer)).map((byte) => String.fromCharCode(byte));
  const deflate = btoa(letters.join(""));
  return { dtype: "uint16", length: numbers.length, deflate };
}

/**
 * Bytes as zlib writes those that it does not compress.
 * @param {Uint8Array} bytes
 */
function stored(bytes) {
  const parts = [0x78, 0x01];
  let at = 0;
  do {
    const size = Math.min(BLOCK, bytes.length - at);
    const last = at + size === bytes.length;
    parts.push(Number(last), size & 255, size >> 8, ~size & 255, (~size >> 8) & 255);
    for (const byte of bytes.subarray(at, at + size)) parts.push(byte);
    at += size;
  } while (at < bytes.length);
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return [...parts, high >> 8, high & 255, low >> 8, low & 255];
}
