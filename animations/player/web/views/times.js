// How long each algorithm of a collective takes on the machine of the counters, for other sizes and
// links, too: at first all sliders are where the counters are.

import { timeText } from "../core/quantities.js";
import { word } from "../core/say.js";
import { OWN_SETTING } from "../core/setting.js";
import { timeOf } from "../core/time.js";
import { vectorBytes } from "../core/timed_run.js";
import { html } from "./elements.js";

const MOST_TIMES = 3; // as long as that in the middle: what takes longer does not set the scale

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
  html(button, "span", "seconds", seconds === null ? word("catalog.never_ends") : timeText(seconds));
  const bar = html(button, "i", (seconds ?? 0) > longest ? "beyond" : "");
  bar.style.width = `${Math.min(100, (100 * (seconds ?? 0)) / longest)}%`;
  return button;
}

/**
 * The time that fills a bar: the longest but for those that take many times as long as that in the middle.
 * @param {number[]} seconds
 */
function scaleOf(seconds) {
  const sorted = [...seconds].sort((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const usual = sorted.filter((time) => time <= MOST_TIMES * middle);
  return usual[usual.length - 1] || 1;
}

/**
 * Why a time is not compared with that of the entry that is shown; nothing if it is.
 * @param {Entry} entry
 * @param {Entry} now
 */
function reasonApart(entry, now) {
  if (entry.machine !== now.machine) return word("catalog.on", { machine: entry.machine });
  return entry.crowd ? word("catalog.crowd", { number: entry.crowd }) : "";
}

/**
 * Bars sorted by time below the sliders of the player; returns how to show an entry in its player
 * with its sliders, and a step of it.
 * @param {HTMLElement} parent
 * @param {Entry[]} entries
 * @param {(entry: Entry) => void} choose
 */
export function mountTimes(parent, entries, choose) {
  let [now, step] = [entries[0], 0];
  /** @type {Store | undefined} */
  let store;
  const heading = html(parent, "h2");
  const sliders = html(parent, "div");
  const elapsed = html(parent, "p", "elapsed");
  const list = html(parent, "ol");
  const faint = html(parent, "p", "faint");
  parent.addEventListener("keydown", (event) => event.stopPropagation()); // no keys of the player

  const settingNow = () => store?.state.setting ?? OWN_SETTING;
  const secondsOf = (/** @type {Entry} */ entry, state = entry.times.length - 1) => {
    const timing = entry === now ? store?.story.timing : undefined;
    if (timing) return state ? timing.ends[state - 1] : 0;
    const { size, latency, bandwidth } = settingNow();
    const bytes = store?.own.setup ? vectorBytes(store.own, size) : now.size;
    return timeOf(entry, state, { size: bytes, latency, bandwidth });
  };

  const draw = () => {
    heading.textContent = word("catalog.time_on", { machine: now.machine });
    const rivals = entries
      .filter((entry) => entry.collective === now.collective && entry.ranks === now.ranks && !entry.wrong)
      .map((entry) => ({ entry, why: reasonApart(entry, now), seconds: secondsOf(entry) }))
      .sort((one, other) => Number(!!one.why) - Number(!!other.why) || one.seconds - other.seconds);
    const compared = rivals.filter(({ entry, seconds }) => entry.machine === now.machine && seconds < Infinity);
    const longest = scaleOf(compared.map(({ seconds }) => seconds));
    list.replaceChildren();
    for (const { entry, why, seconds } of rivals) {
      const { algorithm, pipeline } = entry;
      const text = [algorithm, pipeline ? word("catalog.chunks", { number: pipeline }) : "", why].filter(Boolean).join(word("parts.comma"));
      const button = timeBar(list, text, seconds < Infinity ? seconds : null, longest);
      button.setAttribute("aria-current", `${entry === now}`);
      button.addEventListener("click", () => choose(entry));
    }
    const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current=true]"));
    list.scrollTop = (current?.offsetTop ?? 0) - (list.clientHeight - (current?.offsetHeight ?? 0)) / 2;
    faint.textContent = word("catalog.rule") + (settingNow().faults.length ? word("catalog.only_shown") : "");
    showElapsed();
  };

  const showElapsed = () => {
    const [done, whole] = [Math.min(step, now.times.length - 1), now.times.length - 1].map((state) => {
      const seconds = secondsOf(now, state);
      return seconds < Infinity ? timeText(seconds) : word("catalog.never");
    });
    if (now.wrong) elapsed.textContent = word("catalog.wrong");
    else elapsed.textContent = word("catalog.elapsed", { step, done, whole });
  };

  return {
    /** @type {(entry: Entry, player: Store, own: HTMLElement) => void} */
    show(entry, player, own) {
      [now, store] = [entry, player];
      sliders.replaceChildren(own);
      player.subscribe(["setting"], draw);
      draw();
    },
    /** @type {(number: number) => void} */
    follow(number) {
      step = number;
      showElapsed();
    },
  };
}
