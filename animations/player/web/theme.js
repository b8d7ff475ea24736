// The theme: the one asked for, else that of the reader's system; light on paper.

const [LIGHT, PAPER] = ["(prefers-color-scheme: light)", "print"];

/** The theme of the reader's system. */
export function systemTheme() {
  return matchMedia(LIGHT).matches ? "light" : "dark";
}

/**
 * Shows the theme of the state; where the page `follows` the system, also when that changes.
 * @param {HTMLElement} root
 * @param {Store} store
 * @param {{follows: boolean, repaint: () => void}} how
 * @param {AbortSignal} signal
 */
export function showTheme(root, store, { follows, repaint }, signal) {
  const paper = matchMedia(PAPER);
  const show = () => (root.dataset.theme = paper.matches ? "light" : store.state.theme);
  const print = () => {
    show();
    repaint();
  };
  const follow = () => {
    if (store.state.theme !== systemTheme()) store.act({ kind: "theme" });
  };
  store.subscribe(["theme"], show);
  paper.addEventListener("change", print, { signal });
  if (follows) matchMedia(LIGHT).addEventListener("change", follow, { signal });
}

/**
 * Gives the document a style; its policy lets none be loaded or written into it.
 * @param {string} style
 */
export function adopt(style) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [sheet];
}
