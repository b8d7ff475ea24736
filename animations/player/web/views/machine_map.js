// The map of a page's machine, in the place of the stage: what its links carry, its bottleneck, the
// cut that limits; ranks are dragged to other GPUs.

import { bytesText } from "../core/amounts.js";
import { nodeName } from "../core/faults.js";
import { loadOf } from "../core/link_load.js";
import { bottleneckWords, moveTold } from "../core/map_words.js";
import { partName, rootHasMoved, seatOf, withMove } from "../core/seats.js";
import { settledStep } from "../core/motion.js";
import { capital } from "../core/phrases.js";
import { word } from "../core/say.js";
import { calledNode } from "../core/setup_words.js";
import { button, html, set, svg, write } from "./elements.js";
import { mountMapFacts } from "./map_facts.js";
import { listenMap } from "./map_input.js";


const [THIN, THICK] = [1.5, 10]; // units, width of a link that carries nothing, of the busiest
const NARROW_MAP = 640; // pixels: of a narrower map the narrow picture is shown
const RANK_LETTERS = 22; // units, height of a rank's number at most

/** @param {HTMLElement} root */
export function mountMap(root) {
  const { store } = /** @type {any} */ (root).collectives;
  /** @type {{own: Story, store: Store}} */
  const { own } = store;
  const map = own.map;
  if (!map || !own.setup) return;
  const sheet = /** @type {HTMLElement} */ (root.querySelector(".sheet"));
  /** @type {MapShown} */
  const shown = { part: null, whole: true, cut: false };

  const panel = html(sheet, "section", "map");
  panel.setAttribute("aria-label", word("map.map"));
  sheet.querySelector("[data-part=board]")?.after(panel);
  const bar = html(panel, "div", "row");
  const spans = html(bar, "span", "edits");
  spans.setAttribute("role", "group");
  const ways = [true, false].map((whole) => button(spans, word(whole ? "map.run" : "map.step"), () => {
    shown.whole = whole;
    draw();
  }));
  const showCut = button(spans, word("map.cut_show"), () => {
    shown.cut = !shown.cut;
    draw();
  });
  const sentence = html(panel, "p", "told");
  sentence.setAttribute("aria-live", "polite");
  const frame = html(panel, "div", "drawn");
  const toggle = button(/** @type {Element} */ (sheet.querySelector(".tools")), "", () => store.act({ kind: "map" }), "maps");
  toggle.title = `${word("map.map")} (g)`;
  toggle.setAttribute("aria-label", word("map.map"));
  const sign = svg(toggle, "svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  svg(sign, "path", { d: "M12 4v6M6 14v-4h12v4", fill: "none" });
  for (const [x, y] of [[9, 2], [3, 14], [15, 14]]) svg(sign, "path", { d: `M${x} ${y}h6v6h-6z` });
  sheet.querySelector("[data-part=machine]")?.after(toggle);
  const keys = /** @type {Element} */ (root.querySelector("[data-part=dialog] dl"));
  html(keys, "dt", "", "g");
  html(keys, "dd", "", word("help.map"));

  const loadNow = () => loadOf(own, store.state.setting);
  const setupNow = () => /** @type {Setup} */ (store.story.setup);
  let before = { moves: store.state.setting.moves, load: loadNow(), setup: setupNow() };
  let message = "";

  const select = (/** @type {MapPart | null} */ part) => {
    shown.part = part;
    draw();
  };
  const move = (/** @type {number} */ rank, /** @type {number} */ seat) => {
    const moves = withMove(/** @type {Setup} */ (own.setup), store.state.setting.moves, rank, seat);
    store.act({ kind: "place", moves });
    const there = store.state.setting.moves.join() === moves.join();
    message = there ? message : word("map.cannot", { rank: capital(calledNode(setupNow(), rank)) });
    if (there) shown.part = { kind: "node", at: rank };
    draw();
  };
  const facts = mountMapFacts(sheet, store, { shown, select, move, loadNow });
  const parts = buildPictures(frame, map, own.setup);
  listenMap(frame, { select, move, setupNow });

  function draw() {
    const { map: open, setting, step } = store.state;
    sheet.classList.toggle("mapping", open);
    set(toggle, "aria-pressed", `${open}`);
    if (!open) return;
    const [load, setup] = [loadNow(), setupNow()];
    if (setting.moves.join() !== before.moves.join()) {
      message = load && before.load ? moveTold(setup, { ...before, load: before.load }, { moves: setting.moves, load }) : "";
    } else if (load?.total !== before.load?.total) message = "";
    before = { moves: setting.moves, load, setup };
    ways.forEach((way, i) => set(way, "aria-pressed", `${shown.whole === !i}`));
    const movedRoot = rootHasMoved(setup);
    showCut.hidden = !map?.cut || movedRoot;
    set(showCut, "aria-pressed", `${shown.cut}`);
    write(sentence, `${message} ${bottleneckWords(setup, load)}`.trim());
    const now = shown.whole ? load : load?.step(settledStep(store.state));
    for (const part of parts) part.draw(setup, now ?? null, load?.busiest ?? [], { ...shown, cut: shown.cut && !movedRoot });
    facts.draw(load, step);
  }
  const resized = new ResizeObserver(() => {
    const narrow = frame.clientWidth < NARROW_MAP && parts.length > 1;
    parts.forEach((part, i) => set(part.element, "class", narrow === (i > 0) ? "" : "away"));
  });
  resized.observe(frame);
  store.subscribe(["map", "setting", "step", "landed"], draw);
  draw();
}

/**
 * The pictures of the machine, each with how to show a load in it.
 * @param {HTMLElement} frame
 * @param {MachineMap} map
 * @param {Setup} own
 */
function buildPictures(frame, map, own) {
  return map.pictures.map((picture) => {
    const [width, height] = picture.size;
    const element = svg(frame, "svg", { viewBox: `-8 -8 ${width + 16} ${height + 16}`, role: "group", "aria-label": word("map.map") });
    element.style.minWidth = `${picture.least}px`;
    const [behind, lines, hits, boxes, words, marks] = Array.from({ length: 6 }, () => svg(element, "g"));
    const gpus = own.kinds[0][1];
    const nodes = new Map();
    for (const [name, left, top, wide, high] of picture.boxes) {
      const [kind, number] = name.split("-");
      const group = kind === "frame" || kind === "group" ? behind : boxes;
      const shape = { class: kind === "group" ? "node group" : kind, x: left, y: top, width: wide, height: high, rx: kind === "node" && Number(number) < gpus ? Math.min(12, wide / 4) : 5 };
      const box = svg(group, "rect", shape);
      if (kind === "frame") continue;
      box.dataset.node = number;
      if (kind === "node" && Number(number) < gpus) box.dataset.gpu = "";
      if (kind !== "chip") nodes.set(Number(number), { box, left, top, wide, high });
    }
    const paths = picture.lines.map((d, link) => {
      svg(hits, "path", { d, "data-link": link });
      return svg(lines, "path", { d });
    });
    for (const [text, x, y, size, align] of picture.texts) svg(words, "text", { x, y, "font-size": size, class: align }, text);
    const names = Array.from({ length: gpus }, (_, seat) => {
      const { left, top, wide, high } = nodes.get(seat);
      const letters = Math.min(RANK_LETTERS, 0.9 * high, wide / 1.5);
      return { text: svg(words, "text", { x: left + wide / 2, y: top + high / 2 + 0.36 * letters, "font-size": letters, class: "center rank" }), wide, letters };
    });
    const draw = (/** @type {Setup} */ setup, /** @type {{bytes: number[], use: number[]} | null} */ now, /** @type {number[]} */ busiest, /** @type {MapShown} */ shown) => {
      const highest = now ? Math.max(...now.use, 1e-30) : 1;
      paths.forEach((path, link) => {
        const share = now ? now.use[link] / highest : 0;
        const thin = Math.sqrt(picture.lines[link].split("M").length - 1); // of several lines each is thinner
      path.style.strokeWidth = `${share ? THIN + (THICK / thin - THIN) * share : THIN}`;
        path.style.setProperty("--share", `${Math.round(100 * (share ? 0.25 + 0.75 * share : 0))}%`);
        set(path, "class", `${busiest.includes(link) ? "busiest" : ""} ${shown.cut && map.cut?.links.includes(link) ? "across" : ""}`);
      });
      names.forEach(({ text, wide, letters }, seat) => {
        const rank = setup.seats ? setup.seats.indexOf(seat) : seat;
        write(text, wide > 4.4 * letters ? calledNode(setup, rank) : `${rank}`);
        text.dataset.rank = `${rank % 8}`;
        text.classList.toggle("moved", rank !== seat);
      });
      for (const [node, { box }] of nodes) {
        const rank = node < gpus && setup.seats ? setup.seats.indexOf(node) : node;
        set(box, "aria-label", partName(setup, rank));
      }
      drawMapMarks(marks, picture, setup, now, shown, nodes, paths);
    };
    return { element, draw };
  });
}

/**
 * Numbers at the busiest links, the cut, and what is selected.
 * @param {SVGElement} marks
 * @param {MapPicture} picture
 * @param {Setup} setup
 * @param {{bytes: number[], use: number[]} | null} now
 * @param {MapShown} shown
 * @param {Map<number, {left: number, top: number, wide: number, high: number}>} nodes
 * @param {SVGElement[]} paths
 */
function drawMapMarks(marks, picture, setup, now, shown, nodes, paths) {
  marks.replaceChildren();
  if (shown.cut) for (const [x, y, width, height] of picture.cut) svg(marks, "rect", { class: "cut", x, y, width, height, rx: 10 });
  for (const link of now ? busiestOfKinds(setup, now) : []) {
    const path = /** @type {SVGPathElement} */ (paths[link]);
    const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
    svg(marks, "text", { x: x + 9, y: y + 7, class: "amount" }, bytesText(/** @type {{bytes: number[]}} */ (now).bytes[link]));
  }
  if (!shown.part) return;
  const { kind, at } = shown.part;
  if (kind === "link") svg(marks, "path", { class: "picked", d: picture.lines[at] });
  const box = kind === "node" && nodes.get(seatOf(setup, at));
  if (box) svg(marks, "rect", { class: "picked", x: box.left - 4, y: box.top - 4, width: box.wide + 8, height: box.high + 8, rx: 10 });
}

/**
 * Of the links between nodes of two kinds the busiest, where it carries something.
 * @param {Setup} setup
 * @param {{use: number[]}} now
 */
function busiestOfKinds(setup, { use }) {
  /** @type {Map<string, number>} */
  const found = new Map();
  use.forEach((share, link) => {
    const key = [setup.links[0][link], setup.links[1][link]].map((node) => nodeName(setup, node).replace(/ \d+$/, "")).sort().join(" ");
    if (share > (use[found.get(key) ?? -1] ?? 0) * (1 + 1e-6)) found.set(key, link);
  });
  return found.values();
}
