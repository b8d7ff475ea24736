// What is counted of all algorithms at a moment, side by side in a table.

import { capitalOf } from "../../core/compared/sentences.js";
import { secondsText } from "../../core/unit_text.js";
import { html, write } from "../elements.js";

/** @typedef {import("../../core/compared/sentences.js").Sentences} Sentences */
/** @typedef {ReturnType<ReturnType<typeof import("./panel.js").mountPanel>["counted"]>} Counted */

/**
 * @param {HTMLElement} parent
 * @param {readonly string[]} names
 * @param {Sentences} sentences
 * @param {string} port the label of what the busiest port sends
 */
export function mountBesideCounters(parent, names, { phrase }, port) {
  const table = html(parent, "table", "counted");
  html(table, "caption", "", phrase("counted"));
  const head = html(html(table, "thead"), "tr");
  html(head, "td");
  const columns = names.map((name, number) => {
    const column = html(head, "th", "", name);
    column.setAttribute("scope", "col");
    column.dataset.contender = `${number}`;
    return column;
  });
  const body = html(table, "tbody");
  const rows = [phrase("now_steps"), capitalOf(port), phrase("now_time"), phrase("now_moving"), phrase("now_waiting"), phrase("now_waited")].map((label) => {
    const row = html(body, "tr");
    html(row, "th", "", label).setAttribute("scope", "row");
    return names.map(() => html(row, "td"));
  });
  return {
    /** @param {readonly string[]} now */
    rename: (now) => now.forEach((name, i) => write(columns[i], name)),
    /**
     * @param {number} now
     * @param {readonly Counted[]} all
     */
    show(now, all) {
      all.forEach(({ story, standing, run, moving, waiting, waited }, column) => {
        const [, [, , sent]] = story.counters;
        const time = now >= standing.until ? secondsText(standing.seconds) : `${secondsText(now)} / ${secondsText(standing.seconds)}`;
        const texts = [`${run.done(now)} / ${standing.steps}`, sent[run.landed(now)].split(" / ").slice(0, 2).join(" / "), time, `${moving}`, `${waiting}`, secondsText(waited)];
        texts.forEach((text, row) => write(rows[row][column], text));
      });
    },
  };
}
