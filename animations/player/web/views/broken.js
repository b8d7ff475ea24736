// What is broken, on the stage: its ranks and links, and who waits for whom in the step.

import { trafficOf } from "../core/amounts.js";
import { waitsIn } from "../core/effects.js";
import { linkOf } from "../core/hit.js";
import { along } from "../core/motion.js";
import { boxOf, ringOf } from "../core/places.js";
import { pathsOf, readFault } from "../core/faults.js";
import { curve, head } from "./links.js";
import { svg } from "./elements.js";

const MOST_DRAWN = 16; // waits of a step
const [CROSS, SIGN_ROOM, BEND_OF_WAIT] = [13, 0.3, 0.22];

/** @type {Mount} */
export function mountBroken(page, store) {
  return {
    slices: ["setting", "step"],
    update() {
      page.broken.replaceChildren();
      const { story } = store;
      const { setup, setting } = story;
      if (!setup || !setting?.faults.length || story.table) return;
      const broken = setting.faults.map((fault) => readFault(setup, fault));
      const ranks = new Set(broken.flatMap((fault) => (fault && fault.rank >= 0 ? [fault.rank] : [])));
      const dead = new Set(broken.flatMap((fault) => (fault?.kind === "dead" ? fault.links : [])));
      for (const rank of story.names.keys()) if (rank < story.ranks && isCutOff(setup, rank, dead)) ranks.add(rank);
      for (const rank of ranks) svg(page.broken, "path", { class: "faulty", d: ringOf(boxOf(story, [rank])) });
      const links = new Set(broken.flatMap((fault) => fault?.links ?? []));
      drawLinks(page, story, setup, links, dead);
      const drawn = trafficOf(store.own, store.last); // of other channels the picture has no transfers
      const waits = waitsIn(story, store.state.step).filter(({ node, other }) => drawn.has(`${node} ${other}`) || drawn.has(`${other} ${node}`));
      for (const { node, other } of waits.slice(0, MOST_DRAWN)) drawWait(page, story, node, other);
    },
  };
}

/**
 * Whether all links of a rank are cut.
 * @param {Setup} setup
 * @param {number} rank
 * @param {Set<number>} dead
 */
function isCutOff({ links: [src, dst] }, rank, dead) {
  const own = [...src.keys()].filter((link) => src[link] === rank || dst[link] === rank);
  return own.length > 0 && own.every((link) => dead.has(link));
}

/**
 * Lines of the stage whose messages take a broken link: a cross where it is cut, else two strokes.
 * @param {Page} page
 * @param {Story} story
 * @param {Setup} setup
 * @param {Set<number>} links
 * @param {Set<number>} dead
 */
function drawLinks(page, story, setup, links, dead) {
  const paths = pathsOf(setup);
  for (const line of story.lines) {
    const ends = linkOf(story, line);
    if (!ends || line[6]) continue;
    const ways = [ends, [...ends].reverse()].flatMap(([from, to]) => paths.get(from * setup.nodes + to) ?? []);
    if (!ways.some((link) => links.has(link))) continue;
    const cut = ways.some((link) => dead.has(link));
    const [x, y] = along(story.curves[line[0]], 0.5);
    const sign = cut ? `M${x - CROSS} ${y - CROSS}l${2 * CROSS} ${2 * CROSS}m${-2 * CROSS} 0l${2 * CROSS} ${-2 * CROSS}`
      : `M${x - 5} ${y - CROSS}v${2 * CROSS}m10 0v${-2 * CROSS}`;
    for (const kind of ["halo", "sign"]) svg(page.broken, "path", { class: kind, d: sign });
  }
}

/**
 * A dashed arrow from who waits to whom it waits for.
 * @param {Page} page
 * @param {Story} story
 * @param {number} node
 * @param {number} other
 */
function drawWait(page, story, node, other) {
  const [from, to] = [node, other].map((each) => {
    const [x, y, width, height] = boxOf(story, [each]);
    return [x + width / 2, y + height / 2];
  });
  const middle = [(from[0] + to[0]) / 2 + BEND_OF_WAIT * (to[1] - from[1]), (from[1] + to[1]) / 2 - BEND_OF_WAIT * (to[0] - from[0])];
  const whole = [...from, ...middle, ...to];
  const [begin, end] = [along(whole, SIGN_ROOM), along(whole, 1 - SIGN_ROOM)];
  const turn = [0, 1].map((axis) => 2 * along(whole, 0.5)[axis] - (begin[axis] + end[axis]) / 2);
  const line = [...begin, ...turn, ...end];
  for (const kind of ["halo", "waits"]) svg(page.broken, "path", { class: kind, d: curve(line) });
  svg(page.broken, "path", { class: "head", d: head(line, 18) });
}
