// Turns each key, click and drag into one action.

import { movesOf } from "./core/story.js";
import { sameThing, thingAt } from "./core/things.js";

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
  s: "speed",
  d: "theme",
};
const BUTTONS = /** @type {const} */ ([
  ...["first", "back", "play", "next", "last", "speed", "transfers", "theme", "help"],
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
  const scrub = () => store.act({ kind: "step", step: Number(page.scrub.value) });
  page.scrub.addEventListener("input", scrub, { signal });
  const select = (/** @type {Thing | null} */ thing) => {
    const again = sameThing(thing, store.state.selection);
    store.act({ kind: "select", thing: again ? null : thing });
  };
  const pick = (/** @type {MouseEvent} */ event) => select(thingUnder(event, page, store));
  page.stage.addEventListener("click", pick, { signal });
  const choose = (/** @type {MouseEvent} */ { target }) => {
    const number = [...page.list.children].indexOf(/** @type {Element} */ (target).closest("li:not(.faint)") ?? page.list);
    if (number in movesOf(store.story, store.state.step)) select({ transfer: [store.state.step, number] });
  };
  page.list.addEventListener("click", choose, { signal });
  const press = (/** @type {Event} */ event) => pressed(/** @type {KeyboardEvent} */ (event), store);
  keys.addEventListener("keydown", press, { signal });
}

/**
 * What a click on the stage points at.
 * @param {MouseEvent} event
 * @param {Page} page
 * @param {Store} store
 */
function thingUnder({ clientX, clientY }, { stage }, { story }) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(stage.getScreenCTM()?.inverse());
  return thingAt(story, [x, y]);
}

/**
 * @param {KeyboardEvent} event
 * @param {Store} store
 */
function pressed(event, store) {
  const kind = KEYS[event.key];
  if (!kind || event.ctrlKey || event.altKey || event.metaKey || store.state.help) return;
  const target = /** @type {Partial<Element>} */ (event.target);
  if (event.key === " " && target.closest?.("button")) return;
  event.preventDefault();
  store.act(/** @type {Action} */ ({ kind }));
}
