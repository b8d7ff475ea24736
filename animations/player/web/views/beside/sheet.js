// The elements around the stages: buttons, the line of time, counters, the machine, help.

import { html, partsIn } from "../elements.js";

const TAKEN = ["first", "back", "play", "next", "last", "speed", "machine", "theme", "help"]; // buttons of a player

/**
 * @param {HTMLElement} root
 * @param {import("../../core/compared/sentences.js").Sentences} sentences
 */
export function besideSheet(root, { phrase }) {
  const player = document.createElement("template");
  player.innerHTML = SHEET;
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (player.content.querySelector(`[data-part=${name}]`));
  const stages = html(root, "div", "stages");
  const steering = html(root, "div", "steering");
  const tools = html(steering, "div", "tools");
  for (const name of TAKEN) tools.append(part(name));
  for (const name of /** @type {const} */ (["first", "back", "next", "last"])) {
    const button = /** @type {HTMLElement} */ (tools.querySelector(`[data-part=${name}]`));
    button.setAttribute("aria-label", phrase(`go_${name}`));
    button.title = phrase(`go_${name}`);
  }
  const timeline = html(steering, "div", "clock");
  const moment = html(timeline, "output");
  const scrub = part("scrub");
  scrub.setAttribute("aria-label", phrase("time_line"));
  const track = html(timeline, "div", "way");
  track.append(scrub);
  const ticks = html(track, "div", "ticks");
  const lowerPanels = html(root, "div", "lower-panels");
  const counters = html(lowerPanels, "section", "panel");
  lowerPanels.append(part("setup"));
  const aloud = html(root, "p", "aloud");
  aloud.setAttribute("aria-live", "polite");
  const dialog = /** @type {HTMLDialogElement} */ (html(root, "dialog", "panel"));
  for (const key of ["lanes_read", "keys", "key_alone"]) html(dialog, "p", "", phrase(key));
  const form = html(dialog, "form");
  form.setAttribute("method", "dialog");
  html(form, "button", "", phrase("close"));
  const page = partsIn(root);
  return Object.assign(page, { stages, ticks, counters, aloud, dialog, moment, sheet: root });
}
