// Grounds behind the cards; chips, words and gauges beside them, as they change from step to step.

import { settledStep } from "../core/motion.js";
import { isShown } from "../core/story.js";
import { set, svg, toned, write } from "./elements.js";

const SMALL = 13; // letters on a chip, at least

/** @type {Mount} */
export function mountScenery(page, store) {
  const { story } = store;
  for (const [[x, y, width, height], fill, edge, rx, dashed] of story.grounds) {
    const box = { x, y, width, height, rx };
    const ground = svg(page.grounds, "rect", { class: dashed ? "dashed" : "", ...box });
    toned(ground, fill).style.stroke = edge && `var(--${edge})`;
  }
  const chips = buildChips(page, story);
  const words = story.words.map(([text, x, y, size, tone, align, bold, states, during]) => {
    const kind = { class: `word ${align} ${bold ? "bold" : ""} ${states || during ? "timed" : ""}`, x, y, "font-size": size };
    return toned(svg(page.scene, "text", kind, text), tone);
  });
  const gauges = story.gauges.map(([[x, y, width, height], , , , tone]) => {
    const gauge = toned(svg(page.scene, "g", { class: "gauge" }), tone);
    svg(gauge, "rect", { class: "track", x, y, width, height, rx: 6 });
    const bar = svg(gauge, "rect", { x, y, height, rx: 6 });
    return { bar, text: svg(gauge, "text", { x, y: y - 8 }, " ") };
  });
  return {
    slices: ["step", "landed"],
    update() {
      const { step } = store.state;
      const state = settledStep(store.state);
      story.chips.forEach(([, , steps, , stays, hatched], i) => {
        if (hatched) return;
        const past = stays && (steps.at(-1) ?? step) < step ? "past" : "";
        const now = steps.includes(step) ? "lit" : steps.length ? past : "never";
        set(chips[i], "class", `chip ${now} ${stays ? "stays" : ""}`);
      });
      story.words.forEach(([, , , , , , , states, during], i) => {
        const isNow = !during || during === step;
        words[i].style.display = isNow && isShown(states, state) ? "" : "none";
      });
      story.gauges.forEach(([[, , width], label, shares, texts], i) => {
        gauges[i].bar.setAttribute("width", `${width * shares[state]}`);
        write(gauges[i].text, `${label} ${texts[state]}`.trim());
      });
    },
  };
}

/**
 * The size of the letters on a chip; 0 where they would be too small.
 * @param {number} width
 * @param {number} height
 * @param {string} text
 */
export function chipLetters(width, height, text) {
  const size = Math.min(20, 0.62 * height, (1.5 * width) / Math.max(1, text.length));
  return size >= SMALL ? size : 0;
}

/**
 * @param {Page} page
 * @param {Story} story
 */
function buildChips(page, story) {
  const { hatch } = story.measures;
  const idle = { id: `${page.id}-idle`, width: hatch, height: hatch, patternUnits: "userSpaceOnUse" };
  svg(svg(page.hatches, "pattern", idle), "path", { d: `M${hatch} 0 0 ${hatch}` });
  return story.chips.map(([[x, y, width, height], text, , tone, , hatched, above]) => {
    const chip = toned(svg(above ? page.overhead : page.scene, "g", { class: "chip" }), tone);
    if (hatched) {
      svg(chip, "rect", { class: "idle", x, y, width, height }).style.fill = `url(#${idle.id})`;
      return chip;
    }
    const edge = Math.min(2.2, 0.2 * width, 0.2 * height);
    const inner = { x: x + edge / 2, y: y + edge / 2, width: width - edge, height: height - edge };
    svg(chip, "rect", { ...inner, rx: 6, "stroke-width": edge });
    const size = chipLetters(width, height, text);
    const middle = { x: x + width / 2, y: y + height / 2 + 0.36 * size, "font-size": size };
    if (size) svg(chip, "text", middle, text);
    return chip;
  });
}
