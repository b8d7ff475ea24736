// What a cell shows: a stripe for each rank, and its number where that fits.

/**
 * A stripe of a rank, and the text on it with its size; no text: 0.
 * @typedef {{rank: number, faint: boolean, x: number, y: number, width: number, height: number,
 *   text: string, em: number}} Mark
 */

const [BAR_SHARE, THINNEST] = [0.84, 3]; // a bar: its share of the pitch; so high that it is seen

/**
 * The marks of a cell like one of `bars` in any size, each bar at its own height.
 * @param {Story} story
 * @param {number} cell
 * @param {number[]} bars
 * @param {number[]} corner
 * @param {number[]} size
 * @returns {Mark[]}
 */
export function marksOf(story, cell, bars, [left, top], size = bars) {
  if (!cell) return [];
  const [full, faint, ...labels] = story.contents[cell];
  const [wide, high] = [size[0] / bars[0], size[1] / bars[1]];
  const [x, width, height] = [left + wide * bars[2], wide * bars[3], heightOf(bars, high)];
  return [...full, ...faint].map((rank, i) => {
    const y = top + high * (bars[5 + rank] + bars[4] / 2) - height / 2;
    const [text, em] = story.shows_ranks ? fitted(labels[i] || `${rank}`, width, height) : ["", 0];
    return { rank, faint: i >= full.length, x, y, width, height, text, em };
  });
}

/**
 * Where the text of a mark stands: its middle and its baseline.
 * @param {Mark} mark
 * @returns {Point}
 */
export function textPlace({ x, y, width, height, em }) {
  return [x + width / 2, y + height / 2 + 0.36 * em];
}

/**
 * What is written on a stripe and its size: a label too long is cut to what follows its arrow.
 * @param {string} label
 * @param {number} width
 * @param {number} height
 * @returns {[string, number]}
 */
function fitted(label, width, height) {
  for (const text of new Set([label, label.split("→").at(-1) ?? ""])) {
    const em = Math.min(label === text && label.length < 3 ? 22 : 32, 1.1 * height);
    const room = width / (text.length < 2 ? 1.4 : 0.86 * text.length);
    if (Math.min(em, room) >= (text.length > 2 ? 13 : 11)) return [text, Math.min(em, room)];
  }
  return ["", 0];
}

/**
 * The height of a bar in a cell that is `high` times as high: bars that are so thin that they
 * overlap no longer do in a larger cell.
 * @param {number[]} bars
 * @param {number} high
 */
function heightOf(bars, high) {
  const pitch = bars[6] - bars[5];
  if (!(pitch > 0 && bars[4] > pitch)) return high * bars[4]; // one bar, or each over the whole cell
  return Math.max(high * BAR_SHARE * pitch, Math.min(high * bars[4], THINNEST));
}
