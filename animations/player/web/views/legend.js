// What the inks and signs mean; an ink that is not in use has no label.

import { word } from "../core/say.js";
import { hatch } from "./content.js";
import { html, svg } from "./elements.js";
import { addTerm } from "./terms.js";

/** @type {Mount} */
export function mountLegend(page, { story }) {
  const [head, labels, signs] = story.legend;
  page.head.textContent = head;
  const [plus, rest] = signs.startsWith("+") ? ["+", signs.slice(1)] : ["", signs];
  if (plus) addTerm(page, page.signs, plus, word("controls.plus_meaning"));
  page.signs.append(rest);
  page.legend.classList.toggle("levels", !story.has_bars);
  labels.forEach((label, ink) => {
    if (!label) return;
    const item = html(page.legend, "li", "", label);
    const swatch = svg(null, "svg", { viewBox: "0 0 26 26", "aria-hidden": "true" });
    const [kind, key] = story.has_bars ? ["stripe", "data-rank"] : ["level", "data-ink"];
    const rect = svg(swatch, "rect", { class: kind, [key]: ink, width: 26, height: 26, rx: 3 });
    if (story.has_bars) hatch(page, story, rect, ink);
    item.prepend(swatch);
  });
  return { slices: [], update() {} };
}
