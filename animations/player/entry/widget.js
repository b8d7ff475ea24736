// The widget around the player: its model (see notebook/stepper.py) has `story`, `step`, `problem`, `key`.

import { unpacked } from "../core/story.js";
import { play } from "../player.js";
import { html } from "../views/elements.js";

/** @typedef {{get(name: string): any, set(name: string, value: unknown): void, save_changes(): void,
 *   on(event: string, act: () => void): void, off(event: string, act: () => void): void}} Model */

export default {
  /** @param {{model: Model, el: HTMLElement}} given */
  render({ model, el }) {
    const problem = html(el, "p", "collectives-problem");
    const root = html(el, "div");
    const ended = new AbortController();
    let leave = () => {};
    let [ready, asked] = [false, 0];
    problem.setAttribute("role", "alert");
    root.dataset.stepper = model.get("key");

    async function show() {
      const [mine, text] = [++asked, model.get("problem")];
      const story = text ? null : await unpacked(model.get("story"));
      if (mine !== asked) return; // something newer is to be shown
      leave();
      ready = false;
      problem.textContent = text;
      problem.hidden = !text;
      root.hidden = !!text;
      leave = story ? play(root, story) : () => {};
      goto();
      ready = true;
    }

    function goto() {
      root.dispatchEvent(new CustomEvent("goto", { detail: model.get("step") }));
    }

    /** @param {Event} event */
    function stepped(event) {
      const { detail } = /** @type {CustomEvent<number>} */ (event);
      if (!ready || detail === model.get("step")) return;
      model.set("step", detail);
      model.save_changes();
    }

    root.tabIndex = 0; // a click anywhere in the picture makes the keys its own
    root.addEventListener("step", stepped, { signal: ended.signal });
    root.addEventListener("keydown", (event) => keep(event, root), { signal: ended.signal });
    show();
    const heard = { "change:story": show, "change:problem": show, "change:step": goto };
    for (const [event, act] of Object.entries(heard)) model.on(event, act);
    return () => {
      for (const [event, act] of Object.entries(heard)) model.off(event, act);
      asked++;
      ended.abort();
      leave();
    };
  },
};

/**
 * Plain keys stay in the picture, as letters would edit the notebook; Escape leaves it.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} root
 */
function keep(event, root) {
  const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
  if (ctrlKey || altKey || metaKey || (shiftKey && key === "Enter")) return;
  if (key !== "Escape") event.stopPropagation();
  else if (!root.querySelector("dialog[open]")) {
    /** @type {HTMLElement | null | undefined} */
    const cell = root.parentElement?.closest("[tabindex]");
    cell?.focus();
  }
}
