// One of several algorithms that run side by side: its name, stage, what it does now, and its lanes.

import { delaysOf, waitsOf } from "../../core/effects.js";
import { lanesOf } from "../../core/compared/lanes.js";
import { capitalOf } from "../../core/compared/sentences.js";
import { inARow, word } from "../../core/say.js";
import { secondsText } from "../../core/unit_text.js";
import { button, html, set, write } from "../elements.js";
import { mountLanes } from "./lane_rows.js";
import { mountPicture } from "./picture.js";

/** @typedef {import("../../core/compared/moments.js").Moments} Moments */
/** @typedef {import("../../core/compared/standing.js").Standing} Standing */
/** @typedef {import("../../core/compared/sentences.js").Sentences} Sentences */

const MOST_WAITERS = 2; // who wait, in a line

/**
 * @param {HTMLElement} parent
 * @param {number} number
 * @param {Story} own
 * @param {string} name
 * @param {Sentences} sentences
 * @param {{alone: () => void, seek: (part: number) => void}} acts
 */
export function mountPanel(parent, number, own, name, { phrase, plural, path: pathText }, acts) {
  const section = html(parent, "section", "contender");
  section.dataset.contender = `${number}`;
  const head = html(section, "div", "row");
  const heading = html(head, "h2", "", name);
  const state = html(head, "span", "state");
  const alone = button(head, phrase("alone"), acts.alone, "alone");
  const toggle = html(head, "button", "alone");
  toggle.dataset.part = "build"; // of which an editor makes its own
  toggle.hidden = true;
  section.setAttribute("aria-label", name);
  const sheet = document.createElement("template");
  sheet.innerHTML = SHEET;
  section.append(/** @type {Node} */ (sheet.content.querySelector("[data-part=board]")));
  const picture = mountPicture(section, own);
  picture.page.stage.setAttribute("aria-label", name);
  const doing = html(section, "p", "doing");
  const row = html(section, "div", "lanes");
  const lanes = mountLanes(row, acts.seek);
  const left = html(section, "p", "faint left");
  const path = html(section, "p", "faint path");
  /** @type {Moments} */
  let run;
  /** @type {Story} */
  let story = own;
  /** @type {Standing} */
  let standing;
  /** @type {Standing} */
  let rival; // the fastest of the others
  /** @type {import("../../core/effects.js").Wait[]} */
  let waits = [];
  let wrong = ""; // what is wrong with steps that somebody wrote
  /** @type {number[]} */
  let cells = []; // that end wrong

  /** @param {number} now */
  const waitsAt = (now) => waits.filter(({ start, end }) => start <= now && now < end && (end < Infinity || now >= run.until));

  /** @param {number} now */
  const stateText = (now) => {
    const { seconds, until } = standing;
    const over = now >= until * (1 - 1e-9);
    const fields = { time: secondsText(seconds), other: rival.name, less: secondsText(rival.seconds - seconds), more: secondsText(seconds - rival.seconds) };
    if (over && wrong) return wrong;
    if (over && seconds === Infinity) return phrase("stands_still");
    if (over && seconds < rival.seconds && rival.seconds < Infinity) return phrase("done_sooner", fields);
    if (over && seconds > rival.seconds) return phrase("done_later", fields);
    return over ? phrase("all_done", fields) : "";
  };

  /** @param {number} now */
  const doingText = (now) => {
    const under = run.underWay(now);
    const moving = movingAt(run, now);
    const fields = { step: under[0], first: under[0], last: under[under.length - 1], total: story.frames.length, messages: plural(moving, "message") };
    if (!under.length || !moving) return phrase("nothing_moves");
    return phrase(under.length > 1 ? "some_steps" : moving === 1 ? "one_message" : "one_step", fields);
  };

  /** @param {number} now */
  const waitingText = (now) => {
    const there = waitsAt(now);
    const texts = there.slice(0, MOST_WAITERS).map(({ node, other }) => phrase("waiting", { who: story.names[node], other: story.names[other] }));
    const more = there.length - texts.length;
    const waits = [...texts, ...(more ? [phrase("waiting_more", { number: more })] : [])].join(word("parts.comma"));
    return waits && phrase("waiting_row", { waits: capitalOf(waits) });
  };

  return {
    section, picture, alone, heading,
    /**
     * @param {Moments} moments
     * @param {Story} under
     * @param {number} whole seconds of the axis
     */
    renew(moments, under, whole) {
      [run, story] = [moments, under];
      const setup = /** @type {Setup} */ (under.setup);
      const delays = delaysOf(setup, under.setting);
      waits = waitsOf(run.timing, setup.nodes, delays);
      picture.renew(run, under);
      const rows = lanesOf(run.timing, own.ranks, setup.nodes, delays);
      lanes.renew(rows, own.names, whole, run.timing.total, phrase("lanes", { name }));
      write(left, rows.length < own.ranks ? phrase("some_lanes", { some: rows.length, ranks: own.ranks }) : "");
    },
    /**
     * @param {Standing} one
     * @param {Standing} other
     * @param {{wrong: string, cells: number[]}} mistakes
     */
    rank(one, other, mistakes) {
      [standing, rival, wrong, cells] = [one, other, mistakes.wrong, mistakes.cells];
      write(path, one.path.messages ? phrase("path_heading", { path: pathText(one) }) : "");
    },
    /** @param {number} now */
    show(now) {
      const waiting = waitsAt(now);
      picture.show(now, waiting.map(({ node }) => node));
      lanes.show(now);
      const said = stateText(now);
      const ended = said && standing.seconds < Infinity && !wrong;
      picture.mark(said && wrong ? cells : []);
      write(state, ended ? phrase("done_after", { time: secondsText(standing.seconds) }) : said || `${run.done(now)} / ${standing.steps}`);
      set(section, "class", `contender ${wrong || (said && !ended) ? "stuck" : said ? "done" : ""}`);
      write(doing, ended ? said : inARow([doingText(now), waitingText(now)]));
    },
    /** What is said of a moment aloud. */
    told: (/** @type {number} */ now) => `${name}: ${stateText(now) || inARow([doingText(now), waitingText(now)])}`,
    /** What is counted at a moment. */
    counted(/** @type {number} */ now) {
      const waited = waits.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, now) - start), 0);
      return { story, standing, run, moving: movingAt(run, now), waiting: waitsAt(now).length, waited };
    },
    repaint() {
      picture.repaint();
      lanes.repaint();
    },
  };
}

/**
 * How many messages are on their way.
 * @param {Moments} run
 * @param {number} now
 */
function movingAt({ timing }, now) {
  const early = now * (1 + 1e-9);
  return timing.messages.reduce((sum, { start, end }) => sum + start.filter((begin, m) => begin <= early && early < end[m]).length, 0);
}
