// The picture of a modeled training step, as notebook/training_svg.py draws it: timeline, numbers,
// efficiency against ranks.

import { efficiencies, trainingStep } from "../core/training_step.js";
import { countText, digitsText, secondsText, sizeText, speedText } from "../core/unit_text.js";

/**
 * What Python says of a picture: its places, the names of algorithms, and colors by tone.
 * @typedef {import("../core/training_step.js").Model & {names: {[algorithm: string]: string},
 *   styles: {[algorithm: string]: {color: string, dashes: number[]}}, tones: {[tone: string]: string},
 *   width: number, height: number, left: number, right: number, compute: number, link: number,
 *   bar: number, plot: {left: number, top: number, right: number, bottom: number}, bars: number}} Picture
 * @typedef {import("../core/training_step.js").Setup} Setup
 * @typedef {NonNullable<ReturnType<typeof trainingStep>>} Step
 */

const ROW = 19; // pixels of a name beside the curves

/** @param {string} text */
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

/** @param {number} number */
const shortened = (number) => `${Number(number.toFixed(2))}`;

/** @param {number} part */
function shareText(part) {
  return part > 0.9995 && part < 1 ? "nearly 100 %" : `${digitsText(100 * part)} %`;
}

/** @param {number} number */
const ranksText = (number) => `${number.toLocaleString("en")} rank${number === 1 ? "" : "s"}`;

/** @param {Step} step */
export function stepSummary(step) {
  const waits = step.exposed ? `ranks wait ${secondsText(step.exposed)}` : "no rank waits";
  return `A step takes ${secondsText(step.step)}: ${shareText(step.efficiency)} of it is compute, ${waits}`;
}

/**
 * The rows of the table: name and value.
 * @param {Setup} setup
 * @param {Step} step
 * @returns {[string, string][]}
 */
export function stepNumbers(setup, step) {
  const { size, buckets } = { ...step, ...setup };
  const rates = step.algbw ? `${speedText(step.algbw)}, ${speedText(step.busbw)}` : "nothing is sent";
  const all = `all-reduce, ${buckets.toLocaleString("en")} bucket${buckets === 1 ? "" : "s"}`;
  const general = (/** @type {number} */ value) => {
    const text = Number(value.toPrecision(4));
    return Math.abs(text) >= 1e4 ? text.toExponential().replace(/e\+(\d)$/, "e+0$1") : digitsText(text, 4);
  };
  return [
    ["gradients", `${general(size / 1e9)} GB = ${general(size / 2 ** 30)} GiB`],
    ["busiest rank sends", sizeText(step.sent)],
    ["all-reduce, all at once", `${secondsText(step.sync)}, of which latency ${secondsText(step.latency)}`],
    ["algbw and busbw", rates],
    ["link, one direction", speedText(setup.bandwidth)],
    [all, secondsText(step.busy)],
    ["hidden by backward pass", secondsText(step.hidden)],
    ["not hidden", secondsText(step.exposed)],
  ];
}

/**
 * The picture as an SVG element; empty where the number of ranks has no closed form here.
 * @param {Picture} picture
 * @param {Setup} setup
 */
