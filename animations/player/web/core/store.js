// The state of a player: one value, changed by actions alone, and told to those who ask for it.

import { afterBuilding, givenBuilt, toggledBuilding } from "./building.js";
import { answeredBy, asksAfter, asksOf, isAsking, limitOf, openQuestion, skippedBy } from "./ask.js";
import { canFly } from "./motion.js";
import { sameValue, thingOf } from "./selection.js";
import { SEATING, seatedStory } from "./seating.js";
import { OWN_SETTING, isOwnSetting, withFaults } from "./setting.js";
import { clocksOf } from "./space_time.js";
import { storyUnder } from "./under.js";

const LASTING = ["part", "motion", "theme"]; // what is said stays while these change
const SPEEDS = [1, 2, 4, 0.5];
const MOST_VALUED = 8; // ranks whose numbers are shown
const FRESH = { step: 0, slow: false, part: 1, selection: null, building: false, built: null, faultsBefore: [], unmade: "" }; // of a story
/** @type {Set<Action["kind"]>} */
const TELLING = new Set(["select", "touch", "diagram", "clock", "build", "built", "setting", "break", "mend", "place", "map"]); // what is asked for

/**
 * @param {Story[]} stories
 * @param {Partial<State>} given
 * @returns {Store}
 */
export function createStore(stories, given = {}) {
  /** @type {State} */
  let state = {
    story: 0,
    step: 0,
    part: 1,
    playing: false,
    slow: false,
    values: false,
    tour: -1,
    speed: 1,
    motion: false,
    selection: null,
    panel: "counters",
    diagram: stories[0].clock,
    machine: false,
    setting: OWN_SETTING,
    map: false,
    faultsBefore: [],
    unknown: "",
    unmade: "",
    building: false,
    built: null,
    help: false,
    theme: "dark",
    embed: "",
    hide: [],
    asks: asksOf(stories[0]),
    ...given,
  };
  /** @type {Set<[readonly Slice[], (changed: Changed) => void]>} */
  const subscribers = new Set();
  return {
    get state() {
      return state;
    },
    get story() {
      return storyUnder(stories[state.story], state.setting);
    },
    get own() {
      return stories[state.story];
    },
    get last() {
      return stories[state.story].frames.length;
    },
    get limit() {
      return limitOf(stories[state.story], state.asks);
    },
    act(action) {
      const before = state;
      state = after(LASTING.includes(action.kind) ? state : { ...state, unknown: "" }, action, stories);
      const changed = differing(before, state);
      for (const [slices, update] of subscribers) {
        if (slices.some((slice) => changed.has(slice))) update(changed);
      }
    },
    subscribe(slices, update) {
      /** @type {[readonly Slice[], (changed: Changed) => void]} */
      const entry = [slices, update];
      subscribers.add(entry);
      return () => subscribers.delete(entry);
    },
  };
}

/**
 * @param {State} before
 * @param {State} now
 * @returns {Changed}
 */
function differing(before, now) {
  const names = /** @type {(keyof State)[]} */ (Object.keys(now));
  /** @type {Slice[]} */
  const changed = names.filter((name) => before[name] !== now[name]);
  if (before.part < 1 !== now.part < 1) changed.push("landed");
  return new Set(changed);
}

/**
 * The state after an action.
 * @param {State} state
 * @param {Action} action
 * @param {Story[]} stories
 * @returns {State}
 */
export function after(state, action, stories) {
  const story = stories[state.story];
  if (TELLING.has(action.kind) && isAsking(story, state.asks)) return state;
  const built = state.building && afterBuilding(state, story, action);
  if (built) return built;
  return ACTIONS[action.kind](state, action, story, stories);
}

/**
 * The state after each kind of action.
 * @type {Record<Action["kind"], (state: State, action: any, story: Story, stories: Story[]) => State>}
 */
const ACTIONS = {
  first: (state, _, story) => moved(stopped(state), story, 0),
  back: (state, _, story) => moved(stopped(state), story, state.step - 1),
  next: (state, _, story) => moved(stopped(state), story, state.step + 1, true),
  last: (state, _, story) => moved(stopped(state), story, story.frames.length),
  step: (state, action, story) => moved(stopped(state), story, action.step),
  on: (state, _, story) => moved(state, story, state.step + 1, true),
  play: (state, _, story) => {
    const last = story.frames.length;
    if (state.playing || !last) return stopped(state);
    const begun = moved({ ...untold(state), playing: true }, story, (state.step + 1) % (last + 1), true);
    return { ...begun, slow: begun.part < 1 && begun.step === 1 && !story.clock };
  },
  part: (state, action, story) =>
    settled({ ...state, part: Math.min(action.part, 1) }, limitOf(story, state.asks)),
  speed: (state) => ({ ...state, speed: SPEEDS[(SPEEDS.indexOf(state.speed) + 1) % SPEEDS.length] }),
  transfers: (state) => ({ ...state, panel: state.panel === "transfers" ? "counters" : "transfers" }),
  diagram: (state) => ({ ...state, diagram: state.diagram ? "" : "steps" }),
  unknown: (state, action) => ({ ...state, unknown: action.text }),
  clock: (state, action, story) =>
    ({ ...state, diagram: clocksOf(story).includes(action.clock) ? action.clock : "" }),
  machine: (state, _, story) => ({ ...state, machine: !!story.setup && !state.machine }),
  setting: (state, action, story) => (story.setup ? { ...state, setting: { ...state.setting, ...action.setting } } : state),
  break: (state, action, story) => broken(state, withFaults(seatedStory(story, state.setting.moves), state.setting.faults, action.faults)),
  place: (state, action, story) => seatedState(state, story, action.moves),
  map: (state, _, story) => ({ ...state, map: !!story.map && !state.map }),
  mend: mended,
  build: (state, _, story) => toggledBuilding(state, story),
  built: (state, action, story) => ({ ...givenBuilt(state, story, action.steps), unmade: action.unmade ?? "" }),
  edit: (state) => state,
  theme: (state) => ({ ...state, theme: state.theme === "light" ? "dark" : "light" }),
  framing: (state, { framing }) => ({ ...state, ...framing }),
  tour: (state, { stop }, story) => toured(stopped(state), story, stop),
  values: (state, _, story) =>
    ({ ...state, values: !state.values && story.shows_ranks && story.ranks <= MOST_VALUED && !story.table }),
  help: (state) => ({ ...state, help: !state.help }),
  select: (state, action) => selected(state, action.thing),
  touch: (state, { thing }) => selected(state, sameValue(thing, state.selection) ? null : thing),
  motion: (state, action) => ({ ...state, motion: action.motion }),
  story: (state, action, _, stories) =>
    ({ ...stopped(state), ...FRESH, setting: { ...state.setting, faults: [], moves: [] }, map: false, story: action.story, asks: asksOf(stories[action.story]) }),
  draft: asked,
  answer: asked,
  skip: asked,
  continue: asked,
  score: asked,
  answers: asked,
};

