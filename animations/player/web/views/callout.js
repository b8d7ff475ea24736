// A cell as it is and as an answer says, enlarged side by side next to it.

import { freePlace, placeOfSlot } from "../core/places.js";
import { word } from "../core/say.js";
import { drawContent } from "./content.js";
import { svg } from "./elements.js";
import { curve } from "./links.js";

/** Of an enlarged cell: its height and width at most, width at least; what is around, its text. */
const [CALLOUT_HEIGHT, CALLOUT_WIDTH, CALLOUT_LEAST, CALLOUT_GAP, CALLOUT_FOOT] = [176, 176, 110, 18, 36];
const LEGIBLE = 600; // pixels of a stage, on narrower ones it is larger

/**
 * @param {Page} page
 * @param {Story} story
 * @param {string} key of the words for what is right
 * @param {AnswerMark} truth
 * @param {AnswerMark | undefined} said
 */
export function drawCallout(page, story, key, [, node, slot, content], said) {
  const [[left, top], bars] = placeOfSlot(story, node, slot);
  const scale = Math.min(CALLOUT_HEIGHT / bars[1], CALLOUT_WIDTH / bars[0]);
  const [width, height] = [Math.max(CALLOUT_LEAST, scale * bars[0]), scale * bars[1]];
  const shown = /** @type {[number, string, string][]} */ ([[content, "right", word(key)]]);
  if (said && said[3] >= 0) shown.push([said[3], "wrong", word("ask.said")]);
  const size = [shown.length * (width + CALLOUT_GAP) + CALLOUT_GAP, height + 2 * CALLOUT_GAP + CALLOUT_FOOT];
  const zoom = Math.min(Math.max(LEGIBLE / page.stage.clientWidth, 1), 1.7);
  const [wide, high] = size.map((length) => zoom * length);
  const [u, v] = freePlace(story, node, slot, [wide, high]);
  const ends = [left + bars[0] / 2, top + bars[1] / 2, u + wide / 2, v + high / 2];
  svg(page.asked, "path", { class: "leader", d: curve(ends) }); // half of it is below the box
  const group = svg(page.asked, "g", { class: "callout", transform: `translate(${u} ${v})scale(${zoom})` });
  svg(group, "rect", { class: "bubble", width: size[0], height: size[1], rx: 12 });
  shown.forEach(([cell, role, text], i) => {
    const [x, y] = [CALLOUT_GAP + i * (width + CALLOUT_GAP), CALLOUT_GAP];
    const box = { x, y, width, height };
    svg(group, "rect", { class: "well", ...box });
    drawContent(page, story, svg(group, "g"), cell, bars, [x, y], [width, height]);
    svg(group, "rect", { class: role, ...box });
    svg(group, "text", { class: role, x: x + width / 2, y: y + height + 27 }, text);
  });
}
