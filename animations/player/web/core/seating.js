// Where ranks stand: on a page without a map each on the GPU of its number; core/seats.js, which
// only pages with a map have, puts its own functions here.

export const SEATING = {
  /** The setup with ranks where these moves bring them. */
  setup: (/** @type {Setup} */ setup, /** @type {readonly string[]} */ _moves) => setup,
  /** Those moves that the page knows. */
  known: (/** @type {Story} */ _story, /** @type {readonly string[]} */ _moves) => /** @type {string[]} */ ([]),
  /** Faults of links as the ranks that then stand there are called. */
  faults: (/** @type {Setup} */ _setup, /** @type {Setting} */ before, /** @type {readonly string[]} */ _moves) => before.faults,
  /** Moves in a few words. */
  words: (/** @type {Setup} */ _setup, /** @type {readonly string[]} */ _moves) => /** @type {string[]} */ ([]),
};

/**
 * The story, not timed, with its ranks where the moves bring them.
 * @param {Story} story the page's own
 * @param {readonly string[]} moves
 * @returns {Story}
 */
export function seatedStory(story, moves) {
  return story.setup && moves.length ? { ...story, setup: SEATING.setup(story.setup, moves) } : story;
}
