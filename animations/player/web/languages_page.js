// A page in several languages, of which its reader chooses one.

import { speak } from "./core/say.js";
import { addLanguages } from "./views/languages.js";

/**
 * Plays the story in the language of the address, again whenever that changes.
 * @param {{root: HTMLElement, stories: Story[], open: (number: number) => () => void}} page
 * @param {(root: HTMLElement, story: Story) => void} mount adds what the page has besides
 */
export function showLanguages({ root, stories, open }, mount) {
  let [now, leave] = [-1, () => {}];

  function show() {
    const number = speak(new URLSearchParams(location.hash.slice(1)).get("lang") ?? "");
    if (number === now) return;
    now = number;
    leave();
    leave = open(now);
    addLanguages(root);
    mount(root, stories[now]);
  }

  addEventListener("hashchange", show);
  show();
}
