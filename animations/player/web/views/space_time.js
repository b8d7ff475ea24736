// Space and time: a line for each node, a bar for each transfer, from its sender to its receiver.

import { settledStep } from "../core/motion.js";
import { timeText } from "../core/quantities.js";
import { word } from "../core/say.js";
import { movesWith, textOf } from "../core/selection.js";
import { clocksOf, diagramOf, endOf, secondsOf, wayAt } from "../core/space_time.js";
import { html, svg, touchable } from "./elements.js";
import { explain } from "./terms.js";

/** @typedef {import("../core/space_time.js").Way} Way */

const MOST_NAMES = 8; // nodes up to which each has its name
const [WIDE, HIGH] = [1000, 100]; // of the picture, and of a node's line

/** @type {Mount} */
export function mountSpaceTime(page, store) {
  const nodes = store.own.names.length;
  /** @type {ReturnType<typeof diagramOf> | undefined} */
  let shown;
  let [key, chosen] = ["", ""]; // what is drawn
  /** @type {Story | undefined} */
  let drawnStory;
  buildSpace(page, store);

  const line = (/** @type {Way} */ { src, dst, start, end }) => {
    const { from, to } = /** @type {ReturnType<typeof diagramOf>} */ (shown);
    const x = (/** @type {number} */ time) => (WIDE * (time - from)) / (to - from);
    return [x(start), HIGH * (src + 0.5), x(end), HIGH * (dst + 0.5)];
  };
  const draw = (/** @type {string} */ clock, /** @type {number} */ step) => {
    const { story } = store;
    const found = diagramOf(story, clock, step);
    const name = `${clock} ${found.first}`;
    if (key === name && drawnStory === story) return;
    [key, shown, drawnStory] = [name, found, story];
    chosen = "";
    page.plane.replaceChildren();
    drawLines(page.plane, found.ways, line);
    page.axis.replaceChildren();
    for (const text of axisOf(story, clock, found)) html(page.axis, "span", "", text);
    page.ways.setAttribute("aria-label", labelOf(story, clock, found));
  };

  page.ways.addEventListener("click", (event) => {
    const { left, top, width, height } = page.ways.getBoundingClientRect();
    const scale = [width / WIDE, height / (HIGH * nodes)];
    const pixels = (/** @type {Way} */ way) => line(way).map((place, i) => place * scale[i % 2]);
    const way = wayAt(shown?.ways ?? [], pixels, event.clientX - left, event.clientY - top);
    if (way) store.act({ kind: "touch", thing: { kind: "transfer", at: [way.step, way.number] } });
  });

  return {
    slices: ["diagram", "step", "landed", "selection", "setting"],
    update(changed) {
      const { story } = store;
      const { diagram, selection, step } = store.state;
      if (changed.has("diagram")) showClock(page, diagram);
      if (!diagram) return;
      draw(diagram, step);
      const { ways, from, to } = /** @type {ReturnType<typeof diagramOf>} */ (shown);
      const end = endOf(story, diagram, settledStep(store.state));
      page.moment.style.left = `${(100 * Math.min(Math.max(end - from, 0), to - from)) / (to - from)}%`;
      page.lit.replaceChildren();
      drawLines(page.lit, ways.filter((way) => way.step === step), line);
      const marked = `${key} ${textOf(selection)}`;
      if (marked === chosen) return;
      chosen = marked;
      page.mine.replaceChildren();
      const own = selection ? ownWays(story, selection, ways) : [];
      page.ways.classList.toggle("dimmed", own.length > 0);
      drawLines(page.mine, own, line);
    },
  };
}

/**
 * The names of the nodes and the clocks to choose from.
 * @param {Page} page
 * @param {Store} store
 */
function buildSpace(page, store) {
  const { story } = store;
  const each = Math.ceil(story.names.length / MOST_NAMES);
  page.ways.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH * story.names.length}`);
  page.ways.classList.toggle("many", story.names.length > 4 * MOST_NAMES);
  const base = story.names.map((_, node) => `M0 ${HIGH * (node + 0.5)}H${WIDE}`);
  svg(page.base, "path", { d: base.join("") });
  story.names.forEach((text, node) => {
    const name = html(page.lanes, "span", "", node % each ? "" : text);
    name.dataset.rank = node < story.ranks ? `${node % 16}` : "";
    if (!(node % each)) touchable(name, name, `rank:${node}`);
  });
  for (const clock of clocksOf(story)) {
    const button = html(page.clocks, "button", "", clock === "steps" ? word("space.clock_steps") : clock);
    button.dataset.clock = clock;
    const [meaning] = story.terms.find(([, term]) => term === clock) ?? [];
    if (meaning) explain(page, button, meaning);
    button.addEventListener("click", () => store.act({ kind: "clock", clock }));
  }
}

/**
 * @param {Page} page
 * @param {string} diagram
 */
function showClock(page, diagram) {
  page.space.hidden = !diagram;
  page.sheet.classList.toggle("spaced", !!diagram);
  page.diagram.setAttribute("aria-pressed", `${!!diagram}`);
  for (const button of page.clocks.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", `${button.dataset.clock === diagram}`);
  }
}

/**
 * One path for the lines of each sender's color.
 * @param {SVGElement} parent
 * @param {readonly Way[]} ways
 * @param {(way: Way) => number[]} lineOf
 */
function drawLines(parent, ways, lineOf) {
  /** @type {Map<string, string[]>} */
  const colors = new Map();
  for (const way of ways) {
    const color = `${way.src % 16}${way.lost ? " lost" : ""}`;
    const [left, top, right, bottom] = lineOf(way).map((place) => Math.round(10 * place) / 10);
    const parts = colors.get(color) ?? [];
    colors.set(color, parts);
    parts.push(`M${left} ${top}L${right} ${bottom}`);
  }
  for (const [color, parts] of colors) {
    const [rank, lost] = color.split(" ");
    svg(parent, "path", { "data-rank": rank, d: parts.join(""), ...(lost && { "data-lost": "" }) });
  }
}

/**
 * The ways of a selection's transfers; of a transfer only itself.
 * @param {Story} story
 * @param {Thing} thing
 * @param {readonly Way[]} ways
 */
function ownWays(story, thing, ways) {
  /** @type {Map<number, Set<number>>} */
  const own = new Map();
  for (const { step } of ways) if (!own.has(step)) own.set(step, new Set(movesWith(story, thing, step)));
  return ways.filter(({ step, number }) => own.get(step)?.has(number));
}

/**
 * The words below: steps or times at both ends, and what is between.
 * @param {Story} story
 * @param {string} clock
 * @param {ReturnType<typeof diagramOf>} diagram
 */
function axisOf(story, clock, { first, last, from, to, hidden }) {
  if (clock === "steps") {
    const [begins, ends] = [first, last].map((step) => word("space.steps_axis", { step }));
    return [begins, hidden ? word("space.hidden", { number: hidden }) : "", first < last ? ends : ""];
  }
  const [begin, end] = [from, to].map((ticks) => timeText(secondsOf(story, clock, ticks)));
  const [, machine] = story.times.find(([name]) => name === clock) ?? ["", ""];
  return [begin, word(hidden ? "space.on_hidden" : "space.on", { machine, number: hidden }), end];
}

/**
 * @param {Story} story
 * @param {string} clock
 * @param {ReturnType<typeof diagramOf>} diagram
 */
function labelOf(story, clock, { first, last, ways }) {
  return word("space.label", { transfers: ways.length, first, last, clock, nodes: story.names.length });
}
