// Lanes below a stage: a row for each node, a bar for each message, hatched where a node waits.

import { html, redraw, svg } from "../elements.js";

/** @typedef {import("../../core/compared/lanes.js").Lane} Lane */

const [LEAST_ROW, MOST_ROW, ROW_GAP] = [6, 15, 1.5]; // pixels of a row; between two
const NAME = 11; // pixels of a name
const THINNEST_BAR = 1; // pixels of a bar
let patterns = 0; // of all lanes

/**
 * @param {HTMLElement} parent
 * @param {(part: number) => void} seek is told a part of the axis
 */
export function mountLanes(parent, seek) {
  const names = html(parent, "div", "names");
  const field = html(parent, "div", "field");
  const picture = svg(field, "svg", { role: "img", preserveAspectRatio: "none" });
  const id = `waiting-${++patterns}`;
  const hatch = svg(svg(picture, "defs"), "pattern", { id, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)", width: 5, height: 5 });
  svg(hatch, "path", { d: "M0 0V5" });
  const [rows, idle, bars] = [svg(picture, "path", { class: "rows" }), svg(picture, "path", { fill: `url(#${id})` }), svg(picture, "g")];
  const [later, moment, flag] = ["later", "moment", "flag"].map((name) => html(field, "i", name));
  /** @type {Lane[]} */
  let lanes = [];
  let whole = 1;

  const draw = () => {
    const width = Math.max(1, field.clientWidth);
    const high = Math.min(MOST_ROW, Math.max(LEAST_ROW, Math.round(width / 60)));
    const pitch = high + ROW_GAP;
    field.style.height = names.style.height = `${pitch * lanes.length}px`;
    [...names.children].forEach((name, i) => ((/** @type {HTMLElement} */ (name)).style.visibility = i % Math.ceil(NAME / pitch) ? "hidden" : ""));
    const x = (/** @type {number} */ time) => (width * Math.min(time, whole)) / whole;
    const box = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ top, /** @type {number} */ tall) => {
      const [left, wide] = [x(from), Math.max(THINNEST_BAR, x(to) - x(from) - (x(to) - x(from) > 4 ? 1 : 0))];
      return `M${left.toFixed(1)} ${top}h${wide.toFixed(1)}v${tall}h${(-wide).toFixed(1)}z`;
    };
    picture.setAttribute("viewBox", `0 0 ${width} ${pitch * lanes.length}`);
    rows.setAttribute("d", lanes.map((_, i) => `M0 ${pitch * i}h${width}v${high}h${-width}z`).join(""));
    idle.setAttribute("d", lanes.flatMap(({ waits }, i) => waits.map(({ start, end }) => box(start, end, pitch * i, high))).join(""));
    /** @type {Map<number, string[]>} */
    const colors = new Map();
    lanes.forEach(({ sends, receives }, i) => [sends, receives].forEach((of, down) => {
      for (const { start, end, src } of of) {
        const paths = colors.get(src % 16) ?? [];
        colors.set(src % 16, paths);
        paths.push(box(start, end, pitch * i + (down ? high / 2 : 0), high / 2 - 0.5));
      }
    }));
    redraw(bars, [...colors].map(([rank, paths]) => ({ name: "path", attributes: { "data-rank": rank, d: paths.join("") } })));
  };
  const at = (/** @type {PointerEvent} */ event) => {
    const { left, width } = field.getBoundingClientRect();
    seek(Math.min(Math.max((event.clientX - left) / width, 0), 1));
  };
  field.addEventListener("pointerdown", (event) => {
    field.setPointerCapture(event.pointerId);
    at(event);
  });
  field.addEventListener("pointermove", (event) => field.hasPointerCapture(event.pointerId) && at(event));

  return {
    /**
     * @param {Lane[]} all
     * @param {readonly string[]} labels of the nodes
     * @param {number} seconds at the right edge
     * @param {number} done
     * @param {string} label
     */
    renew(all, labels, seconds, done, label) {
      [lanes, whole] = [all, seconds];
      picture.setAttribute("aria-label", label);
      names.replaceChildren();
      for (const { node } of lanes) html(names, "span", "", labels[node]).dataset.rank = `${node % 16}`;
      flag.hidden = done === Infinity;
      flag.style.left = `${(100 * Math.min(done, whole)) / whole}%`;
      draw();
    },
    /** @param {number} now */
    show(now) {
      const part = (100 * Math.min(now, whole)) / whole;
      later.style.left = moment.style.left = `${part}%`;
    },
    repaint: draw,
  };
}
