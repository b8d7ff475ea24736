// What is said of a state, seen and read aloud: title, phase, caption and what holds.

import { openQuestion } from "./core/ask.js";
import { waitWords } from "./core/effects.js";
import { settledStep } from "./core/motion.js";
import { word } from "./core/say.js";
import { fit, say } from "./views/elements.js";
import { addText } from "./views/terms.js";

/** @type {Mount} */
export function mountAnnouncements(page, store) {
  const { story } = store;
  say(page.title, story.title);
  page.title.title = story.title; // where that is cut
  addText(page, story, page.reason, story.reason);
  fit(page.reason, story.reason);
  page.reason.hidden = !story.reason;
  return {
    slices: ["step", "landed", "unknown", "building", "asks", "setting", "unmade"],
    update() {
      const { story } = store;
      say(page.unknown, store.state.unknown);
      const { step, building, unmade } = store.state;
      if (building) return;
      const ended = settledStep(store.state) === store.last;
      const uses = new Set();
      const tell = (/** @type {HTMLElement} */ element, /** @type {string} */ text, uses = new Set()) => {
        if (element.textContent === text) return; // announced once
        element.replaceChildren();
        addText(page, story, element, text, uses);
        fit(element, text);
      };
      const locked = openQuestion(story, store.state) && step < store.last;
      const lock = word("ask.locked", { step: step + 1, total: store.last });
      tell(page.subtitle, story.subtitles[step ? story.frames[step - 1][0] + 1 : 0]);
      tell(page.caption, locked ? lock : story.captions[step], uses);
      const waits = story.setting?.faults.length ? waitWords(story, step) : "";
      tell(page.note, unmade || waits || (ended ? story.ending : story.notes[step]), uses);
      page.note.classList.toggle("ending", ended && !waits && !unmade);
      page.note.classList.toggle("refused", !!unmade);
    },
  };
}
