// How long each algorithm of a collective takes for a size, latency and bandwidth to be chosen.

import { bytesText } from "../core/amounts.js";
import { rateText, timeText } from "../core/quantities.js";
import { shownSteps } from "../core/task.js";
import { loadsOf, startsOf, timeOf, timesOf } from "../core/time.js";
import { html } from "./elements.js";

const SIZES = Array.from({ length: 25 }, (_, i) => 2 ** (i + 10));
const LATENCIES = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100].map((micro) => micro / 1e6);
const BANDWIDTHS = [1, 2, 5, 10, 25, 50, 100, 200, 450, 900].map((giga) => giga * 1e9);
const SLIDERS = /** @type {const} */ ([
  ["size", "Size", SIZES, 16, bytesText],
  ["latency", "Latency", LATENCIES, 5, timeText],
  ["bandwidth", "Bandwidth", BANDWIDTHS, 5, rateText],
]);

/**
 * A button in a list: what takes so long, and a bar; the longest fills its width. Without a bar
 * what never ends.
 * @param {HTMLElement} list
 * @param {string} text
 * @param {number | null} seconds
 * @param {number} longest
 */
export function timeBar(list, text, seconds, longest) {
  const button = html(html(list, "li"), "button");
  html(button, "span", "", text);
  html(button, "span", "seconds", seconds === null ? "never ends" : timeText(seconds));
  html(button, "i").style.width = `${(100 * (seconds ?? 0)) / longest}%`;
  return button;
}

/**
 * Sliders, and bars sorted by time; returns how to show an entry, its story, and a step of it, what
 * names the sliders' values in a link, and how to set them by one.
 * @param {HTMLElement} parent
 * @param {Entry[]} entries
 * @param {(entry: Entry) => void} choose
 */
export function mountTimes(parent, entries, choose) {
  const setting = { size: 0, latency: 0, bandwidth: 0 };
  let [now, step] = [entries[0], 0];
  /** @type {(number | null)[]} */
  let loads = [];
  /** @type {number[]} */
  let starts = [];
  /** @type {((named: URLSearchParams) => void)[]} */
  const sets = [];
  html(parent, "h2", "", "Time on a crossbar");
  for (const [name, title, values, usual, text] of SLIDERS) {
    const label = html(parent, "label", "slider");
    html(label, "span", "", title);
    const output = html(label, "output");
    const input = /** @type {HTMLInputElement} */ (html(label, "input"));
    Object.assign(input, { type: "range", min: "0", max: `${values.length - 1}`, value: `${usual}` });
    input.name = name;
    const read = () => {
      setting[name] = values[Number(input.value)];
      output.textContent = text(setting[name]);
      input.setAttribute("aria-valuetext", output.textContent);
    };
    input.addEventListener("input", () => [read(), draw(), dispatchEvent(new Event("setting"))]);
    sets.push((named) => {
      const place = values.indexOf(Number(named.get(name)));
      input.value = `${place < 0 ? usual : place}`;
      read();
    });
    read();
  }
  const elapsed = html(parent, "p", "elapsed");
  const list = html(parent, "ol");
  html(parent, "p", "faint", "Every rank has one port, which takes a message at a time; each step waits for the one before it.");
  parent.addEventListener("keydown", (event) => event.stopPropagation()); // no keys of the player

  const draw = () => {
    const rivals = entries
      .filter((entry) => entry.collective === now.collective && entry.ranks === now.ranks && !entry.wrong)
      .map((entry) => ({ entry, seconds: timeOf(entry, setting) }))
      .sort((one, other) => one.seconds - other.seconds);
    const longest = rivals.at(-1)?.seconds || 1;
    list.replaceChildren();
    for (const { entry, seconds } of rivals) {
      const { algorithm, pipeline } = entry;
      const text = pipeline ? `${algorithm}, ${pipeline} chunks` : algorithm;
      const button = timeBar(list, text, seconds, longest);
      button.setAttribute("aria-current", `${entry === now}`);
      button.addEventListener("click", () => choose(entry));
    }
    const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current=true]"));
    list.scrollTop = (current?.offsetTop ?? 0) - (list.clientHeight - (current?.offsetHeight ?? 0)) / 2;
    showElapsed();
  };

  const showElapsed = () => {
    const times = timesOf(loads, { ...setting, chunks: now.chunks }, starts);
    const all = timeText(timeOf(now, setting));
    if (now.wrong) elapsed.textContent = "It is wrong: its time says nothing.";
    else elapsed.textContent = `After step ${step}: ${timeText(times[step] ?? 0)} of ${all}`;
  };

  return {
    /** @type {(entry: Entry, story: Story) => void} */
    show(entry, story) {
      const lanes = story.names.map((_, node) => (node < entry.ranks ? 1 : entry.lanes));
      const steps = shownSteps(story);
      starts = startsOf(steps, lanes);
      loads = entry.share ? loadsOf(steps, lanes) : loadsOf(steps, lanes).map((load) => load && 0);
      now = entry;
      draw();
    },
    /** The values that are not the usual ones. */
    named() {
      const chosen = SLIDERS.filter(([name, , values, usual]) => setting[name] !== values[usual]);
      return chosen.map(([name]) => `${name}=${setting[name]}`);
    },
    /** @type {(named: URLSearchParams) => void} */
    set(named) {
      for (const each of sets) each(named);
      draw();
    },
    /** @type {(number: number) => void} */
    follow(number) {
      step = number;
      showElapsed();
    },
  };
}
