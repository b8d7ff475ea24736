// Makes the elements of a page and of its pictures.

import { word } from "../core/say.js";

const SVG = "http://www.w3.org/2000/svg";
const LETTER = 0.56; // width of a letter

let players = 0; // of one widget: each has a copy of this module

/**
 * Fills `root` with the elements of player.html, whose words stand there by their keys.
 * @param {HTMLElement} root
 * @returns {Page}
 */
export function fillPage(root) {
  root.classList.add("collectives");
  root.innerHTML = SHEET.replace(/\{([\w.]+)\}/g, (_, key) => word(key));
  return partsIn(root, root.dataset.stepper);
}

/**
 * The elements in `root` by their names.
 * @param {HTMLElement} root
 * @returns {Page}
 */
export function partsIn(root, name = "") {
  /** @type {NodeListOf<HTMLElement>} */
  const parts = root.querySelectorAll("[data-part]");
  const named = Object.fromEntries([...parts].map((part) => [part.dataset.part, part]));
  const id = `collectives-${name}-${++players}`;
  return /** @type {Page} */ (/** @type {unknown} */ ({ id, least: 0, sheet: root.firstElementChild, ...named }));
}

/**
 * @param {Element | null} parent
 * @param {string} name
 */
export function html(parent, name, className = "", text = "") {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.textContent = text;
  parent?.append(element);
  return element;
}

/**
 * A button that acts when it is clicked.
 * @param {Element} parent
 * @param {string} text
 * @param {() => void} act
 */
export function button(parent, text, act, className = "") {
  const element = html(parent, "button", className, text);
  element.addEventListener("click", act);
  return element;
}

/**
 * Copies a text; without a clipboard, as in a frame that may not have it, the browser's own
 * command copies what is in the field.
 * @param {HTMLTextAreaElement} field
 */
export async function copyFrom(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy");
  }
}

/**
 * Lets the reader save a text as a file.
 * @param {string} name
 * @param {string} type
 * @param {string} text
 */
export function saveAs(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/**
 * Writes a sentence, in letters that fit its length. A text that is there already stays, as it
 * would be read aloud once more.
 * @param {HTMLElement} element
 * @param {string} text
 */
export function say(element, text) {
  if (element.textContent === text) return;
  element.textContent = text;
  fit(element, text);
}

/**
 * Writes a text that is not there yet, in the node of the one before: that costs least.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  const { firstChild, lastChild } = element;
  if (firstChild !== lastChild || firstChild?.nodeType !== Node.TEXT_NODE) element.textContent = text;
  else if (firstChild.nodeValue !== text) firstChild.nodeValue = text;
}

/**
 * Sets an attribute that is not as wanted yet.
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
export function set(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * @param {Element} element
 * @param {Record<string, string | number>} attributes
 */
export function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) set(element, name, `${value}`);
}

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
export function fit(element, text) {
  element.style.setProperty("--ems", `${LETTER * text.length}`);
}

/**
 * @param {Element | null} parent
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @returns {SVGElement}
 */
export function svg(parent, name, attributes = {}, text = "") {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, name));
  for (const key in attributes) element.setAttribute(key, `${attributes[key]}`);
  if (text) element.textContent = text;
  parent?.append(element);
  return element;
}

/**
 * What is drawn as an element of a name, with attributes, a text, and a pattern that fills it.
 * @typedef {{name: string, attributes: Record<string, string | number>, text?: string, fill?: string}} Drawing
 */

/**
 * Draws shapes in the elements there are in a group, which has no others, as far as these fit.
 * @param {Element} group
 * @param {Drawing[]} drawings
 */
export function redraw(group, drawings) {
  drawings.forEach(({ name, attributes, text = "", fill = "" }, i) => {
    const old = /** @type {SVGElement | undefined} */ (group.children[i]);
    const element = old?.tagName === name ? old : svg(null, name);
    setAll(element, attributes);
    if (text) write(element, text);
    if (element.style.fill !== fill) element.style.fill = fill;
    if (!old) group.append(element);
    else if (element !== old) old.replaceWith(element);
  });
  while (group.children.length > drawings.length) group.lastElementChild?.remove();
}

/**
 * Makes the children of an element, each of a key that says all of it; of those there are, the
 * first and the last ones stay whose keys are the same.
 * @param {Element} parent
 * @param {string[]} keys
 * @param {(at: number) => Element} make
 */
export function renewChildren(parent, keys, make) {
  const old = /** @type {(Element & {made?: string})[]} */ ([...parent.children]);
  const known = old.map(({ made }) => made);
  const shared = Math.min(keys.length, old.length);
  let [start, end] = [0, 0];
  while (start < shared && known[start] === keys[start]) start++;
  while (end < shared - start && known[old.length - 1 - end] === keys[keys.length - 1 - end]) end++;
  old.slice(start, old.length - end).forEach((child) => child.remove());
  for (let at = start; at < keys.length - end; at++) {
    parent.insertBefore(Object.assign(make(at), { made: keys[at] }), old[old.length - end] ?? null);
  }
}

/**
 * Where a pointer is on the stage, in the story's units.
 * @param {Page} page
 * @param {MouseEvent} event
 * @returns {Point}
 */
export function pointOf({ stage }, { clientX, clientY }) {
  const matrix = /** @type {DOMMatrix} */ (stage.getScreenCTM());
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  return [x, y];
}

/**
 * Lets an element be selected as a thing, by a click, or by Enter on the name in it.
 * @param {HTMLElement} element
 * @param {HTMLElement} name
 * @param {string} thing
 */
export function touchable(element, name, thing) {
  element.dataset.thing = thing;
  name.setAttribute("role", "button");
  name.tabIndex = 0;
}

/**
 * Lets an element and what is in it be drawn in a tone.
 * @param {SVGElement} element
 * @param {string} tone
 */
export function toned(element, tone) {
  element.style.setProperty("--hue", `var(--${tone})`);
  return element;
}
