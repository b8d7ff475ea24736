// Chunks on their way from cell to cell, and outlines of the cells that a step reads and writes.

import { along, canFly, phasesOf } from "../core/motion.js";
import { spansOf } from "../core/space_time.js";
import { equation } from "../core/words.js";
import { outlines } from "../core/outlines.js";
import { boxOfSum, centerOfSlot, isNarrow, placeOfSlot } from "../core/places.js";
import { followedMove, movesOf } from "../core/story.js";
import { drawContent } from "./content.js";
import { redraw, set, setAll, svg } from "./elements.js";

const ALONE = 0.6; // of the time of a slow step, in which one transfer is on its way alone
const MOST_MARKED = 300; // moves of a step that are outlined each by itself
const whenIdle = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ act) => setTimeout(act, 50)); // not in Safari
const cancelIdle = globalThis.cancelIdleCallback ?? clearTimeout;

/**
 * A chunk of a parcel: at the start and at the end like a cell, between them beside the others.
 * @typedef {{body: SVGElement, backdrop: SVGElement, content: SVGElement, outline: SVGElement,
 *   start: number[], beside: number[], end: number[], transform: string}} Column
 * @typedef {{group: SVGElement, columns: Column[], badge: SVGElement, signed: boolean, circle: SVGElement,
 *   sign: SVGElement, corner: Point, line: number[], span: number[]}} Trip
 */

/** @type {Mount} */
export function mountFlights(page, store) {
  let { story } = store;
  const [resting, flying] = [svg(page.moves, "g"), svg(page.moves, "g")];
  /** @type {Trip[]} */
  const trips = []; // their elements serve one step after the other; hidden while nothing flies
  let [ready, idle] = [0, 0]; // the step they are ready for; the request to prepare the next

  const prepareFor = (/** @type {number} */ step) => {
    if (ready !== step) prepareTrips(page, story, step, trips, flying);
    ready = step;
  };
  const prepareNext = () => {
    const { step, part, motion } = store.state;
    if (part < 1 || !motion || step === store.limit || !canFly(story, step + 1)) return;
    prepareFor(step + 1);
    travelTrips(story, trips, 0);
  };

  return {
    slices: ["step", "part", "setting"],
    update(changed) {
      const { step, part } = store.state;
      const flies = part < 1;
      if (changed.has("step") || changed.has("landed") || changed.has("setting")) {
        cancelIdle(idle);
        if (changed.has("setting")) [story, ready] = [store.story, -1];
        const all = movesOf(story, step).filter((_, number) => !story.lost?.[step].has(number));
        const marks = !flies && !story.table && !isNarrow(story) && all.length <= MOST_MARKED;
        const read = flies ? all.filter(({ src, dst }) => src !== dst) : [];
        const written = marks ? [] : all;
        set(page.read, "d", outlines(story, read.map(({ src, chunk }) => [src, chunk])));
        set(page.changed, "d", outlines(story, written.map(({ dst, into }) => [dst, into])));
        if (flies) prepareFor(step);
        else idle = whenIdle(prepareNext);
        redraw(resting, marks ? all.map((move) => landed(story, move)) : []);
      }
      const { slow } = store.state;
      set(flying, "class", flies ? (story.clock || slow ? "" : flightState(phasesOf(story.motion, part))) : "leaving");
      set(flying, "opacity", flies ? "1" : "0"); // of all ways to hide them that which costs least
      if (flies) travelTrips(story, trips, part, slow);
      if (changed.has("landed") || changed.has("step")) sayAlone(page, story, step, flies && slow);
    },
  };
}

/**
 * An outline around the cell that a move has reached.
 * @param {Story} story
 * @param {Move} move
 */
function landed(story, move) {
  const [[x, y], [width, height]] = placeOfSlot(story, move.dst, move.into);
  const rx = story.rounding[0];
  return { name: "rect", attributes: { class: "move written", ...named(move), x, y, width, height, rx } };
}

