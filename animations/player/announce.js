// What is said of a state, seen and read aloud: title, phase, caption and what holds.

import { settledStep } from "./core/motion.js";

/** @type {Mount} */
export function mountAnnouncements(page, store) {
  const { story } = store;
  page.title.textContent = story.title;
  return {
    slices: ["step", "landed"],
    update() {
      const { step } = store.state;
      const ended = settledStep(store.state) === store.last;
      page.subtitle.textContent = story.subtitles[step ? story.frames[step - 1][0] + 1 : 0];
      page.caption.textContent = story.captions[step];
      page.note.textContent = ended ? story.ending : story.notes[step];
      page.note.classList.toggle("ending", ended);
    },
  };
}
