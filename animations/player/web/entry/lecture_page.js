// A lecture to read: players where they come into view, and answers that are locked.

const NEAR = "600px"; // from the window, where a player is made
const PART = 0.01; // of a number computed by hand, by which it may differ

/** @typedef {{right: number, value: number | null, exact: boolean, feedback: string[],
 *   solution: string}} Key */
/** @type {{players: string[], answers: Key[], words: Record<string, string>}} */
const { players, answers, words } = JSON.parse(document.querySelector("#story")?.textContent ?? "");

/** @param {ParentNode} place @param {string} selector @returns {any[]} */
const all = (place, selector) => [...place.querySelectorAll(selector)];

/** Put a player in place of its picture; what it shows is marked among the sentences. */
function play(/** @type {HTMLElement} */ figure) {
  const text = players[Number(figure.dataset.player)] ?? "";
  const frame = document.createElement("iframe");
  frame.title = figure.querySelector("svg")?.getAttribute("aria-label") ?? "";
  frame.allow = "fullscreen";
  frame.src = `${URL.createObjectURL(new Blob([text], { type: "text/html" }))}#step=0&embed`;
  figure.prepend(frame); // the picture is what is printed
  const buttons = all(figure.parentElement ?? figure, "[data-step]");
  for (const button of buttons) {
    button.onclick = () => {
      const step = Number(button.dataset.step);
      frame.contentWindow?.postMessage({ collectives: "step", step }, "*");
    };
  }
  addEventListener("message", ({ source, data }) => {
    if (source !== frame.contentWindow || data?.collectives !== "step") return;
    for (const button of buttons) {
      button.toggleAttribute("aria-current", Number(button.dataset.step) === data.step);
    }
  });
}

/** An option that is chosen stays chosen; what follows is read then. */
function predict(/** @type {HTMLElement} */ prediction) {
  /** @type {HTMLElement[]} */
  const later = [];
  const section = prediction.closest("section");
  for (let next = section?.nextElementSibling; next; next = next.nextElementSibling) {
    if (next instanceof HTMLElement && next.matches("section")) later.push(next);
  }
  for (const part of later) part.hidden = true;
  const buttons = all(prediction, "button");
  for (const button of buttons) {
    button.onclick = () => {
      for (const option of buttons) option.disabled = true;
      button.classList.add("chosen");
      const status = all(prediction, "[role=status]")[0];
      status.textContent = (words.chosen ?? "").replace("{option}", button.textContent);
      for (const part of later) part.hidden = false;
    };
  }
}

/** A number as it is typed. */
const typed = (/** @type {string} */ text) => Number(text.trim().replace(",", ".") || NaN);

/** An answer that is given once; then what is right is said, and why. */
function exercise(/** @type {HTMLFormElement} */ form, /** @type {number} */ place) {
  const answer = answers[place];
  const inputs = all(form, "input");
  const [button] = all(form, "button");
  const chosen = () => inputs.findIndex((input) => input.checked);
  const ready = () =>
    answer?.value === null ? chosen() >= 0 : Number.isFinite(typed(inputs[0].value));
  form.oninput = () => (button.disabled = !ready());
  form.onsubmit = (event) => {
    event.preventDefault();
    if (!answer || !ready()) return;
    for (const input of [...inputs, button]) input.disabled = true;
    const { right, value, exact, feedback, solution } = answer;
    let met = chosen() === right;
    if (value !== null) {
      const difference = Math.abs(typed(inputs[0].value) - value);
      met = difference <= (exact ? 0 : PART * Math.abs(value));
    } else inputs[right].closest("label").className = "right";
    const remark = value === null && !met ? (feedback[chosen()] ?? "") : "";
    const verdict = met ? words.right : words.wrong;
    all(form, "[role=status]")[0].textContent = [verdict, remark, solution].filter(Boolean).join(" ");
  };
}

const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue;
      near.unobserve(target);
      play(target);
    }
  },
  { rootMargin: NEAR },
);
for (const figure of all(document, "[data-player]")) near.observe(figure);
for (const prediction of all(document, ".prediction").reverse()) predict(prediction);
all(document, "form").forEach(exercise);
