// The choice of a recording: collective, algorithm, ranks, and the goal of the collective.

import { chosenEntry } from "../core/entries.js";
import { word } from "../core/say.js";
import { html } from "./elements.js";

const FIELDS = /** @type {const} */ (["collective", "algorithm", "ranks"]);
const LABELS = { collective: "catalog.collective", algorithm: "catalog.algorithm", ranks: "catalog.ranks" };

/**
 * Lists what can be chosen; returns how to show what is chosen.
 * @param {HTMLElement} parent
 * @param {Entry[]} entries
 * @param {Record<string, string>} goals
 * @param {(entry: Entry) => void} choose
 */
export function mountPicker(parent, entries, goals, choose) {
  let now = entries[0];
  const selects = FIELDS.map((field) => {
    const label = html(parent, "label", "", `${word(LABELS[field])} `);
    const select = /** @type {HTMLSelectElement} */ (html(label, "select"));
    select.dataset.field = field;
    select.addEventListener("change", () => {
      const { value } = select;
      choose(chosenEntry(entries, now, { [field]: field === "ranks" ? Number(value) : value }));
    });
    return select;
  });
  const goal = html(parent, "p", "goal");
  const note = html(parent, "p", "unknown");
  note.setAttribute("role", "status");
  return (/** @type {Entry} */ entry, unknown = "") => {
    note.textContent = unknown && word("catalog.not_here", { name: unknown });
    now = entry;
    const offered = [
      entries.map((each) => each.collective),
      entries.filter((each) => each.collective === now.collective).map((each) => each.algorithm),
      entries.filter((each) => FIELDS.slice(0, 2).every((field) => each[field] === now[field]))
        .map((each) => `${each.ranks}`),
    ];
    selects.forEach((select, i) => {
      select.replaceChildren();
      for (const value of new Set(offered[i])) html(select, "option", "", value);
      select.value = `${now[FIELDS[i]]}`;
    });
    goal.textContent = word("catalog.goal", { goal: goals[now.collective] });
  };
}
