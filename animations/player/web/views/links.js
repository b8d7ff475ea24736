// The lines between the cards, those that a step uses lit.

import { along, settledStep } from "../core/motion.js";
import { isHalted, isShown } from "../core/story.js";
import { svg, toned } from "./elements.js";

/**
 * All lines of one color and width are one path, those that are lit over the others.
 * @type {Mount}
 */
export function mountLinks(page, store) {
  const draw = lineDrawer(page);
  return {
    slices: ["step", "landed", "setting"],
    update() {
      const { story, state } = store;
      draw(story, state.step, settledStep(state), ([, steps]) => steps.includes(state.step));
    },
  };
}

/**
 * Draws the lines of a page, where others are lit than before.
 * @param {Page} page
 */
export function lineDrawer(page) {
  let shown = "";
  return (/** @type {Story} */ story, /** @type {number} */ step, /** @type {number} */ state, /** @type {(line: Line) => boolean} */ lights) => {
    const found = strokes(story, step, state, lights);
    if (`${found}` === shown) return; // in many steps the same lines are lit
    shown = `${found}`;
    page.lines.replaceChildren(
      ...found.map(([key, [curves, heads]]) => {
        const [tone, width] = key.split(";");
        const group = toned(svg(null, "g", { class: "line" }), tone);
        svg(group, "path", { d: curves.join(""), "stroke-width": width });
        if (heads.length) svg(group, "path", { class: "arrow", d: heads.join("") });
        return group;
      }),
    );
  };
}

/**
 * The curves and arrow heads of each color and width.
 * @param {Story} story
 * @param {number} step
 * @param {number} state
 * @param {(line: Line) => boolean} lights
 */
function strokes(story, step, state, lights) {
  /** @type {Map<string, [curves: string[], heads: string[]]>} */
  const quiet = new Map();
  /** @type {typeof quiet} */
  const lit = new Map();
  for (const line of story.lines) {
    const [number, steps, tone, width, arrow, hidden, fixed, brief, states] = line;
    const [points, used] = [story.curves[number], steps[0] <= step];
    const isLit = !fixed && lights(line) && !isHalted(story, state);
    if (!isShown(states, state) || (!fixed && !isLit && (brief || (hidden && !used)))) continue;
    const color = fixed || isLit ? tone : used ? "edge" : "link";
    const key = `${color};${fixed || isLit ? width : story.measures.unlit * width}`;
    const lines = isLit ? lit : quiet;
    const [curves, heads] = lines.get(key) ?? [[], []];
    lines.set(key, [curves, heads]);
    curves.push(curve(points));
    if (isLit && arrow) heads.push(head(points, Math.max(9, 2.6 * width)));
  }
  return [...quiet, ...lit];
}

/**
 * The path of a Bézier curve; of one with more points than SVG knows, straight pieces of it.
 * @param {number[]} points
 */
export function curve(points) {
  const [x, y, ...rest] = points;
  const kind = "LQC"[rest.length / 2 - 1];
  if (kind) return `M${x} ${y}${kind}${rest.join(" ")}`;
  return `M${[...Array(25).keys()].map((i) => along(points, i / 24))}`;
}

/**
 * A triangle at the end of a line.
 * @param {number[]} points
 * @param {number} size
 */
export function head(points, size) {
  const [x, y] = points.slice(-2);
  const before = along(points, 23 / 24);
  const length = Math.hypot(x - before[0], y - before[1]) || 1;
  const [dx, dy] = [x - before[0], y - before[1]].map((part) => (part / length) * size);
  const side = (/** @type {number} */ sign) => [x - dx - sign * 0.55 * dy, y - dy + sign * 0.55 * dx];
  const corners = [[x, y], side(1), side(-1)].flat();
  return `M${corners.map((place) => place.toFixed(1)).join(" ")}z`;
}
