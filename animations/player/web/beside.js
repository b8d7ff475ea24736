// Several algorithms of a comparison on one clock: time, keys, the machine that all of them share.

import { editedStory } from "./core/compared/edited.js";
import { momentsOf } from "./core/compared/moments.js";
import { ticksTo } from "./core/compared/lanes.js";
import { capitalOf, sentencesIn } from "./core/compared/sentences.js";
import { delaysOf, effectsOf } from "./core/effects.js";
import { thingAt } from "./core/hit.js";
import { OWN_SETTING, canStall, clockOf, namedSetting, settingNames } from "./core/setting.js";
import { decimal, inARow, word } from "./core/say.js";
import { sameValue } from "./core/selection.js";
import { createStore } from "./core/store.js";
import { timeRun } from "./core/timed_run.js";
import { changedStory, storyUnder } from "./core/under.js";
import { numbers, secondsText } from "./core/unit_text.js";
import { besideSheet } from "./views/beside/sheet.js";
import { mountBesideCounters } from "./views/beside/counted_table.js";
import { mountPanel } from "./views/beside/panel.js";
import { mountVerdict, rivalOf } from "./views/beside/whole_verdict.js";
import { html, pointOf, set, write } from "./views/elements.js";
import { mountSetup } from "./views/setup.js";

/** @typedef {import("./core/compared/moments.js").Moments} Moments */

const [LEAST_RUN, MOST_RUN, STEP, CALM_STOP] = [8, 24, 1.2, 700]; // seconds of a run; of a step; milliseconds of a stop without motion
const [FINE, REST_BESIDE, AXIS_END] = [100_000, 300, 1.04]; // parts of the slider; milliseconds until the address names it; of all time, the axis
const TIMES_FASTER = [1, 2, 4, 0.5];
const PLACE = "side-by-side/"; // in addresses

/**
 * @param {HTMLElement} root
 * @param {Compared & {beside: Beside}} compared
 * @param {Story[]} stories
 * @param {(number: number) => void} choose shows one of them step by step
 */
