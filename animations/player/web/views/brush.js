// Paints stripes and their numbers on a canvas, in the colors of the theme.

import { textPlace } from "../core/marks.js";
import { hatchWidth } from "./content.js";

/** @typedef {import("../core/marks.js").Mark} Mark */

/**
 * Brush for a canvas that covers the stage of a story; `fit` comes before it paints.
 * @param {Page} page
 * @param {Story} story
 */
export function createBrush(page, story) {
  const { canvas } = page;
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const { stage: [left, top, width, height], measures: { plain } } = story;
  let at = new DOMMatrix(); // from units of the stage to pixels
  let [well, letters, family] = ["", "", ""];
  /** @type {string[]} */
  let hues = [];
  /** @type {(string | CanvasPattern)[][]} */
  let [fills, faded] = [[], []];

  /** Takes the colors of the theme; returns whether they are others than before. */
  const mix = () => {
    const before = `${well} ${hues}`;
    const style = getComputedStyle(canvas);
    const color = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    [well, letters, family] = [color("--well"), color("--now-ink"), style.fontFamily];
    const fade = parseFloat(color("--fade")) / 100;
    hues = story.bars[0].slice(5).map((_, rank) => color(`--rank-${rank}`));
    fills = hues.map((hue, rank) => (rank < plain ? hue : hatched(hue)));
    faded = hues.map((hue, rank) => (rank < plain ? mixed(hue, well, fade) : fills[rank]));
    return before !== `${well} ${hues}`;
  };

  const hatched = (/** @type {string} */ hue) => {
    const side = Math.max(2, Math.round(hatchWidth(story) * at.a));
    const tile = document.createElement("canvas");
    [tile.width, tile.height] = [side, side];
    const paint = /** @type {CanvasRenderingContext2D} */ (tile.getContext("2d"));
    paint.fillStyle = hue;
    paint.fillRect(0, 0, side, side);
    paint.globalAlpha = 0.5;
    paint.fillStyle = well;
    paint.fillRect(0, 0, 0.3 * side, side);
    const pattern = /** @type {CanvasPattern} */ (ink.createPattern(tile, "repeat"));
    pattern.setTransform(new DOMMatrix().rotate(35).scale(hatchWidth(story) / side));
    return pattern;
  };

  /** Fits the canvas to the pixels it covers and to the theme; returns whether that changed. */
  const fit = () => {
    const ratio = globalThis.devicePixelRatio;
    const box = canvas.getBoundingClientRect();
    const sides = [box.left, box.top, box.right, box.bottom].map((side) => Math.round(ratio * side));
    const [wide, high] = [Math.max(1, sides[2] - sides[0]), Math.max(1, sides[3] - sides[1])];
    if (canvas.width === wide && canvas.height === high) return mix();
    [canvas.width, canvas.height] = [wide, high]; // which clears it
    at = new DOMMatrix().scale(wide / width, high / height).translate(-left, -top);
    ink.setTransform(at);
    mix();
    return true;
  };

  /** The whole pixels that a box of the stage touches. */
  const pixels = (/** @type {Box} */ [x, y, wide, high]) => {
    const [left, top] = [Math.floor(at.a * x + at.e), Math.floor(at.d * y + at.f)];
    const [right, low] = [Math.ceil(at.a * (x + wide) + at.e), Math.ceil(at.d * (y + high) + at.f)];
    return /** @type {Box} */ ([left, top, right - left, low - top]);
  };

  /** Clears the pixels of a box and paints them anew by `act`, which changes no others. */
  const renew = (/** @type {Box} */ box, /** @type {() => void} */ act) => {
    ink.save();
    ink.resetTransform();
    ink.beginPath();
    ink.rect(...pixels(box));
    ink.clip();
    ink.clearRect(...pixels(box));
    ink.setTransform(at);
    act();
    ink.restore();
  };

  /** Thin bars are in whole pixels, as pixels that are covered in part would hide them. */
  const box = (/** @type {Mark} */ { x, y, width: wide, height: high }) => {
    if (story.view !== "bars") return /** @type {Box} */ ([x, y, wide, high]);
    const [x0, x1] = [x, x + wide].map((x) => Math.round(at.a * x + at.e));
    const [y0, y1] = [y, y + high].map((y) => Math.round(at.d * y + at.f));
    const sizes = [Math.max(1, x1 - x0) / at.a, Math.max(1, y1 - y0) / at.d];
    return /** @type {Box} */ ([(x0 - at.e) / at.a, (y0 - at.f) / at.d, ...sizes]);
  };

  /** @param {Mark} mark */
  const paint = (mark) => {
    const { rank, faint, text, em } = mark;
    ink.fillStyle = (faint ? faded : fills)[rank];
    ink.fillRect(...box(mark));
    if (em && em >= page.least) write(text, em, textPlace(mark), rank < plain ? "" : hues[rank]);
  };

  /** @type {(text: string, em: number, at: Point, halo: string) => void} */
  const write = (text, em, at, halo) => {
    ink.font = `bold ${em}px ${family}`;
    ink.textAlign = "center";
    if (halo) {
      [ink.strokeStyle, ink.lineWidth] = [halo, 0.3 * em];
      ink.strokeText(text, ...at);
    }
    ink.fillStyle = letters;
    ink.fillText(text, ...at);
  };

  return { fit, pixels, renew, paint };
}

/**
 * A share of a color in another one, both such as #12ab34.
 * @param {string} one
 * @param {string} other
 * @param {number} share
 */
function mixed(one, other, share) {
  const [a, b] = [one, other].map((color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)));
  return `rgb(${a.map((part, i) => Math.round(share * part + (1 - share) * b[i]))})`;
}
