// The chunk that the caption speaks of, enlarged in the middle of a ring: on its way, then landed.

import { placeOfSlot } from "../core/places.js";
import { movesWith } from "../core/selection.js";
import { settledStep } from "../core/motion.js";
import { followedMove, isHalted, movesOf } from "../core/story.js";
import { drawContent } from "./content.js";
import { redraw, set, svg, write } from "./elements.js";

/** @type {Mount} */
export function mountLens(page, store) {
  const { story } = store;
  const { lens } = story;
  if (!lens) return { slices: [], update() {} };
  const [x, y, width, height] = lens;
  const group = svg(page.lens, "g", { transform: `translate(${x} ${y})` });
  const box = { x: -width / 2, y: -height / 2, width, height, rx: story.rounding[1] };
  svg(group, "rect", { class: "well", ...box });
  const content = svg(group, "g");
  svg(group, "rect", { class: "enlarged", ...box });
  const chunk = svg(group, "text", { class: "chunk", y: box.y - 16 });
  const way = svg(group, "text", { class: "way", y: 34 - box.y });
  return {
    slices: ["step", "landed", "selection", "setting"],
    update() {
      const { story } = store;
      const { step, part } = store.state;
      const move = isHalted(story, settledStep(store.state)) ? null : enlargedMove(story, store.state);
      const lost = !!move && isLost(story, step, move);
      set(page.lens, "visibility", move && !lost ? "visible" : "hidden");
      if (!move || lost) return redraw(content, []);
      const bars = placeOfSlot(story, move.src, move.chunk)[1];
      const cell = part < 1 ? move.cell : heldAfter(story, step, move);
      drawContent(page, story, content, cell, bars, [box.x, box.y], [width, height]);
      const size = story.measures.to_scale ? ` · ${story.sizes[move.size]}` : "";
      write(chunk, `${story.data[move.data]}${size}`);
      write(way, `${story.names[move.src]} → ${story.names[move.dst]}`);
    },
  };
}

/**
 * The move that the caption speaks of; where something is followed, one that belongs to it, if any.
 * @param {Story} story
 * @param {State} state
 */
function enlargedMove(story, { selection, step }) {
  if (!selection || selection.kind === "counter") return followedMove(story, step);
  const [own, followed] = [movesWith(story, selection, step), story.frames[step - 1]?.[8] ?? 0];
  return movesOf(story, step)[own.includes(followed) ? followed : own[0]];
}

/**
 * Whether a move of a step never arrives.
 * @param {Story} story
 * @param {number} step
 * @param {Move} move
 */
function isLost({ lost, frames, widths }, step, { src, dst, into }) {
  const numbers = frames[step - 1]?.[1] ?? [];
  return [...(lost?.[step] ?? [])].some((number) => {
    const at = number * widths[0];
    return numbers[at] === src && numbers[at + 1] === dst && numbers[at + 3] === into;
  });
}

/**
 * What a step leaves where a move of it has landed.
 * @param {Story} story
 * @param {number} step
 * @param {Move} move
 */
function heldAfter(story, step, { dst, into, cell }) {
  const changes = story.frames[step - 1][2];
  for (let i = 0; i < changes.length; i += 3) {
    if (changes[i] === dst && changes[i + 1] === story.well[into]) return changes[i + 2];
  }
  return cell;
}