export function mountBeside(root, compared, stories, choose) {
  const { beside } = compared;
  numbers.written = decimal;
  const sentences = sentencesIn(beside.words);
  const { phrase } = sentences;
  const names = beside.names.map(capitalOf);
  const asked = { ...OWN_SETTING, faults: beside.faults };
  const shown = stories.map((story, i) => ({ name: beside.names[i], label: beside.labels[i], story, wrong: "", cells: /** @type {number[]} */ ([]) }));
  const underSetting = (/** @type {Story} */ story, /** @type {Setting} */ setting) => {
    return stories.includes(story) ? storyUnder(story, setting) : changedStory(story, /** @type {Setup} */ (story.setup), setting);
  };
  const lead = stories.find((story) => !canStall(story)) ?? stories[0]; // what it may break, all may
  const store = createStore([{ ...lead, setup: { .../** @type {Setup} */ (lead.setup), command: beside.command } }], { setting: asked, machine: asked.faults.length > 0 });
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const verdict = mountVerdict(root, compared, sentences);
  const page = besideSheet(root, sentences);
  const panels = stories.map((story, i) => mountPanel(page.stages, i, story, names[i], sentences, {
    alone: () => choose(i),
    seek: (part) => seek(part * whole * AXIS_END),
  }));
  page.stages.dataset.number = `${stories.length}`;
  const counters = mountBesideCounters(page.counters, names, sentences, lead.counters[1][0]);
  /** @type {Moments[]} */
  let runs = [];
  let [now, whole, speed, playing, frame, timer, writtenAt] = [0, 1, 1, false, 0, 0, 0];
  /** @type {number[]} */
  let ends = []; // when each is done
  /** @type {number[]} */
  let stops = []; // moments in each of which something else is on its way

  const stopsOf = () => {
    const times = [0, ...new Set(runs.flatMap(({ events }) => events))].sort((one, other) => one - other);
    const separate = times.filter((time, i) => !i || time - times[i - 1] > 1e-7 * whole);
    return [0, ...separate.slice(1).map((time, i) => (time + separate[i]) / 2), whole];
  };

  /** Everything as it is under the setting. */
  const renew = () => {
    const { setting } = store.state;
    const under = shown.map(({ story }) => underSetting(story, setting));
    runs = shown.map(({ story }, i) => {
      const setup = /** @type {Setup} */ (story.setup);
      return momentsOf(under[i], under[i].timing ?? timeRun(story, setting, clockOf(setup, setting)), delaysOf(setup, setting));
    });
    const before = now / whole;
    whole = runs.reduce((longest, run) => Math.max(longest, run.whole), 0) || 1e-6;
    const standings = verdict.judge(shown, setting, runs.map(({ timing }) => timing), sameValue(setting, asked) && shown.every(({ story }, i) => story === stories[i]) ? beside.ranges : null);
    panels.forEach((panel, i) => {
      panel.renew(runs[i], { ...under[i], setting }, AXIS_END * whole);
      panel.rank(standings[i], rivalOf(standings, i), shown[i]);
    });
    stops = stopsOf();
    ends = standings.map(({ seconds }) => seconds);
    showTicks(page.ticks, whole, ends);
    page.effects.replaceChildren();
    shown.forEach(({ story }, i) => {
      const [first, ...more] = effectsOf(story, under[i]);
      if (first) html(page.effects, "span", "", `${names[i]}: ${inARow([first, ...more])} `);
    });
    seek(before * whole, false);
  };

  const show = () => {
    for (const panel of panels) panel.show(now);
    counters.show(now, panels.map((panel) => panel.counted(now)));
    const text = phrase("moment", { now: besideText(now, whole), whole: secondsText(whole) });
    page.scrub.value = `${Math.round((FINE * now) / whole)}`;
    if (!playing || performance.now() - writtenAt > 250) {
      writtenAt = performance.now();
      set(page.scrub, "aria-valuetext", text);
      write(page.moment, text);
    }
    page.play.classList.toggle("playing", playing);
    set(page.play, "aria-label", word(playing ? "controls.pause" : "controls.play"));
    for (const button of [page.first, page.back]) set(button, "aria-disabled", `${now <= 0}`);
    for (const button of [page.next, page.last]) set(button, "aria-disabled", `${now >= whole}`);
  };

  const halt = () => {
    playing = false;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };

  /** @type {(time: number, stops?: boolean) => void} */
  const seek = (time, halts = true) => {
    if (halts) halt();
    now = Math.min(Math.max(time, 0), whole);
    show();
    rest();
  };
  /** @param {number} by */
  const step = (by) => {
    const near = 1e-9 * whole;
    const next = by > 0 ? stops.find((time) => time > now + near) : [...stops].reverse().find((time) => time < now - near);
    seek(next ?? (by > 0 ? whole : 0));
    say(inARow(panels.map((panel) => panel.told(now))));
  };
  /** @param {string} text */
  const say = (text) => write(page.aloud, text);

  const paceOf = () => {
    const steps = Math.max(...shown.map(({ story }) => story.frames.length));
    return whole / Math.min(Math.max(LEAST_RUN, STEP * steps), MOST_RUN);
  };
  const play = () => {
    if (playing) return seek(now);
    playing = true;
    if (now >= whole) now = 0;
    const ended = runs.map((run) => now >= run.whole);
    const finish = () => runs.forEach((run, i) => {
      if (!ended[i] && now >= run.whole * (1 - 1e-9)) say(panels[i].told(now));
      ended[i] ||= now >= run.whole * (1 - 1e-9);
    });
    if (calm.matches) {
      const on = () => {
        now = stops.find((time) => time > now + 1e-9 * whole) ?? whole;
        if (now >= whole) halt();
        show();
        finish();
        if (playing) timer = setTimeout(on, CALM_STOP / speed);
      };
      timer = setTimeout(on, CALM_STOP / speed);
      return show();
    }
    let last = performance.now();
    const tick = (/** @type {number} */ at) => {
      now = Math.min(whole, now + (Math.max(0, at - last) / 1000) * speed * paceOf());
      last = at;
      if (now >= whole) halt();
      else frame = requestAnimationFrame(tick);
      show();
      finish();
      if (!playing) rest();
    };
    frame = requestAnimationFrame(tick);
    show();
  };
  const faster = () => {
    speed = TIMES_FASTER[(TIMES_FASTER.indexOf(speed) + 1) % TIMES_FASTER.length];
    write(page.speed, `${speed}×`);
    set(page.speed, "aria-label", word("controls.speed", { speed }));
  };

  /** @type {Record<string, () => void>} */
  const acts = {
    first: () => seek(0), back: () => step(-1), play, next: () => step(1), last: () => seek(whole), speed: faster,
    machine() {
      store.act({ kind: "machine" });
      if (store.state.machine) page.setup.scrollIntoView({ block: "nearest" });
    },
    theme: () => store.act({ kind: "theme" }), mend: () => store.act({ kind: "mend" }),
    help: () => page.dialog.showModal(),
  };
  /** @type {Record<string, string>} */
  const keys = { ArrowRight: "next", n: "next", ArrowLeft: "back", p: "back", Home: "first", End: "last", " ": "play", s: "speed", m: "machine", u: "mend", d: "theme", "?": "help" };
  for (const name of ["first", "back", "play", "next", "last", "speed", "machine", "theme", "help"]) {
    /** @type {any} */ (page)[name].addEventListener("click", acts[name]);
  }
  page.scrub.max = `${FINE}`;
  page.scrub.addEventListener("input", () => seek((Number(page.scrub.value) * whole) / FINE));
  page.scrub.addEventListener("keydown", (event) => {
    if (event.key in keys && event.key !== " ") event.preventDefault(); // its keys are those of the page
  });
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    const name = keys[event.key];
    if (!name || !isShown() || event.ctrlKey || event.altKey || event.metaKey || page.dialog.open) return;
    if (target.closest?.("select, textarea, input:not([data-part=scrub])") || (event.key === " " && target.closest?.("button"))) return;
    event.preventDefault();
    acts[name]();
  });
  panels.forEach(({ section, picture }, i) => section.addEventListener("click", (event) => {
    const { stage, canvas } = picture.page;
    if (!stage.contains(/** @type {Node} */ (event.target)) && event.target !== canvas) return;
    const thing = thingAt(stories[i], ...pointOf(picture.page, event));
    if (!thing || !["rank", "link", "cell"].includes(thing.kind)) return;
    store.act({ kind: "select", thing: thing.kind === "cell" ? { kind: "rank", at: [thing.at[0]] } : thing });
    if (!store.state.machine) store.act({ kind: "machine" });
  }));

  const isShown = () => document.body.classList.contains("abreast");
  /** @param {number} [delay] */
  const rest = (delay = REST_BESIDE) => {
    clearTimeout(resting);
    resting = setTimeout(remember, delay);
  };
  let resting = 0;
  const remember = () => {
    if (!isShown()) return;
    const { setting, theme } = store.state;
    const parts = [now && `time=${besideText(now, whole).replace(" ", "").replace("µ", "u")}`, theme !== first && `theme=${theme}`, ...settingNames(setting)];
    try {
      history.replaceState(null, "", `#${PLACE}${parts.filter(Boolean).join("&")}`);
    } catch {
      // a sandboxed frame has no address of its own
    }
  };
  const read = () => {
    if (!location.hash.startsWith(`#${PLACE}`)) return;
    const named = new URLSearchParams(location.hash.slice(1 + PLACE.length));
    const setting = namedSetting(store.own, named);
    if (!sameValue(setting, store.state.setting)) store.act({ kind: "setting", setting });
    if (setting.faults.length && !store.state.machine) store.act({ kind: "machine" });
    if ((named.get("theme") ?? first) !== store.state.theme) store.act({ kind: "theme" });
    seek(secondsIn(named.get("time") ?? ""));
  };

  const player = /** @type {HTMLElement} */ (document.getElementById("player"));
  const follows = !document.body.dataset.theme;
  const light = matchMedia("(prefers-color-scheme: light)");
  const first = document.body.dataset.theme ?? (light.matches ? "light" : "dark");
  const showTheme = () => {
    for (const element of [document.body, root, player]) element.dataset.theme = store.state.theme;
    for (const { picture } of panels) picture.recolor();
  };
  if (store.state.theme !== first) store.act({ kind: "theme" });
  if (follows) light.addEventListener("change", () => store.state.theme !== (light.matches ? "light" : "dark") && store.act({ kind: "theme" }));
  const setup = mountSetup(page, store);
  setup.update(new Set(["machine", "setting"]));
  store.subscribe(setup.slices, setup.update);
  store.subscribe(["setting"], renew);
  store.subscribe(["theme"], () => {
    showTheme();
    rest();
  });
  renew();
  showTheme();
  const repaint = () => {
    if (!isShown()) return;
    for (const panel of panels) panel.repaint();
    showTicks(page.ticks, whole, ends);
  };
  new ResizeObserver(repaint).observe(page.stages);
  addEventListener("hashchange", read);
  read();
  Object.assign(root, { collectives: { store, seek, moment: () => ({ now, whole, playing }) } });
  return {
    panels,
    /** The panel before which editors stand. */
    counted: page.counters,
    /**
     * Runs steps that somebody wrote in the place of an algorithm's own; with none its own again.
     * @param {number} number
     * @param {BuiltSteps | null} steps
     */
    write(number, steps) {
      const name = steps ? phrase("edited", { name: beside.names[number] }) : beside.names[number];
      const found = steps ? editedStory(stories[number], steps) : { story: stories[number], right: true, step: 0, wrong: [] };
      const wrong = found.right ? "" : phrase(found.step ? "wrong_from" : "wrong_end", { name: capitalOf(name), step: found.step });
      shown[number] = { ...shown[number], name, story: found.story, wrong, cells: found.wrong };
      write(panels[number].heading, capitalOf(name));
      counters.rename(shown.map((one) => capitalOf(one.name)));
      renew();
      const spans = wrong && found.step ? runs[number].spans[Math.min(found.step, runs[number].spans.length) - 1] ?? [] : [];
      const begin = spans.reduce((first, [time]) => Math.min(first, time), Infinity);
      seek(begin < Infinity ? begin : 0);
    },
  };
}

