// A page in a frame of another page: what is left out, messages both ways, lines that embed it.

import { addressText } from "./core/grammar.js";
import { word } from "./core/say.js";
import { button, copyFrom, html, setAll } from "./views/elements.js";

const SIDE = ["code", "counters", "legend"]; // without these the picture has the width to itself
const ROOMY = [960, 460]; // pixels of a frame in which they have a place beside the picture

/**
 * Leaves out what the address hides, and speaks with the page around this one, which may be
 * anybody's: it is told numbers, and can move the steps, nothing else; see docs/embed.md.
 * @param {Page} page
 * @param {Store} store
 * @param {string} address what begins the name of a state in the address
 * @param {string} theme that the page has by itself
 * @param {AbortSignal} signal
 */
export function listenFrame(page, store, address, theme, signal) {
  const { sheet, board } = page;
  let height = 0;
  const tell = (/** @type {string} */ collectives, /** @type {Record<string, number>} */ values = {}) => {
    if (parent !== window && store.state.embed) parent.postMessage({ collectives, ...values }, "*");
  };
  const fit = () => {
    const { embed, hide } = store.state;
    const small = innerWidth < ROOMY[0] || innerHeight < ROOMY[1];
    Object.assign(sheet.dataset, { embed, hide: hide.join(" ") });
    const alone = sheet.classList.toggle("alone", (embed === "fit" && small) || SIDE.every((panel) => hide.includes(panel)));
    if (!alone && !embed) return; // to measure takes a layout, while the page is being built too
    const [whole, picture] = [sheet, board].map((part) => part.getBoundingClientRect().height);
    sheet.style.setProperty("--rest", `${Math.ceil(whole - picture - 0.01)}px`);
    if (height !== (height = Math.ceil(whole))) tell("height", { height });
  };
  const tellStep = () => {
    const { last, state: { step, part } } = store;
    tell("step", { step, last });
    if (step === last && part === 1) tell("end");
  };
  const hear = (/** @type {MessageEvent} */ { source, data }) => {
    if (source !== parent || parent === window) return;
    const { collectives: kind, step } = data ?? {};
    const { state } = store;
    if (kind === "step" && Number.isInteger(step)) store.act(step === state.step + 1 ? { kind: "next" } : { kind, step });
    if (kind === (state.playing ? "pause" : "play")) store.act({ kind: "play" });
  };
  const resized = new ResizeObserver(fit);
  resized.observe(sheet);
  signal.addEventListener("abort", () => resized.disconnect());
  store.subscribe(["embed", "hide"], fit);
  store.subscribe(["step", "landed"], tellStep);
  addEventListener("message", hear, { signal });
  fit();
  tellStep();
  if (location.protocol !== "about:") offerLines(page, store, address, theme);
}

/**
 * Buttons that copy the lines that put what is seen into another page.
 * @param {Page} page
 * @param {Store} store
 * @param {string} address
 * @param {string} theme
 */
function offerLines({ embeds }, store, address, theme) {
  const field = /** @type {HTMLTextAreaElement} */ (document.createElement("textarea"));
  Object.assign(field, { readOnly: true, hidden: true, rows: 3, ariaLabel: word("bench.was_copied") });
  embeds.hidden = false;
  html(embeds, "span", "", word("bench.copy"));
  const offer = (/** @type {string} */ name, /** @type {Framing["embed"]} */ embed, /** @type {Record<string, string>} */ more) =>
    button(embeds, `<${name}>`, () => {
      const { story, state } = store;
      const here = location.protocol === "file:" ? location.pathname.split("/").pop() : location.href.split("#")[0];
      const element = document.createElement(name);
      const text = addressText(/** @type {Store} */ ({ story, state: { ...state, embed } }), theme);
      setAll(element, { src: `${here}#${address}${text}`, title: document.title, ...more });
      field.hidden = false;
      field.value = element.outerHTML;
      copyFrom(field);
    });
  offer("iframe", "fit", { width: "100%", height: "540", loading: "lazy", allow: "fullscreen; clipboard-write" });
  offer("collective-player", "", {});
  embeds.append(field);
}
