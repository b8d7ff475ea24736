// Turns each key, click and drag into one action.

import { buildKey } from "./build_input.js";
import { askKey } from "./ask_keys.js";
import { touchKey } from "./touch.js";

/** @type {Record<string, Action["kind"]>} */
const KEYS = {
  ArrowRight: "next",
  n: "next",
  ArrowLeft: "back",
  p: "back",
  Home: "first",
  End: "last",
  " ": "play",
  "?": "help",
  t: "transfers",
  x: "diagram",
  s: "speed",
  m: "machine",
  u: "mend",
  b: "build",
  d: "theme",
  v: "values",
  g: "map",
};
const BUTTONS = /** @type {const} */ ([
  ...["first", "back", "play", "next", "last", "speed", "transfers", "diagram", "machine", "build", "theme", "help"],
]);

/**
 * Listens to the elements of a page, and to keys within `keys`, until `signal` ends it.
 * @param {Page} page
 * @param {Store} store
 * @param {EventTarget} keys
 * @param {AbortSignal} signal
 */
export function listen(page, store, keys, signal) {
  for (const kind of BUTTONS) {
    page[kind].addEventListener("click", () => store.act({ kind }), { signal });
  }
  const scrub = () => {
    store.act({ kind: "step", step: Number(page.scrub.value) });
    page.scrub.value = `${store.state.step}`; // what follows may be locked
  };
  page.scrub.addEventListener("input", scrub, { signal });
  const press = (/** @type {Event} */ event) => pressed(/** @type {KeyboardEvent} */ (event), page, store);
  keys.addEventListener("keydown", press, { signal });
}

/**
 * @param {KeyboardEvent} event
 * @param {Page} page
 * @param {Store} store
 */
function pressed(event, page, store) {
  const kind = KEYS[event.key];
  if (buildKey(event, store)) return event.preventDefault();
  if (event.ctrlKey || event.altKey || event.metaKey || store.state.help) return;
  const asked = askKey(event, page, store);
  if (asked) return asked === true && event.preventDefault();
  if (event.key === "Escape" && store.state.tour >= 0) return store.act({ kind: "tour", stop: -1 });
  if (touchKey(event, store)) return event.preventDefault();
  const target = /** @type {Partial<Element>} */ (event.target);
  if (!kind || target.closest?.("select, .curve input")) return; // whose keys choose
  if (event.key === " " && target.closest?.("button, [role=button]")) return;
  event.preventDefault();
  store.act(/** @type {Action} */ ({ kind }));
}
