// How to read the picture, and the keys, in a dialog.

import { html } from "./elements.js";

/** @type {Mount} */
export function mountHelp(page, store) {
  const rank = store.story.terms.find(([, term]) => term === "rank")?.[0] ?? "";
  if (rank) html(page.reading, "p", "", `A rank is o${rank.slice(1)}`);
  for (const sentence of store.story.explanation) html(page.reading, "p", "", sentence);
  const trades = store.story.trade.map((sentence) => html(page.reading, "p", "trade", sentence));
  page.dialog.addEventListener("close", () => store.state.help && store.act({ kind: "help" }));
  return {
    slices: ["help"],
    update() {
      if (store.state.help && !page.dialog.open) {
        trades.forEach((trade, i) => (trade.textContent = store.story.trade[i]));
        page.dialog.showModal(); // which scrolls to what it focuses, at the end
        page.dialog.scrollTop = 0;
      }
      if (!store.state.help && page.dialog.open) page.dialog.close();
    },
  };
}
