// What a cell shows of a schedule that somebody builds: the contributions in it, with their labels.

/**
 * The stripes and labels of what a slot holds.
 * @param {Story} story
 * @param {number} slot
 * @param {import("./machine.js").Version} version
 * @returns {Content}
 */
export function heldContent(story, slot, version) {
  const slots = story.slots.length;
  /** @type {Map<number, string[]>} */
  const labels = new Map();
  for (const [contribution, times] of version.content) {
    const [rank, origin] = [Math.floor(contribution / slots), contribution % slots];
    const ink = story.view === "chunks" ? origin : rank;
    labels.set(ink, [...(labels.get(ink) ?? []), partLabel(story, rank, origin, slot, times)]);
  }
  const colors = [...labels.keys()].sort((one, other) => one - other);
  return [colors, [], ...colors.map((ink) => labels.get(ink)?.join("+"))];
}

/**
 * The label of a contribution, as Labels.contribution in story/labels.py has it, and how many times
 * it is there.
 * @param {Story} story
 * @param {number} rank
 * @param {number} origin
 * @param {number} slot
 * @param {number} times
 */
function partLabel(story, rank, origin, slot, times) {
  const moved = origin === slot || story.chunks === 1 || story.view === "chunks";
  const label = story.blocks ? `${rank}→${origin}` : moved ? "" : `c${origin}`;
  return times > 1 ? `${label || (story.view === "chunks" ? origin : rank)}×${times}` : label;
}
