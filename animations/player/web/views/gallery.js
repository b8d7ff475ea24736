// The catalog as a map: algorithms by what their links are, each with a line of why.

import { timeText } from "../core/quantities.js";
import { isFastest, reasonFor, rivalsOf, secondsWith } from "../core/reasons.js";
import { word } from "../core/say.js";
import { button, html } from "./elements.js";

/** @typedef {import("../core/reasons.js").Placed} Placed */

/**
 * Adds the map, which is seen at first where the address names nothing, and the button that opens it.
 * @param {Entry[]} entries
 * @param {NonNullable<Catalog["map"]>} map
 * @param {(entry: Entry) => void} choose
 */
export function mountMap(entries, { families, rows }, choose) {
  const bar = /** @type {HTMLElement} */ (document.getElementById("picker"));
  const parent = document.createElement("nav");
  Object.assign(parent, { id: "map", ariaLabel: word("gallery.open") });
  bar.after(parent);
  const placed = entries.map((entry, i) => ({ ...entry, ...rows[i], entry }));
  let drawn = 0;
  /** @type {HTMLSelectElement | null} */
  const select = bar.querySelector("select[data-field=ranks]");
  const ranksNow = () => Number(select?.value || entries[0].ranks);
  const toggle = button(bar, word("gallery.open"), () => open(parent.hidden));
  const open = (/** @type {boolean} */ seen) => {
    parent.hidden = !seen;
    document.body.classList.toggle("mapped", seen);
    toggle.setAttribute("aria-expanded", `${seen}`);
    if (seen && drawn !== ranksNow()) draw((drawn = ranksNow()));
  };
  const draw = (/** @type {number} */ ranks) => {
    const here = placed.filter((row) => row.ranks === ranks);
    parent.replaceChildren();
    html(parent, "h2", "", word("gallery.title", { ranks }));
    html(parent, "p", "faint", word("gallery.rule"));
    const parts = html(parent, "div", "families");
    for (const [family, [name, text]] of Object.entries(families)) {
      const own = here.filter((row) => row.family === family);
      if (own.length) drawFamily(html(parts, "section"), name, text, own);
    }
  };
  /** @type {(part: HTMLElement, name: string, text: string, own: typeof placed) => void} */
  const drawFamily = (part, name, text, own) => {
    html(part, "h3", "", name);
    html(part, "p", "faint", text);
    for (const collective of new Set(own.map((row) => row.collective))) {
      html(part, "h4", "", collective);
      const list = html(part, "ol");
      const sorted = own.filter((row) => row.collective === collective);
      sorted.sort((one, other) => Number(!!one.crowd) - Number(!!other.crowd) || secondsWith(one) - secondsWith(other));
      for (const row of sorted) addRow(list, row);
    }
  };
  const addRow = (/** @type {HTMLElement} */ list, /** @type {Placed & {entry: Entry}} */ row) => {
    const rivals = rivalsOf(placed, row);
    const line = button(html(list, "li"), "", () => {
      open(false);
      choose(row.entry);
    });
    html(line, "b", "", row.algorithm);
    if (row.start) html(line, "span", "start", word("gallery.start"));
    if (isFastest(rivals, row)) html(line, "span", "best", word("gallery.fastest"));
    html(line, "span", "seconds", timeText(secondsWith(row)));
    html(line, "span", "faint", reasonFor(rivals, row));
  };
  bar.addEventListener("change", () => open(false));
  parent.addEventListener("keydown", (event) => {
    event.stopPropagation(); // no keys of the player
    if (event.key === "Escape") open(false);
  });
  addEventListener("hashchange", () => open(false));
  open(!location.hash);
}
