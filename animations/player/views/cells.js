// What the cells of the cards hold, painted on a canvas between the cards and what moves over them.

import { marksOf } from "../core/marks.js";
import { settledStep } from "../core/motion.js";
import { placeOfWell, shapeOf } from "../core/places.js";
import { createReplay } from "../core/replay.js";
import { createBrush } from "./brush.js";

/** @type {Mount} */
export function mountCells(page, store) {
  const { story } = store;
  const replay = createReplay(story);
  const brush = createBrush(page.canvas, story);
  const nodes = story.cards.flatMap((_, node) => shapeOf(story, node).cells.map(() => node));
  /** @type {import("../core/marks.js").Mark[][]} what was painted of each cell */
  const painted = nodes.map(() => []);

  const paintCard = (/** @type {number} */ node) => {
    const [left, top] = story.cards[node];
    const { size, cells } = shapeOf(story, node);
    brush.erase([left, top, ...size]);
    cells.forEach((_, well) => {
      const number = replay.first[node] + well;
      const [corner, bars] = placeOfWell(story, node, well);
      painted[number] = marksOf(story, replay.held[number], bars, corner);
      painted[number].forEach(brush.paint);
    });
  };
  const paintAll = () => story.cards.forEach((_, node) => paintCard(node));
  const repaint = () => {
    if (brush.fit()) paintAll();
  };

  page.canvas.hidden = false;
  return {
    slices: ["step", "landed", "theme"],
    update(changed) {
      const dirty = replay.seek(settledStep(store.state));
      new Set(dirty.map((number) => nodes[number])).forEach(paintCard);
      if (changed.has("theme")) repaint();
    },
    repaint,
    drawn: () =>
      painted.flatMap((marks, number) => {
        const node = nodes[number];
        return marks.map((mark) => ({ node, well: number - replay.first[node], ...mark }));
      }),
  };
}
