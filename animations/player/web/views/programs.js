// The program counter of each rank: the line at which its program stands, and whom it waits for.

import { settledStep } from "../core/motion.js";
import { word } from "../core/say.js";
import { isHalted } from "../core/story.js";
import { html, set } from "./elements.js";

/**
 * @param {HTMLElement} root
 * @param {Story} story
 */
export function mountPrograms(root, story) {
  const { store } = /** @type {{collectives: {store: Store}} & any} */ (root).collectives;
  const { said, at } = /** @type {NonNullable<Story["programs"]>} */ (story.programs);
  const list = document.createElement("ol");
  list.className = "panel programs";
  list.setAttribute("aria-label", word("controls.stands"));
  root.querySelector("[data-part=source]")?.after(list);
  const items = at[0].map((_, rank) => {
    const item = html(list, "li");
    html(item, "b", "", story.names[rank]).dataset.rank = `${rank % 16}`;
    return html(item, "span");
  });
  const update = () => {
    const { state } = store;
    const halted = isHalted(story, settledStep(state)) && at[state.step + 1];
    (halted || at[state.step]).forEach((number, rank) => {
      const [text, waits] = said[number];
      items[rank].textContent = text;
      set(items[rank], "class", waits ? "waits" : "");
    });
  };
  update();
  store.subscribe(["step", "landed"], update);
}
