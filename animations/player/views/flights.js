// Chunks on their way from cell to cell, and outlines of the cells that a step reads and writes.

import { along, phasesOf } from "../core/motion.js";
import { outlines } from "../core/outlines.js";
import { centerOfSlot, isNarrow, placeOfSlot } from "../core/places.js";
import { movesOf } from "../core/story.js";
import { drawContent } from "./content.js";
import { svg } from "./elements.js";

const BADGE = 13; // radius of + and =, at most
const MOST_MARKED = 300; // moves of a step that are outlined each by itself

/**
 * A chunk of a parcel: at the start and at the end like a cell, between them beside the others.
 * @typedef {{body: SVGElement, start: number[], beside: number[], end: number[], move: Move}} Column
 * @typedef {{group: SVGElement, columns: Column[], badge: SVGElement, corner: Point, line: number[]}} Trip
 */

/** @type {Mount} */
export function mountFlights(page, store) {
  const { story } = store;
  /** @type {Trip[]} */
  let trips = [];
  return {
    slices: ["step", "part"],
    update(changed) {
      const { step, part } = store.state;
      const flies = part < 1;
      if (changed.has("step") || changed.has("landed")) {
        const all = movesOf(story, step);
        const marks = !flies && !story.table && !isNarrow(story) && all.length <= MOST_MARKED;
        const read = flies ? all.filter(({ src, dst }) => src !== dst) : [];
        const written = marks ? [] : all;
        page.read.setAttribute("d", outlines(story, read.map(({ src, chunk }) => [src, chunk])));
        page.changed.setAttribute("d", outlines(story, written.map(({ dst, into }) => [dst, into])));
        trips = flies ? prepare(page, story, step, all) : [];
        const landed = marks ? all.map((move) => drawLanded(story, move)) : [];
        page.moves.replaceChildren(...trips.map(({ group }) => group).reverse(), ...landed);
        page.moves.append(...page.moves.querySelectorAll(".example")); // over all others
      }
      if (flies) travel(page, story, trips, part);
    },
  };
}

/**
 * An outline around the cell that a move has reached.
 * @param {Story} story
 * @param {Move} move
 */
function drawLanded(story, move) {
  const [[x, y], [width, height]] = placeOfSlot(story, move.dst, move.into);
  const rx = story.rounding[0];
  return svg(null, "rect", { class: "move written", ...named(move), x, y, width, height, rx });
}

/** @param {Move} move */
function named({ src, dst, chunk, into, adds }) {
  const cells = { "data-src": src, "data-dst": dst, "data-chunk": chunk, "data-into": into };
  return { ...cells, "data-verb": adds ? "+" : "=" };
}

/**
 * The trips of a step: parcels on their way, each with its chunks side by side.
 * @param {Page} page
 * @param {Story} story
 * @param {number} step
 * @param {Move[]} all
 * @returns {Trip[]}
 */
function prepare(page, story, step, all) {
  const [, , , , numbers, columnNumbers, , , , hero] = story.frames[step - 1];
  const trips = [];
  let taken = 0;
  for (let i = 0; i < numbers.length; i += 3) {
    const [way, size, parcel] = numbers.slice(i, i + 3);
    const [shown, pitch, height] = story.parcels[size];
    const group = svg(null, "g", { class: parcel === hero ? "trip example" : "trip" });
    const columns = Array.from({ length: shown }, (_, at) => {
      const [index, cell] = columnNumbers.slice(taken, (taken += 2));
      const [move, x] = [all[index], (at - (shown - 1) / 2) * pitch];
      const start = centerOfSlot(story, move.src, move.chunk);
      const end = centerOfSlot(story, move.dst, move.into);
      const beside = [x, 0, 0.94 * pitch, height];
      const body = drawChunk(page, story, group, move, cell || move.cell, beside);
      return { body, start, beside, end, move };
    });
    const [{ move, start, end }] = columns;
    const badge = drawBadge(group, Math.min(BADGE, 0.36 * story.parcel[0]), move.adds);
    const line = way ? story.curves[way] : [...start.slice(0, 2), ...end.slice(0, 2)];
    /** @type {Point} */
    const corner = [(0.5 * shown - 0.03) * pitch, -height / 2];
    trips.push({ group, columns, badge, corner, line });
  }
  return trips;
}

/**
 * A chunk of a parcel, in the middle of its group, to be moved and stretched.
 * @param {Page} page
 * @param {Story} story
 * @param {SVGElement} group
 * @param {Move} move
 * @param {number} cell
 * @param {number[]} beside
 */
function drawChunk(page, story, group, move, cell, [, , width, height]) {
  const body = svg(group, "g", { class: "move", ...named(move) });
  const [x, y] = [-width / 2, -height / 2];
  svg(body, "rect", { class: "backdrop", x, y, width, height });
  const [, bars] = placeOfSlot(story, move.src, move.chunk);
  drawContent(page, story, body, cell, bars, [x, y], [width, height]);
  svg(body, "rect", { class: "outline", x, y, width, height });
  return body;
}

/**
 * @param {SVGElement} group
 * @param {number} radius
 * @param {number} adds
 */
function drawBadge(group, radius, adds) {
  const badge = svg(group, "g", { class: "badge" });
  const [long, off] = [0.58 * radius, 0.26 * radius];
  const plus = `M${-long} 0H${long}M0 ${-long}V${long}`;
  const equals = `M${-long} ${-off}H${long}M${-long} ${off}H${long}`;
  svg(badge, "circle", { r: radius });
  svg(badge, "path", { d: adds ? plus : equals, "stroke-width": 0.26 * radius });
  return badge;
}

/**
 * Moves parcels, all at once: out of their cells, along their ways, into their new cells, and rest.
 * What adds loses its backdrop as it lands, so that it is seen together with what is there.
 * @param {Page} page
 * @param {Story} story
 * @param {Trip[]} trips
 * @param {number} time
 */
function travel(page, story, trips, time) {
  const { out, gone, into } = phasesOf(story.motion, time);
  const state = into ? "landing" : out > 0.5 ? "flying" : "leaving";
  page.moves.setAttribute("class", state);
  const fixed = (/** @type {number[]} */ places) => places.map((at) => at.toFixed(2)).join(" ");
  for (const { columns, badge, corner, line } of trips) {
    const [x, y] = along(line, gone);
    for (const { body, start, beside, end } of columns) {
      const [left, top, wide, high] = beside.map((size, i) => {
        const place = size + [x, y, 0, 0][i];
        const risen = start[i] + out * (place - start[i]);
        return risen + into * (end[i] - risen);
      });
      const scale = [wide / beside[2], high / beside[3]];
      body.setAttribute("transform", `translate(${fixed([left, top])})scale(${fixed(scale)})`);
    }
    badge.setAttribute("transform", `translate(${fixed([x + corner[0], y + corner[1]])})`);
  }
}
