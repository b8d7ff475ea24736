// The stage of one of several algorithms at a moment of modeled time: cells, lines and all that flies.

import { linkOf } from "../../core/hit.js";
import { boxOf, placeOfSlot } from "../../core/places.js";
import { canFly } from "../../core/motion.js";
import { movesOf } from "../../core/story.js";
import { mountBroken } from "../broken.js";
import { mountCards } from "../cards.js";
import { mountCells } from "../cells.js";
import { partsIn, redraw, set, svg } from "../elements.js";
import { prepareTrips, travelTrips } from "../flights.js";
import { lineDrawer } from "../links.js";
import { mountMarks } from "../marks.js";
import { mountMatrix } from "../matrix.js";
import { mountScenery } from "../scenery.js";
import { plainText } from "./legible_stage.js";

/** @typedef {import("../../core/compared/moments.js").Moments} Moments */
/** @typedef {{group: Element, trips: any[]}} Flock the parcels of a step */

const TICKS = 1e6; // of all time, in which flights are timed
/** @type {Changed} */
const ALL = new Set(["step", "landed", "theme", "setting"]);

/**
 * @param {HTMLElement} root which has the board of player.html
 * @param {Story} own
 */
export function mountPicture(root, own) {
  const page = partsIn(root);
  page.sheet = root;
  for (const part of [page.under, page.stage]) {
    part.setAttribute("viewBox", own.stage.join(" "));
    part.classList.add(own.view);
  }
  page.stage.style.setProperty("--thin", `${own.outline}`);
  root.style.setProperty("--aspect", `${own.stage[2] / own.stage[3]}`);
  /** @type {Moments} */
  let run;
  let story = own;
  const [landings, steps, faults] = [facade(() => run.story), facade(() => story), facade(() => story)];
  faults.state.step = -1; // of no step are its waits drawn
  /** @type {View[][]} */
  let [byLanding, byStep] = [[], []];
  /** @type {View} */
  let broken;
  const drawLines = lineDrawer(page);
  const [waiting, flying] = [svg(page.moves, "g", { class: "waiting" }), svg(page.moves, "g")];
  const unmet = svg(page.moves, "g");
  /** @type {Map<number, Flock>} */
  const flocks = new Map();
  /** @type {Flock[]} */
  const spare = [];
  let [stood, seen] = ["", ""];

  const flightsAt = (/** @type {number} */ now, /** @type {number[]} */ under) => {
    for (const [step, flock] of flocks) {
      if (under.includes(step)) continue;
      flocks.delete(step);
      set(flock.group, "visibility", "hidden");
      spare.push(flock);
    }
    const scale = TICKS / (run.whole || 1);
    for (const step of under) {
      if (!canFly(story, step)) continue;
      let flock = flocks.get(step);
      if (!flock) {
        flock = spare.pop() ?? { group: svg(flying, "g"), trips: [] };
        flocks.set(step, flock);
        const spans = run.spans[step - 1].map((span) => span.map((time) => Math.min(time, 2 * run.whole) * scale));
        prepareTrips(page, { ...story, lost: undefined }, step, flock.trips, flock.group, spans);
        set(flock.group, "visibility", "inherit");
      }
      travelTrips({ ...story, clock: "dataflow" }, flock.trips, now * scale);
      for (const { group, span } of flock.trips) set(group, "visibility", span[0] <= now * scale * (1 + 1e-9) && now * scale < span[1] ? "inherit" : "hidden");
    }
  };

  return {
    page,
    /**
     * Another run of the same algorithm.
     * @param {Moments} moments
     * @param {Story} under the story under its setting
     */
    renew(moments, under) {
      const first = !run;
      [run, story, stood, seen] = [moments, under, "", ""];
      for (const step of flocks.keys()) flightsAt(-1, [...flocks.keys()].filter((other) => other !== step));
      if (first) {
        byLanding = [own.table ? mountMatrix(page, steps) : mountCells(page, landings), mountCards(page, landings)];
        byStep = [mountMarks(page, steps), mountScenery(page, steps)];
        broken = mountBroken(page, faults);
      }
      for (const view of [...byLanding, ...byStep, broken]) view.update(ALL);
    },
    /**
     * @param {number} now
     * @param {readonly number[]} waiters
     */
    show(now, waiters) {
      const [under, reached] = [run.underWay(now), run.reached(now)];
      const landed = run.landed(now);
      Object.assign(landings.state, { step: reached });
      Object.assign(steps.state, under.length ? { step: under[0], part: 0.5 } : { step: landed, part: 1 });
      const state = `${steps.state.step} ${under} ${landed}`;
      if (reached !== Number(seen) || !seen) for (const view of byLanding) view.update(own.table ? ALL : new Set(["step"]));
      seen = `${reached}`;
      const lit = litAt(run, story, now, under);
      const key = `${state} ${[...lit]} ${waiters}`;
      if (key !== stood) {
        for (const view of byStep) view.update(new Set(["step", "landed"]));
        drawLines(story, run.begun(now), landed, (line) => isLit(story, line, lit, under));
        redraw(waiting, own.table ? [] : waiters.map((node) => hatchOf(page, story, node)));
      }
      stood = key;
      flightsAt(now, under);
    },
    /**
     * Outlines cells that end wrong.
     * @param {readonly number[]} cells
     */
    mark(cells) {
      const slots = own.slots.length;
      redraw(unmet, cells.map((cell) => {
        const [[x, y], [width, height]] = placeOfSlot(own, Math.floor(cell / slots), cell % slots);
        return { name: "rect", attributes: { class: "unmet", x, y, width, height, rx: own.rounding[0] } };
      }));
    },
    /** After its size or its colors have changed. */
    repaint() {
      page.least = plainText(page, own);
      for (const view of byLanding) view.repaint?.();
    },
    recolor() {
      for (const view of byLanding) view.update(new Set(["theme"]));
    },
  };
}

