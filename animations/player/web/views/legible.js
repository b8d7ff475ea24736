// Letters of the stage are legible in narrow pages too: it is as wide as they need, in its own box.

import { marksOf } from "../core/marks.js";
import { boxOf } from "../core/places.js";
import { cellsWith } from "../core/selection.js";
import { followedMove } from "../core/story.js";
import { html, setAll, svg } from "./elements.js";
import { chipLetters } from "./scenery.js";

const [LEGIBLE_PIXELS, ALL_SEEN] = [9, 960]; // pixels of letters; of pages from which on all of the stage is seen
const [LENS_LETTERS, PLAIN_LETTERS, LEAST_LETTERS] = [22, 20, 15]; // letters of the lens, of gauges, of numbers on a lens

/** @type {Mount} */
export function mountLegible(page, store) {
  const { story } = store;
  const width = Math.ceil((story.stage[2] * LEGIBLE_PIXELS) / smallestLetters(story));
  page.whole.style.setProperty("--legible", `${width}px`);
  const overview = mountOverview(page, story);
  const scrolls = () => page.board.scrollWidth > page.board.clientWidth + 1;
  const update = () => page.least && scrolls() && showWhatMoves(page, store);
  return {
    slices: ["step", "selection"],
    update,
    repaint() {
      const narrow = page.sheet.clientWidth < ALL_SEEN;
      page.least = narrow ? (LEGIBLE_PIXELS * story.stage[2]) / page.whole.clientWidth : 0;
      if (narrow && scrolls()) page.board.tabIndex = 0;
      else page.board.removeAttribute("tabindex");
      overview.hidden = !narrow || !scrolls();
      update(), page.board.dispatchEvent(new Event("scroll"));
    },
  };
}

/**
 * The size of the smallest letters on a stage but for numbers of contributions, which are left out
 * where they are too small.
 * @param {Story} story
 */
function smallestLetters(story) {
  const { texts, words, chips, lens, gauges, table, bars } = story;
  const sizes = [...texts.map((text) => text[5]), ...words.map((word) => word[3])];
  for (const [[, , width, height], text] of chips) sizes.push(chipLetters(width, height, text) || PLAIN_LETTERS);
  const enlarged = lens ? marksOf(story, 1, bars[0], [0, 0], lens.slice(2)).filter(({ em }) => em) : [];
  if (lens) sizes.push(LENS_LETTERS, ...enlarged.map(({ em }) => em));
  if (gauges.length || table || !sizes.length) sizes.push(PLAIN_LETTERS);
  return Math.max(LEAST_LETTERS, Math.min(...sizes));
}

/**
 * The stage in small below its box, with a frame around what is in view; a press moves there.
 * @param {Page} page
 * @param {Story} story
 */
function mountOverview({ board, whole }, story) {
  const [left, top, wide, high] = story.stage;
  const strip = html(board, "div", "overview");
  strip.setAttribute("aria-hidden", "true"); // a reader of the screen has all of the stage
  const map = svg(strip, "svg", { viewBox: story.stage.join(" ") });
  for (const node of story.cards.keys()) {
    const [x, y, width, height] = boxOf(story, [node]);
    svg(map, "rect", { x, y, width, height, "data-rank": node < story.ranks ? node % 16 : "" });
  }
  const view = svg(map, "rect", { class: "view", y: top, height: high });
  board.addEventListener("scroll", () => {
    const scale = wide / Math.max(whole.clientWidth, 1);
    setAll(view, { x: left + scale * board.scrollLeft, width: scale * board.clientWidth });
  });
  strip.onpointerdown = strip.onpointermove = (event) => {
    if (!event.buttons) return;
    const box = map.getBoundingClientRect();
    board.scrollLeft = ((event.clientX - box.left) / box.width) * whole.clientWidth - board.clientWidth / 2;
  };
  return strip;
}

/**
 * Moves the stage in its box until the transfer that is spoken of, or what is selected, is in view.
 * @param {Page} page
 * @param {Store} store
 */
function showWhatMoves({ board, whole }, { story, state: { step, selection } }) {
  const move = followedMove(story, step);
  const ends = selection ? cellsWith(story, selection, step) : move ? [[move.src], [move.dst]] : [];
  const boxes = ends.map((at) => boxOf(story, at));
  if (!boxes.length || story.table) return;
  const scale = whole.clientWidth / story.stage[2];
  const at = (/** @type {number} */ x) => (x - story.stage[0]) * scale;
  const [left, right] = [Math.min(...boxes.map(([x]) => x)), Math.max(...boxes.map(([x, , wide]) => x + wide))].map(at);
  const inside = board.scrollLeft <= left && right <= board.scrollLeft + board.clientWidth;
  if (!inside) board.scrollLeft = (left + right - board.clientWidth) / 2;
}
