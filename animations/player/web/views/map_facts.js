// Beside the map of a machine: figures of what is selected, moves by keyboard, the staircase of
// bandwidths, and the cut that limits.

import { bytesText } from "../core/amounts.js";
import { byUse } from "../core/link_load.js";
import { factsOf, partText, speedText } from "../core/map_words.js";
import { timeText } from "../core/quantities.js";
import { rootHasMoved, seatOf } from "../core/seats.js";
import { decimal, word } from "../core/say.js";
import { calledNode } from "../core/setup_words.js";
import { vectorBytes } from "../core/timed_run.js";
import { button, html, write } from "./elements.js";

/** @typedef {import("../core/link_load.js").Load} Load */

const FEWEST = 3e9; // bytes per second where the bars of the staircase begin

/**
 * @param {HTMLElement} sheet
 * @param {Store} store
 * @param {{shown: MapShown, select: (part: MapPart | null) => void,
 *   move: (rank: number, seat: number) => void, loadNow: () => Load | null}} acts
 */
export function mountMapFacts(sheet, store, { shown, select, move, loadNow }) {
  const { own } = store;
  const map = /** @type {MachineMap} */ (own.map);
  const panel = html(sheet, "section", "panel mapfacts");
  panel.tabIndex = 0;
  panel.setAttribute("aria-label", word("map.look"));
  sheet.querySelector(".side")?.prepend(panel);
  const look = html(panel, "label", "", `${word("map.look")} `);
  const choice = /** @type {HTMLSelectElement} */ (html(look, "select"));
  choice.addEventListener("change", () => select(partOf(choice.value)));
  const list = html(panel, "dl");
  list.setAttribute("aria-live", "polite");
  const moving = html(panel, "div", "edits");
  const label = html(moving, "label");
  const before = html(label, "span");
  const goal = /** @type {HTMLSelectElement} */ (html(label, "select"));
  button(moving, word("map.move_now"), () => shown.part && move(shown.part.at, Number(goal.value)));
  const undo = button(moving, word("map.undo"), () => store.act({ kind: "mend" }));
  drawStairs(panel, map);
  const cut = html(panel, "div", "cutting");
  let [listed, answered] = ["", ""];

  return {
    /**
     * @param {Load | null} load
     * @param {number} step
     */
    draw(load, step) {
      const setup = /** @type {Setup} */ (store.story.setup);
      const key = JSON.stringify(store.state.setting);
      if (load && listed !== key) fillChoice(choice, setup, load);
      if (load && listed !== key) fillGoal(goal, setup);
      listed = key;
      choice.value = shown.part ? `${shown.part.kind}-${shown.part.at}` : "";
      const isGpu = shown.part?.kind === "node" && shown.part.at < setup.kinds[0][1];
      label.hidden = /** @type {HTMLElement} */ (label.nextElementSibling).hidden = !isGpu;
      undo.hidden = !store.state.faultsBefore.length;
      if (shown.part && isGpu) write(before, `${word("map.move", { rank: calledNode(setup, shown.part.at) })} `);
      const now = `${key} ${step} ${choice.value}`;
      if (now !== answered) {
        list.replaceChildren();
        const facts = shown.part && load ? factsOf(own, store.story, load, shown.part, { step, setting: store.state.setting }) : [];
        for (const [name, value] of facts) {
          html(list, "dt", "", name);
          html(list, "dd", "", value);
        }
        if (!facts.length) html(list, "dd", "faint hint", word("map.hint"));
        drawCut(cut, own, store, load ?? loadNow());
      }
      answered = now;
    },
  };
}

/**
 * A part by the value of its option.
 * @param {string} text
 * @returns {MapPart | null}
 */
function partOf(text) {
  const [kind, at] = text.split("-");
  return kind === "node" || kind === "link" ? { kind, at: Number(at) } : null;
}

/**
 * @param {HTMLSelectElement} choice
 * @param {Setup} setup
 * @param {Load} load
 */
