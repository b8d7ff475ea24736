// The widget around the player: its model (see notebook/stepper.py) has `story`, `problem` and `key`,
// and shares `answers`, `step`, `playing`, `selection` and `built` with the player.

import { sameValue } from "../core/selection.js";
import { unpacked } from "../core/story.js";
import { play } from "../player.js";
import { html } from "../views/elements.js";
import { claim, keep } from "./notebook_keys.js";

/** @typedef {{get(name: string): any, set(name: string, value: unknown): void, save_changes(): void,
 *   on(event: string, act: () => void): void, off(event: string, act: () => void): void}} Model */

const SHARED = /** @type {const} */ ({
  ...{ answers: "answered", step: "goto", playing: "play", selection: "select", built: "build" },
});
/** @type {Set<HTMLElement>} */
const playing = new Set(); // views of this widget: one plays, and others follow its steps

export default {
  /** @param {{model: Model, el: HTMLElement}} given */
  render({ model, el }) {
    const problem = html(el, "p", "collectives-problem");
    const root = html(el, "div");
    const names = /** @type {(keyof typeof SHARED)[]} */ (Object.keys(SHARED));
    const ended = new AbortController();
    let leave = () => {};
    let [ready, asked] = [false, 0];
    problem.setAttribute("role", "alert");
    root.dataset.stepper = model.get("key");

    async function show() {
      const [mine, packed] = [++asked, model.get("story")];
      const [story] = packed ? await unpacked(packed) : [null];
      if (mine !== asked) return; // something newer is to be shown
      leave();
      ready = false;
      problem.textContent = model.get("problem");
      problem.hidden = !!story; // which shows by itself what is wrong with it
      root.hidden = !story;
      leave = story ? play(root, story) : () => {};
      names.forEach(obey);
      ready = true;
    }

    /** @param {keyof typeof SHARED} name */
    function obey(name) {
      const detail = model.get(name) ?? null;
      const follows = name === "playing" && detail && playing.size;
      if (!follows) root.dispatchEvent(new CustomEvent(SHARED[name], { detail }));
    }

    /** @param {Event} event */
    function tell(event) {
      const { type, detail } = /** @type {CustomEvent} */ (event);
      if (type === "playing") playing[detail ? "add" : "delete"](root);
      if (!ready || sameValue(detail, model.get(type) ?? null)) return;
      model.set(type, detail);
      model.save_changes();
    }

    root.tabIndex = 0; // a click anywhere in the picture makes the keys its own
    for (const name of names) root.addEventListener(name, tell, { signal: ended.signal });
    root.addEventListener("keydown", (event) => keep(event, root), { signal: ended.signal });
    addEventListener("keydown", (event) => claim(event, root), { signal: ended.signal, capture: true });
    show();
    /** @type {[string, () => void][]} */
    const heard = names.map((name) => [name, () => obey(name)]);
    heard.push(["story", show], ["problem", show]);
    for (const [name, act] of heard) model.on(`change:${name}`, act);
    return () => {
      for (const [name, act] of heard) model.off(`change:${name}`, act);
      asked++;
      playing.delete(root);
      ended.abort();
      leave();
    };
  },
};
