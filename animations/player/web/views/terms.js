// Terms in texts have their definitions, seen on hover and focus.

import { html } from "./elements.js";

const LATIN = "\\w\\u00C0-\\u024F-"; // signs of words that blanks set apart; Chinese has none

/** @type {WeakMap<Story, {uses: RegExp, meanings: Map<string, string[]>}>} */
const glossaries = new WeakMap();

/** @param {Story} story */
function glossaryOf(story) {
  const known = glossaries.get(story);
  if (known) return known;
  /** @type {Map<string, string[]>} */
  const meanings = new Map();
  for (const entry of story.terms) entry.slice(1).forEach((use) => meanings.set(use.toLowerCase(), entry));
  const longest = [...meanings.keys()].sort((a, b) => b.length - a.length);
  const safe = longest.map((use) => use.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const uses = new RegExp(`(?<![${LATIN}])(${safe.join("|") || "$^"})(?![${LATIN}])`, "giu");
  const found = { uses, meanings };
  glossaries.set(story, found);
  return found;
}

/**
 * Appends a text, in which the first use of each term is marked that is not in `marked` yet.
 * @param {Page} page
 * @param {Story} story
 * @param {Element} parent
 * @param {string} text
 */
export function addText(page, story, parent, text, marked = new Set()) {
  const { uses, meanings } = glossaryOf(story);
  text.split(uses).forEach((piece, i) => {
    const [meaning, term] = (i % 2 && meanings.get(piece.toLowerCase())) || [];
    if (!term || marked.has(term)) return parent.append(piece);
    marked.add(term);
    addTerm(page, parent, piece, meaning);
  });
}

/**
 * Appends a term with what it means.
 * @param {Page} page
 * @param {Element} parent
 * @param {string} text
 * @param {string} meaning
 */
export function addTerm(page, parent, text, meaning) {
  const mark = html(parent, "dfn", "", text);
  mark.tabIndex = 0;
  explain(page, mark, meaning);
}

/**
 * @param {Page} page
 * @param {HTMLElement} element
 * @param {string} meaning seen while the pointer is over the element, or it has the focus
 */
export function explain(page, element, meaning) {
  element.dataset.meaning = meaning;
  element.setAttribute("aria-describedby", `${page.id}-tip`);
}

/**
 * Shows the definition of the term under the pointer or with the focus.
 * @type {Mount}
 */
export function mountTerms(page) {
  page.tip.id = `${page.id}-tip`;
  const show = (/** @type {Event} */ event) => {
    /** @type {HTMLElement | null} */
    const term = /** @type {Element} */ (event.target).closest("[data-meaning]");
    page.tip.hidden = !term;
    if (!term) return;
    page.tip.textContent = term.dataset.meaning ?? "";
    const [around, at] = [page.sheet.getBoundingClientRect(), term.getBoundingClientRect()];
    const left = Math.min(at.left - around.left, around.width - page.tip.offsetWidth - 8);
    const above = at.top - around.top - page.tip.offsetHeight - 6;
    page.tip.style.left = `${Math.max(8, left)}px`;
    page.tip.style.top = `${above < 0 ? at.bottom - around.top + 6 : above}px`;
  };
  const hide = () => page.tip.hidden || (page.tip.hidden = true);
  const escape = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && hide();
  for (const kind of ["pointerover", "focusin", "click"]) page.sheet.addEventListener(kind, show);
  page.sheet.addEventListener("focusout", hide);
  page.sheet.addEventListener("pointerleave", hide);
  page.sheet.addEventListener("keydown", escape);
  return { slices: ["step"], update: hide };
}