function fillChoice(choice, setup, load) {
  choice.replaceChildren();
  html(choice, "option", "", "–").setAttribute("value", "");
  const gpus = setup.kinds[0][1];
  const nodes = setup.kinds.reduce((sum, [, count]) => sum + count, 0);
  const all = Array.from({ length: nodes }, (_, at) => /** @type {MapPart} */ ({ kind: "node", at }));
  const ranks = all.slice(0, gpus).sort((one, other) => seatOf(setup, one.at) - seatOf(setup, other.at));
  const links = byUse(load).map((at) => /** @type {MapPart} */ ({ kind: "link", at }));
  for (const [name, parts] of /** @type {[string, MapPart[]][]} */ ([["map.gpus", ranks], ["map.devices", all.slice(gpus)], ["map.links", links]])) {
    if (!parts.length) continue;
    const group = html(choice, "optgroup");
    group.setAttribute("label", word(name));
    for (const part of parts) html(group, "option", "", partText(setup, part)).setAttribute("value", `${part.kind}-${part.at}`);
  }
}

/**
 * The GPUs to which a rank can be moved.
 * @param {HTMLSelectElement} goal
 * @param {Setup} setup
 */
function fillGoal(goal, setup) {
  const kept = goal.value;
  goal.replaceChildren();
  for (let seat = 0; seat < setup.kinds[0][1]; seat++) html(goal, "option", "", `GPU ${seat}`).setAttribute("value", `${seat}`);
  goal.value = kept || "0";
}

/**
 * The staircase of bandwidths, each bar ten times as fast where it is as much longer.
 * @param {HTMLElement} panel
 * @param {MachineMap} map
 */
function drawStairs(panel, { stairs }) {
  html(panel, "h3", "", word("map.stairs"));
  const list = html(panel, "ol", "stairs");
  const highest = Math.max(...stairs.map(([, rate]) => rate));
  stairs.forEach(([name, rate, here, source], i) => {
    const row = html(list, "li", here ? "" : "faint");
    row.title = source;
    html(row, "span", "", name);
    const bar = html(html(row, "span", "track"), "i", "bar");
    bar.style.width = `${100 * Math.max(0.02, Math.log(rate / FEWEST) / Math.log(highest / FEWEST))}%`;
    html(row, "span", "numbers", speedText(rate));
    const factor = i ? stairs[i - 1][1] / rate : 0;
    html(row, "span", "faint", factor > 1 ? word("map.steps_down", { factor: decimal(`${Number(factor.toPrecision(2))}`) }) : "");
    if (!here) row.setAttribute("aria-label", `${name}, ${speedText(rate)}, ${word("map.not_here")}`);
  });
}

/**
 * What must cross the cut, how much its links carry, and the least time that follows.
 * @param {HTMLElement} place
 * @param {Story} own
 * @param {Store} store
 * @param {Load | null} load
 */
function drawCut(place, own, store, load) {
  const { setting } = store.state;
  const setup = /** @type {Setup} */ (store.story.setup);
  const { cut } = /** @type {MachineMap} */ (own.map);
  place.replaceChildren();
  html(place, "h3", "", word("map.cut"));
  if (!cut || rootHasMoved(setup)) {
    html(place, "p", "faint", word(cut ? "map.cut_moved" : "map.cut_none"));
    return;
  }
  const rate = cut.links.reduce((sum, link) => sum + setup.links[3][link] * setting.bandwidth, 0);
  const bytes = cut.vectors * vectorBytes(own, setting.size);
  const fields = {
    number: cut.links.length, rate: speedText(rate), bytes: bytesText(Math.round(bytes)), passes: cut.passes,
    least: timeText(bytes / rate), time: load ? timeText(load.total) : word("player.never"),
  };
  for (const key of ["map.cut_bytes", cut.links.length === 1 ? "map.cut_capacity_one" : "map.cut_capacity", "map.cut_time"]) html(place, "p", "", word(key, fields));
  if (!cut.narrowest) html(place, "p", "faint", word("map.cut_tried"));
}
