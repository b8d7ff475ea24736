// The function at work, with the line that runs and its variables.

import { word } from "../core/say.js";
import { followedMove } from "../core/story.js";
import { html, set, touchable, write } from "./elements.js";
import { addTerm } from "./terms.js";

const REMARK = /^\s*(#|""")/; // comments and docstrings: quiet, and wrapped where too long
const [LARGEST, WRAPPED, SMALLEST] = [22, 14, 8]; // letters; of a line that is too long; least
const [ROOM, HEIGHT] = [990, 202]; // of it: characters in a line, and lines, times their size
const COUNTED = /^(\s*for )(\w+)( in range\((?:[^(),]|\([^()]*\))*\):.*)$/; // with no other start than 0
const WORD = 4; // characters left free at the end of a wrapped line
const GUTTER = 4; // characters of the number of a line

/** @type {Mount} */
export function mountSource(page, store) {
  const { story } = store;
  const { source: panel } = page;
  let [built, lit] = [-1, ""]; // index of the source that is shown, and its lines that run
  return {
    slices: ["step"],
    update() {
      const { step } = store.state;
      const move = followedMove(story, Math.max(step, 1));
      const halted = step === store.last ? story.wrong?.code : null;
      const code = halted ?? (move && story.frames[Math.max(step, 1) - 1][6][move.line]);
      if (!code) {
        [built, lit] = [-1, ""];
        panel.replaceChildren();
        html(panel, "div", "line faint", word(step ? "controls.no_source" : "controls.no_code"));
        return;
      }
      const fresh = built !== code[0];
      if (fresh) buildSource(page, code[0], ...story.sources[code[0]]);
      const [source, first, last, variables] = code;
      const running = step > 0 || !!halted;
      const now = running ? `${source} ${first} ${last}` : `${source}`;
      write(/** @type {Element} */ (panel.lastElementChild), running ? variables : "");
      if (lit !== now) lightLines(panel, story.sources[source][0], code, running, fresh);
      [built, lit] = [source, now]; // as a rule it is the same line for many steps
    },
  };
}

/**
 * @param {HTMLElement} panel
 * @param {string[]} lines
 * @param {CodeLine} code
 * @param {boolean} running
 * @param {boolean} fresh whether nobody has scrolled it yet
 */
function lightLines(panel, lines, [, first, last], running, fresh) {
  lines.forEach((text, i) => {
    const now = running && first <= i && i <= last;
    set(panel.children[i], "class", now ? "line now" : REMARK.test(text) ? "line faint" : "line");
  });
  /** @type {HTMLElement | null} */
  const now = panel.querySelector(".now");
  if (now) panel.scrollTop = now.offsetTop - panel.clientHeight / 2;
  else if (!fresh) panel.scrollTop = 0; // which would lay out the page while it is being built
}

/**
 * @param {Page} page
 * @param {number} source
 * @param {string[]} lines
 * @param {number} columns
 * @param {number[]} numbers of the lines in their file, where programs say at which they stand
 */
function buildSource(page, source, lines, columns, numbers) {
  const { source: panel } = page;
  if (numbers.length) columns += GUTTER;
  panel.classList.toggle("numbered", numbers.length > 0);
  panel.replaceChildren();
  panel.dataset.source = `${source}`;
  panel.style.setProperty("--columns", `${columns}`);
  panel.style.setProperty("--size", `${sizeOf(lines, columns)}`);
  for (const [i, text] of lines.entries()) {
    const line = html(panel, "div", "line", COUNTED.test(text) ? "" : text || " ");
    if (!line.firstChild) addLoop(page, line, text);
    line.style.setProperty("--indent", `${indentOf(text)}`);
    if (numbers.length) line.dataset.number = `${numbers[i]}`;
    if (/\byield\b/.test(text)) touchable(line, line, `line:${source}.${i}`);
  }
  html(panel, "div", "variables");
}

/**
 * The head of a loop, whose variable does not say which step it is: captions count these from 1.
 * @param {Page} page
 * @param {HTMLElement} line
 * @param {string} text
 */
function addLoop(page, line, text) {
  const [, before, name, rest] = COUNTED.exec(text) ?? [];
  line.append(before);
  addTerm(page, line, name, word("controls.loop", { name }));
  line.append(rest);
}

/**
 * The size of letters at which all lines fit below one another, remarks and long lines wrapped.
 * @param {string[]} lines
 * @param {number} columns
 */
function sizeOf(lines, columns) {
  let size = Math.min(LARGEST, Math.max(WRAPPED, ROOM / columns));
  /** @type {(text: string, indent: number) => number} */
  const rows = (text, indent) =>
    text.length * size <= ROOM ? 1 : Math.ceil((text.length - indent) / (ROOM / size - indent - WORD));
  const hanging = (/** @type {string} */ text) => indentOf(text) + (REMARK.test(text) ? 0 : 2);
  const height = () => size * lines.reduce((sum, text) => sum + rows(text, hanging(text)), 1);
  while (size > SMALLEST && height() > HEIGHT) size -= 0.25;
  return size;
}

/** @param {string} text */
function indentOf(text) {
  return text.length - text.trimStart().length;
}
