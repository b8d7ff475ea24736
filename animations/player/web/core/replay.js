// What every cell holds after any number of steps, and which cells differ from those before.

const EVERY = 32; // steps from one key frame to the next

/**
 * The cells of a story; a cell has the number `first[node] + well`.
 * @param {Story} story
 * @param {Uint16Array} before what the cells held last, where another story has been shown
 */
export function createReplay(story, before = new Uint16Array()) {
  /** @type {number[]} */
  const first = [];
  let total = 0;
  for (const [, , shape] of story.cards) {
    first.push(total);
    total += story.shapes[shape].cells.length;
  }

  /** @type {(cells: Uint16Array, changes: Numbers) => void} */
  const put = (cells, changes) => {
    for (let i = 0; i < changes.length; i += 3) {
      cells[first[changes[i]] + changes[i + 1]] = changes[i + 2];
    }
  };

  const start = new Uint16Array(total);
  put(start, story.start);
  const keys = [start]; // made as they are first needed

  /** What the cells hold after a step, as indices of `contents`. */
  const at = (/** @type {number} */ step) => {
    while (keys.length <= Math.floor(step / EVERY)) keys.push(from(keys.length - 1, EVERY));
    return from(Math.floor(step / EVERY), step % EVERY);
  };

  const from = (/** @type {number} */ key, /** @type {number} */ steps) => {
    const cells = keys[key].slice();
    for (let i = 0; i < steps; i++) put(cells, story.frames[EVERY * key + i][2]);
    return cells;
  };

  let held = before.length ? before : new Uint16Array(total);

  /**
   * Moves to the state after a step; returns the numbers of the cells that changed, each once.
   * @param {number} step
   */
  const seek = (step) => {
    const [before, dirty] = [held, /** @type {number[]} */ ([])];
    held = at(step);
    for (let i = 0; i < total; i++) if (held[i] !== before[i]) dirty.push(i);
    return dirty;
  };

  return {
    first,
    at,
    seek,
    /** What the cells hold after the last seek. */
    get held() {
      return held;
    },
  };
}
