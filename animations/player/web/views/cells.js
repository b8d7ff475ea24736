// What the cells of the cards hold, painted on a canvas between the cards and what moves over them.

import { marksOf } from "../core/marks.js";
import { settledStep } from "../core/motion.js";
import { boxOf, boxOfWell, placeOfWell, shapeOf } from "../core/places.js";
import { createReplay } from "../core/replay.js";
import { createBrush } from "./brush.js";

const MOST_PAINTED = 0.5; // of the cells of a card that are painted one by one, not with the whole card

/** @type {Mount} */
export function mountCells(page, store) {
  const { story } = store;
  let [replay, replayed] = [createReplay(story), story];
  const brush = createBrush(page, story);
  const nodes = story.cards.flatMap((_, node) => shapeOf(story, node).cells.map(() => node));
  /** @type {import("../core/marks.js").Mark[][]} what was painted of each cell */
  const painted = nodes.map(() => []);
  /** @type {number[][]} cells that share pixels with a cell, that one too; made when first needed */
  let sharing = [];
  let fits = false; // else there is nothing to paint on yet

  const update = (/** @type {number} */ number) => {
    const [corner, bars] = placeOfWell(story, nodes[number], number - replay.first[nodes[number]]);
    painted[number] = marksOf(replayed, replay.held[number], bars, corner);
  };
  const boxAt = (/** @type {number} */ number) => {
    return boxOfWell(story, nodes[number], number - replay.first[nodes[number]]);
  };
  const paintCell = (/** @type {number} */ number) => painted[number].forEach(brush.paint);
  const cellsOf = (/** @type {number} */ node) => {
    return shapeOf(story, node).cells.map((_, well) => replay.first[node] + well);
  };
  const neighbors = (/** @type {number} */ number) => {
    const [left, top, wide, high] = brush.pixels(boxAt(number));
    return cellsOf(nodes[number]).filter((other) => {
      const [x, y, width, height] = brush.pixels(boxAt(other));
      return x < left + wide && left < x + width && y < top + high && top < y + height;
    });
  };

  const paintCard = (/** @type {number} */ node) => {
    brush.renew(boxOf(story, [node]), () => cellsOf(node).forEach(paintCell));
  };
  const paintCells = (/** @type {number[]} */ numbers) => {
    numbers.forEach(update);
    if (!fits) return;
    /** @type {Map<number, number[]>} */
    const cards = new Map();
    for (const number of numbers) {
      const node = nodes[number];
      const dirty = cards.get(node);
      if (dirty) dirty.push(number);
      else cards.set(node, [number]);
    }
    for (const [node, dirty] of cards) {
      if (dirty.length > MOST_PAINTED * shapeOf(story, node).cells.length) paintCard(node);
      else for (const number of dirty) {
        sharing[number] ??= neighbors(number);
        brush.renew(boxAt(number), () => sharing[number].forEach(paintCell));
      }
    }
  };
  const repaint = () => {
    if (!brush.fit()) return;
    [sharing, fits] = [[], true];
    for (const node of story.cards.keys()) paintCard(node);
  };

  page.canvas.hidden = false;
  return {
    slices: ["step", "landed", "theme", "setting"],
    update(changed) {
      if (replayed.frames !== store.story.frames) {
        [replay, replayed] = [createReplay(store.story, replay.held), store.story];
      }
      paintCells(replay.seek(settledStep(store.state)));
      if (changed.has("theme") && fits) repaint();
    },
    repaint,
    drawn: () =>
      painted.flatMap((marks, number) => {
        const node = nodes[number];
        return marks.map((mark) => ({ node, well: number - replay.first[node], ...mark }));
      }),
  };
}
