// The page of a comparison: all of its algorithms side by side, or one of them step by step.

import { mountBeside } from "../beside.js";
import { button } from "../views/elements.js";
import { catalog, choose, entries, openAddressed, storiesOfGroup } from "../catalog_page.js";

const compared = /** @type {Compared & {beside: Beside}} */ (catalog.compared);
const all = document.createElement("main");
all.id = "beside";
all.className = "collectives beside";
document.body.prepend(all);
const stories = await storiesOfGroup(entries[0].group);
mountBeside(all, compared, entries.map(({ place }) => stories[place]), (number) => choose(entries[number]));
button(/** @type {HTMLElement} */ (document.getElementById("picker")), compared.beside.words.patterns.side_by_side, () => {
  location.hash = "side-by-side/";
});
await openAddressed();
