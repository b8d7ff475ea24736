// A lecture as slides: builds come one after the other; a second window has notes and a clock.

import { inflated } from "../core/unpacking.js";
import { find, listenToSlideKeys } from "../slide_keys.js";

const PRESENTER = "#presenter";
const TICK = 1000; // milliseconds from one look at the clock to the next
const FRAME = 90; // milliseconds that a picture of what moves is shown
const LONG = 110; // letters, from which on a sentence is written smaller
const { body } = document;

/** @typedef {{said: string, frames: number[][]}} Build */
/** @typedef {{heading: string, size: number[], says: boolean, seconds: number, hints: string[],
 *   builds: Build[]}} Slide */

const packed = new TextDecoder().decode(await inflated(find("#story").textContent));
/** @type {{elements: string[], slides: Slide[], words: Record<string, string>}} */
const { elements, slides, words } = JSON.parse(packed);
const [deck, said] = ["#deck", "#said"].map(find);
const presents = location.hash === PRESENTER;
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const planned = slides.reduce((all, { seconds }) => all + seconds, 0);

let at = { slide: 0, build: 0, blank: false, begun: 0 };
/** @type {any} */
let peer = presents ? window.opener : null; // the other window
let moving = 0;

/** The nodes of a picture in an SVG, each made once. */
function shower(/** @type {SVGSVGElement} */ svg) {
  /** @type {Map<number, Element>} */
  const nodes = new Map();
  const create = (/** @type {string} */ name) =>
    document.createElementNS("http://www.w3.org/2000/svg", name);
  const page = create("svg"); // an inner one hides what lies beyond it
  svg.append(page);
  const node = (/** @type {number} */ element) => {
    if (!nodes.has(element)) {
      const group = create("g");
      group.innerHTML = elements[element] ?? "";
      nodes.set(element, group);
    }
    return /** @type {Element} */ (nodes.get(element));
  };
  let before = -1;
  return (/** @type {number} */ slide, /** @type {number[]} */ frame) => {
    if (slide !== before) nodes.clear();
    before = slide;
    const [width = 0, height = 0] = slides[slide]?.size ?? [];
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    page.setAttribute("width", `${width}`);
    page.setAttribute("height", `${height}`);
    page.replaceChildren(...frame.map(node));
  };
}
const draw = shower(find("#picture"));
const preview = shower(find("#preview"));

/** What comes after a build, if anything does. */
function after(/** @type {number} */ slide, /** @type {number} */ build) {
  if (build + 1 < builds(slide).length) return { slide, build: build + 1 };
  return slide + 1 < slides.length ? { slide: slide + 1, build: 0 } : null;
}
const builds = (/** @type {number} */ slide) => slides[slide]?.builds ?? [];

/** Go to a build, here and in the other window. */
function go(/** @type {Partial<typeof at>} */ to, plays = false) {
  show({ ...at, begun: at.begun || (plays ? Date.now() : 0), blank: false, ...to }, plays);
  tell();
}

const tell = () => peer?.postMessage({ deck: at }, "*");

/** Show a build: what leads to it, or at once what stays. */
function show(/** @type {typeof at} */ to, plays = false) {
  at = to;
  const slide = slides[at.slide];
  const build = slide?.builds[at.build];
  if (!slide || !build) return;
  body.classList.toggle("blank", at.blank);
  find("#present").hidden = presents || at.slide > 0 || at.build > 0;
  said.textContent = build.said;
  said.hidden = !slide.says;
  said.classList.toggle("long", build.said.length > LONG);
  find("#picture").setAttribute("aria-label", slide.heading);
  find("#status").textContent = `${slide.heading}. ${build.said}`;
  writeNumber();
  play(build.frames, plays && !calm && !presents);
  if (presents) showNotes(slide);
  else history.replaceState(null, "", `#${at.slide + 1}.${at.build + 1}`);
}

/** Show pictures one after the other, or the last. */
function play(/** @type {number[][]} */ frames, /** @type {boolean} */ plays) {
  clearTimeout(moving);
  const { slide } = at;
  let frame = plays ? 0 : frames.length - 1;
  const next = () => {
    draw(slide, frames[frame] ?? []);
    body.dataset.state = ++frame < frames.length ? "moving" : "still";
    if (frame < frames.length) moving = setTimeout(next, FRAME);
  };
  next();
}

