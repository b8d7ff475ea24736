// The address of a page names the state it shows; see core/grammar.js.

import { addressText, draftIn, framingOf, namesIn, stepOf, unknownIn } from "./core/grammar.js";
import { sameValue, textOf, thingOf } from "./core/selection.js";
import { namedSetting } from "./core/setting.js";
import { openDraft } from "./kept_draft.js";

const REST = 300; // milliseconds without a step after which the address names it
const SEEN = /** @type {const} */ (["tour", "selection", "theme", "panel", "diagram", "map"]);
const RESTING = /** @type {const} */ (["step", "setting", "built", "building"]); // which change often
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
  const opening = store.own.map?.open ? "map" : "";
  let [timer, known] = [0, ""];
  const show = () => {
    if (location.hash && !location.hash.startsWith(`#${recording}`)) return;
    const named = namesIn(location.hash, recording, location.search);
    const framing = framingOf(named);
    if (!sameValue(framing, { embed: store.state.embed, hide: store.state.hide })) store.act({ kind: "framing", framing });
    const setting = namedSetting(store.own, named);
    if (!sameValue(setting, store.state.setting)) store.act({ kind: "setting", setting });
    if (!store.state.machine && setting.faults.length) store.act({ kind: "machine" });
    const stop = Number(named.get("tour") ?? (location.hash ? 0 : 1)) - 1;
    if (stop !== store.state.tour && store.story.tour.length) store.act({ kind: "tour", stop });
    const toured = named.has("step") || named.has("time") ? undefined : store.story.tour[stop];
    const step = toured ? toured.step : stepOf(store.story, named);
    const thing = thingOf(store.story, named.get("select") ?? toured?.select ?? "");
    if (step !== store.state.step) store.act({ kind: "step", step });
    if (textOf(thing) !== textOf(store.state.selection)) store.act({ kind: "select", thing });
    const asked = named.get("theme") ?? "";
    const wanted = ["dark", "light"].includes(asked) ? asked : theme;
    if (wanted !== store.state.theme) store.act({ kind: "theme" });
    const panel = named.get("panel") === "transfers" ? "transfers" : "counters";
    if (panel !== store.state.panel) store.act({ kind: "transfers" });
    const mapped = (named.get("view") ?? (location.hash ? "" : opening)) === "map";
    if (mapped !== store.state.map) store.act({ kind: "map" });
    const clock = named.get("clock") ?? (location.hash ? "" : store.story.clock);
    if (clock !== store.state.diagram) store.act({ kind: "clock", clock });
    const draft = draftIn(store, named);
    if (draft) openDraft(store, draft);
    const unknown = unknownIn(named, store);
    if (unknown) store.act({ kind: "unknown", text: unknown });
    if (location.hash) remember();
    else rest(); // the page is seen first, as it takes time to name its state
  };
  const remember = () => {
    clearTimeout(timer);
    timer = 0;
    try {
      history.replaceState(null, "", `#${recording}${addressText(store, theme)}`);
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
