// How far the chunks of a step are on their way.

/**
 * Whether the parcels of a step are drawn on their way.
 * @param {Story} story
 * @param {number} step
 */
export function canFly(story, step) {
  return story.frames[step - 1][4].length > 0;
}

/**
 * A part of a step's time as parts of the ways out of the cells, to the others and into them; of
 * the first and the last in time, too.
 * @param {Motion} motion
 * @param {number} time
 */
export function phasesOf({ lifted, arrived, landed, easing }, time) {
  const [leaves, lands] = [time / lifted, (time - arrived) / (landed - arrived)];
  const gone = eased(easing, (time - lifted) / (arrived - lifted));
  return { leaves, lands, gone, out: eased(easing, leaves), into: eased(easing, lands) };
}

/**
 * The steps that are over, that under way in part.
 * @param {Story} story
 * @param {State} state
 */
export function stepsOver(story, { step, part }) {
  return part < 1 ? step - 1 + phasesOf(story.motion, part).gone : step;
}

/**
 * The step after which the cells are as they are now.
 * @param {State} state
 */
export function settledStep({ step, part }) {
  return part < 1 ? step - 1 : step;
}

/**
 * A part of a way in time as the part of its length.
 * @param {number[]} easing
 * @param {number} time
 */
function eased(easing, time) {
  const part = Math.min(Math.max(time, 0), 1);
  return part ** 3 * (easing[0] + easing[1] * part + easing[2] * part ** 2);
}

/**
 * The point of a Bézier curve (x, y, x, y …) at a time from 0 to 1.
 * @param {number[]} points
 * @param {number} time
 */
export function along(points, time) {
  let level = points;
  while (level.length > 2) {
    level = level.slice(2).map((place, i) => level[i] + time * (place - level[i]));
  }
  return level;
}
