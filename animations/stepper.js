
// The widget around the player: its model (see player.py) has `story`, `step`, `problem`, `key`.
export default {
  render({ model, el }) {
    const problem = html(el, "p", "collectives-problem");
    const root = html(el, "div");
    const ended = new AbortController();
    let [leave, ready] = [() => {}, false];
    problem.setAttribute("role", "alert");
    root.dataset.stepper = model.get("key");

    function show() {
      leave();
      ready = false;
      problem.textContent = model.get("problem");
      problem.hidden = !problem.textContent;
      root.hidden = !problem.hidden;
      leave = root.hidden ? () => {} : play(root, JSON.parse(model.get("story")));
      goto();
      ready = true;
    }

    function goto() {
      root.dispatchEvent(new CustomEvent("goto", { detail: model.get("step") }));
    }

    function stepped({ detail }) {
      if (!ready || detail === model.get("step")) return;
      model.set("step", detail);
      model.save_changes();
    }

    root.tabIndex = 0; // a click anywhere in the picture makes the keys its own
    root.addEventListener("step", stepped, { signal: ended.signal });
    show();
    const heard = { "change:story": show, "change:problem": show, "change:step": goto };
    for (const [event, act] of Object.entries(heard)) model.on(event, act);
    return () => {
      for (const [event, act] of Object.entries(heard)) model.off(event, act);
      ended.abort();
      leave();
    };
  },
};
