// The tour: a stop's sentences and its question, and the way to the next one.

import { word } from "../core/say.js";
import { button, html, set } from "./elements.js";
import { addText } from "./terms.js";

/** @type {Mount} */
export function mountTour(page, store) {
  const { tour } = store.story;
  if (!tour.length) {
    page.tour.hidden = true;
    return { slices: [], update() {} };
  }
  const words = html(page.tour, "div", "words");
  words.tabIndex = -1;
  const way = html(page.tour, "div", "way");
  const go = (/** @type {number} */ by) => () => store.act({ kind: "tour", stop: store.state.tour + by });
  let written = "";
  const back = button(way, "←", go(-1));
  back.ariaLabel = word("controls.stop_before");
  const number = html(way, "span");
  const next = button(way, "→", go(1), "next");
  const end = button(way, "×", () => store.act({ kind: "tour", stop: -1 }));
  end.ariaLabel = word("controls.end_tour");
  return {
    slices: ["tour", "building", "step", "landed"],
    update() {
      const at = store.state.tour;
      const seen = at >= 0 && !store.state.building;
      page.tour.hidden = !seen;
      page.sheet.classList.toggle("touring", seen);
      if (!seen) return;
      const { text, question } = tour[at];
      const left = tour[at].step !== store.state.step; // then the step is told, as without a tour
      const texts = left ? [page.caption, page.note].map((part) => part.textContent ?? "") : [text, question];
      if (written !== `${texts}`) {
        written = `${texts}`;
        words.replaceChildren();
        const uses = new Set();
        texts.forEach((each, i) => addText(page, store.story, html(words, "p", i ? (left ? "faint" : "asked") : ""), each, uses));
      }
      number.textContent = `${at + 1} / ${tour.length}`;
      set(back, "aria-disabled", `${at === 0}`);
      next.ariaLabel = at + 1 < tour.length ? word("controls.next_stop") : word("controls.end_tour");
      page.sheet.dataset.spot = tour[at].select.split(":")[0];
    },
  };
}
