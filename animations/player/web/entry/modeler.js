// A saved Modeler (see notebook/modeler.py): its sliders work in the page, without a kernel.

import { drawnStep } from "../views/step_picture.js";

/** @typedef {import("../views/step_picture.js").Picture} Picture */
/** @typedef {import("../views/step_picture.js").Setup} Setup */

const given = document.getElementById("model")?.textContent ?? "";
/** @type {{picture: Picture, setup: Setup, stops: {[name: string]: [string, number | string][]}}} */
const { picture, setup, stops } = JSON.parse(given);
const shown = /** @type {HTMLElement} */ (document.getElementById("picture"));
const controls = /** @type {HTMLElement} */ (document.getElementById("controls"));
/** @type {{[name: string]: () => void}} */
const updates = {};

function redraw() {
  for (const update of Object.values(updates)) update();
  shown.innerHTML = drawnStep(picture, setup) || `<p role="alert">${setup.ranks} ranks: not here with this algorithm</p>`;
}

/** @param {string} name @param {number | string} value */
function choose(name, value) {
  Object.assign(setup, { [name]: value });
  const { algorithms } = picture.machines[setup.machine];
  if (!algorithms.includes(setup.algorithm)) setup.algorithm = algorithms[algorithms.length - 1];
  redraw();
}

/** @param {string} name */
const valueOf = (name) => /** @type {{[name: string]: number | string}} */ (setup)[name];

/** @param {string} name @param {[string, number | string][]} options */
function addSlider(name, options) {
  const [slider, text] = [document.createElement("input"), document.createElement("output")];
  Object.assign(slider, { type: "range", min: "0", max: `${options.length - 1}`, step: "1" });
  slider.addEventListener("input", () => choose(name, options[Number(slider.value)][1]));
  updates[name] = () => {
    const at = options.findIndex(([, value]) => value === valueOf(name));
    [slider.value, text.textContent] = [`${at}`, options[at][0]];
    slider.setAttribute("aria-valuetext", options[at][0]);
  };
  addLabel(name, slider, text);
}

/** @param {string} name @param {() => [string, number | string][]} optionsNow */
function addMenu(name, optionsNow) {
  const menu = document.createElement("select");
  menu.addEventListener("change", () => choose(name, menu.value));
  updates[name] = () => {
    menu.replaceChildren(...optionsNow().map(([text, value]) => new Option(text, `${value}`)));
    menu.value = `${valueOf(name)}`;
  };
  addLabel(name, menu);
}

/** @param {string} name @param {HTMLElement[]} parts */
function addLabel(name, ...parts) {
  const label = document.createElement("label");
  const word = document.createElement("span");
  word.textContent = name;
  parts[0].setAttribute("aria-label", name);
  label.append(word, ...parts);
  controls.append(label);
}

for (const name of Object.keys(setup)) {
  if (name === "algorithm") {
    addMenu(name, () => picture.machines[setup.machine].algorithms.map((each) => [picture.names[each], each]));
  } else if (name === "machine") {
    addMenu(name, () => Object.entries(picture.machines).map(([each, { label }]) => [label, each]));
  } else if (name === "dtype") addMenu(name, () => stops.dtype);
  else addSlider(name, stops[name]);
}
redraw();