/** @param {Move} move */
function named({ src, dst, chunk, into, adds }) {
  const cells = { "data-src": src, "data-dst": dst, "data-chunk": chunk, "data-into": into };
  return { ...cells, "data-verb": adds ? "+" : "=" };
}

/**
 * Says beside the cell that the first transfer goes to what comes of it: 17 + 9 = 26.
 * @param {Page} page
 * @param {Story} story
 * @param {number} step
 * @param {boolean} slow
 */
function sayAlone(page, story, step, slow) {
  const move = slow ? followedMove(story, step) : undefined;
  const text = move ? equation(story, move.dst, move.into, step) : "";
  if (!move || !text) return redraw(page.alone, []);
  const [x, y, wide, high] = boxOfSum(story, move.dst, move.into, text);
  redraw(page.alone, [{ name: "text", attributes: { class: "sum", x: x + wide / 2, y: y + 0.8 * high }, text }]);
}

/**
 * Fits trips to a step: parcels on their way, each with its chunks side by side. That of which the
 * caption speaks is the first and lies over all others.
 * @param {Page} page
 * @param {Story} story
 * @param {number} step
 * @param {Trip[]} trips
 * @param {Element} flying
 * @param {readonly (readonly number[])[]} spans when each move begins and ends, on the clock of travelTrips
 */
export function prepareTrips(page, story, step, trips, flying, spans = spansOf(story, step)) {
  const [, , , , numbers, columnNumbers, , , , hero] = story.frames[step - 1];
  const all = movesOf(story, step);
  /** @type {{way: number, size: number, chunks: Numbers, isHero: boolean}[]} */
  const parcels = [];
  for (let i = 0, taken = 0; i < numbers.length; i += 3) {
    const [way, size, parcel] = numbers.slice(i, i + 3);
    const chunks = columnNumbers.slice(taken, (taken += 2 * story.parcels[size][0]));
    if (chunks.some((number, at) => at % 2 === 0 && story.lost?.[step].has(number))) continue; // it never arrives
    parcels[parcel === hero ? "unshift" : "push"]({ way, size, chunks, isHero: parcel === hero });
  }
  parcels.forEach(({ way, size, chunks, isHero }, i) => {
    const trip = (trips[i] ??= newTrip());
    if (!trip.group.isConnected) flying.prepend(trip.group);
    set(trip.group, "class", isHero ? "trip example" : "trip");
    trip.signed = parcels.length <= story.measures.badges;
    set(trip.badge, "visibility", trip.signed ? "inherit" : "hidden");
    const [shown, pitch, ...sizes] = story.parcels[size];
    for (let at = 0; at < shown; at++) {
      const column = (trip.columns[at] ??= newColumn());
      if (column.body.parentNode !== trip.group) trip.badge.before(column.body);
      const [index, cell] = [chunks[2 * at], chunks[2 * at + 1]];
      const [move, x] = [all[index], (at - (shown - 1) / 2) * pitch];
      const [width, height] = sizes.slice((2 * at) % sizes.length);
      fitColumn(page, story, column, move, cell || move.cell, [x, 0, width, height]);
    }
    for (const { body } of trip.columns.splice(shown)) body.remove();
    const { start, end } = trip.columns[0];
    fitBadge(trip, story.measures.badge, all[chunks[0]].adds);
    trip.line = way ? story.curves[way] : [...start.slice(0, 2), ...end.slice(0, 2)];
    trip.span = [...spans[chunks[0]]];
    const [x, , width] = trip.columns[shown - 1].beside;
    trip.corner = [x + width / 2, -Math.max(...trip.columns.map(({ beside }) => beside[3])) / 2];
  });
  for (const { group } of trips.splice(parcels.length)) group.remove();
}

/** @returns {Trip} */
function newTrip() {
  const group = svg(null, "g");
  const badge = svg(group, "g", { class: "badge" });
  const [circle, sign] = [svg(badge, "circle"), svg(badge, "path")];
  return { group, columns: [], badge, signed: true, circle, sign, corner: [0, 0], line: [], span: [0, 1] };
}

