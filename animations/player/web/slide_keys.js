// What every deck of slides obeys: keys, two buttons, and the number of a slide that is typed.

const REST = 1500; // milliseconds after the last digit in which Enter is expected

/** @param {string} selector @returns {any} */
export const find = (selector) => document.querySelector(selector);

/**
 * Listens to the keys of a deck of so many slides. What it returns writes which slide is shown.
 * @param {object} deck
 * @param {number} deck.total
 * @param {() => number} deck.place which slide is shown, counted from 0
 * @param {(index: number) => unknown} deck.jump
 * @param {() => unknown} deck.next
 * @param {() => unknown} deck.back
 * @param {Record<string, () => unknown>} deck.keys those of this deck alone, which come first
 */
export function listenToSlideKeys({ total, place, jump, next, back, keys }) {
  const [number, help] = [find("#number"), find("#help")];
  let [typed, forget] = ["", 0];

  function typing(/** @type {string} */ digits) {
    typed = digits;
    clearTimeout(forget);
    if (digits) forget = setTimeout(() => typing(""), REST);
    number.textContent = digits ? `→ ${digits}` : `${place() + 1} / ${total}`;
    number.classList.toggle("typed", Boolean(digits));
  }

  /** @type {Record<string, () => unknown>} */
  const all = {
    " ": next,
    ArrowRight: next,
    PageDown: next,
    ArrowLeft: back,
    PageUp: back,
    Backspace: back,
    Home: () => jump(0),
    f: fullscreen,
    F5: fullscreen,
    "?": () => (help.hidden = !help.hidden),
    Escape: () => (help.hidden = true),
    ...keys,
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length > 1 ? event.key : event.key.toLowerCase();
    if (/^[0-9]$/.test(key)) return typing((typed + key).slice(-3));
    const wanted = key === "Enter" && typed ? () => jump(Number(typed) - 1) : all[key];
    if (key === "Enter" && !typed && event.target === document.body) next();
    if (!wanted) return;
    event.preventDefault();
    wanted();
  });
  // Space on a button would press it a second time
  addEventListener("keyup", (event) => event.key === " " && event.preventDefault());
  find("#next").onclick = next;
  find("#back").onclick = back;
  return () => typing("");
}

function fullscreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}
