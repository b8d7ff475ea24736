// The cards of the ranks: frames, names, wells and what each has sent.

import { settledStep } from "../core/motion.js";
import { isNarrow, shapeOf } from "../core/places.js";
import { svg, toned, write } from "./elements.js";

const BOLD = 0.7; // width of a bold letter
const LEAST_NAME = 18; // letters of the name of a card; a smaller one is cut to its number
const SMALLEST_NAME = 15; // of that number; smaller ones are left out

/** @type {Mount} */
export function mountCards(page, store) {
  const { story } = store;
  /** @type {SVGElement[]} */
  const sent = [];
  /** @type {string[]} */
  const wells = [];
  if (!story.table) {
    story.cards.forEach((_, node) => {
      const text = buildCard(page, story, node, wells);
      if (text) sent[node] = text;
    });
    svg(page.cards, "path", { class: "well", d: wells.join("") }); // hundreds of elements would take time
  }
  return {
    slices: ["step", "landed"],
    update() {
      const step = settledStep(store.state);
      const amounts = step ? story.frames[step - 1][3] : [];
      sent.forEach((text, node) => {
        write(text, `sent ${story.amounts[amounts[node] ?? 0]}`);
      });
    },
  };
}

/**
 * The card of a node; returns the text that says what it sent, if it has one.
 * @param {Page} page
 * @param {Story} story
 * @param {number} node
 * @param {string[]} wells outlines of those of all cards, to which its own are added
 */
function buildCard(page, story, node, wells) {
  const [x, y, , tone] = story.cards[node];
  const shape = shapeOf(story, node);
  const [width, height] = shape.size;
  const card = svg(page.cards, "g", { class: "card", "data-node": node });
  const whole = [[0, 0, width, height]];
  for (const [left, top, wide, high] of shape.parts.length ? shape.parts : whole) {
    const part = { x: x + left, y: y + top, width: wide, height: high, rx: shape.radius };
    toned(svg(card, "rect", { class: "frame", ...part }), tone);
  }
  buildName(page, story, node);
  const size = Math.min(19, Math.max(17, width / 15));
  const right = { x: x + width - 12, y: y + 0.78 * shape.header + 1, "font-size": size };
  const sent = shape.sent ? svg(card, "text", { class: "sent", ...right }) : null;
  const narrow = isNarrow(story);
  const outlines = story.bars.map((bars) => rounded(bars, story.rounding[0]));
  for (const [left, top, wide, high] of narrow ? shape.groups : []) {
    wells.push(`M${x + left} ${y + top}h${wide}v${high}h${-wide}z`);
  }
  shape.cells.forEach(([left, top, size], well) => {
    const [wide, high] = story.bars[size];
    const cell = { x: x + left, y: y + top };
    if (!narrow) wells.push(`M${cell.x} ${cell.y}${outlines[size]}`);
    const slot = story.well.indexOf(well);
    const under = { x: cell.x + wide / 2, y: y + shape.labels[well], "font-size": shape.letters };
    if (shape.labels.length) svg(card, "text", { class: "label", ...under }, story.labels[slot]);
  });
  return sent;
}

/**
 * The outline of a rectangle from the upper left corner's right end on.
 * @param {number[]} size
 * @param {number} radius
 */
function rounded([width, height], radius) {
  const [rx, ry] = [Math.min(radius, width / 2), Math.min(radius, height / 2)];
  const [across, down] = [width - 2 * rx, height - 2 * ry];
  const turn = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${rx} ${ry} 0 0 1 ${dx} ${dy}`;
  const right = `m${rx} 0h${across}${turn(rx, ry)}v${down}${turn(-rx, ry)}`;
  return `${right}h${-across}${turn(-rx, -ry)}v${-down}${turn(rx, -ry)}z`;
}

/**
 * The name of a card, or its number where that has no room, above all that moves.
 * @param {Page} page
 * @param {Story} story
 * @param {number} node
 */
function buildName(page, story, node) {
  const [x, y, , , tone] = story.cards[node];
  const { size: [width], header, sent, at } = shapeOf(story, node);
  const edge = Math.min(16, (at === "center" ? 0.12 : 0.2) * width);
  const room = sent ? 0.42 * width : width - edge;
  const largest = Math.min(26, 0.82 * header);
  const fit = (/** @type {string} */ name) => Math.min(largest, room / (BOLD * name.length));
  const whole = story.names[node];
  const name = fit(whole) < LEAST_NAME ? whole.split(" ").at(-1) ?? "" : whole;
  if (Math.min(fit(name), header) < SMALLEST_NAME) return;
  const side = fit(name) === largest || sent ? 12 : Math.min(8, 0.1 * width);
  const left = { left: side, center: width / 2, right: width - side }[at];
  const base = { x: x + left, y: y + 0.78 * header + 2, "font-size": fit(name) };
  toned(svg(page.names, "text", { class: `name ${at}`, "data-node": node, ...base }, name), tone);
}