/** What only who speaks sees. */
function showNotes(/** @type {Slide} */ slide) {
  const next = after(at.slide, at.build);
  const coming = next && builds(next.slide)[next.build];
  preview(next ? next.slide : at.slide, coming?.frames.at(-1) ?? []);
  find("#preview-said").textContent = coming?.said ?? "";
  const list = (/** @type {string} */ id, /** @type {string[]} */ texts) =>
    find(id).replaceChildren(
      ...texts.map((text, place) => {
        const item = document.createElement("li");
        item.textContent = text;
        item.classList.toggle("now", id === "#sentences" && place === at.build);
        return item;
      }),
    );
  list("#sentences", slide.builds.map((build) => build.said));
  list("#hints", slide.hints);
  find("#sentences .now")?.scrollIntoView({ block: "nearest" });
  tick();
}

/** Minutes and seconds. */
function minutes(/** @type {number} */ seconds) {
  const whole = Math.round(Math.abs(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The time of day, that of the lecture, and how far it is behind what is planned. */
function tick() {
  const before = slides.slice(0, at.slide).reduce((all, { seconds }) => all + seconds, 0);
  const ends = before + (slides[at.slide]?.seconds ?? 0);
  const passed = at.begun ? (Date.now() - at.begun) / 1000 : 0;
  find("#clock").textContent = `${new Date().toTimeString().slice(0, 5)} · ${minutes(passed)}`;
  find("#planned").textContent = (words.planned ?? "")
    .replace("{from}", minutes(before))
    .replace("{to}", minutes(ends))
    .replace("{all}", minutes(planned));
  const delay = passed - ends;
  const behind = find("#behind");
  behind.textContent = delay > 0 ? (words.behind ?? "").replace("{time}", minutes(delay)) : "";
  behind.classList.toggle("late", delay > 0);
}

/** Open the window with notes; it says hello when it is there. */
function present() {
  if (presents) return;
  const page = location.href.replace(/#.*/, "");
  window.open(page + PRESENTER, "collectives-presenter", "popup,width=1100,height=760");
}

const next = () => {
  const to = after(at.slide, at.build);
  if (to) go(to, true);
};
const back = () => {
  const slide = Math.max(0, at.slide - 1);
  if (at.build) go({ build: at.build - 1 });
  else go({ slide, build: at.slide ? builds(slide).length - 1 : 0 });
};
const jump = (/** @type {number} */ slide) => {
  if (slides[slide]) go({ slide, build: 0 }, true);
};
const last = () => {
  const slide = slides.length - 1;
  go({ slide, build: builds(slide).length - 1 });
};
const blank = () => go({ blank: !at.blank });
const writeNumber = listenToSlideKeys({
  total: slides.length,
  place: () => at.slide,
  jump,
  next,
  back,
  keys: {
    ArrowDown: () => jump(at.slide + 1),
    ArrowUp: () => jump(at.build ? at.slide : at.slide - 1),
    End: last,
    r: () => go({}, true),
    t: () => go({ begun: Date.now() }),
    b: blank,
    ".": blank,
    s: present,
  },
});
find("#present").onclick = present;
addEventListener("message", ({ source, data }) => {
  if (presents ? source !== window.opener : !data?.hello && source !== peer) return;
  if (data?.hello && !presents) {
    peer = source;
    tell();
  }
  const moves = JSON.stringify(data?.deck) !== JSON.stringify(at);
  if (data?.deck && moves) show(data.deck, data.deck.begun > 0);
});

/** The build of the address, `#3.2`, or the first. */
function ofAddress() {
  const [slide = 1, build = 1] = location.hash.slice(1).split(".").map(Number);
  const there = builds(slide - 1)[build - 1];
  return there ? { slide: slide - 1, build: build - 1 } : { slide: 0, build: 0 };
}

body.classList.add("deck");
body.classList.toggle("presenter", presents);
deck.hidden = false;
if (presents) {
  document.title = `${words.presenter}: ${document.title}`;
  setInterval(() => (tick(), peer?.postMessage({ hello: true }, "*")), TICK);
  peer?.postMessage({ hello: true }, "*");
}
show({ ...at, ...(presents ? {} : ofAddress()) });
