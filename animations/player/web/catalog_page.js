// A page with several recordings (see catalog.py), of which one is chosen and played.

import { framingNames, plain } from "./core/grammar.js";
import { addressedEntry, entriesOf, entryAddress } from "./core/entries.js";
import { count, word } from "./core/say.js";
import { OWN_SETTING, settingNames } from "./core/setting.js";
import { unpacked } from "./core/story.js";
import { play } from "./player.js";
import { adopt } from "./theme.js";
import { mountCompared } from "./views/compared.js";
import { mountPicker } from "./views/picker.js";
import { mountTimes } from "./views/times.js";

adopt(STYLE);

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const root = byId("player");
byId("times").ariaLabel = word("catalog.time");
/** @type {Catalog} */
export const catalog = JSON.parse(byId("catalog").textContent ?? "");
export const entries = entriesOf(catalog);
const showChoice = mountPicker(byId("picker"), entries, catalog.goals, choose);
const markCompared = catalog.compared
  ? mountCompared(byId("times"), catalog.compared, entries, choose)
  : () => {};
const times = mountTimes(byId("times"), entries, choose);
/** @type {Map<number, Promise<Story[]>>} */
const groups = new Map(); // unpacked so far
/** @type {Map<Entry, {built: Building | null, building: boolean}>} */
const workbenches = new Map(); // as they were left
/** @type {Entry | undefined} */
let shown;
let leave = () => {};
let setting = OWN_SETTING; // of the player, for the next one
/** @type {Framing} */
let framing = { embed: "", hide: [] };

/** @param {Entry} entry */
export function choose(entry) {
  try {
    const parts = ["step=0", ...settingNames({ ...setting, faults: [] }), ...framingNames(framing)];
    history.pushState(null, "", `#${entryAddress(entry)}${parts.join("&")}`);
  } catch {
    // a sandboxed frame has no address of its own
  }
  show(entry);
}

/**
 * @param {Entry} entry
 * @param {string} unknown what a link names instead
 */
async function show(entry, unknown = "") {
  showChoice(entry, unknown);
  markCompared(entry);
  document.body.classList.remove("abreast");
  if (entry === shown) return;
  shown = entry;
  const { group, place } = entry;
  const story = (await storiesOfGroup(group))[place];
  if (entry !== shown) return; // something newer is to be shown
  leave();
  document.title = word("controls.title", { title: story.title, ranks: count(entry.ranks, "rank") });
  const { built = null, building = false } = workbenches.get(entry) ?? {};
  const end = play(root, story, entryAddress(entry), built);
  const { store } = /** @type {{collectives: {store: Store}} & any} */ (root).collectives;
  ({ setting } = store.state);
  framing = store.state;
  store.subscribe(["setting"], () => ({ setting } = store.state));
  times.show(entry, store, /** @type {HTMLElement} */ (root.querySelector("[data-part=sliders]")));
  if (building) store.act({ kind: "build" });
  leave = () => {
    workbenches.set(entry, store.state);
    end();
  };
}

/**
 * The stories of a group, unpacked once.
 * @param {number} group
 */
export function storiesOfGroup(group) {
  const stories = groups.get(group) ?? unpacked(byId(`stories-${group}`).textContent ?? "");
  groups.set(group, stories);
  return stories;
}

/**
 * Shows what the address names; where it names nothing of this file, it says so. A comparison that
 * is played side by side is shown until one of its algorithms is named.
 */
export function openAddressed() {
  const { hash } = location;
  const entry = addressedEntry(entries, hash);
  if (!entry && catalog.compared?.beside) return document.body.classList.add("abreast");
  const name = hash.slice(1, hash.lastIndexOf("/"));
  const unknown = hash && !entry ? plain(decoded(name || hash.slice(1))) : "";
  return show(entry ?? shown ?? entries[0], unknown);
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const themed = [...document.querySelectorAll(".themed")].map((part) => /** @type {HTMLElement} */ (part));
const follow = () => themed.forEach((part) => (part.dataset.theme = root.dataset.theme));
new MutationObserver(follow).observe(root, { attributeFilter: ["data-theme"] });
root.addEventListener("step", (event) => times.follow(/** @type {CustomEvent} */ (event).detail));
addEventListener("hashchange", openAddressed);
