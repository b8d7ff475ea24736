// A schedule that was built as a short text for addresses: 2~0.1.0a-1.2.1a~2.3.4.5w is at step 2;
// in its first step rank 0 adds chunk 0 into rank 1; in the second rank 2 overwrites slot 5 of rank 3.

import { sameValue } from "./selection.js";
import { stepsOf } from "./task.js";

const NUMBERS = /^(\d{1,5})\.(\d{1,5})\.(\d{1,5})(?:\.(\d{1,5}))?([aw])$/;

/**
 * The text of a draft; where it is still the story's own schedule the number of the step alone.
 * @param {Story} story
 * @param {Building} draft
 */
export function draftText(story, { steps, at }) {
  if (sameValue(steps, stepsOf(story))) return `${at}`;
  const texts = steps.map((step) => step.map(([src, dst, chunk, into, adds]) => {
    const slots = into === chunk ? chunk : `${chunk}.${into}`;
    return `${src}.${dst}.${slots}${adds ? "a" : "w"}`;
  }).join("-"));
  return `${at}~${texts.join("~")}`;
}

/**
 * The draft that a text names; null where it is none for this story.
 * @param {Story} story
 * @param {string} text
 * @returns {{steps: BuiltSteps, at: number} | null}
 */
export function draftOf(story, text) {
  const [number, ...rest] = text.split("~");
  if (!story.task || !/^\d{1,5}$/.test(number)) return null;
  if (!rest.length) return { steps: stepsOf(story), at: Number(number) };
  const steps = rest.map((step) => (step ? step.split("-").map((each) => transferOf(story, each)) : []));
  const whole = steps.filter((step) => !step.includes(null));
  if (whole.length < steps.length) return null;
  const filled = `${rest}` ? /** @type {BuiltSteps} */ (whole) : [];
  return { steps: filled, at: Number(number) };
}

/**
 * @param {Story} story
 * @param {string} text
 * @returns {Built | null}
 */
function transferOf({ names, slots }, text) {
  const [, src, dst, chunk, into, verb] = NUMBERS.exec(text) ?? [];
  if (!verb) return null;
  const [a, b, from, to] = [src, dst, chunk, into ?? chunk].map(Number);
  const inside = Math.max(a, b) < names.length && Math.max(from, to) < slots.length;
  return inside ? [a, b, from, to, verb === "a" ? 1 : 0] : null;
}
