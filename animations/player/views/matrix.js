// The cells of many ranks as a matrix on a canvas, words beside its rows, how many are complete.

import { settledStep } from "../core/motion.js";
import { createReplay } from "../core/replay.js";
import { svg } from "./elements.js";

/** @type {Mount} */
export function mountMatrix(page, store) {
  const { story } = store;
  const table = /** @type {Table} */ (story.table);
  const replay = createReplay(story);
  const complete = buildTable(page, story, table);
  const paint = painter(page, story, table, replay);
  return {
    slices: ["step", "landed", "theme"],
    update(changed) {
      const step = settledStep(store.state);
      paint.cells(replay.seek(step));
      complete.textContent = `${table.complete[step]}`;
      if (changed.has("theme")) paint.all();
    },
    repaint: paint.all,
  };
}

/**
 * Paints cells in whole pixels of the canvas, which is fitted to its size first.
 * @param {Page} page
 * @param {Story} story
 * @param {Table} table
 * @param {ReturnType<typeof createReplay>} replay
 */
function painter({ canvas }, story, { box, size, columns }, replay) {
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  /** @type {string[]} */
  let colors = [];
  let [across, down] = [0, 0];
  const fit = () => {
    const ratio = globalThis.devicePixelRatio;
    canvas.width = Math.max(1, Math.round(ratio * canvas.clientWidth));
    canvas.height = Math.max(1, Math.round(ratio * canvas.clientHeight));
    [across, down] = [canvas.width / box[2], canvas.height / box[3]];
    const style = getComputedStyle(canvas);
    const names = ["--empty", ...story.legend[1].map((_, i) => `--shade-${i}`)];
    colors = names.map((name) => style.getPropertyValue(name));
  };
  const card = (/** @type {number} */ node) => {
    const [left, top] = story.cards[node];
    const row = Math.round((top - box[1]) / size[1]);
    const [upper, lower] = [row, row + 1].map((at) => Math.round(down * at * size[1]));
    return { left: left - box[0], upper, lower };
  };
  const paint = (/** @type {ReturnType<typeof card>} */ at, /** @type {number} */ well, /** @type {number} */ cell) => {
    const first = at.left + columns[well] * size[0];
    const [left, right] = [first, first + size[0]].map((place) => Math.round(across * place));
    const line = across * size[0] > 5 && down * size[1] > 5 ? 1 : 0;
    ink.fillStyle = colors[cell ? story.contents[cell][0] + 1 : 0];
    ink.fillRect(left, at.upper, right - left - line, at.lower - at.upper - line);
  };
  const cells = (/** @type {Iterable<number>} */ numbers) => {
    let [node, end, at] = [-1, 0, card(0)];
    for (const number of numbers) {
      while (number >= end) {
        node++;
        end = replay.first[node + 1] ?? Infinity;
        if (number < end) at = card(node);
      }
      paint(at, number - replay.first[node], replay.held[number]);
    }
  };
  const all = () => {
    fit();
    cells(replay.held.keys());
  };
  return { cells, all };
}

/**
 * Places the canvas and the words; returns the text with the number of complete cells.
 * @param {Page} page
 * @param {Story} story
 * @param {Table} table
 */
function buildTable(page, story, { box, axis, progress, promised }) {
  const [left, top, width, height] = story.stage;
  const { style } = page.canvas;
  page.canvas.hidden = false;
  [style.left, style.width] = [box[0] - left, box[2]].map((at) => `${(100 * at) / width}%`);
  [style.top, style.height] = [box[1] - top, box[3]].map((at) => `${(100 * at) / height}%`);
  for (const [text, x, y, size, anchor] of axis) {
    const place = { x, y, "font-size": size, "text-anchor": anchor };
    svg(page.cards, "text", { class: "axis", ...place }, text);
  }
  const [x, y] = progress;
  /** @type {(kind: string, down: number, text: string) => SVGElement} */
  const line = (kind, down, text) => svg(page.cards, "text", { class: kind, x, y: y + down }, text);
  const complete = line("complete", -40, "0");
  line("promised", 12, `of ${promised}`);
  line("axis large", 58, "promised cells");
  line("axis large", 94, "are complete");
  return complete;
}
