// Keys in a picture within a notebook, which has keys of its own.

/**
 * Plain keys stay in the picture, as letters would edit the notebook; Escape leaves it.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} root
 */
export function keep(event, root) {
  const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
  if (ctrlKey || altKey || metaKey || (shiftKey && key === "Enter")) return;
  if (key !== "Escape" || root.querySelector(".chosen, .picked")) event.stopPropagation();
  else if (!root.querySelector("dialog[open]")) {
    /** @type {HTMLElement | null | undefined} */
    const cell = root.parentElement?.closest("[tabindex]");
    cell?.focus();
  }
}
