// Keys in a picture within a notebook, which has keys of its own.

/**
 * Plain keys are no shortcuts of the notebook, which looks at keys before the picture has them.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} root
 */
export function claim(event, root) {
  root.toggleAttribute("data-lm-suppress-shortcuts", isPlain(event)); // which Lumino obeys
}

/** @param {KeyboardEvent} event */
function isPlain({ key, ctrlKey, altKey, metaKey, shiftKey }) {
  return !(ctrlKey || altKey || metaKey || (shiftKey && key === "Enter"));
}

/**
 * Plain keys stay in the picture, as letters would edit the notebook; Escape leaves it.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} root
 */
export function keep(event, root) {
  if (!isPlain(event)) return;
  if (event.key !== "Escape" || root.querySelector(".chosen, .picked")) event.stopPropagation();
  else if (!root.querySelector("dialog[open]")) {
    /** @type {HTMLElement | null | undefined} */
    const cell = root.parentElement?.closest("[tabindex]");
    cell?.focus();
  }
}
