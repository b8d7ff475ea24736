// How long each algorithm of a collective takes on the machine of the counters, for other sizes and
// links, too: at first all sliders are where the counters are.

import { bytesText } from "../core/amounts.js";
import { rateText, timeText } from "../core/quantities.js";
import { timeOf } from "../core/time.js";
import { html } from "./elements.js";

const SIZES = Array.from({ length: 25 }, (_, i) => 2 ** (i - 16));
const LATENCIES = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
const BANDWIDTHS = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const SLIDERS = /** @type {const} */ ([
  ["size", "Size", SIZES, 16],
  ["latency", "Latency", LATENCIES, 3],
  ["bandwidth", "Bandwidth", BANDWIDTHS, 5],
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
  html(button, "i").style.width = `${Math.min(100, (100 * (seconds ?? 0)) / longest)}%`;
  return button;
}

/**
 * What a slider says: a size; the latency or bandwidth of all messages, or how many times theirs.
 * @param {keyof Setting} name
 * @param {number} factor
 * @param {Entry} entry
 */
function settingText(name, factor, entry) {
  if (name === "size") return bytesText(Math.round(entry.size * factor));
  const figure = entry[name] * factor;
  if (!figure) return `${factor} ×`;
  return name === "latency" ? timeText(figure) : rateText(figure);
}

/**
 * Why a time is not compared with that of the entry that is shown; nothing if it is.
 * @param {Entry} entry
 * @param {Entry} now
 */
function reasonApart(entry, now) {
  if (entry.machine !== now.machine) return `on ${entry.machine}`;
  return entry.crowd ? `${entry.crowd} messages at once` : "";
}

/**
 * Sliders, and bars sorted by time; returns how to show an entry and a step of it, what names the
 * sliders' values in a link, and how to set them by one.
 * @param {HTMLElement} parent
 * @param {Entry[]} entries
 * @param {(entry: Entry) => void} choose
 */
export function mountTimes(parent, entries, choose) {
  const setting = { size: 1, latency: 1, bandwidth: 1 };
  let [now, step] = [entries[0], 0];
  /** @type {((named: URLSearchParams) => void)[]} */
  const sets = [];
  /** @type {(() => void)[]} */
  const reads = [];
  const heading = html(parent, "h2");
  for (const [name, title, values, usual] of SLIDERS) {
    const label = html(parent, "label", "slider");
    html(label, "span", "", title);
    const output = html(label, "output");
    const input = /** @type {HTMLInputElement} */ (html(label, "input"));
    Object.assign(input, { type: "range", min: "0", max: `${values.length - 1}`, value: `${usual}` });
    input.name = name;
    reads.push(() => {
      setting[name] = values[Number(input.value)];
      output.textContent = settingText(name, setting[name], now);
      input.setAttribute("aria-valuetext", output.textContent);
    });
    input.addEventListener("input", () => [draw(), dispatchEvent(new Event("setting"))]);
    sets.push((named) => {
      const place = values.indexOf(Number(named.get(name)));
      input.value = `${place < 0 ? usual : place}`;
    });
  }
  const elapsed = html(parent, "p", "elapsed");
  const list = html(parent, "ol");
  html(parent, "p", "faint", "By the clock of the counters. Last comes what starts more messages at once than a port takes, or needs another machine.");
  parent.addEventListener("keydown", (event) => event.stopPropagation()); // no keys of the player

  const secondsOf = (/** @type {Entry} */ entry, state = entry.times.length - 1) => {
    return timeOf(entry, state, { ...setting, size: now.size * setting.size });
  };

  const draw = () => {
    for (const read of reads) read();
    heading.textContent = `Time on ${now.machine}`;
    const rivals = entries
      .filter((entry) => entry.collective === now.collective && entry.ranks === now.ranks && !entry.wrong)
      .map((entry) => ({ entry, why: reasonApart(entry, now), seconds: secondsOf(entry) }))
      .sort((one, other) => Number(!!one.why) - Number(!!other.why) || one.seconds - other.seconds);
    const compared = rivals.filter(({ entry }) => entry.machine === now.machine);
    const longest = Math.max(...compared.map(({ seconds }) => seconds)) || 1;
    list.replaceChildren();
    for (const { entry, why, seconds } of rivals) {
      const { algorithm, pipeline } = entry;
      const text = [algorithm, pipeline ? `${pipeline} chunks` : "", why].filter(Boolean).join(", ");
      const button = timeBar(list, text, seconds, longest);
      button.setAttribute("aria-current", `${entry === now}`);
      button.addEventListener("click", () => choose(entry));
    }
    const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current=true]"));
    list.scrollTop = (current?.offsetTop ?? 0) - (list.clientHeight - (current?.offsetHeight ?? 0)) / 2;
    showElapsed();
  };

  const showElapsed = () => {
    const done = timeText(secondsOf(now, Math.min(step, now.times.length - 1)));
    if (now.wrong) elapsed.textContent = "It is wrong: its time says nothing.";
    else elapsed.textContent = `After step ${step}: ${done} of ${timeText(secondsOf(now))}`;
  };
  draw();

  return {
    /** @type {(entry: Entry) => void} */
    show(entry) {
      now = entry;
      draw();
    },
    /** The values that are not those of the counters. */
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
