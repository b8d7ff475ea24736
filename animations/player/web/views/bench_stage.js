// The stage while somebody builds: what the cells hold, the step's transfers as arrows, the cursor.

import { along } from "../core/motion.js";
import { judged, stateOf, transfersAt } from "../core/judge.js";
import { centerOfSlot, placeOfSlot, placeOfWell } from "../core/places.js";
import { heldContent } from "../core/version_text.js";
import { drawContent } from "./content.js";
import { redraw, renewChildren, svg } from "./elements.js";
import { curve, head } from "./links.js";

const BEND = 0.14; // of an arrow, of its length, so that those of both ways lie apart
const [HEAD, BADGE_SIZE] = [15, 12]; // of an arrow
const [PLUS, EQUALS] = ["M-7 0H7M0-7V7", "M-7-3H7M-7 3H7"];
const EDGE = 0.3; // of a cell, at which arrows begin and end

/** @typedef {import("../core/machine.js").Version} Version */

/** @type {Mount} */
export function mountBenchStage(page, store) {
  const { story } = store;
  const slots = story.slots.length;
  /** @type {(Version | undefined)[]} */
  let shown = [];
  /** @type {SVGElement[]} */
  const cells = [];
  /** @type {Building | null} */
  let drawn = null;
  return {
    slices: ["building", "built"],
    update() {
      const { building, built } = store.state;
      page.sheet.classList.toggle("building", building);
      if (!building || !built) return;
      const state = stateOf(story, built);
      for (let cell = 0; cell < state.length; cell++) {
        if (cells[cell] && shown[cell] === state[cell]) continue;
        cells[cell] ??= svg(page.built, "g");
        drawVersion(page, story, cells[cell], [Math.floor(cell / slots), cell % slots], state[cell]);
      }
      shown = [...state];
      if (drawn?.steps !== built.steps || drawn.at !== built.at) drawArrows(page, story, built);
      drawn = built;
      drawAim(page, story, built);
    },
  };
}

/**
 * What a cell holds. Where data fills cells, that of several ranks shares one.
 * @param {Page} page
 * @param {Story} story
 * @param {Element} parent
 * @param {Place} at
 * @param {Version | undefined} version
 */
function drawVersion(page, story, parent, [node, slot], version) {
  if (!version) return parent.replaceChildren();
  const content = heldContent(story, slot, version);
  const number = story.contents.push(content) - 1;
  const [corner, bars] = placeOfWell(story, node, story.well[slot]);
  drawContent(page, story, parent, number, sharedBars(story, bars, content[0]), corner);
  story.contents.pop();
}

/**
 * Bars of which each has its share of the cell, where one alone would fill it.
 * @param {Story} story
 * @param {number[]} bars
 * @param {number[]} colors
 */
function sharedBars({ view }, bars, colors) {
  if (view === "stripes" || colors.length < 2) return bars;
  const [width, height, left, wide, , ...edges] = bars;
  const share = height / colors.length;
  colors.forEach((ink, i) => (edges[ink] = i * share));
  return [width, height, left, wide, share, ...edges];
}

/**
 * @param {Page} page
 * @param {Story} story
 * @param {Building} built
 */
function drawArrows(page, story, built) {
  const { step, wrong } = judged(story, built.steps);
  const slots = story.slots.length;
  const unmet = built.at === built.steps.length ? wrong : [];
  const transfers = transfersAt(story, built);
  const faulty = step === built.at + 1 ? "faulty" : "";
  const outline = (/** @type {Element | null} */ parent, /** @type {string} */ kind, /** @type {Place} */ place) => {
    const [[x, y], [width, height]] = placeOfSlot(story, ...place);
    return svg(parent, "rect", { class: kind, x, y, width, height, rx: story.rounding[0] });
  };
  renewChildren(page.arrows, [...unmet.map(String), ...transfers.map((each) => `${each} ${faulty}`)], (at) => {
    if (at < unmet.length) return outline(null, "unmet", [Math.floor(unmet[at] / slots), unmet[at] % slots]);
    const [number, [src, dst, chunk, into, adds]] = transfers[at - unmet.length];
    const line = lineOf(story, [src, chunk], [dst, into]);
    const group = svg(null, "g", { class: `arrow ${faulty}`, "data-number": number });
    outline(group, "target", [dst, into]);
    svg(group, "path", { class: "halo", d: curve(line) });
    svg(group, "path", { d: curve(line) });
    svg(group, "path", { class: "head", d: head(line, HEAD) });
    drawSign(group, along(line, 0.5), adds ? PLUS : EQUALS, BADGE_SIZE);
    return group;
  });
}

/**
 * A sign in a disc.
 * @param {Element} group
 * @param {number[]} middle
 * @param {string} d
 * @param {number} r
 */
export function drawSign(group, [x, y], d, r) {
  const sign = svg(group, "g", { class: "badge", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
  svg(sign, "circle", { r });
  svg(sign, "path", { d, "stroke-width": r / 4 });
}

/**
 * The cursor, and an outline of what is picked up.
 * @param {Page} page
 * @param {Story} story
 * @param {Building} built
 */
function drawAim(page, story, { cursor, picked }) {
  const frame = (/** @type {Place} */ at, /** @type {string} */ kind) => {
    const [[x, y], [width, height]] = placeOfSlot(story, ...at);
    return { name: "rect", attributes: { class: kind, x: x - 3, y: y - 3, width: width + 6, height: height + 6, rx: 5 } };
  };
  redraw(page.aim, [frame(cursor, "cursor"), ...(picked ? [frame(picked, "picked")] : [])]);
}

/**
 * The curve of an arrow from cell to cell.
 * @param {Story} story
 * @param {Place} from
 * @param {Place} to
 */
export function lineOf(story, from, to, bend = BEND) {
  const [x0, y0, w0, h0] = centerOfSlot(story, ...from);
  const [x1, y1, w1, h1] = centerOfSlot(story, ...to);
  const away = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [dx, dy] = [(x1 - x0) / away, (y1 - y0) / away];
  const [one, other] = [EDGE * Math.min(w0, h0), EDGE * Math.min(w1, h1)];
  return bent([x0 + one * dx, y0 + one * dy], [x1 - other * dx, y1 - other * dy], bend);
}

/**
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} bend
 */
function bent([x0, y0], [x1, y1], bend) {
  const middle = [(x0 + x1) / 2 + bend * (y1 - y0), (y0 + y1) / 2 - bend * (x1 - x0)];
  return [x0, y0, ...middle, x1, y1];
}

/**
 * @param {number[]} from
 * @param {number[]} to
 */
export function arrowPath(from, to) {
  return curve(bent(from, to, BEND));
}
