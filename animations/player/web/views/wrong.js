// Marks of a wrong schedule: the band on top, and in the last state what is wrong in its cells.

import { settledStep } from "../core/motion.js";
import { ringOf } from "../core/places.js";
import { fit, svg } from "./elements.js";

/** @type {Mount} */
export function mountWrong(page, store) {
  const { wrong } = store.story;
  page.sheet.classList.toggle("wrong", !!wrong);
  page.band.hidden = !wrong;
  page.band.textContent = wrong?.band ?? "";
  fit(page.band, page.band.textContent);
  return {
    slices: ["step", "landed"],
    update() {
      page.faults.replaceChildren();
      if (!wrong || settledStep(store.state) < store.last) return;
      for (const d of wrong.waits) {
        for (const wide of [12, 5]) svg(page.faults, "path", { class: wide > 5 ? "halo" : "waits", "stroke-width": wide, d });
      }
      for (const [box, crossed, wide] of wrong.outlines) {
        const [x, y, width, height] = box;
        const cross = `M${x} ${y}l${width} ${height}m${-width} 0l${width} ${-height}`;
        const ring = ringOf(box);
        svg(page.faults, "path", { class: "halo", "stroke-width": 2 * wide, d: crossed ? ring + cross : ring });
        if (crossed) svg(page.faults, "path", { class: "cross", d: cross });
        svg(page.faults, "path", { class: "dashes", "stroke-width": wide, d: ring });
      }
    },
  };
}
