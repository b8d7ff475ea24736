// The player: shows a story (see data.py) in any element, step by step, forward and back.

import { followAddress } from "./address.js";
import { mountAnnouncements } from "./announce.js";
import { createStore } from "./core/store.js";
import { listen } from "./input.js";
import { runTime } from "./playback.js";
import { mountCards } from "./views/cards.js";
import { mountCells } from "./views/cells.js";
import { mountHatches } from "./views/content.js";
import { mountControls } from "./views/controls.js";
import { mountCounters } from "./views/counters.js";
import { fillPage } from "./views/elements.js";
import { mountFlights } from "./views/flights.js";
import { mountHelp } from "./views/help.js";
import { mountLegend } from "./views/legend.js";
import { mountLens } from "./views/lens.js";
import { mountLinks } from "./views/links.js";
import { mountMatrix } from "./views/matrix.js";
import { mountScenery } from "./views/scenery.js";
import { mountSource } from "./views/source.js";
import { mountTimeline } from "./views/timeline.js";
import { mountTransfers } from "./views/transfers.js";

/**
 * Build a player in `root`; `alone` if it has the page to itself, with its keys and address.
 * The root tells each step by a "step" event and obeys a "goto" event; both have it as detail.
 * Returns a function that takes it away again.
 * @param {HTMLElement} root
 * @param {Story} story
 */
export function play(root, story, alone = false) {
  root.dataset.theme ??= "dark";
  const store = createStore([story], { theme: root.dataset.theme });
  const ended = new AbortController();
  const { signal } = ended;
  runTime(store, signal);
  if (alone) followAddress(store, signal);
  const page = fillPage(root);
  store.subscribe(["theme"], () => (root.dataset.theme = store.state.theme));
  const views = mountViews(page, store);
  listen(page, store, alone ? document : root, signal);
  tellSteps(root, store, signal);
  const resized = new ResizeObserver(() => views.forEach((view) => view.repaint?.()));
  resized.observe(page.canvas);
  return () => {
    ended.abort();
    resized.disconnect();
    root.replaceChildren();
  };
}

/**
 * Mounts all views, each of which is updated with the slices of the state that it shows.
 * @param {Page} page
 * @param {Store} store
 */
function mountViews(page, store) {
  const { story } = store;
  page.stage.setAttribute("viewBox", story.stage.join(" "));
  page.stage.classList.add(story.view);
  page.stage.style.setProperty("--thin", `${story.outline}`);
  const mounts = [
    ...[mountHatches, mountCards, story.table ? mountMatrix : mountCells, mountScenery, mountLinks],
    ...[mountLens, mountFlights, mountAnnouncements, mountSource, mountCounters, mountLegend],
    ...[mountTransfers, mountControls, mountTimeline, mountHelp],
  ];
  /** @type {Changed} */
  const all = new Set(["landed", .../** @type {Slice[]} */ (Object.keys(store.state))]);
  return mounts.map((mount) => {
    const view = mount(page, store);
    view.update(all);
    store.subscribe(view.slices, view.update);
    return view;
  });
}

/**
 * Events of the root tell each step and set it.
 * @param {HTMLElement} root
 * @param {Store} store
 * @param {AbortSignal} signal
 */
function tellSteps(root, store, signal) {
  const tell = () => root.dispatchEvent(new CustomEvent("step", { detail: store.state.step }));
  const obey = (/** @type {Event} */ event) => {
    const step = /** @type {CustomEvent<number>} */ (event).detail;
    if (step !== store.state.step) store.act({ kind: "step", step });
  };
  store.subscribe(["step"], tell);
  root.addEventListener("goto", obey, { signal });
  tell();
}
