// The selection on the stage: outlines of its cells, cards and links; what is not in it is dim.

import { linkOf } from "../core/hit.js";
import { settledStep } from "../core/motion.js";
import { boxOf, placeOfSlot, ringOf, shapeOf } from "../core/places.js";
import { cellsWith, movesWith, textOf } from "../core/selection.js";
import { keyOf, movesOf } from "../core/story.js";
import { curve } from "./links.js";
import { svg } from "./elements.js";

/** @type {Mount} */
export function mountChosen(page, store) {
  const { story } = store;
  return {
    slices: ["selection", "step", "landed"],
    update(changed) {
      const { selection, step } = store.state;
      if (!selection && !changed.has("selection")) return;
      page.sheet.dataset.selected = textOf(selection);
      page.chosen.replaceChildren();
      if (selection) drawMarks(page, story, selection, settledStep(store.state), step);
      dimParcels(page, story, selection, step);
    },
  };
}

/**
 * @param {Page} page
 * @param {Story} story
 * @param {Thing} thing
 * @param {number} settled
 * @param {number} step
 */
function drawMarks(page, story, thing, settled, step) {
  const path = (/** @type {string} */ name, /** @type {string[]} */ parts) => {
    if (parts.length) svg(page.chosen, "path", { class: name, d: parts.join("") });
  };
  const cells = cellsWith(story, thing, settled);
  const boxes = cells.map((at) => ringOf(boxOf(story, at)));
  if (thing.kind === "chunk") path("dim", [...story.cards.keys()].map((node) => wellsBox(story, node)).concat(boxes));
  const links = linksWith(story, thing, step);
  path("marked link", links);
  if (thing.kind === "rank") boxes.push(ringOf(boxOf(story, thing.at)));
  if (thing.kind === "cell" && story.table) path("cross", crossOf(story, thing.at));
  path("halo", boxes);
  for (const d of boxes) svg(page.chosen, "path", { class: "selected", d });
}

/**
 * The lines of the stage that a thing uses: those of a rank, of a link, of a step's transfers.
 * @param {Story} story
 * @param {Thing} thing
 * @param {number} step
 */
function linksWith(story, thing, step) {
  const { kind, at } = thing;
  if (kind === "cell" || kind === "counter") return [];
  const moves = movesOf(story, step);
  const used = kind === "rank" || kind === "link" ? [] : movesWith(story, thing, step).map((i) => moves[i]);
  const pairs = new Set(used.map(({ src, dst }) => [Math.min(src, dst), Math.max(src, dst)].join(" ")));
  if (kind === "link") pairs.add([Math.min(at[0], at[1]), Math.max(at[0], at[1])].join(" "));
  return story.lines.filter((line) => {
    const link = line[7] && !line[1].includes(step) ? null : linkOf(story, line);
    return link && (pairs.has(link.join(" ")) || (kind === "rank" && link.includes(at[0])));
  }).map(([number]) => curve(story.curves[number]));
}

/**
 * Parcels that do not belong to the selection are dim.
 * @param {Page} page
 * @param {Story} story
 * @param {Thing | null} thing
 * @param {number} step
 */
function dimParcels(page, story, thing, step) {
  const moves = movesOf(story, step);
  const own = thing && new Set(movesWith(story, thing, step).map((i) => keyOf(moves[i])));
  for (const body of page.moves.querySelectorAll(/** @type {"g"} */ (".trip .move"))) {
    const other = own && thing.kind !== "counter" && !own.has(keyOf(body.dataset));
    body.classList.toggle("other", !!other);
  }
}

/**
 * The part of a card in which its cells are.
 * @param {Story} story
 * @param {number} node
 */
function wellsBox(story, node) {
  const [x, y] = story.cards[node];
  const { cells } = shapeOf(story, node);
  const left = Math.min(...cells.map((cell) => cell[0]));
  const top = Math.min(...cells.map((cell) => cell[1]));
  const right = Math.max(...cells.map((cell) => cell[0] + story.bars[cell[2]][0]));
  const low = Math.max(...cells.map((cell) => cell[1] + story.bars[cell[2]][1]));
  return `M${x + left} ${y + top}H${x + right}V${y + low}H${x + left}z`;
}

/**
 * The row and the column of a cell of a matrix.
 * @param {Story} story
 * @param {number[]} at
 */
function crossOf(story, [node, slot]) {
  const [[x], [width]] = placeOfSlot(story, node, slot);
  const [, top, , height] = /** @type {Table} */ (story.table).box;
  return [ringOf(boxOf(story, [node])), `M${x} ${top}h${width}v${height}h${-width}z`];
}
