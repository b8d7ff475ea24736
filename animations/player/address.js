// The address of a page names the state it shows.

/**
 * The step that the page's address asks for; null if it names another recording.
 * @param {string} recording
 */
function addressed(recording) {
  if (!location.hash.startsWith(`#${recording}`)) return null;
  return Number(/^step=(\d{1,6})$/.exec(location.hash.slice(1 + recording.length))?.[1] ?? 0);
}

/**
 * Shows what the address names, now and when it changes, and keeps it up to date.
 * @param {Store} store
 * @param {string} recording what stands before the step, where there are several recordings
 * @param {AbortSignal} signal
 */
export function followAddress(store, recording, signal) {
  const show = () => {
    const step = addressed(recording);
    if (step !== null && step !== store.state.step) store.act({ kind: "step", step });
  };
  const remember = () => {
    try {
      history.replaceState(null, "", `#${recording}step=${store.state.step}`);
    } catch {
      // a sandboxed frame has no address of its own
    }
  };
  show();
  remember();
  store.subscribe(["step"], remember);
  addEventListener("hashchange", show, { signal });
}
