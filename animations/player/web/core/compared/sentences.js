// What is said of algorithms side by side: who is done when, why, and at which sizes another one is
// faster; as animations/story/comparison.py and contender.py have it.

import { bytesText } from "../amounts.js";
import { decimal } from "../say.js";
import { binaryText, digitsText, secondsText, speedText } from "../unit_text.js";

/** @typedef {import("./standing.js").Standing} Standing */
/** @typedef {import("../faults.js").Fault} Fault */
/** @typedef {{patterns: Record<string, string>, nouns: Record<string, string[]>, joined: Record<string, string>}} Words of a page that compares */
/** @typedef {ReturnType<typeof sentencesIn>} Sentences */

const LARGEST_LOOKED_UP = 2 ** 34; // bytes up to which it is looked up who is the fastest
const [AS_LONG, NEARLY, NOTICED] = [1e-3, 1.1, 1e-3]; // of a time

/** @param {string} text */
export const capitalOf = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * @param {Words} words
 */
export function sentencesIn({ patterns, nouns, joined }) {
  const phrase = (/** @type {string} */ key, /** @type {Record<string, string | number>} */ fields = {}) => {
    const text = patterns[key].replace(/\{(\w+)\}/g, (_, name) => `${fields[name]}`);
    return Object.entries(joined).reduce((whole, [apart, one]) => whole.replace(new RegExp(`\\b${apart} `, "g"), `${one} `), text);
  };
  const plural = (/** @type {number} */ number, /** @type {string} */ noun) => `${decimal(number.toLocaleString("en"))} ${nouns[noun][2] ?? nouns[noun][Number(number !== 1)]}`;
  const listed = (/** @type {string[]} */ texts) => {
    const last = texts[texts.length - 1];
    return texts.length > 1 ? phrase("last", { first: texts.slice(0, -1).join(patterns.comma), last }) : last;
  };
  return {
    phrase, plural,
    /**
     * Those that are done, or never are, the first first, each with what is said then.
     * @param {readonly Standing[]} all
     */
    finishes(all) {
      const order = orderOf(all);
      const first = all[order[0]];
      const tied = order.filter((number) => all[number].seconds <= first.seconds * (1 + AS_LONG) && first.seconds < Infinity);
      return order.map((number, place) => {
        const one = all[number];
        const [name, time] = [capitalOf(one.name), secondsText(one.seconds)];
        const ratio = one.seconds / first.seconds;
        if (one.seconds === Infinity) return { number, texts: [neverText(one, name)] };
        if (!place && tied.length > 1) return { number, texts: [phrase("tied", { names: capitalOf(listed(tied.map((each) => all[each].name))), time })] };
        if (!place) return { number, texts: [phrase("first", { name, time }), ...stillToGo(one, all[order[1]])] };
        if (ratio <= 1 + AS_LONG) return { number, texts: [] };
        if (ratio < NEARLY) return { number, texts: [phrase("longer", { name, time, more: percentText(ratio - 1) })] };
        return { number, texts: [phrase("times", { name, time, ratio: digitsText(ratio, 2) })] };
      });
    },
    /**
     * Why the first is ahead of the second, and what faults have to do with it.
     * @param {readonly Standing[]} all
     * @param {number} size
     * @param {readonly Fault[]} faults
     */
    reasons(all, size, faults) {
      return [...saved(all, size), ...troubles(all, faults)];
    },
    /**
     * At which sizes another one is the fastest.
     * @param {readonly Standing[]} all
     * @param {readonly [size: number, fastest: number][]} ranges
     * @param {number} size
     */
    turn(all, ranges, size) {
      if (!ranges.length) return [];
      const ofTwo = all.length === 2 ? "_of_two" : "";
      const nameOf = (/** @type {number} */ number) => all[ranges[number][1]].name;
      if (ranges.length === 1) {
        const order = orderOf(all);
        const ties = all[order[1]].seconds <= all[order[0]].seconds * (1 + AS_LONG);
        return [phrase(ties ? "never_slower" : `always${ofTwo}`, { name: capitalOf(nameOf(0)), least: bytesText(ranges[0][0]), most: bytesText(LARGEST_LOOKED_UP) })];
      }
      const here = Math.max(0, ranges.filter(([from]) => from <= size).length - 1);
      return [here + 1, here - 1].filter((k) => k in ranges).map((k) => {
        const key = k === 0 ? "below" : k + 1 < ranges.length ? "between" : "above";
        return phrase(`${key}${ofTwo}`, { size: binaryText(ranges[Math.max(k, 1)][0]), most: binaryText((ranges[k + 1] ?? [LARGEST_LOOKED_UP])[0]), name: nameOf(k) });
      });
    },
    /**
     * Which messages take all of its time, and what they wait for.
     * @param {Standing} standing
     */
    path({ path: { messages, waits, longest, seconds }, names }) {
      if (!longest) return phrase("path_none");
      const kinds = /** @type {const} */ (["data", "port", "link", "step"]).filter((kind) => waits[kind]);
      const parts = kinds.map((kind) => phrase(`waits_${kind}${waits[kind] === 1 ? "_one" : ""}`, { number: waits[kind] }));
      const ends = `${names[longest.src]} → ${names[longest.dst]}`;
      const carried = longest.size ? `${bytesText(longest.size, 3)}, ` : "";
      const latest = phrase("path_longest", { step: longest.step, time: secondsText(seconds), what: `${carried}${ends}` });
      return phrase(parts.length ? "path_waits" : "path_messages", { messages: plural(messages, "message"), waits: parts.join(patterns.comma), longest: latest });
    },
  };

  /**
   * Where one that is never done stands still.
   * @param {Standing} one
   * @param {string} name
   */
  function neverText({ lost: [step, src, dst], names }, name) {
    return phrase("never", { name, step, source: names[src], target: names[dst] });
  }

  /**
   * @param {Standing} one
   * @param {Standing} other
   */
  function stillToGo(one, other) {
    const [done, { name, steps }] = [other.done(one.seconds), other];
    return done < steps ? [capitalOf(phrase("left", { name, done, steps: plural(steps, "step") }))] : [];
  }

  /**
   * What the first one saves, where latency and bytes are all that makes the difference.
   * @param {readonly Standing[]} all
   * @param {number} size
   */
  function saved(all, size) {
    const [one, other] = orderOf(all).map((number) => all[number]);
    const margin = AS_LONG * one.seconds;
    if (other.seconds <= one.seconds + margin || other.seconds === Infinity || Math.abs(other.delay - one.delay) > margin) return [];
    const [latency, moved] = [other.latency - one.latency, other.moved - one.moved];
    const kind = latency > margin && moved > margin ? "both" : latency > moved ? "latency" : "bytes";
    const more = !size ? "_alone" : Math.abs(Math.min(latency, moved)) <= margin ? "_only" : "";
    return [phrase(`saves_${kind}${more}`, { name: capitalOf(one.name), latency: secondsText(Math.abs(latency)), bytes: secondsText(Math.abs(moved)) })];
  }

  /**
   * Whom faults stop, what they cost the first two, and who would be first without them.
   * @param {readonly Standing[]} all
   * @param {readonly Fault[]} faults
   */
  function troubles(all, faults) {
    if (!faults.length) return [];
    const found = [];
    const [dead, slower] = [faults.filter(([kind]) => kind === "dead"), faults.filter(([kind]) => kind !== "dead")];
    const order = orderOf(all);
    const stopped = all.filter(({ seconds }) => seconds === Infinity).map(({ name }) => name);
    if (dead.length) found.push(phrase(stopped.length ? "stops" : "stops_none", { trouble: capitalOf(troubleNamed(dead)), names: stopped.length ? listed(stopped) : "" }));
    const pair = order.slice(0, 2).map((number) => all[number]).filter(({ seconds }) => seconds < Infinity);
    if (slower.length && pair.length) found.push(costs(capitalOf(troubleNamed(slower)), pair));
    const [one, other] = order.map((number) => all[number]);
    const clean = [...all].sort((a, b) => a.clean - b.clean);
    const ties = other.seconds <= one.seconds * (1 + AS_LONG);
    if (one.seconds < Infinity && !ties && clean[1].clean > clean[0].clean * (1 + NOTICED)) {
      found.push(phrase(clean[0] === one ? "also_first" : "would_be_first", { name: clean[0].name }));
    }
    return found;
  }

  /**
   * @param {string} trouble
   * @param {Standing[]} pair
   */
  function costs(trouble, pair) {
    const amounts = pair.map(({ seconds, clean }) => (Math.abs(seconds - clean) > NOTICED * seconds ? seconds - clean : 0));
    if (!amounts.some(Boolean)) return phrase(`costs_nothing${pair.length === 1 ? "_one" : ""}`, { trouble });
    const [time, other] = amounts.map((cost) => (cost ? `${cost < 0 ? "-" : ""}${secondsText(Math.abs(cost))}` : phrase("nothing")));
    if (pair.length === 1) return phrase("costs_one", { trouble, name: pair[0].name, time });
    return phrase("costs", { trouble, first: pair[0].name, second: pair[1].name, time, other });
  }

  /** @param {readonly Fault[]} faults */
  function troubleNamed(faults) {
    const kinds = new Set(faults.map(([kind]) => kind));
    if (kinds.size > 1) return phrase("trouble");
    const [[kind, text]] = faults;
    return phrase(`${kind.replaceAll("-", "_")}${faults.length > 1 ? "_several" : ""}`, { which: text.split("=")[0].trim() });
  }
}

