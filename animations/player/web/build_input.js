// Turns drags, taps and keys on the workbench into edits.

import { cellFor, placeAt } from "./core/building.js";
import { centerOfSlot } from "./core/places.js";
import { arrowPath } from "./views/bench_stage.js";
import { pointOf, svg } from "./views/elements.js";

/** @type {Record<string, number[]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
/** @type {Record<string, Edit>} */
const EDITS = {
  u: { edit: "undo" },
  r: { edit: "redo" },
  a: { edit: "new step" },
  Escape: { edit: "put down" },
};
const VERBS = ["=", "+"];
const TAP = 6; // pixels that a finger may move in a tap

/**
 * Obeys a key on the workbench; says whether it did.
 * @param {KeyboardEvent} event
 * @param {Store} store
 */
export function buildKey(event, store) {
  const { building, built, help } = store.state;
  if (!building || !built || help) return false;
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const edit = (/** @type {Edit} */ change) => {
    store.act({ kind: "edit", edit: change });
    return true;
  };
  if (ctrlKey || metaKey) {
    const again = key === "y" || (key === "Z" && shiftKey);
    return again ? edit({ edit: "redo" }) : key === "z" && edit({ edit: "undo" });
  }
  if (altKey) return false;
  const on = /** @type {Partial<Element>} */ (event.target);
  if (on.closest?.("input, .code") && key.startsWith("Arrow")) return false;
  const way = STEPS[key];
  if (way) return edit({ edit: "cursor", at: cursorMoved(store.story, built.cursor, way) });
  if (key === "Enter" && on.closest?.("button")) return false;
  if (key === "Enter" || VERBS.includes(key)) return edit(enter(built, key));
  if (key === "Delete" || key === "Backspace") {
    const number = writerOf(built);
    return number < 0 ? edit({ edit: "put down" }) : edit({ edit: "remove", number });
  }
  return EDITS[key] ? edit(EDITS[key]) : false;
}

/**
 * Enter picks up what the cursor is on, or places what was picked up; + and = say the verb.
 * @param {Building} built
 * @param {string} key
 * @returns {Edit}
 */
function enter({ cursor, picked }, key) {
  const adds = VERBS.indexOf(key);
  if (picked) return { edit: "place", from: picked, to: cursor, ...(adds >= 0 && { adds }) };
  return adds >= 0 ? { edit: "verb", adds } : { edit: "pick", at: cursor };
}

/**
 * The transfer of the step that writes the cell of the cursor, else one that reads it; -1: none.
 * @param {Building} built
 */
function writerOf({ steps, at, cursor: [node, slot] }) {
  const transfers = steps[at] ?? [];
  const writes = transfers.map(([, dst, , into]) => dst === node && into === slot).lastIndexOf(true);
  const reads = transfers.map(([src, , chunk]) => src === node && chunk === slot).lastIndexOf(true);
  return writes >= 0 ? writes : reads;
}

/**
 * @param {Story} story
 * @param {Place} at
 * @param {number[]} way
 * @returns {Place}
 */
function cursorMoved({ names, slots }, [node, slot], [ranks, cells]) {
  const turned = (/** @type {number} */ at, /** @type {number} */ size) => (at + size) % size;
  return [turned(node + ranks, names.length), turned(slot + cells, slots.length)];
}

/**
 * Listens to the pointer on the stage.
 * @param {Page} page
 * @param {Store} store
 * @param {AbortSignal} signal
 */
export function listenBuild(page, store, signal) {
  const { story } = store;
  /** @type {{from: Place, number: number, x: number, y: number, moves: boolean} | null} */
  let drag = null;
  const aim = (/** @type {PointerEvent} */ event) => {
    page.aim.replaceChildren();
    if (!drag?.moves) return;
    const [x, y] = centerOfSlot(story, ...drag.from);
    const to = pointOf(page, event);
    svg(page.aim, "path", { class: "arrow", d: arrowPath([x, y], to) });
  };
  const down = (/** @type {PointerEvent} */ event) => {
    const { building, built } = store.state;
    if (!building || !built || event.button) return;
    /** @type {HTMLElement | null} */
    const badge = /** @type {Element} */ (event.target).closest("[data-number]");
    const number = badge ? Number(badge.dataset.number) : -1;
    const [src, , chunk] = built.steps[built.at]?.[number] ?? [];
    const from = badge ? /** @type {Place} */ ([src, chunk]) : placeAt(story, ...pointOf(page, event));
    if (!from) return;
    event.preventDefault();
    page.stage.setPointerCapture(event.pointerId);
    drag = { from, number, x: event.clientX, y: event.clientY, moves: false };
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (!drag || drag.from[1] < 0) return;
    drag.moves ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > TAP;
    aim(event);
  };
  const up = (/** @type {PointerEvent} */ event) => {
    const { built } = store.state;
    const done = drag;
    drag = null;
    aim(event);
    if (!done || !built) return;
    const found = placeAt(story, ...pointOf(page, event));
    const change = dropped(story, built, done, found);
    if (change) store.act({ kind: "edit", edit: change });
  };
  page.stage.addEventListener("pointerdown", down, { signal });
  page.stage.addEventListener("pointermove", move, { signal });
  page.stage.addEventListener("pointerup", up, { signal });
  page.stage.addEventListener("pointercancel", () => (drag = null), { signal });
}

/**
 * What a drag or a tap means that ends there: a chunk goes to a cell or a rank, an arrow to another
 * one; a tap picks up, or places what was picked up, or turns the verb of an arrow.
 * @param {Story} story
 * @param {Building} built
 * @param {{from: Place, number: number, moves: boolean}} drag
 * @param {Place | null} found
 * @returns {Edit | null}
 */
function dropped(story, built, { from, number, moves }, found) {
  const end = (/** @type {Place} */ start) => {
    return found && (found[1] < 0 ? cellFor(story, built, start, found[0]) : found);
  };
  if (moves) {
    const to = end(from);
    if (!to) return { edit: "put down" };
    return number < 0 ? { edit: "place", from, to } : { edit: "move", number, to };
  }
  if (number >= 0) return { edit: "turn", number };
  if (built.picked) {
    const to = /** @type {Place} */ (end(built.picked));
    const same = `${to}` === `${built.picked}`;
    return same ? { edit: "put down" } : { edit: "place", from: built.picked, to };
  }
  return from[1] < 0 ? null : { edit: "pick", at: from };
}
