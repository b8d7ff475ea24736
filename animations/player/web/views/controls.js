// The buttons below the picture, as far as they show the state.

import { word } from "../core/say.js";
import { set, write } from "./elements.js";

/** @type {Mount} */
export function mountControls(page, store) {
  return {
    slices: ["step", "playing", "speed", "panel", "building", "asks"],
    update() {
      const { step, playing, speed, panel, asks } = store.state;
      const ended = step === store.limit && !asks?.told;
      for (const button of [page.first, page.back]) set(button, "aria-disabled", `${step === 0}`);
      for (const button of [page.next, page.last]) set(button, "aria-disabled", `${ended}`);
      page.play.classList.toggle("playing", playing);
      set(page.play, "aria-label", word(playing ? "controls.pause" : "controls.play"));
      write(page.speed, `${speed}×`);
      set(page.speed, "aria-label", word("controls.speed", { speed }));
      set(page.transfers, "aria-pressed", `${panel === "transfers"}`);
    },
  };
}
