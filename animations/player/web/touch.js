// Turns clicks, taps and Enter into selections: on the stage, on lists, in the story.

import { isPlaced, openQuestion, optionAt } from "./core/ask.js";
import { thingAt } from "./core/hit.js";
import { shifted, thingOf } from "./core/selection.js";
import { followedMove, keyOf, movesOf } from "./core/story.js";
import { pointOf } from "./views/elements.js";

/** @type {Record<string, number[]>} */
const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * @param {Page} page
 * @param {Store} store
 * @param {AbortSignal} signal
 */
export function listenTouch(page, store, signal) {
  const { story } = store;
  const click = (/** @type {MouseEvent} */ event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("dfn") || store.state.building) return;
    /** @type {HTMLElement | null} */
    const go = target.closest("[data-step]");
    if (go) return store.act({ kind: "step", step: Number(go.dataset.step) });
    const thing = thingIn(page, story, store.state, target, event);
    if (thing === undefined) return;
    const question = openQuestion(story, store.state);
    if (question && isPlaced(question) && thing && "rank cell".includes(thing.kind)) {
      const option = optionAt(story, question, thing);
      return store.act({ kind: "draft", draft: { option, stray: option === null } });
    }
    store.act({ kind: "touch", thing });
    if (!target.isConnected && !page.story.hidden) page.thing.focus();
  };
  const enter = (/** @type {KeyboardEvent} */ event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key !== "Enter" || target.getAttribute("role") !== "button") return;
    event.preventDefault();
    target.click();
  };
  page.sheet.addEventListener("click", click, { signal });
  page.sheet.addEventListener("keydown", enter, { signal });
}

/**
 * What is under a click: null where the stage is empty, undefined off all that can be selected.
 * @param {Page} page
 * @param {Story} story
 * @param {State} state
 * @param {Element} target
 * @param {MouseEvent} event
 */
function thingIn(page, story, { step, part }, target, event) {
  /** @type {HTMLElement | null} */
  const named = target.closest("[data-thing]");
  if (named) return thingOf(story, named.dataset.thing ?? "") ?? undefined;
  if (!page.stage.contains(target) && target !== page.canvas) return undefined;
  /** @type {HTMLElement | null} */
  const flying = part < 1 ? target.closest(".trip .move") : null; // else it waits for its step
  if (flying) {
    const number = movesOf(story, step).map(keyOf).indexOf(keyOf(flying.dataset));
    return thingOf(story, `transfer:${step}.${number}`) ?? undefined;
  }
  return thingAt(story, ...pointOf(page, event));
}

/**
 * Obeys Escape and Shift with an arrow; says whether it did.
 * @param {KeyboardEvent} event
 * @param {Store} store
 */
export function touchKey(event, store) {
  const { selection, step } = store.state;
  if (event.key === "Escape" && selection) {
    store.act({ kind: "select", thing: null });
    return true;
  }
  const way = event.shiftKey && WAYS[event.key];
  if (!way) return false;
  const hero = followedMove(store.story, Math.max(step, 1));
  store.act({ kind: "select", thing: shifted(store.story, selection, way, hero) });
  return true;
}
