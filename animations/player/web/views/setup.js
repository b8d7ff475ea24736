// The machine of a page: sliders of its size and links, what can be broken, and what that does.

import { word } from "../core/say.js";
import { breaksOf, targetName, targetsIn, targetsOf } from "../core/breaks.js";
import { bytesText } from "../core/amounts.js";
import { effectsOf } from "../core/effects.js";
import { rateText, timeText } from "../core/quantities.js";
import { OWN_SETTING, SETTING_STEPS, SLIDER_NAMES, clockOf, timeCommand, isOwnSetting } from "../core/setting.js";
import { faultGroups } from "../core/setup_words.js";
import { grainOf, vectorBytes } from "../core/timed_run.js";
import { settingWords } from "../core/under.js";
import { button, copyFrom, html, write } from "./elements.js";
import { addText } from "./terms.js";

const SLIDER_WORDS = { size: "player.size", latency: "player.latency", bandwidth: "player.bandwidth" };

/** @type {Mount} */
export function mountSetup(page, store) {
  const { own } = store;
  const { setup } = own;
  page.machine.hidden = !setup;
  if (!setup) return { slices: [], update() {} };
  page.machine.title = word("player.setup");
  html(/** @type {HTMLElement} */ (page.named.previousElementSibling), "span", "", word("player.setup"));
  const sliders = buildSliders(page.sliders, store);
  const targets = targetsOf(setup);
  const here = () => store.story.setup ?? setup; // whose ranks may have moved
  page.target.setAttribute("aria-label", word("player.target"));
  page.target.addEventListener("change", () => showBreaks());
  const undo = button(page.settles, word("player.undo"), () => store.act({ kind: "mend" }));
  const whole = button(page.settles, word("player.own"), () => store.act({ kind: "setting", setting: OWN_SETTING }));
  const copy = button(page.settles, word("player.copy"), () => copyCommand(page, store));
  page.setup.addEventListener("keydown", (event) => event.key !== "Escape" && event.stopPropagation()); // no keys of the player

  let open = true; // of what is open from the start, the page shows its beginning
  const showBreaks = () => {
    const target = targets[page.target.selectedIndex];
    page.breaks.replaceChildren();
    for (const { text, faults } of breaksOf({ ...own, setup: here() }, target)) button(page.breaks, text, () => store.act({ kind: "break", faults }));
  };
  const follow = () => {
    if (!page.target.length) for (const _ of targets) html(page.target, "option");
    targets.forEach((target, i) => write(page.target.options[i], targetName(here(), target)));
    const [target] = targetsIn(here(), store.state.selection);
    if (target) page.target.selectedIndex = targets.findIndex(({ kind, at }) => kind === target.kind && at === target.at);
    showBreaks();
  };
  const showFaults = () => {
    const { setting } = store.state;
    page.mends.replaceChildren();
    for (const { text, faults } of faultGroups(here(), setting.faults)) {
      const mend = button(page.mends, `${text} ×`, () => store.act({ kind: "mend", faults }));
      mend.setAttribute("aria-label", word("player.mend", { fault: text }));
    }
    page.effects.replaceChildren();
    for (const sentence of effectsOf(own, store.story)) html(page.effects, "span", "", `${sentence} `);
  };

  return {
    slices: ["machine", "setting", "selection", "building"],
    update(changed) {
      const { machine, setting, faultsBefore, building } = store.state;
      page.setup.hidden = !machine || building;
      page.sheet.classList.toggle("setting", machine && !building);
      page.machine.setAttribute("aria-pressed", `${machine}`);
      sliders();
      if (page.setup.hidden) open = false;
      if (page.setup.hidden) return;
      if (changed.has("selection") || changed.has("machine") || changed.has("setting")) follow();
      const size = vectorBytes(own, setting.size);
      const titled = size ? word("player.title", { size: bytesText(size), machine: setup.name }) : setup.name;
      const links = settingWords(here(), { ...setting, faults: [] });
      const named = [titled, ...links, word("player.by_clock", { clock: clockOf(setup, setting) })].join(", ");
      if (page.named.textContent !== named) {
        page.named.replaceChildren();
        addText(page, own, page.named, named);
      }
      if (changed.has("setting") || changed.has("machine")) showFaults();
      undo.toggleAttribute("disabled", !faultsBefore.length && isOwnSetting(setting));
      whole.toggleAttribute("disabled", isOwnSetting(setting));
      if (!open) page.setup.scrollIntoView({ block: "nearest" });
      open = true;
      copy.toggleAttribute("disabled", !timeCommand(own, setting));
    },
  };
}

/**
 * Sliders of size, latency and bandwidth; returns how to show what is set.
 * @param {HTMLElement} parent
 * @param {Store} store
 */
function buildSliders(parent, store) {
  const { setup } = store.own;
  const reads = setup ? SLIDER_NAMES.map((name) => buildSlider(parent, store, setup, name)) : [];
  return () => reads.forEach((read) => read());
}

/**
 * A slider over the values of a part of the setting; returns how to show what is set.
 * @param {HTMLElement} parent
 * @param {Store} store
 * @param {Setup} setup
 * @param {"size" | "latency" | "bandwidth"} name
 */
function buildSlider(parent, store, setup, name) {
  const { own } = store;
  const label = html(parent, "label", "slider");
  html(label, "span", "", word(SLIDER_WORDS[name]));
  const output = html(label, "output");
  const input = /** @type {HTMLInputElement} */ (html(label, "input"));
  const steps = SETTING_STEPS[name];
  Object.assign(input, { type: "range", min: "0", max: `${steps.length - 1}`, name });
  const fixed = name === "size" && !grainOf(own);
  input.disabled = fixed;
  if (fixed && setup.size) label.title = word("player.uneven");
  input.addEventListener("input", () => store.act({ kind: "setting", setting: { [name]: steps[Number(input.value)] } }));
  return () => {
    const times = store.state.setting[name];
    input.value = `${steps.indexOf(times)}`;
    write(output, valueText(own, setup, name, times));
    input.setAttribute("aria-valuetext", output.textContent ?? "");
  };
}

/**
 * A size; the latency or bandwidth of all messages, or how many times theirs.
 * @param {Story} story
 * @param {Setup} setup
 * @param {"size" | "latency" | "bandwidth"} name
 * @param {number} times
 */
function valueText(story, setup, name, times) {
  if (name === "size") return setup.size ? bytesText(vectorBytes(story, times)) : "–";
  if (!setup.figures) return word("player.times", { times });
  return name === "latency" ? timeText(setup.figures[0] * times) : rateText(setup.figures[1] * times);
}

/**
 * Copies the line that has the same time on the command line, and says it.
 * @param {Page} page
 * @param {Store} store
 */
async function copyCommand(page, store) {
  const command = timeCommand(store.own, store.state.setting);
  const field = /** @type {HTMLTextAreaElement} */ (html(page.settles, "textarea", "unseen"));
  field.value = command;
  await copyFrom(field);
  field.remove();
  page.effects.replaceChildren();
  html(page.effects, "code", "", command);
}
