// The choice of a language on a page that has several: the address names it.

import { languagesHere, otherLanguage, word } from "../core/say.js";
import { html } from "./elements.js";

/**
 * Adds the choice above the picture.
 * @param {HTMLElement} root
 */
export function addLanguages(root) {
  const languages = languagesHere();
  const spoken = otherLanguage() || languages[0][0];
  document.documentElement.lang = spoken;
  const select = document.createElement("select");
  Object.assign(select, { className: "language", ariaLabel: word("controls.language") });
  root.querySelector(".head")?.prepend(select);
  for (const [language, name] of languages) {
    Object.assign(html(select, "option", "", name), { value: language, lang: language });
  }
  select.value = spoken;
  select.addEventListener("keydown", (event) => event.stopPropagation()); // no keys of the player
  select.addEventListener("change", () => {
    const named = new URLSearchParams(location.hash.slice(1));
    named.set("lang", select.value);
    location.hash = `${named}`;
  });
}
