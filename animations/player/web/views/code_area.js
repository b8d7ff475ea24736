// A field for code: numbers of lines beside it, one of them marked, and lines that keep their indent.

import { html } from "./elements.js";

const BREAKS = /\n/g;

/**
 * @param {HTMLElement} parent
 * @param {string} name what it is called
 */
export function codeArea(parent, name) {
  const box = html(parent, "div", "area");
  const numbers = html(box, "pre", "gutter");
  numbers.setAttribute("aria-hidden", "true");
  const field = /** @type {HTMLTextAreaElement} */ (html(box, "textarea"));
  Object.assign(field, { spellcheck: false, wrap: "off", ariaLabel: name, autocapitalize: "off" });
  let [marked, drawn] = [0, ""];
  const draw = () => {
    const count = 1 + (field.value.match(BREAKS)?.length ?? 0);
    const now = `${count} ${marked}`;
    numbers.scrollTop = field.scrollTop;
    if (now === drawn) return;
    drawn = now;
    numbers.replaceChildren();
    for (let line = 1; line <= count; line++) {
      html(numbers, "span", line === marked ? "bad" : "", `${line}\n`);
    }
    numbers.scrollTop = field.scrollTop;
  };
  field.addEventListener("input", draw);
  field.addEventListener("scroll", draw);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    const line = field.value.slice(0, field.selectionStart).split("\n").at(-1) ?? "";
    const indent = /^ */.exec(line)?.[0] ?? "";
    const more = line.trimEnd().endsWith(":") ? "    " : "";
    event.preventDefault();
    document.execCommand("insertText", false, `\n${indent}${more}`); // which can be undone
  });
  return {
    field,
    /**
     * Marks a line, 0 for none, and shows it.
     * @param {number} line
     */
    mark(line) {
      marked = line;
      draw();
      if (!line) return;
      const height = field.scrollHeight / (1 + (field.value.match(BREAKS)?.length ?? 0));
      const top = (line - 1) * height;
      const seen = top >= field.scrollTop && top + height <= field.scrollTop + field.clientHeight;
      if (!seen) field.scrollTop = top - field.clientHeight / 2;
    },
    /** @param {string} text */
    write(text) {
      field.value = text;
      field.setSelectionRange(0, 0); // it is read from its top
      draw();
    },
  };
}