/**
 * With other faults: the machine is then seen, and the clock without barriers, which shows how far
 * they reach.
 * @param {State} state
 * @param {import("./faults.js").Fault[]} faults
 * @returns {State}
 */
function broken(state, faults) {
  const { faults: before } = state.setting;
  if (sameValue(before, faults)) return state;
  const diagram = state.diagram && state.diagram !== "steps" ? state.diagram : "dataflow";
  return { ...state, machine: true, diagram, setting: { ...state.setting, faults }, faultsBefore: [...state.faultsBefore, { faults: before, moves: state.setting.moves }] };
}

/**
 * With ranks on other GPUs, where all messages have a path there.
 * @param {State} state
 * @param {Story} story
 * @param {string[]} wanted
 * @returns {State}
 */
function seatedState(state, story, wanted) {
  const { faults, moves: before } = state.setting;
  const moves = SEATING.known(story, wanted);
  if (!story.setup || sameValue(before, moves)) return state;
  const setting = { ...state.setting, moves, faults: SEATING.faults(story.setup, state.setting, moves) };
  return { ...state, setting, faultsBefore: [...state.faultsBefore, { faults, moves: before }] };
}

/**
 * Without some faults; with none named as it was before the last change of them, or as the page's
 * own machine is where there was none.
 * @param {State} state
 * @param {{faults?: import("./faults.js").Fault[]}} action
 * @returns {State}
 */
function mended(state, { faults }) {
  const { setting, faultsBefore } = state;
  if (faults) return broken(state, setting.faults.filter((known) => !faults.some((each) => sameValue(each, known))));
  const before = faultsBefore[faultsBefore.length - 1];
  if (before) return { ...state, setting: { ...setting, ...before }, faultsBefore: faultsBefore.slice(0, -1) };
  return isOwnSetting(setting) ? state : { ...state, setting: OWN_SETTING };
}

/**
 * Playing no more, without what was told of the last answer.
 * @param {State} state
 */
function stopped(state) {
  return { ...untold(state), playing: false };
}

/**
 * Without what was told of the last answer.
 * @param {State} state
 * @returns {State}
 */
function untold(state) {
  return state.asks?.told ? { ...state, asks: { ...state.asks, told: false } } : state;
}

/**
 * After an action on a question. What was answered is shown at once, on its way.
 * @param {State} before
 * @param {Action} action
 * @param {Story} story
 * @returns {State}
 */
function asked(before, action, story) {
  const { asks } = before;
  if (!asks) return before;
  const state = { ...before, playing: false };
  if (action.kind === "answers") {
    return moved({ ...state, asks: asksAfter(story, action.results) }, story, state.step);
  }
  if (action.kind === "continue") return { ...state, asks: { ...asks, told: false } };
  const question = openQuestion(story, state);
  if (action.kind === "score") return question ? state : { ...state, asks: { ...asks, told: !asks.told } };
  if (!question) return state;
  if (action.kind === "draft") return { ...state, asks: { ...asks, draft: { ...asks.draft, missing: false, stray: false, ...action.draft } } };
  const next = action.kind === "skip" ? skippedBy(asks) : answeredBy(question, asks);
  if (!next.told) return { ...state, asks: next };
  return moved({ ...state, asks: next }, story, state.step + 1, true);
}

/**
 * At a stop of the tour; with no such stop off it.
 * @param {State} state
 * @param {Story} story
 * @param {number} stop
 * @returns {State}
 */
function toured(state, story, stop) {
  const { step, select } = story.tour[stop] ?? { step: state.step, select: "" };
  const there = moved({ ...state, tour: story.tour[stop] ? stop : -1 }, story, step);
  return selected(there, thingOf(story, select));
}

/**
 * With another selection, whose story is then seen.
 * @param {State} state
 * @param {Thing | null} selection
 * @returns {State}
 */
function selected(state, selection) {
  return { ...state, selection, panel: selection ? "counters" : state.panel };
}

/**
 * At another step, on the way to it if it is the next one.
 * @param {State} state
 * @param {Story} story
 * @param {number} target
 */
function moved(state, story, target, flies = false) {
  const last = limitOf(story, state.asks);
  const step = Math.min(Math.max(target, 0), last);
  const departs = flies && state.motion && step === state.step + 1 && canFly(story, step);
  return settled({ ...state, step, part: departs ? 0 : 1, slow: false }, last);
}

/**
 * Nothing is played beyond the last step.
 * @param {State} state
 * @param {number} last
 */
function settled(state, last) {
  return state.part === 1 && state.step === last ? { ...state, playing: false } : state;
}
