// The deck of slides: each clip plays to its end and stops there.

import { find, listenToSlideKeys } from "./slide_keys.js";

const { body } = document;

/** @type {HTMLElement[]} */
const slides = Array.from(document.querySelectorAll("li"));
const [still, status] = ["#still", "#status"].map(find);
const [one, other] = Array.from(document.querySelectorAll("video"));
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let at = -1;
let [shown, hidden] = [one, other];

const name = (/** @type {number} */ index) => slides[index]?.dataset.name;
const clip = (/** @type {number} */ index) => `${name(index)}.mp4`;
const state = (/** @type {string} */ text) => (body.dataset.state = text);

/** Show a slide: what it comes to, from its beginning, or its end at once. */
function show(/** @type {number} */ index, plays = true) {
  if (index < 0 || index >= slides.length) return;
  at = index;
  body.classList.remove("blank");
  slides.forEach((slide, place) => slide.classList.toggle("now", place === at));
  const text = status.dataset.of.replace("{number}", `${at + 1}`);
  const [heading, said] = ["h2", "p"].map((tag) => slides[at]?.querySelector(tag)?.textContent);
  status.textContent = `${text}: ${heading}. ${said}`;
  writeNumber();
  if (location.hash !== `#${at + 1}`) history.replaceState(null, "", `#${at + 1}`);
  if (plays && !calm.matches) play();
  else rest();
}

/** Show the last frame. */
function rest() {
  for (const video of [one, other]) {
    video?.pause();
    video?.classList.remove("shown");
  }
  still.src = `${name(at)}.png`;
  state("ended");
}

/** Play the clip; what was shown stays until its first frame is there. */
function play() {
  shown?.pause();
  [shown, hidden] = [hidden, shown];
  const [video, before, index] = [shown, hidden, at];
  if (!video || !before) return;
  state("loading");
  load(video, index);
  if (video.currentTime) video.currentTime = 0;
  const current = () => shown === video && at === index;
  video.onplaying = () => {
    if (!current()) return;
    state("playing");
    video.classList.add("shown");
    before.classList.remove("shown");
    if (index + 1 < slides.length) load(before, index + 1);
  };
  video.onended = () => current() && state("ended");
  video.onerror = () => current() && rest();
  video.play().catch((error) => {
    if (!current() || !video.paused) return;
    if (error.name !== "NotAllowedError") return rest();
    state("waiting"); // for a key, as it has sound
    video.classList.add("shown");
  });
}

/** Let a player have a clip. */
function load(/** @type {HTMLVideoElement} */ video, /** @type {number} */ index) {
  if (video.getAttribute("src") === clip(index)) return;
  video.onplaying = video.onended = video.onerror = null;
  video.preload = "auto";
  video.src = clip(index);
}

function blank() {
  if (body.classList.toggle("blank")) shown?.pause();
  else if (body.dataset.state === "playing") shown?.play();
}

const next = () => show(body.dataset.state === "waiting" ? at : at + 1);
const back = () => (at ? show(at - 1, false) : show(0));
const last = () => show(slides.length - 1, false);
const writeNumber = listenToSlideKeys({
  total: slides.length,
  place: () => at,
  jump: show,
  next,
  back,
  keys: {
    ArrowDown: next,
    ArrowUp: back,
    End: last,
    r: () => show(at),
    n: () => body.classList.toggle("note"),
    b: blank,
    ".": blank,
  },
});
addEventListener("hashchange", () => show(Number(location.hash.slice(1)) - 1));

body.classList.add("deck");
find("#stage").hidden = false;
const first = Math.min(Math.max(Number(location.hash.slice(1)) || 1, 1), slides.length) - 1;
if (first) still.src = `${name(first - 1)}.png`;
show(first);
