// The address of a page names the state it shows.

import { draftOf, draftText } from "./core/draft_link.js";
import { FAULT_KINDS } from "./core/faults.js";
import { sameValue, textOf, thingOf } from "./core/selection.js";
import { SLIDER_NAMES, namedSetting, settingNames } from "./core/setting.js";
import { openDraft } from "./kept_draft.js";

const REST = 300; // milliseconds without a step after which the address names it
const SEEN = /** @type {const} */ (["tour", "selection", "theme", "panel", "diagram"]);
const RESTING = /** @type {const} */ (["step", "setting", "built", "building"]); // which change often
const LONGEST = 6000; // letters of a draft in an address; a longer one is kept in the tab alone
const LEAVING = ["blur", "copy", "pagehide"]; // when it is named at once

/**
 * Shows what the address names, now and when it changes, and keeps it up to date: at once, or after
 * steps when these rest, as a change costs a browser more than a step does. What the address does
 * not name, or names wrongly, is as when the page was opened.
 * @param {Store} store
 * @param {string} recording what stands before the step, where there are several recordings
 * @param {AbortSignal} signal
 */
export function followAddress(store, recording, signal) {
  const { theme } = store.state;
  let [timer, known] = [0, ""];
  const show = () => {
    if (location.hash && !location.hash.startsWith(`#${recording}`)) return;
    const named = new URLSearchParams(location.hash.slice(1 + recording.length));
    const stop = Number(named.get("tour") ?? (location.hash ? 0 : 1)) - 1;
    if (stop !== store.state.tour && store.story.tour.length) store.act({ kind: "tour", stop });
    const toured = named.has("step") ? undefined : store.story.tour[stop];
    const step = toured ? toured.step : Number(/^\d{1,6}$/.exec(named.get("step") ?? "")?.[0] ?? 0);
    const thing = thingOf(store.story, named.get("select") ?? toured?.select ?? "");
    if (step !== store.state.step) store.act({ kind: "step", step });
    if (textOf(thing) !== textOf(store.state.selection)) store.act({ kind: "select", thing });
    const asked = named.get("theme") ?? "";
    const wanted = ["dark", "light"].includes(asked) ? asked : theme;
    if (wanted !== store.state.theme) store.act({ kind: "theme" });
    const panel = named.get("panel") === "transfers" ? "transfers" : "counters";
    if (panel !== store.state.panel) store.act({ kind: "transfers" });
    const setting = namedSetting(store.own, named);
    if (!sameValue(setting, store.state.setting)) store.act({ kind: "setting", setting });
    if (!store.state.machine && setting.faults.length) store.act({ kind: "machine" });
    const clock = named.get("clock") ?? (location.hash ? "" : store.story.clock);
    if (clock !== store.state.diagram) store.act({ kind: "clock", clock });
    const draft = named.get("build") ?? "";
    const there = draft && draft !== draftNow(store) && draftOf(store.story, draft);
    if (there) openDraft(store, there);
    const unknown = unknownIn(named, store);
    if (unknown) store.act({ kind: "unknown", text: unknown });
    if (location.hash) remember();
    else rest(); // the page is seen first, as it takes time to name its state
  };
  const remember = () => {
    clearTimeout(timer);
    timer = 0;
    const { state } = store;
    const text = textOf(state.selection);
    const parts = [`step=${state.step}`, text && `select=${text}`];
    if (state.theme !== theme) parts.push(`theme=${state.theme}`);
    if (state.tour >= 0) parts.push(`tour=${state.tour + 1}`);
    if (state.panel === "transfers") parts.push("panel=transfers");
    if (state.diagram) parts.push(`clock=${state.diagram}`);
    parts.push(...settingNames(state.setting));
    const draft = draftNow(store);
    if (draft && draft.length <= LONGEST) parts.push(`build=${draft}`);
    try {
      history.replaceState(null, "", `#${recording}${parts.filter(Boolean).join("&")}`);
    } catch {
      // a sandboxed frame has no address of its own
    }
    known = location.hash;
  };
  const settle = () => {
    if (timer && location.hash === known) remember(); // else it was changed, and is to be shown
  };
  const rest = () => {
    clearTimeout(timer);
    timer = setTimeout(settle, REST);
  };
  const follow = (/** @type {Changed} */ changed) => {
    if (SEEN.some((slice) => changed.has(slice))) return remember();
    rest();
  };
  show();
  if (!timer && !known) remember(); // in the place of what names another recording
  store.subscribe([...RESTING, ...SEEN], follow);
  for (const kind of LEAVING) addEventListener(kind, settle, { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
  addEventListener("hashchange", show, { signal });
}

/**
 * The draft on the workbench as a text; nothing while that is not open.
 * @param {Store} store
 */
function draftNow({ story, state: { building, built } }) {
  return building && built ? draftText(story, built) : "";
}

/**
 * What a link names that the story does not have, in a sentence; nothing where it has all.
 * @param {URLSearchParams} named
 * @param {Store} store
 */
function unknownIn(named, store) {
  const { state, last } = store;
  /** @type {Record<string, (text: string) => boolean>} */
  const known = {
    step: (text) => /^\d{1,6}$/.test(text) && Number(text) <= last,
    select: (text) => textOf(state.selection) === text,
    theme: (text) => ["dark", "light"].includes(text),
    panel: (text) => ["counters", "transfers"].includes(text),
    tour: (text) => state.tour === Number(text) - 1,
    clock: (text) => state.diagram === text,
    build: (text) => draftNow(store) === text,
  };
  for (const name of SLIDER_NAMES) known[name] = (text) => state.setting[name] === Number(text);
  for (const kind of FAULT_KINDS) known[kind] = (text) => state.setting.faults.some((fault) => sameValue(fault, [kind, text]));
  const wrong = [...named].filter(([name, text]) => Object.hasOwn(known, name) && text && !known[name](text));
  const names = wrong.map(([name, text]) => `${name} ${plain(text)}`);
  return names.length ? `This recording does not have what the link names: ${names.join(", ")}.` : "";
}

/**
 * A text of strangers: not long, and without signs that turn others round.
 * @param {string} text
 */
export function plain(text) {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 40);
}
