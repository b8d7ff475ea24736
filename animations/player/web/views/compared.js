// The comparison a page was written for: times on its machine, and why they differ.

import { html } from "./elements.js";
import { timeBar } from "./times.js";

/**
 * The question, a bar for each algorithm, sentences; returns how to mark the one that is shown.
 * @param {HTMLElement} parent
 * @param {Compared} compared
 * @param {Entry[]} entries
 * @param {(entry: Entry) => void} choose
 */
export function mountCompared(parent, compared, entries, choose) {
  const part = html(parent, "section", "compared");
  html(part, "h2", "", compared.title);
  html(part, "p", "faint", compared.subtitle);
  const list = html(part, "ol");
  const longest = Math.max(...compared.seconds.map((each) => each ?? 0)) || 1;
  const buttons = entries.map((entry, place) => {
    const button = timeBar(list, entry.algorithm, compared.seconds[place], longest);
    button.addEventListener("click", () => choose(entry));
    return button;
  });
  for (const sentence of compared.sentences) html(part, "p", "", sentence);
  part.addEventListener("keydown", (event) => event.stopPropagation()); // no keys of the player
  /** @param {Entry} now */
  return (now) => {
    buttons.forEach((button, place) => button.setAttribute("aria-current", `${entries[place] === now}`));
  };
}
