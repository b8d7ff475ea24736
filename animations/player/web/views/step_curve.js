// Steps over the number of ranks, by the algorithm's closed form, and the fewest possible: to be tried.

import { count, word } from "../core/say.js";
import { html, svg, write } from "./elements.js";

const [CURVE_WIDE, CURVE_HIGH] = [300, 60];

/**
 * A curve with a slider for the number of ranks, which says the steps of that number.
 * @param {Element} parent
 * @param {Story} story
 */
export function addCurve(parent, { curve, ranks }) {
  const highest = Math.max(...curve.map(([, steps]) => steps));
  const last = curve[curve.length - 1][0];
  const place = (/** @type {number} */ n, /** @type {number} */ steps) =>
    [(CURVE_WIDE * (n - 2)) / Math.max(last - 2, 1), CURVE_HIGH * (1 - steps / highest)];
  const box = html(parent, "div", "curve");
  const picture = svg(box, "svg", { viewBox: `-6 -6 ${CURVE_WIDE + 12} ${CURVE_HIGH + 12}`, "aria-hidden": "true" });
  const lines = [["bound", 2], ["steps", 1]];
  const key = html(box, "p", "key");
  html(key, "span", "steps", word("controls.curve_steps"));
  html(key, "span", "bound", word("parts.bound_term"));
  for (const [name, at] of /** @type {[string, 1 | 2][]} */ (lines)) {
    svg(picture, "path", { class: name, d: `M${curve.map((point) => place(point[0], point[at])).join("L")}` });
  }
  const dot = svg(picture, "circle", { r: 5 });
  const slider = /** @type {HTMLInputElement} */ (html(box, "input"));
  Object.assign(slider, { type: "range", min: "0", max: `${curve.length - 1}`, ariaLabel: word("controls.ranks") });
  const text = html(box, "output");
  const show = () => {
    const [n, steps, bound] = curve[Number(slider.value)];
    const [cx, cy] = place(n, steps);
    dot.setAttribute("cx", `${cx}`);
    dot.setAttribute("cy", `${cy}`);
    const other = n === ranks ? "" : word("controls.curve_other", { ranks });
    write(text, word("controls.curve", { ranks: n, steps: count(steps, "step"), bound }) + other);
    slider.ariaValueText = text.textContent ?? "";
  };
  slider.value = `${Math.max(0, curve.findIndex(([n]) => n === ranks))}`;
  slider.addEventListener("input", show);
  show();
}