/**
 * What the views of a player take for its store.
 * @param {() => Story} story
 */
function facade(story) {
  const state = { step: 0, part: 1, playing: false, selection: null };
  return /** @type {Store & {state: {step: number, part: number}}} */ (/** @type {unknown} */ ({ state, get story() { return story(); }, get own() { return story(); } }));
}

/**
 * The steps and pairs of nodes between which something is on its way, as texts.
 * @param {Moments} run
 * @param {Story} story
 * @param {number} now
 * @param {number[]} under
 */
function litAt(run, story, now, under) {
  const found = new Set();
  for (const step of under) {
    movesOf(story, step).forEach(({ src, dst }, number) => {
      if (src !== dst && run.flies(step, number, now)) found.add(`${Math.min(src, dst)} ${Math.max(src, dst)}`);
    });
  }
  return found;
}

/**
 * Whether a message is on its way over a line; of one that is no link, whether its step is.
 * @param {Story} story
 * @param {Line} line
 * @param {Set<string>} lit
 * @param {number[]} under
 */
function isLit(story, line, lit, under) {
  if (!under.some((step) => line[1].includes(step))) return false;
  const ends = linkOf(story, line);
  return !ends || lit.has(ends.join(" "));
}

/**
 * A hatch over the card of a node that waits.
 * @param {Page} page
 * @param {Story} story
 * @param {number} node
 */
function hatchOf(page, story, node) {
  const id = `${page.id}-waits`;
  if (!page.hatches.children.namedItem(id)) {
    const kind = { patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)", width: 16, height: 16 };
    svg(svg(page.hatches, "pattern", { id, ...kind }), "path", { d: "M0 0V16" });
  }
  const [x, y, width, height] = boxOf(story, [node]);
  return { name: "rect", attributes: { class: "waits", x: x + 4, y: y + 4, width: width - 8, height: height - 8, rx: 8 }, fill: `url("#${id}")` };
}