export function drawnStep(picture, setup) {
  const step = trainingStep(picture, setup);
  if (!step) return "";
  const { tones, left, right, plot } = picture;
  const parts = /** @type {string[]} */ ([]);
  /** @param {string} text @param {number} x @param {number} y @param {number} size */
  const write = (text, x, y, size, tone = "ink", align = "start", bold = false) => {
    const look = `x="${shortened(x)}" y="${shortened(y)}" text-anchor="${align}" font-size="${size}"`;
    const weight = bold ? ' font-weight="600"' : "";
    parts.push(`<text ${look} font-family="system-ui, sans-serif" fill="${tones[tone] ?? tone}"${weight}>${escaped(text)}</text>`);
  };
  /** @param {number[][]} points @param {string} tone @param {number} width @param {number[]} dashes */
  const stroke = ([from, to], tone, width, dashes = []) => {
    const dashed = dashes.length ? ` stroke-dasharray="${dashes.join(" ")}"` : "";
    const way = [from, to].map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    parts.push(`<path d="M${way}" fill="none" stroke="${tones[tone] ?? tone}" stroke-width="${width}"${dashed}/>`);
  };
  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {string} fill */
  const box = (x, y, width, height, fill, more = "") => {
    const look = `x="${shortened(x)}" y="${shortened(y)}" width="${shortened(width)}" height="${shortened(height)}"`;
    parts.push(`<rect ${look} fill="${tones[fill] ?? fill}"${more}/>`);
  };
  /** @param {number} start @param {number} end @param {number} top @param {string} fill */
  const bar = (start, end, top, fill, text = "") => {
    const wide = Math.max(0.4, end - start - (end - start > 3 ? 0.8 : 0));
    box(start, top, wide, picture.bar, fill);
    if (text && end - start >= 9 * text.length) write(text, (start + end) / 2, top + 19, 15, "background", "middle", true);
  };

  const title = stepSummary(step);
  const machine = picture.machines[setup.machine].label;
  const [rate, latency] = [speedText(setup.bandwidth), secondsText(setup.latency)];
  write(title, 20, 34, 19, "ink", "start", true);
  const parameters = `${countText(setup.parameters)} parameters in ${setup.dtype}`;
  const words = [parameters, ranksText(setup.ranks), machine, picture.names[setup.algorithm], `link ${rate}, ${latency}`];
  write(words.join(" · "), 20, 60, 14, "faint");

  const scale = (right - left) / step.step;
  const [begin, done] = [left + step.forward * scale, left + setup.compute * scale];
  write("compute", 20, 107, 15, "faint");
  write("link", 20, 155, 15, "faint");
  bar(left, begin, picture.compute, "phase 0", "forward");
  bar(begin, done, picture.compute, "phase 1", "backward");
  stroke([[left, 174], [right, 174]], "edge", 1);
  write("0", left, 193, 13, "faint", "middle");
  write(secondsText(step.step), right, 193, 13, "faint", "end");
  if (done < right - 1) {
    const [top, bottom] = [picture.compute, picture.compute + picture.bar];
    for (let k = Math.trunc(Math.floor((done + top) / 10)) + 1; k <= Math.floor((right + bottom) / 10); k++) {
      const [low, high] = [Math.max(done, 10 * k - bottom), Math.min(right, 10 * k - top)];
      if (high > low) stroke([[low, 10 * k - low], [high, 10 * k - high]], "now", 2);
    }
    box(done, top, right - done, picture.bar, "none", ' data-part="exposed"');
  }
  if (right - done > 90) write("ranks wait", right, 81, 13, "now", "end");
  if (right - done > 70 && done - left > 50) write(secondsText(setup.compute), done, 193, 13, "faint", "middle");
  const together = Math.ceil(step.spans.end.length / picture.bars);
  for (let first = 0; first < step.spans.end.length; first += together) {
    const [start, end] = [step.spans.start[first], step.spans.end[Math.min(first + together, step.spans.end.length) - 1]];
    if (end > start) bar(begin + start * scale, begin + end * scale, picture.link, picture.styles[setup.algorithm].color);
  }

  stepNumbers(setup, step).forEach(([name, value], row) => {
    write(name, 20, 246 + 33.5 * row, 15, "faint");
    write(value, 220, 246 + 33.5 * row, 15);
  });

  const last = picture.ranks[picture.ranks.length - 1];
  /** @param {number} ranks @param {number} share */
  const at = (ranks, share) => [
    plot.left + ((plot.right - plot.left) * Math.log2(ranks)) / Math.log2(last),
    plot.bottom - (plot.bottom - plot.top) * share,
  ];
  write("compute, share of the step", plot.left, plot.top - 14, 13, "faint");
  write("ranks", (plot.left + plot.right) / 2, plot.bottom + 42, 13, "faint", "middle");
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const [start, [, y]] = [at(1, share), at(last, share)];
    stroke([start, [plot.right, y]], "line", 1);
    write(`${(100 * share).toFixed(0)} %`, plot.left - 8, y + 5, 13, "faint", "end");
  }
  picture.ranks.filter((_, k) => k % 2 === 0).forEach((ranks) => {
    const [x, y] = at(ranks, 0);
    write(`${ranks}`, x, y + 20, 13, "faint", "middle");
  });
  const curves = efficiencies(picture, setup);
  const names = Object.keys(curves);
  const chosenFirst = [...names].sort((a, b) => Number(a !== setup.algorithm) - Number(b !== setup.algorithm));
  for (const name of chosenFirst) {
    const points = picture.ranks.map((ranks, k) => at(ranks, curves[name][k]));
    const width = name === setup.algorithm ? 5 : 2;
    for (let k = 1; k < points.length; k++) stroke([points[k - 1], points[k]], picture.styles[name].color, width, picture.styles[name].dashes);
  }
  const wanted = names.map((name) => at(1, curves[name][picture.ranks.length - 1])[1]);
  spread(wanted, ROW, plot.top - 10, plot.bottom + 10).forEach((middle, k) => {
    write(picture.names[names[k]], plot.right + 10, middle + 5, 15, picture.styles[names[k]].color, "start", names[k] === setup.algorithm);
  });
  const [x, y] = at(setup.ranks, step.efficiency);
  stroke([[x, y], [x, plot.bottom]], "now", 1, [3, 3]);
  box(x - 6.5, y - 6.5, 13, 13, "background", ` data-part="here" rx="6.5" stroke="${tones.now}" stroke-width="3"`);

  const style = `display: block; width: 100%; max-width: ${picture.width}px; background: ${tones.background}; border-radius: 8px`;
  const look = `viewBox="0 0 ${picture.width} ${picture.height}" role="img" aria-label="${escaped(title)}" style="${style}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${look}>${parts.join("")}</svg>`;
}

/**
 * Middles as near as can be to those wanted, of texts of one height, so that none overlaps.
 * @param {number[]} wanted
 * @param {number} size
 * @param {number} low
 * @param {number} high
 */
function spread(wanted, size, low, high) {
  /** @param {number[]} members */
  const begin = (members) => {
    const lows = members.map((k, i) => wanted[k] - size / 2 - size * i);
    const mean = lows.reduce((sum, each) => sum + each, 0) / lows.length;
    return Math.min(Math.max(mean, low), Math.max(low, high - size * members.length));
  };
  const blocks = /** @type {{members: number[], start: number}[]} */ ([]);
  for (const k of wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b])) {
    let members = [k];
    for (let last = blocks.at(-1); last && last.start + size * last.members.length > begin(members); last = blocks.at(-1)) {
      members = [...last.members, ...members];
      blocks.pop();
    }
    blocks.push({ members, start: begin(members) });
  }
  const middles = /** @type {number[]} */ ([]);
  for (const { members, start } of blocks) members.forEach((k, i) => (middles[k] = start + size * i + size / 2));
  return middles;
}