/** @returns {Column} */
function newColumn() {
  const body = svg(null, "g");
  const backdrop = svg(body, "rect", { class: "backdrop" });
  const content = svg(body, "g");
  const outline = svg(body, "rect", { class: "outline" });
  return { body, backdrop, content, outline, start: [], beside: [], end: [], transform: "" };
}

/**
 * A chunk of a parcel, in the middle of its group, to be moved and stretched.
 * @param {Page} page
 * @param {Story} story
 * @param {Column} column
 * @param {Move} move
 * @param {number} cell
 * @param {number[]} beside
 */
function fitColumn(page, story, column, move, cell, beside) {
  const { body, backdrop, content, outline } = column;
  const [, , width, height] = beside;
  const box = { x: -width / 2, y: -height / 2, width, height };
  setAll(body, { class: "move", ...named(move) });
  setAll(backdrop, box);
  const [, bars] = placeOfSlot(story, move.src, move.chunk);
  drawContent(page, story, content, cell, bars, [box.x, box.y], [width, height]);
  setAll(outline, box);
  column.start = centerOfSlot(story, move.src, move.chunk);
  column.end = centerOfSlot(story, move.dst, move.into);
  column.beside = beside;
}

/**
 * @param {Trip} trip
 * @param {number} radius
 * @param {number} adds
 */
function fitBadge({ circle, sign }, radius, adds) {
  const [long, off] = [0.58 * radius, 0.26 * radius];
  const plus = `M${-long} 0H${long}M0 ${-long}V${long}`;
  const equals = `M${-long} ${-off}H${long}M${-long} ${off}H${long}`;
  setAll(circle, { r: radius });
  setAll(sign, { d: adds ? plus : equals, "stroke-width": 0.26 * radius });
}

/**
 * @param {{ out: number, into: number }} phases
 */
function flightState({ out, into }) {
  return into ? "landing" : out > 0.5 ? "flying" : "leaving";
}

/**
 * How far the first half of a part of a way is, and how far the second.
 * @param {number} part
 */
function halves(part) {
  return [2 * part, 2 * part - 1].map((way) => Math.min(Math.max(way, 0), 1)).map((way) => way ** 2 * (3 - 2 * way));
}

/**
 * Moves parcels, all at once: out of their cells, along their ways, into their new cells, and rest.
 * What adds loses its backdrop as it lands, so that it is seen together with what is there.
 * @param {Story} story
 * @param {Trip[]} trips
 * @param {number} time
 */
export function travelTrips(story, trips, time, slow = false) {
  const fixed = (/** @type {number[]} */ points) => points.map((at) => at.toFixed(2)).join(" ");
  for (const [i, { group, columns, badge, signed, corner, line, span }] of trips.entries()) {
    const [begin, end] = !slow ? span : i ? [ALONE, 1] : [0, ALONE];
    const own = Math.min(Math.max((time - begin) / Math.max(end - begin, 1e-3), 0), 1);
    const { leaves, lands, gone, out, into } = phasesOf(story.motion, own);
    const [rise, land] = [leaves, lands].map(halves); // large in its cell only
    const [x, y] = along(line, gone);
    if (story.clock || slow) group.dataset.flight = flightState({ out, into });
    for (const column of columns) {
      const { body, start, beside, end } = column;
      const [left, top, wide, high] = beside.map((size, i) => {
        const place = size + [x, y, 0, 0][i];
        const risen = start[i] + rise[Number(i === 1)] * (place - start[i]);
        return risen + land[Number(i !== 1)] * (end[i] - risen);
      });
      const scale = [wide / beside[2], high / beside[3]];
      const transform = `translate(${fixed([left, top])})scale(${fixed(scale)})`;
      if (transform !== column.transform) body.setAttribute("transform", transform);
      column.transform = transform;
    }
    if (signed) set(badge, "transform", `translate(${fixed([x + corner[0], y + corner[1]])})`);
  }
}
