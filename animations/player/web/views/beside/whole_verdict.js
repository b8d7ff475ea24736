// The question, and below it the verdict: who is done first, why, and at which sizes another one is.

import { fastestBySize, standingOf } from "../../core/compared/standing.js";
import { orderOf, pathSentences } from "../../core/compared/sentences.js";
import { inARow } from "../../core/say.js";
import { isOwnSetting } from "../../core/setting.js";
import { vectorBytes } from "../../core/timed_run.js";
import { html, write } from "../elements.js";

/** @typedef {import("../../core/compared/sentences.js").Sentences} Sentences */
/** @typedef {import("../../core/compared/standing.js").Standing} Standing */
/** @typedef {{name: string, label: string, story: Story, wrong: string}} Contender and what is wrong with it */

const SLICE = 7; // milliseconds of work before the page may draw
const MOST_MESSAGES = 2500; // of an algorithm that is timed at messageCount sizes

/**
 * @param {HTMLElement} parent
 * @param {Compared} compared
 * @param {Sentences} sentences
 */
export function mountVerdict(parent, compared, sentences) {
  const head = html(parent, "header", "head");
  html(head, "h1", "", compared.title);
  const verdict = html(head, "p", "verdict");
  verdict.setAttribute("role", "status");
  const turn = html(head, "p", "turn");
  turn.setAttribute("role", "status");
  html(head, "p", "faint", compared.subtitle);
  let [latest, timer] = [0, 0];

  return {
    /**
     * How long each takes; says so. Which is the fastest at other sizes is said once that is known.
     * @param {readonly Contender[]} all
     * @param {Setting} setting
     * @param {readonly import("../../core/clock/clocks.js").Timing[]} timings
     * @param {readonly [number, number][] | null} known from how messageCount bytes on which is the fastest
     */
    judge(all, setting, timings, known) {
      const standings = all.map(({ name, label, story }, i) => standingOf(name, label, story, setting, timings[i]));
      const wrong = all.filter((one) => one.wrong);
      const right = all.map((one, number) => ({ ...one, standing: standings[number] })).filter((one) => !one.wrong);
      const [size, ranked] = [vectorBytes(all[0].story, setting.size), right.map(({ standing }) => standing)];
      const said = wrong.map((one) => one.wrong);
      if (ranked.length > 1) {
        said.push(...sentences.finishes(ranked).flatMap(({ texts }) => texts), ...sentences.reasons(ranked, size, setting.faults));
      }
      write(verdict, inARow(said));
      verdict.classList.toggle("bad", wrong.length > 0);
      verdict.title = ranked.length > 1 ? inARow(pathSentences(sentences, ranked)) : "";
      clearTimeout(timer);
      const own = ++latest;
      const running = right.filter(({ standing }) => standing.seconds < Infinity);
      const tell = (/** @type {readonly [number, number][]} */ ranges) => {
        write(turn, inARow(sentences.turn(ranked, ranges, size)));
      };
      const messageCount = Math.max(...all.map(({ story }) => story.frames.reduce((sum, frame) => sum + frame[1].length / story.widths[0], 0)));
      if (known && isOwnSetting({ ...setting, faults: [] })) tell(known);
      else if (!size || running.length < 2 || messageCount > MOST_MESSAGES) write(turn, "");
      else {
        write(turn, sentences.phrase("looking"));
        const search = fastestBySize(running.map(({ story }) => story), setting);
        const work = () => {
          for (const until = performance.now() + SLICE; performance.now() < until;) {
            const { done, value } = search.next();
            if (!done) continue;
            if (own === latest) tell((value ?? []).map(([from, number]) => [from, right.indexOf(running[number])]));
            return;
          }
          if (own === latest) timer = setTimeout(work);
        };
        timer = setTimeout(work);
      }
      return standings;
    },
  };
}

/**
 * The fastest of the others.
 * @param {readonly Standing[]} standings
 * @param {number} number
 */
export function rivalOf(standings, number) {
  const [first, second] = orderOf(standings);
  return standings[first === number ? second : first];
}
