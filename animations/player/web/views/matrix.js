// The cells of many ranks as a matrix on a canvas, words beside its rows, how many are complete.

import { settledStep } from "../core/motion.js";
import { createReplay } from "../core/replay.js";
import { word } from "../core/say.js";
import { svg, write } from "./elements.js";

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
      write(complete, `${table.complete[step]}`);
      if (changed.has("theme")) paint.again();
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
  const shades = story.contents.map(([ink], cell) => (cell ? ink + 1 : 0));
  /** @type {Map<number, number[][]>} by the left edge of a card */
  const edgesOfCards = new Map();
  let image = new ImageData(1, 1);
  let pixels = new Uint32Array(1);
  let colors = new Uint32Array(1);
  let [across, down] = [0, 0]; // until it is fitted: there is nothing to paint on yet

  const fit = () => {
    const ratio = globalThis.devicePixelRatio;
    canvas.width = Math.max(1, Math.round(ratio * canvas.clientWidth));
    canvas.height = Math.max(1, Math.round(ratio * canvas.clientHeight));
    image = new ImageData(canvas.width, canvas.height);
    pixels = new Uint32Array(image.data.buffer);
    [across, down] = [canvas.width / box[2], canvas.height / box[3]];
    edgesOfCards.clear();
    const style = getComputedStyle(canvas);
    const names = ["--empty", ...story.legend[1].map((_, i) => `--shade-${i}`)];
    colors = Uint32Array.from(names, (name) => pixelOf(style.getPropertyValue(name)));
  };

  /** From which pixel to which each cell of a card goes. */
  const edgesOf = (/** @type {number} */ left) => {
    const gap = line();
    return columns.map((column) => {
      const first = left - box[0] + column * size[0];
      return [Math.round(across * first), Math.round(across * (first + size[0])) - gap];
    });
  };
  const line = () => (across * size[0] > 5 && down * size[1] > 5 ? 1 : 0);

  const paintRow = (/** @type {number} */ node, /** @type {number[]} */ wells) => {
    const [left, top] = story.cards[node];
    const row = Math.round((top - box[1]) / size[1]);
    const [upper, lower] = [row, row + 1].map((at) => Math.round(down * at * size[1]));
    const [start, wide] = [upper * image.width, image.width];
    const edges = edgesOfCards.get(left) ?? edgesOf(left);
    edgesOfCards.set(left, edges);
    const first = replay.first[node];
    for (const well of wells) {
      const [begin, end] = edges[well];
      const color = colors[shades[replay.held[first + well]]];
      for (let x = start + begin; x < start + end; x++) pixels[x] = color;
    }
    const [from, to] = [start + edges[wells[0]][0], start + edges[wells[wells.length - 1]][1]];
    for (let y = upper + 1; y < lower - line(); y++) {
      pixels.copyWithin(from + (y - upper) * wide, from, to);
    }
  };

  const cells = (/** @type {number[]} */ numbers) => {
    if (!across) return;
    let node = 0;
    for (let i = 0; i < numbers.length; node++) {
      const wells = [];
      const end = replay.first[node + 1] ?? Infinity;
      for (; numbers[i] < end; i++) wells.push(numbers[i] - replay.first[node]);
      if (wells.length) paintRow(node, wells);
    }
    if (numbers.length) ink.putImageData(image, 0, 0);
  };

  const all = () => {
    fit();
    cells([...replay.held.keys()]);
  };
  return { cells, all, again: () => across && all() };
}

/**
 * A color such as #12ab34 as the number of a pixel.
 * @param {string} color
 */
function pixelOf(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.trim().slice(at, at + 2), 16));
  return new Uint32Array(new Uint8Array([red, green, blue, 255]).buffer)[0];
}

/**
 * Places the canvas and the words; returns the text with the number of complete cells.
 * @param {Page} page
 * @param {Story} story
 * @param {Table} table
 */
function buildTable(page, story, { box, progress, promised }) {
  const [left, top, width, height] = story.stage;
  const { style } = page.canvas;
  page.canvas.hidden = false;
  [style.left, style.width] = [box[0] - left, box[2]].map((at) => `${(100 * at) / width}%`);
  [style.top, style.height] = [box[1] - top, box[3]].map((at) => `${(100 * at) / height}%`);
  const [x, y] = progress;
  /** @type {(kind: string, down: number, text: string) => SVGElement} */
  const line = (kind, down, text) => svg(page.cards, "text", { class: kind, x, y: y + down }, text);
  const complete = line("complete", -40, "0");
  line("promised", 12, word("matrix.of", { number: promised }));
  line("axis large", 58, word("matrix.promised"));
  line("axis large", 94, word("matrix.are_complete"));
  return complete;
}
