// The buttons below the picture, as far as they show the state.

/** @type {Mount} */
export function mountControls(page, store) {
  return {
    slices: ["step", "playing", "speed", "panel"],
    update() {
      const { step, playing, speed, panel } = store.state;
      for (const button of [page.first, page.back]) button.ariaDisabled = `${step === 0}`;
      for (const button of [page.next, page.last]) button.ariaDisabled = `${step === store.last}`;
      page.play.setAttribute("aria-label", playing ? "Pause" : "Play");
      page.speed.textContent = `${speed}×`;
      page.speed.setAttribute("aria-label", `Speed: ${speed}×`);
      page.transfers.setAttribute("aria-pressed", `${panel === "transfers"}`);
    },
  };
}
