// The address of a page: what it can name, how that is read, and how it is written; see docs/embed.md.

import { draftOf, draftText } from "./draft_link.js";
import { FAULT_KINDS } from "./faults.js";
import { isSpoken, otherLanguage, word } from "./say.js";
import { sameValue, textOf } from "./selection.js";
import { SLIDER_NAMES, settingNames } from "./setting.js";

const PANELS = ["title", "code", "counters", "legend", "caption", "timeline", "buttons"]; // which can be hidden
const FRAMINGS = ["fit", "tall"]; // of being embedded: as large as the frame is, as high as the width needs
const MOMENT = /^(\d{1,9}(?:\.\d{1,9})?)(ns|us|µs|ms|s)$/;
/** @type {Record<string, number>} */
const SECONDS = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1 };
const LONGEST = 6000; // letters of a draft in an address; a longer one is kept in the tab alone

/**
 * What the part behind # names; how the page is framed may stand behind ? as well.
 * @param {string} hash
 * @param {string} recording what stands before the step, where there are several recordings
 * @param {string} search
 */
export function namesIn(hash, recording, search) {
  const named = new URLSearchParams(hash.slice(1 + recording.length));
  const asked = new URLSearchParams(search);
  for (const name of ["embed", "hide"]) {
    if (asked.has(name) && !named.has(name)) named.set(name, asked.get(name) ?? "");
  }
  return named;
}

/**
 * How an address wants the page to be framed.
 * @param {URLSearchParams} named
 * @returns {Framing}
 */
export function framingOf(named) {
  const [embed, hide] = [named.get("embed"), listOf(named.get("hide") ?? "")];
  const way = FRAMINGS.find((known) => known === (embed === "" ? FRAMINGS[0] : embed));
  return { embed: /** @type {Framing["embed"]} */ (way ?? ""), hide: PANELS.filter((panel) => hide.includes(panel)) };
}

/**
 * The step that an address names, or the last one that is over at the time that it names.
 * @param {Story} story
 * @param {URLSearchParams} named
 */
export function stepOf(story, named) {
  if (named.has("step") || !named.has("time")) return Number(/^\d{1,6}$/.exec(named.get("step") ?? "")?.[0] ?? 0);
  const seconds = momentIn(named.get("time") ?? "");
  return Math.max(0, timesOf(story).filter((end) => end <= seconds).length - 1);
}

/**
 * The names of a state; of a theme that is the page's own none.
 * @param {Store} store
 * @param {string} theme
 */
export function addressText({ story, state }, theme) {
  const text = textOf(state.selection);
  const parts = [`step=${state.step}`, text && `select=${text}`];
  if (state.theme !== theme) parts.push(`theme=${state.theme}`);
  if (otherLanguage()) parts.push(`lang=${otherLanguage()}`);
  if (state.tour >= 0) parts.push(`tour=${state.tour + 1}`);
  if (state.panel === "transfers") parts.push("panel=transfers");
  if (state.diagram) parts.push(`clock=${state.diagram}`);
  if (state.map) parts.push("view=map");
  parts.push(...settingNames(state.setting));
  const draft = draftNow(story, state);
  if (draft && draft.length <= LONGEST) parts.push(`build=${draft}`);
  parts.push(...framingNames(state));
  return parts.filter(Boolean).join("&");
}

/**
 * How a page is framed, as an address names it.
 * @param {Framing} framing
 */
export function framingNames({ embed, hide }) {
  return [embed && (embed === FRAMINGS[0] ? "embed" : `embed=${embed}`), hide.length ? `hide=${hide}` : ""].filter(Boolean);
}

/**
 * The draft that a link names, unless it is the one that is there.
 * @param {Store} store
 * @param {URLSearchParams} named
 */
export function draftIn({ story, state }, named) {
  const text = named.get("build") ?? "";
  return text && text !== draftNow(story, state) ? draftOf(story, text) : null;
}

/**
 * What a link names that the page does not have, in a sentence; nothing where it has all.
 * @param {URLSearchParams} named
 * @param {Store} store which shows what it names, as far as that is there
 */
export function unknownIn(named, store) {
  const { state, story, last } = store;
  /** @type {Record<string, (text: string) => boolean>} */
  const known = {
    step: (text) => /^\d{1,6}$/.test(text) && Number(text) <= last,
    time: (text) => momentIn(text) <= (timesOf(story).at(-1) ?? 0),
    select: (text) => textOf(state.selection) === text,
    theme: (text) => ["dark", "light"].includes(text),
    panel: (text) => ["counters", "transfers"].includes(text),
    tour: (text) => state.tour === Number(text) - 1,
    clock: (text) => state.diagram === text,
    build: (text) => draftNow(story, state) === text,
    lang: isSpoken,
    view: (text) => state.map && text === "map",
    place: () => state.setting.moves.length > 0,
    embed: (text) => state.embed === text,
    hide: (text) => listOf(text).every((panel) => PANELS.includes(panel)),
  };
  for (const name of SLIDER_NAMES) known[name] = (text) => state.setting[name] === Number(text);
  for (const kind of FAULT_KINDS) known[kind] = (text) => state.setting.faults.some((fault) => sameValue(fault, [kind, text]));
  const wrong = [...named].filter(([name, text]) => text && !(Object.hasOwn(known, name) && known[name](text)));
  const names = wrong.map(([name, text]) => `${plain(name)} ${plain(text)}`);
  return names.length ? word("controls.unknown", { names: names.join(word("parts.comma")) }) : "";
}

/**
 * A text of strangers: not long, and without signs that turn others round.
 * @param {string} text
 */
export function plain(text) {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 40);
}

/** @param {string} text */
function listOf(text) {
  return text.split(",").filter(Boolean);
}

/**
 * A time with its unit, a little later, as counters have six digits; NaN where it is none.
 * @param {string} text
 */
function momentIn(text) {
  const [, number, unit] = MOMENT.exec(text) ?? [];
  return unit ? Number(number) * SECONDS[unit] * (1 + 1e-5) : NaN;
}

/**
 * When each step is over, as the counters have it: by the clock and the setting of the page.
 * @param {Story} story
 */
function timesOf({ counters }) {
  return counters[counters.length - 1][1];
}

/**
 * The draft on the workbench as a text; nothing while that is not open.
 * @param {Story} story
 * @param {State} state
 */
function draftNow(story, { building, built }) {
  return building && built ? draftText(story, built) : "";
}
