// A page with several recordings (see catalog.py), of which one is chosen and played.

import { addressedEntry, entriesOf, entryAddress } from "../core/entries.js";
import { unpacked } from "../core/story.js";
import { play } from "../player.js";
import { mountPicker } from "../views/picker.js";
import { mountTimes } from "../views/times.js";

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const root = byId("player");
/** @type {Catalog} */
const catalog = JSON.parse(byId("catalog").textContent ?? "");
const entries = entriesOf(catalog);
const showChoice = mountPicker(byId("picker"), entries, catalog.goals, choose);
const times = mountTimes(byId("times"), entries, choose);
/** @type {Map<number, Promise<Story[]>>} */
const groups = new Map(); // unpacked so far
/** @type {Entry | undefined} */
let shown;
let leave = () => {};

/** @param {Entry} entry */
function choose(entry) {
  try {
    history.pushState(null, "", `#${entryAddress(entry)}step=0`);
  } catch {
    // a sandboxed frame has no address of its own
  }
  show(entry);
}

/** @param {Entry} entry */
async function show(entry) {
  if (entry === shown) return;
  shown = entry;
  showChoice(entry);
  const { group, place } = entry;
  const packed = byId(`stories-${group}`).textContent ?? "";
  const stories = groups.get(group) ?? unpacked(packed);
  groups.set(group, stories);
  const story = (await stories)[place];
  if (entry !== shown) return; // something newer is to be shown
  leave();
  times.show(entry, story);
  document.title = `${story.title}, ${entry.ranks} ranks`;
  leave = play(root, story, entryAddress(entry));
}

const themed = [...document.querySelectorAll(".themed")].map((part) => /** @type {HTMLElement} */ (part));
const follow = () => themed.forEach((part) => (part.dataset.theme = root.dataset.theme));
new MutationObserver(follow).observe(root, { attributeFilter: ["data-theme"] });
root.addEventListener("step", (event) => times.follow(/** @type {CustomEvent} */ (event).detail));
addEventListener("hashchange", () => {
  const entry = addressedEntry(entries, location.hash);
  if (entry) show(entry);
});
await show(addressedEntry(entries, location.hash) ?? entries[0]);
