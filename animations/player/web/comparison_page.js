// The page of a comparison: all of its algorithms side by side, or one of them step by step.

import { mountBeside } from "./beside.js";
import { catalog, choose, entries, openAddressed, storiesOfGroup } from "./catalog_page.js";
import { button } from "./views/elements.js";

/** Shows it; what is side by side, and the stories. */
export async function openComparison() {
  const compared = /** @type {Compared & {beside: Beside}} */ (catalog.compared);
  const part = document.createElement("main");
  part.id = "beside";
  part.className = "collectives beside";
  document.body.prepend(part);
  const group = await storiesOfGroup(entries[0].group);
  const stories = entries.map(({ place }) => group[place]);
  const abreast = mountBeside(part, compared, stories, (number) => choose(entries[number]));
  button(/** @type {HTMLElement} */ (document.getElementById("picker")), compared.beside.words.patterns.side_by_side, () => {
    location.hash = "side-by-side/";
  });
  await openAddressed();
  return { abreast, stories };
}
