// Presenting: the picture and its sentence alone, as large as the window; notes in a second window.

import { word } from "./core/say.js";
import { html } from "./views/elements.js";

const FORTH = ["PageDown", "Enter"]; // keys of a clicker, beside those of the page
const SECOND = 1000;

/**
 * Obeys f, the keys of a clicker and clicks while the page is presented, and w for the notes.
 * With Shift, or the right button of a mouse, a key or click goes on by a phase.
 * @param {Page} page
 * @param {Store} store
 * @param {EventTarget} keys
 * @param {AbortSignal} signal
 */
export function listenPresenting(page, store, keys, signal) {
  const { sheet } = page;
  const [, , width, height] = store.own.stage;
  sheet.style.setProperty("--aspect", `${width / height}`);
  const isOn = () => sheet.classList.contains("presenting");
  const toggle = () => {
    const on = sheet.classList.toggle("presenting");
    if (!on && document.fullscreenElement) document.exitFullscreen();
    if (on) sheet.parentElement?.requestFullscreen?.().catch(() => {}); // in the window, where a frame forbids more
  };
  const go = (/** @type {boolean} */ forth, /** @type {boolean} */ phase) => {
    if (phase) store.act({ kind: "step", step: phaseEnd(store, forth) });
    else store.act({ kind: forth ? "next" : "back" });
  };
  const press = (/** @type {Event} */ raw) => {
    const event = /** @type {KeyboardEvent} */ (raw);
    if (event.ctrlKey || event.altKey || event.metaKey || store.state.help || isTyping(event)) return;
    const forth = FORTH.includes(event.key);
    if (event.key === "f") toggle();
    else if (event.key === "w") openNotes(page, store, signal, press);
    else if (!isOn()) return;
    else if (event.key === "Escape") toggle();
    else if (forth || event.key === "PageUp") go(forth, event.shiftKey);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const leave = () => isOn() && !document.fullscreenElement && toggle();
  const click = (/** @type {MouseEvent} */ event) => {
    if (!isOn()) return;
    event.preventDefault();
    event.stopPropagation();
    go(true, event.shiftKey || event.type === "contextmenu");
  };
  keys.addEventListener("keydown", press, { signal, capture: true });
  document.addEventListener("fullscreenchange", leave, { signal });
  for (const kind of /** @type {const} */ (["click", "contextmenu"])) {
    page.board.addEventListener(kind, click, { signal, capture: true });
  }
}

/**
 * The last step of the phase that follows a step, or the end of the one before it.
 * @param {Store} store
 * @param {boolean} forth
 */
export function phaseEnd(store, forth) {
  const { step } = store.state;
  const ends = [0, ...store.own.phases.map(([, , end]) => end)];
  const found = forth ? ends.find((end) => end > step) : ends.filter((end) => end < step).at(-1);
  return found ?? (forth ? store.last : 0);
}

/** @param {KeyboardEvent} event */
function isTyping(event) {
  const target = /** @type {Partial<Element>} */ (event.target);
  return !!target.closest?.("textarea, select, input:not([type=range])");
}

/**
 * A second window with the step, its sentence, the next one and the time; its keys are the page's.
 * @param {Page} page
 * @param {Store} store
 * @param {AbortSignal} signal
 * @param {(event: Event) => void} press
 */
function openNotes(page, store, signal, press) {
  const notes = window.open("", "collectives-notes", "width=900,height=560");
  if (!notes) {
    store.act({ kind: "unknown", text: word("controls.no_window") });
    return;
  }
  const { body } = notes.document;
  notes.document.title = word("controls.notes", { title: page.title.textContent ?? "" });
  body.replaceChildren();
  Object.assign(body.style, { font: "26px/1.35 sans-serif", margin: "1.2em", color: "#eee", background: "#11151a" });
  const [place, now, note, next] = ["h1", "p", "p", "p"].map((tag) => html(body, tag));
  Object.assign(place.style, { fontSize: "1em", color: "#ffca5f" });
  Object.assign(note.style, { color: "#a0aab4" });
  Object.assign(next.style, { color: "#a0aab4", borderTop: "1px solid #444", paddingTop: "0.6em" });
  const begin = Date.now();
  const show = () => {
    const { story, state, last } = store;
    const seconds = Math.floor((Date.now() - begin) / SECOND);
    const clock = `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
    place.textContent = `${state.step} / ${last} · ${clock}`;
    now.textContent = story.captions[state.step];
    note.textContent = story.notes[state.step] ?? "";
    next.textContent = state.step < last ? `→ ${story.captions[state.step + 1]}` : "";
  };
  const leave = store.subscribe(["step", "setting"], show);
  const ticking = setInterval(show, SECOND);
  const end = () => {
    leave();
    clearInterval(ticking);
  };
  const forward = (/** @type {KeyboardEvent} */ event) => {
    press(event);
    if (!event.defaultPrevented) document.dispatchEvent(new KeyboardEvent("keydown", { key: event.key }));
    event.preventDefault();
  };
  notes.addEventListener("keydown", forward);
  notes.addEventListener("pagehide", end);
  addEventListener("pagehide", () => notes.close(), { signal });
  show();
}
