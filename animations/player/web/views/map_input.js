// Clicks, drags and keys on the map of a machine.

import { svg } from "./elements.js";



const NEAR_CLICK = 6; // pixels that a click may move
const MAP_WAYS = /** @type {Record<string, [number, number]>} */ ({ ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] });

/**
 * @param {HTMLElement} frame
 * @param {{select: (part: MapPart | null) => void, move: (rank: number, seat: number) => void, setupNow: () => Setup}} acts
 */
export function listenMap(frame, { select, move, setupNow }) {
  /** @type {{x: number, y: number, seat: number, ghost: SVGElement | null} | null} */
  let drag = null;
  const gpus = () => setupNow().kinds[0][1];
  const nodeAt = (/** @type {Element | null} */ element) => {
    const node = /** @type {SVGElement | null} */ (element?.closest("[data-node]"))?.dataset.node;
    return node === undefined ? -1 : Number(node);
  };
  const rankOn = (/** @type {number} */ seat) => setupNow().seats?.indexOf(seat) ?? seat;
  const under = (/** @type {PointerEvent} */ { clientX, clientY }) => nodeAt(document.elementFromPoint(clientX, clientY));

  for (const box of frame.querySelectorAll("rect.node")) {
    box.setAttribute("tabindex", "-1");
    box.setAttribute("role", "button");
  }
  for (const picture of frame.children) picture.querySelector("rect.node")?.setAttribute("tabindex", "0");

  frame.addEventListener("pointerdown", (event) => {
    const seat = nodeAt(/** @type {Element} */ (event.target));
    if (seat < 0 || seat >= gpus()) return;
    drag = { x: event.clientX, y: event.clientY, seat, ghost: null };
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", (event) => {
    if (!drag || (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < NEAR_CLICK)) return;
    const picture = /** @type {SVGSVGElement} */ ([...frame.children].find((each) => !each.classList.contains("away")));
    drag.ghost ??= svg(picture, "g", { class: "ghost" });
    if (!drag.ghost.firstChild) {
      svg(drag.ghost, "circle", { r: 24 });
      svg(drag.ghost, "text", { y: 8, class: "center" }, `${rankOn(drag.seat)}`);
    }
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(/** @type {DOMMatrix} */ (picture.getScreenCTM()).inverse());
    drag.ghost.setAttribute("transform", `translate(${x} ${y})`);
  });
  const drop = (/** @type {PointerEvent} */ event) => {
    const held = drag;
    drag = null;
    held?.ghost?.remove();
    if (held?.ghost) {
      const seat = under(event);
      if (seat >= 0 && seat < gpus() && seat !== held.seat) move(rankOn(held.seat), seat);
      return;
    }
    const target = document.elementFromPoint(event.clientX, event.clientY);
    const link = /** @type {SVGElement | null} */ (target?.closest("[data-link]"))?.dataset.link;
    const node = nodeAt(target);
    if (link !== undefined) select({ kind: "link", at: Number(link) });
    else select(node < 0 ? null : { kind: "node", at: node < gpus() ? rankOn(node) : node });
  };
  frame.addEventListener("pointerup", drop);
  frame.addEventListener("pointercancel", () => {
    drag?.ghost?.remove();
    drag = null;
  });
  frame.addEventListener("keydown", (event) => {
    const box = /** @type {SVGElement} */ (event.target);
    const node = nodeAt(box);
    const way = MAP_WAYS[event.key];
    if (node < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key !== "Enter" && event.key !== " " && !way) return;
    event.preventDefault();
    event.stopPropagation();
    if (!way) return select({ kind: "node", at: node < gpus() ? rankOn(node) : node });
    const next = nearestNode(box, way, event.shiftKey && node < gpus() ? (other) => nodeAt(other) < gpus() : () => true);
    if (!next) return;
    if (event.shiftKey && node < gpus()) move(rankOn(node), nodeAt(next));
    box.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}

/**
 * The nearestNode node that way from another one.
 * @param {SVGElement} box
 * @param {[number, number]} way
 * @param {(other: SVGElement) => boolean} fits
 */
function nearestNode(box, [right, down], fits) {
  const middle = (/** @type {Element} */ element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(box);
  let [found, shortest] = [/** @type {SVGElement | null} */ (null), Infinity];
  for (const other of /** @type {NodeListOf<SVGElement>} */ (box.ownerSVGElement?.querySelectorAll("rect.node") ?? [])) {
    if (other === box || !fits(other)) continue;
    const [dx, dy] = middle(other).map((at, axis) => at - [x, y][axis]);
    const [along, aside] = right ? [dx * right, Math.abs(dy)] : [dy * down, Math.abs(dx)];
    const distance = along + 3 * aside;
    if (along > 2 && distance < shortest) [found, shortest] = [other, distance];
  }
  return found;
}
