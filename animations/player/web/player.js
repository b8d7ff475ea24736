// The player: shows a story (see data.py) in any element, step by step, forward and back.

import { followAddress } from "./address.js";
import { mountAnnouncements } from "./announce.js";
import { resultsOf } from "./core/ask.js";
import { fromShared, sameValue, sharedOf } from "./core/selection.js";
import { createStore } from "./core/store.js";
import { fromSharedStep, sharedSteps } from "./core/task.js";
import { listenBuild } from "./build_input.js";
import { listenFrame } from "./framed.js";
import { listen } from "./input.js";
import { keepAnswers } from "./kept_answers.js";
import { keepDraft } from "./kept_draft.js";
import { listenTouch } from "./touch.js";
import { runTime } from "./playback.js";
import { listenPresenting } from "./presenting.js";
import { mountBench } from "./views/bench.js";
import { mountBenchStage } from "./views/bench_stage.js";
import { mountAsked } from "./views/asked.js";
import { mountCards } from "./views/cards.js";
import { mountCells } from "./views/cells.js";
import { showTheme, systemTheme } from "./theme.js";
import { mountChosen } from "./views/chosen.js";
import { mountControls } from "./views/controls.js";
import { mountCounters } from "./views/counters.js";
import { fillPage } from "./views/elements.js";
import { mountFlights } from "./views/flights.js";
import { mountHelp } from "./views/help.js";
import { mountLegend } from "./views/legend.js";
import { mountLegible } from "./views/legible.js";
import { mountLens } from "./views/lens.js";
import { mountLinks } from "./views/links.js";
import { mountMarked } from "./views/marked.js";
import { mountMarks } from "./views/marks.js";
import { mountMatrix } from "./views/matrix.js";
import { mountQuestion } from "./views/question.js";
import { mountScenery } from "./views/scenery.js";
import { mountBroken } from "./views/broken.js";
import { mountSetup } from "./views/setup.js";
import { mountSource } from "./views/source.js";
import { mountStateTable } from "./views/state_table.js";
import { mountSpaceTime } from "./views/space_time.js";
import { mountStory } from "./views/story_panel.js";
import { mountTerms } from "./views/terms.js";
import { mountTimeline } from "./views/timeline.js";
import { mountTour } from "./views/tour.js";
import { mountTransfers } from "./views/transfers.js";
import { mountValues } from "./views/values.js";
import { mountWrong } from "./views/wrong.js";

/**
 * Build a player in `root`. If it has the page to itself, with its keys and address, `address` is
 * what begins the name of a state there; else null. `built` is what the workbench
 * begins with.
 * The root tells by "step", "playing", "selection", "built" and "answers" events what changed, and
 * obeys "goto", "play", "select", "build" and "answered" events, each with the value as detail.
 * Its `collectives` has the store, and `drawn`, what is painted on the canvas.
 * Returns a function that takes it away again.
 * @param {HTMLElement} root
 * @param {Story} story
 * @param {string | null} address
 * @param {Building | null} built
 */
export function play(root, story, address = null, built = null) {
  const follows = !root.dataset.theme;
  root.dataset.theme ??= systemTheme();
  const { theme } = root.dataset;
  const store = createStore([story], { theme, built });
  const ended = new AbortController();
  const { signal } = ended;
  runTime(store, signal);
  if (address !== null) keepAnswers(store); // before the address, whose step they may unlock
  if (address !== null) followAddress(store, address, signal);
  if (address !== null) keepDraft(store, address);
  root.dataset.theme = store.state.theme;
  const page = fillPage(root);
  const repaint = () => views.forEach((view) => view.repaint?.());
  showTheme(root, store, { follows, repaint }, signal);
  const views = mountViews(page, store);
  listenPresenting(page, store, address === null ? root : document, signal);
  listen(page, store, address === null ? root : document, signal);
  listenTouch(page, store, signal);
  listenBuild(page, store, signal);
  tellState(root, store, signal);
  if (address !== null) listenFrame(page, store, address, theme ?? "", signal);
  const drawn = () => views.flatMap((view) => view.drawn?.() ?? []);
  Object.assign(root, { collectives: { store, drawn } });
  const resized = new ResizeObserver(repaint);
  resized.observe(page.canvas); // which calls it first once all is laid out, before it is seen
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
  for (const part of [page.under, page.stage]) {
    part.setAttribute("viewBox", story.stage.join(" "));
    part.classList.add(story.view);
  }
  page.stage.style.setProperty("--thin", `${story.outline}`);
  const mounts = [
    mountLegible, // before what is drawn as large as it says
    story.table ? mountMatrix : mountCells,
    ...[mountCards, mountMarks, mountScenery],
    ...[mountLinks, mountLens, mountFlights, mountAnnouncements, mountSource, mountCounters, mountLegend],
    ...[mountTransfers, mountControls, mountTimeline, mountHelp],
    ...[mountTerms, mountChosen, mountMarked, mountStory, mountWrong, mountSpaceTime, mountStateTable],
    ...[mountTour, mountValues, mountBenchStage, mountBench, mountSetup, mountBroken],
    ...[mountQuestion, mountAsked],
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
 * Events of the root tell parts of the state and set them.
 * @param {HTMLElement} root
 * @param {Store} store
 * @param {AbortSignal} signal
 */
function tellState(root, store, signal) {
  const results = () => resultsOf(store.story, store.state.asks);
  const answers = () => root.dispatchEvent(new CustomEvent("answers", { detail: results() }));
  store.subscribe(["asks"], answers); // before the step, which they unlock
  answers();
  for (const name of /** @type {const} */ (["step", "playing", "selection", "built"])) {
    const tell = () => {
      const { [name]: value, selection, built } = store.state;
      const shared = { selection: sharedOf(selection), built: built && sharedSteps(built.steps) };
      const detail = name in shared ? shared[/** @type {keyof shared} */ (name)] : value;
      root.dispatchEvent(new CustomEvent(name, { detail }));
    };
    store.subscribe([name], tell);
    tell();
  }
  /** @type {(event: string, obey: (value: any) => void) => void} */
  const hear = (event, obey) => {
    const act = (/** @type {Event} */ raised) => {
      if (raised.target === root) obey(/** @type {CustomEvent} */ (raised).detail); // a field tells "select", too
    };
    root.addEventListener(event, act, { signal });
  };
  hear("answered", (given) => {
    if (store.state.asks && !sameValue(given, results())) store.act({ kind: "answers", results: given ?? [] });
  });
  hear("goto", (step) => step !== store.state.step && store.act({ kind: "step", step }));
  hear("play", (plays) => !!plays !== store.state.playing && store.act({ kind: "play" }));
  hear("select", (shared) => {
    if (sameValue(shared, sharedOf(store.state.selection))) return;
    store.act({ kind: "select", thing: fromShared(store.story, shared) });
  });
  hear("build", (steps) => {
    const { built } = store.state;
    if (sameValue(steps, built && sharedSteps(built.steps))) return;
    store.act({ kind: "built", steps: steps && steps.map(fromSharedStep) });
  });
}
