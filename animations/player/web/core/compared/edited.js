// A story of the steps that somebody wrote in the place of those of an algorithm: its picture, the
// cells after each step, and what flies.

import { linkOf } from "../hit.js";
import { isThere, judged } from "../judge.js";
import { movesOf } from "../story.js";
import { heldContent } from "../version_text.js";
import { numberOf } from "./moments.js";

/**
 * As far as the steps can be played: the story, what is wrong with them, in which step, 0 for none.
 * @param {Story} own
 * @param {BuiltSteps} steps
 * @returns {{story: Story, right: boolean, step: number, wrong: number[]}}
 */
export function editedStory(own, steps) {
  const { run, right, step, wrong } = judged(own, steps);
  const slots = own.slots.length;
  const contents = [...own.contents];
  const cellOf = (/** @type {import("../machine.js").Version | undefined} */ version, /** @type {number} */ slot) => {
    return version ? numberOf(own, contents, heldContent(own, slot, version)) : 0;
  };
  const parcels = [...own.parcels];
  const single = singleParcel(own, parcels);
  const curves = curvesOf(own);
  const { bytes, sizes } = amountsOf(own);
  const amount = sizeTracker(own, bytes, sizes);
  const played = run.steps.map((transfers) => transfers.filter((transfer) => isThere(own, [transfer[0], transfer[1], transfer[2], transfer[3], transfer[4]])));
  const frames = played.map((transfers, i) => {
    const [before, after] = [run.states[i], run.states[i + 1]];
    const moves = transfers.flatMap(([src, dst, chunk, into, adds]) => {
      return [src, dst, chunk, into, adds, cellOf(before[src * slots + chunk], chunk), amount(src, chunk, dst, into), 0, 0];
    });
    const written = new Set(transfers.map(([, dst, , into]) => dst * slots + into));
    const cells = [...written].flatMap((cell) => [Math.floor(cell / slots), own.well[cell % slots], cellOf(after[cell], cell % slots)]);
    const trips = transfers.flatMap(([src, dst], number) => (src === dst ? [] : [curves.get(`${src} ${dst}`) ?? 0, single, number]));
    const columns = transfers.flatMap(([src, dst], number) => (src === dst ? [] : [number, 0]));
    const sent = own.frames[0]?.[3].length ? own.names.map(() => 0) : [];
    return /** @type {Frame} */ ([0, moves, cells, sent, trips, columns, [null], transfers.map(() => ""), 0, 0, transfers.map(() => "")]);
  });
  const texts = Array.from({ length: frames.length + 1 }, () => "");
  const needs = played.some((transfers) => transfers.some((transfer) => transfer[5] !== undefined));
  const setup = { .../** @type {Setup} */ (own.setup), steps: null, needs: needs ? played.map((transfers) => transfers.map((transfer) => transfer[5] ?? transfer[2])) : null };
  const story = { ...own, contents, parcels, bytes, sizes, frames, captions: texts, notes: texts, stale: texts.map(() => []), setup, chips: [], gauges: [], wrong: null };
  story.words = own.words.filter(([, , , , , , , states, during]) => !states && !during);
  story.lines = own.lines.map((line) => /** @type {Line} */ ([line[0], stepsOfLine(story, line), ...line.slice(2)]));
  return { story, right, step, wrong };
}

/**
 * The steps in which something goes over a line.
 * @param {Story} story
 * @param {Line} line
 */
function stepsOfLine(story, line) {
  const [one, other] = linkOf(story, line) ?? [-1, -1];
  return [...story.frames.keys()].map((i) => i + 1).filter((step) => movesOf(story, step).some(({ src, dst }) => {
    return Math.min(src, dst) === one && Math.max(src, dst) === other;
  }));
}

/**
 * The number of a parcel of one chunk, as large as a cell.
 * @param {Story} own
 * @param {Story["parcels"]} parcels
 */
function singleParcel({ bars }, parcels) {
  const known = parcels.findIndex(([columns]) => columns === 1);
  return known >= 0 ? known : parcels.push([1, 0, bars[0][0], bars[0][1]]) - 1;
}

/**
 * The ways on which something flies from node to node in the algorithm's own steps.
 * @param {Story} own
 */
function curvesOf(own) {
  /** @type {Map<string, number>} */
  const found = new Map();
  own.frames.forEach(([, , , , trips, columns], i) => {
    const moves = movesOf(own, i + 1);
    for (let k = 0, at = 0; k < trips.length; k += 3) {
      const { src, dst } = moves[columns[at]];
      if (trips[k]) found.set(`${src} ${dst}`, trips[k]);
      at += 2 * own.parcels[trips[k + 1]][0];
    }
  });
  return found;
}

/** @param {Story} own */
function amountsOf({ bytes, sizes }) {
  return { bytes: [...bytes], sizes: [...sizes] };
}

/**
 * The number of the size of what a transfer carries; further slots have that of what comes into them.
 * @param {Story} own
 * @param {number[]} bytes
 * @param {string[]} sizes
 */
function sizeTracker({ task, slots }, bytes, sizes) {
  const chunks = /** @type {TaskData} */ (task).chunk_bytes;
  /** @type {Map<number, number>} */
  const held = new Map();
  return (/** @type {number} */ src, /** @type {number} */ chunk, /** @type {number} */ dst, /** @type {number} */ into) => {
    const size = held.get(src * slots.length + chunk) ?? chunks[chunk] ?? chunks[0];
    if (into >= chunks.length) held.set(dst * slots.length + into, size);
    const known = bytes.indexOf(size);
    return known >= 0 ? known : sizes.push("") && bytes.push(size) - 1;
  };
}
