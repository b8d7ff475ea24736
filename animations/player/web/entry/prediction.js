// Questions in a notebook without a player: its model (see notebook/prediction.py) has `story`, a
// story with questions and no steps, and `key`, and shares `answers`.

import { askKey } from "../ask_keys.js";
import { resultsOf } from "../core/ask.js";
import { sameValue } from "../core/selection.js";
import { createStore } from "../core/store.js";
import { systemTheme } from "../theme.js";
import { fillPage, html } from "../views/elements.js";
import { mountQuestion } from "../views/question.js";
import { keep } from "./notebook_keys.js";

/** @typedef {import("./widget.js").Model} Model */

export default {
  /** @param {{model: Model, el: HTMLElement}} given */
  render({ model, el }) {
    const root = html(el, "div");
    root.dataset.stepper = model.get("key");
    root.dataset.theme = systemTheme();
    root.tabIndex = 0;
    const store = createStore([model.get("story")]);
    const page = fillPage(root);
    page.play = page.score; // where the keys go once the questions are closed
    const view = mountQuestion(page, store);
    view.update(new Set());
    store.subscribe(view.slices, view.update);
    const results = () => resultsOf(store.story, store.state.asks);
    store.subscribe(["asks"], () => {
      if (sameValue(results(), model.get("answers"))) return;
      model.set("answers", results());
      model.save_changes();
    });
    const obey = () => {
      const given = model.get("answers");
      if (!sameValue(given, results())) store.act({ kind: "answers", results: given });
    };
    root.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.altKey && !event.metaKey && askKey(event, page, store) === true) event.preventDefault();
      keep(event, root);
    });
    obey();
    model.on("change:answers", obey);
    return () => model.off("change:answers", obey);
  },
};
