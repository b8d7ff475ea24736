// Marks of cells: a bar below those that are promised, a veil over those that matter no more.

import { settledStep } from "../core/motion.js";
import { boxOfWell, ringOf } from "../core/places.js";

/** @type {Mount} */
export function mountMarks(page, store) {
  const { story } = store;
  /** @type {(node: number, well: number) => string} */
  const goal = (node, well) => {
    const [x, y, width, height] = boxOfWell(story, node, well);
    return `M${x + 0.1 * width} ${y + height + 1.5}h${0.8 * width}v3h${-0.8 * width}z`;
  };
  /** @type {(node: number, well: number) => string} */
  const veil = (node, well) => ringOf(boxOfWell(story, node, well));
  const stale = new Set();
  let state = -1; // after which these are stale
  page.goals.setAttribute("d", inPairs(story.goals, goal).join(""));
  return {
    slices: ["step", "landed"],
    update() {
      const [before, now] = [state, settledStep(store.state)];
      state = now;
      const turned = story.stale.slice(Math.min(before, now) + 1, Math.max(before, now) + 1).flat();
      for (const shape of inPairs(turned, veil)) if (!stale.delete(shape)) stale.add(shape);
      if (turned.length || before < 0) page.stale.setAttribute("d", [...stale].join(""));
    },
  };
}

/**
 * @param {number[]} numbers
 * @param {(node: number, well: number) => string} shape
 */
function inPairs(numbers, shape) {
  const half = { length: numbers.length / 2 };
  return Array.from(half, (_, i) => shape(numbers[2 * i], numbers[2 * i + 1]));
}
