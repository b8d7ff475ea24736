// The messages of each step on a machine: their paths and bytes, and in which order ports take them.

/**
 * Directed links, a row of columns, the capacity that each group of them shares, and the path of
 * each pair of an algorithm's nodes that exchange messages.
 * @typedef {{src: number[], dst: number[], latency: number[], bandwidth: number[], lanes: number[], group: number[],
 *   capacity: number[], paths: Map<number, number[]>}} Machine
 */

/**
 * Rows of a step, a column each; needs: a slot that a row waits for beside what it reads.
 * @typedef {{src: number[], dst: number[], chunk: number[], into: number[], bytes: number[], needs?: number[]}} Rows
 */

/**
 * The messages of a step, in ascending order of their ends; row: of each row its message, -1 for a
 * local move. turns: the messages in the order in which ports take them.
 * @typedef {{rows: Rows, row: number[], src: number[], dst: number[], size: number[], path: number[][],
 *   latency: number[], limit: number[], turns: number[]}} StepMessages
 */

/**
 * @param {Machine} machine
 * @param {number} nodes of the algorithm
 * @param {Rows} rows
 * @returns {StepMessages}
 */
export function stepMessages(machine, nodes, rows) {
  const keys = rows.src.map((src, i) => (src === rows.dst[i] ? -1 : src * nodes + rows.dst[i]));
  const pairs = [...new Set(keys)].filter((key) => key >= 0).sort((one, other) => one - other);
  const numbers = new Map(pairs.map((key, number) => [key, number]));
  const row = keys.map((key) => numbers.get(key) ?? -1);
  const size = pairs.map(() => 0);
  /** @type {Set<string>} */
  const counted = new Set(); // a slot that goes twice to a node in a step goes once
  row.forEach((message, i) => {
    const slot = `${message} ${rows.chunk[i]}`;
    if (message < 0 || counted.has(slot)) return;
    counted.add(slot);
    size[message] += rows.bytes[i];
  });
  const [src, dst] = [pairs.map((key) => Math.floor(key / nodes)), pairs.map((key) => key % nodes)];
  const path = pairs.map((key) => /** @type {number[]} */ (machine.paths.get(key)));
  const latency = path.map((links) => links.reduce((sum, link) => sum + machine.latency[link], 0));
  const limit = path.map((links) => Math.min(...links.map((link) => machine.bandwidth[link])));
  return { rows, row, src, dst, size, path, latency, limit, turns: turnsOf(src, dst, path, nodes) };
}

/**
 * A port serves the nearest peer first, counted upwards from its own node, and so on round.
 * @param {number[]} src
 * @param {number[]} dst
 * @param {number[][]} path
 * @param {number} nodes
 */
function turnsOf(src, dst, path, nodes) {
  const [out, into] = [path.map((links) => links[0]), path.map((links) => links[links.length - 1])];
  const distance = src.map((from, i) => (dst[i] - from + nodes) % nodes);
  const order = [...src.keys()].sort((one, other) => distance[one] - distance[other] || one - other);
  if (new Set(out).size === out.length && new Set(into).size === into.length) return [...src.keys()];
  /** @type {Map<number, number>[]} */
  const [turnOut, turnIn] = [new Map(), new Map()];
  const turn = src.map(() => 0);
  for (let first = 0, end; first < order.length; first = end) {
    for (end = first; end < order.length && distance[order[end]] === distance[order[first]]; end++);
    const equal = order.slice(first, end);
    for (const i of equal) turn[i] = Math.max(turnOut.get(out[i]) ?? 0, turnIn.get(into[i]) ?? 0);
    for (const i of equal) {
      turnOut.set(out[i], turn[i] + 1);
      turnIn.set(into[i], turn[i] + 1);
    }
  }
  return [...src.keys()].sort((one, other) => turn[one] - turn[other] || one - other);
}

/**
 * Of each message the groups of links that it may share with others, and its limit by all others:
 * none contend for a group that all leave by one port, or arrive by one; nor for a port that has
 * capacity for as many messages as it takes at once.
 * @param {Machine} machine
 * @param {StepMessages[]} steps
 * @returns {{groups: number[][], limit: number[]}[]} of each step
 */
export function sharedLinks(machine, steps) {
  const { group, capacity, lanes, bandwidth } = machine;
  const ends = capacity.map(() => [new Set(), new Set(), new Set()]); // links in it; first, last of their paths
  for (const links of new Set(steps.flatMap(({ path }) => path))) {
    for (const link of links) {
      const [own, first, last] = ends[group[link]];
      own.add(link);
      first.add(links[0]);
      last.add(links[links.length - 1]);
    }
  }
  const wide = capacity.map(() => [0, 0]);
  group.forEach((each, link) => (wide[each] = [wide[each][0] + bandwidth[link] * lanes[link], wide[each][1] + 1]));
  const alone = ends.map(([own, ...ports], each) => {
    const room = capacity[each] >= wide[each][0] / Math.max(1, wide[each][1]);
    return !own.size || ports.some((port) => {
      if (port.size !== 1) return false;
      const [link] = port;
      return lanes[link] === 1 || (own.size === 1 && own.has(link) && room);
    });
  });
  return steps.map(({ path, limit }) => {
    const capped = path.map((links, i) => links.reduce((rate, link) => (alone[group[link]] ? Math.min(rate, capacity[group[link]]) : rate), limit[i]));
    return { limit: capped, groups: path.map((links) => links.map((link) => group[link]).filter((each) => !alone[each])) };
  });
}
