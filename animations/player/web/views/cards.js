// The cards of the ranks: frames, names, wells and what each has sent.

import { settledStep } from "../core/motion.js";
import { isNarrow, ringOf, shapeOf } from "../core/places.js";
import { word } from "../core/say.js";
import { svg, toned, write } from "./elements.js";

/** @type {Mount} */
export function mountCards(page, store) {
  const { story } = store;
  /** @type {SVGElement[]} */
  const sent = [];
  /** @type {string[]} */
  const wells = [];
  const cards = story.table ? [] : story.cards.map((_, node) => buildCard(page, story, node, wells));
  svg(page.cards, "path", { class: "well", d: wells.join("") }); // hundreds of elements would take time
  for (const [node, kind, text, x, y, size, tone, align] of story.texts) {
    const place = { class: `${kind} ${align}`, "data-node": node, x, y, "font-size": size };
    const onTop = { name: page.names, zero: page.cards }[kind]; // of cards and wells
    const parent = onTop ?? cards[node] ?? page.cards;
    const element = toned(svg(parent, "text", place, text), tone);
    if (kind === "sent") sent[node] = element;
  }
  return {
    slices: ["step", "landed", "setting"],
    update() {
      const { story } = store;
      const step = settledStep(store.state);
      const amounts = step ? story.frames[step - 1][3] : [];
      sent.forEach((text, node) => {
        write(text, word("controls.sent", { amount: story.amounts[amounts[node] ?? 0] }));
      });
    },
  };
}

/**
 * The card of a node, without its wells.
 * @param {Page} page
 * @param {Story} story
 * @param {number} node
 * @param {string[]} wells outlines of those of all cards, to which its own are added
 */
function buildCard(page, story, node, wells) {
  const [x, y, , tone] = story.cards[node];
  const { parts, radius, groups, cells } = shapeOf(story, node);
  const card = svg(page.cards, "g", { class: "card", "data-node": node });
  for (const [left, top, width, height] of parts) {
    const part = { x: x + left, y: y + top, width, height, rx: radius };
    toned(svg(card, "rect", { class: "frame", ...part }), tone);
  }
  const outlines = story.bars.map((bars) => rounded(bars, story.rounding[0]));
  const paths = isNarrow(story)
    ? groups.map(([left, top, width, height]) => ringOf([x + left, y + top, width, height]))
    : cells.map(([left, top, size]) => `M${x + left} ${y + top}${outlines[size]}`);
  wells.push(...paths);
  return card;
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
