// Letters of a stage that is small, as several stand beside one another: larger, or left out.

const [LEAST_PIXELS, MOST_ENLARGED] = [9, 2.2]; // pixels of letters; how many times as large a name may be

/**
 * Makes names as large as can be read, and hides what is too small; returns the letters, in units
 * of the stage, below which numbers are left out.
 * @param {Page} page
 * @param {Story} story
 */
export function plainText(page, story) {
  const smallest = (LEAST_PIXELS * story.stage[2]) / Math.max(1, page.whole.clientWidth);
  /** @type {NodeListOf<SVGElement>} */
  const texts = page.whole.querySelectorAll("svg text");
  for (const text of texts) {
    text.dataset.size ??= text.getAttribute("font-size") ?? "20";
    const size = Number(text.dataset.size);
    const isName = text.classList.contains("name");
    const times = isName ? Math.min(MOST_ENLARGED, Math.max(1, smallest / size)) : 1;
    text.setAttribute("font-size", `${size * times}`);
    text.style.visibility = !isName && size < smallest ? "hidden" : ""; // what is displayed says the step
  }
  return smallest;
}
