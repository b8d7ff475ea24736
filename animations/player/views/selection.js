// What is selected, outlined on the stage and marked in the list of transfers.

import { boxesOf } from "../core/things.js";
import { svg } from "./elements.js";

/** @type {Mount} */
export function mountSelection(page, store) {
  return {
    slices: ["selection", "step", "panel"],
    update() {
      const { selection, step } = store.state;
      page.selected.replaceChildren();
      for (const [x, y, width, height] of boxesOf(store.story, selection, step)) {
        svg(page.selected, "rect", { class: "selected", x, y, width, height });
      }
      const [at, number] = selection && "transfer" in selection ? selection.transfer : [0, 0];
      page.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
      if (at === step && at) page.list.children[number]?.setAttribute("aria-current", "true");
    },
  };
}