/**
 * A time in the unit of a longer one, with as many decimals as that has.
 * @param {number} seconds
 * @param {number} longer
 */
function besideText(seconds, longer) {
  const [digits, unit] = secondsText(longer).split(" ");
  const scale = { ps: 1e-12, ns: 1e-9, "µs": 1e-6, ms: 1e-3, s: 1 }[unit] ?? 1;
  const decimals = Math.max(0, 3 - digits.split(/[.,]/)[0].length);
  return decimal(`${(seconds / scale).toFixed(decimals)} ${unit}`);
}

/**
 * The seconds of a text such as 12.5us; 0 of any other.
 * @param {string} text
 */
function secondsIn(text) {
  const [, digits, unit] = /^(\d+\.?\d*)(ps|ns|us|ms|s)$/.exec(text) ?? [];
  const scale = { ps: 1e-12, ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1 }[unit];
  return scale ? Number(digits) * scale : 0;
}

/**
 * Times below the slider, and a flag where each of them is done.
 * @param {HTMLElement} parent
 * @param {number} whole
 * @param {number[]} done
 */
function showTicks(parent, whole, done) {
  parent.replaceChildren();
  const part = (/** @type {number} */ time) => `${(100 * time) / whole}%`;
  const tickCount = Math.max(2, Math.floor(parent.clientWidth / 90));
  for (const time of ticksTo(whole, tickCount)) html(parent, "span", "", secondsText(time)).style.left = part(time);
  done.forEach((time, number) => {
    if (time === Infinity) return;
    const flag = html(parent, "i");
    flag.style.left = part(time);
    flag.dataset.contender = `${number}`;
  });
}
