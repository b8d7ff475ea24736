// How to read the picture, and the keys, in a dialog.

import { word, wordParts } from "../core/say.js";
import { html } from "./elements.js";

/** @type {Mount} */
export function mountHelp(page, store) {
  const rank = store.story.terms.find(([, term]) => term === word("parts.rank_term"))?.[0] ?? "";
  const meaning = rank.charAt(0).toLowerCase() + rank.slice(1);
  if (rank) html(page.reading, "p", "", word("help.a_rank", { meaning }));
  for (const sentence of store.story.explanation) html(page.reading, "p", "", sentence);
  const [before, after] = /** @type {string[]} */ (wordParts("help.moving", { color: [] }));
  page.moving.append(before, html(page.moving, "strong", "accent", word("help.this_color")), after);
  const trades = store.story.trade.map((sentence) => html(page.reading, "p", "trade", sentence));
  const close = () => store.state.help && store.act({ kind: "help" });
  page.dialog.addEventListener("cancel", close); // as Escape does, before the next key comes
  page.dialog.addEventListener("close", close); // as its button does, a little later
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