/**
 * The messages one after another, and the bytes that they carry.
 * @param {Sentences} sentences
 * @param {readonly Standing[]} all
 */
export function pathSentences({ phrase, plural }, all) {
  const [one, other] = orderOf(all).map((number) => all[number]);
  const rateOf = (/** @type {Standing} */ { path, moved }) => (moved ? path.size / moved : 0);
  const rates = [one, other].map(rateOf).sort((a, b) => a - b);
  return [one, other].filter(({ seconds }) => seconds < Infinity).map((each) => {
    const fields = { name: capitalOf(each.name), messages: plural(each.path.messages, "message"), size: binaryText(each.path.size) };
    if (!each.path.size) return phrase("path_without_bytes", fields);
    return rates[1] > NEARLY * rates[0] ? phrase("path_at", { ...fields, rate: speedText(rateOf(each)) }) : phrase("path", fields);
  });
}

/**
 * Their numbers, the fastest first; last those that are never done.
 * @param {readonly Standing[]} all
 */
export function orderOf(all) {
  const sooner = (/** @type {number} */ a, /** @type {number} */ b) => (a === b ? 0 : a < b ? -1 : 1);
  return [...all.keys()].sort((one, other) => sooner(all[one].seconds, all[other].seconds) || sooner(all[one].until, all[other].until));
}

/**
 * A share in percent, small ones to one digit.
 * @param {number} share
 */
function percentText(share) {
  return share >= 0.01 || !share ? `${Math.round(100 * share)} %` : decimal(`${Number((100 * share).toPrecision(1))} %`);
}
