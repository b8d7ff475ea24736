// The phases of the algorithm as bars that fill, and a slider over them.

import { stepsOver } from "../core/motion.js";
import { word } from "../core/say.js";
import { html } from "./elements.js";

const MOST_MARKS = 130; // that are told apart
const EACH = [1, 5, 10, 50, 100, 500, 1000]; // steps to a mark

/** @type {Mount} */
export function mountTimeline(page, store) {
  const { story } = store;
  page.scrub.max = `${store.last}`;
  const each = EACH.find((steps) => store.last <= steps * MOST_MARKS) ?? Infinity;
  if (each > 1) page.scrub.title = word("controls.marks", { steps: store.last, each });
  const wide = story.phases.map(([, first, end]) => `minmax(0, ${end - first}fr)`);
  page.phases.style.gridTemplateColumns = wide.join(" ") || "1fr";
  const bars = story.phases.map(([name, first, end], phase) => {
    const part = html(page.phases, "div", "phase");
    part.dataset.phase = `${phase % 2}`;
    part.style.setProperty("--marks", `${(end - first) / each}`);
    const track = html(part, "span", "track");
    html(part, "span", "name", name).title = name;
    return html(track, "span", "bar");
  });
  return {
    slices: ["step", "part"],
    update(changed) {
      const { step } = store.state;
      if (changed.has("step")) {
        page.scrub.value = `${step}`;
        page.scrub.setAttribute("aria-valuetext", word("controls.step_of", { step, total: store.last }));
      }
      const over = stepsOver(story, store.state);
      story.phases.forEach(([, first, end], phase) => {
        const part = Math.min(Math.max((over - first) / (end - first), 0), 1);
        bars[phase].style.width = `${100 * part}%`;
      });
    },
  };
}
