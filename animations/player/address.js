// The address of a page names the state it shows.

/** The step that the page's address asks for. */
function addressed() {
  return Number(/^#step=(\d{1,6})$/.exec(location.hash)?.[1] ?? 0);
}

/**
 * Shows what the address names, now and when it changes, and keeps it up to date.
 * @param {Store} store
 * @param {AbortSignal} signal
 */
export function followAddress(store, signal) {
  const show = () => {
    const step = addressed();
    if (step !== store.state.step) store.act({ kind: "step", step });
  };
  const remember = () => {
    try {
      history.replaceState(null, "", `#step=${store.state.step}`);
    } catch {
      // a sandboxed frame has no address of its own
    }
  };
  show();
  remember();
  store.subscribe(["step"], remember);
  addEventListener("hashchange", show, { signal });
}
