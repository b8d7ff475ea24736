// Time: chunks on their way move on with it, and while it plays one step follows another.

const HOLD = [150, 600]; // least and most milliseconds between two steps of a playback
const SLOW = 4; // times as long for the step that begins with one transfer alone
const WHOLE = 30_000; // what these should not exceed together

/**
 * Lets time pass for a store; returns a function that ends it.
 * @param {Store} store
 * @param {AbortSignal} ended
 */
export function runTime(store, ended) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let [flight, timer] = [0, 0];
  const obey = () => store.act({ kind: "motion", motion: !calm.matches });
  calm.addEventListener("change", obey, { signal: ended });
  obey();

  const stop = () => {
    cancelAnimationFrame(flight);
    clearTimeout(timer);
  };

  const depart = () => {
    const usual = Math.max(700, 1400 - 50 * store.story.cards.length);
    const duration = store.state.slow ? SLOW * usual : usual;
    const begin = performance.now();
    const tick = (/** @type {number} */ now) => {
      flight = requestAnimationFrame(tick);
      const part = Math.max(0, (now - begin) * (store.state.speed / duration));
      store.act({ kind: "part", part });
    };
    flight = requestAnimationFrame(tick);
  };

  const hold = () => {
    const steps = store.last;
    const time = Math.min(Math.max(HOLD[0], WHOLE / steps), HOLD[1]) * (calm.matches ? 3 : 1);
    timer = setTimeout(() => store.act({ kind: "on" }), time / store.state.speed);
  };

  const leave = store.subscribe(["step", "landed", "playing"], (changed) => {
    const { part, playing } = store.state;
    if (!changed.has("step") && !changed.has("landed")) return playing || clearTimeout(timer);
    stop();
    if (part < 1) depart();
    else if (playing) hold();
  });
  ended.addEventListener("abort", () => {
    stop();
    leave();
  });
}
