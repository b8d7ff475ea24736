// What a question asks for and what answers say of it, marked on the stage.

import { openQuestion, toldAnswer } from "../core/ask.js";
import { placeOfSlot, shapeOf } from "../core/places.js";
import { thingOf } from "../core/selection.js";
import { drawCallout } from "./callout.js";
import { svg } from "./elements.js";
import { curve, head } from "./links.js";

const [SIGN_SIZE, BOW] = [17, 0.16]; // of a way: how far from straight, as a part of its length
const ROLE_SIGNS = { right: "M-8 1l6 6L9-7", wrong: "M-7-7L7 7M7-7L-7 7", picked: "" };

/** @typedef {keyof typeof ROLE_SIGNS} Role */

/** @type {Mount} */
export function mountAsked(page, store) {
  const { story } = store;
  return {
    slices: ["asks", "step", "landed"],
    update() {
      const { asks } = store.state;
      if (!asks) return;
      page.asked.replaceChildren();
      const question = openQuestion(story, store.state);
      if (question) drawOpen(page, story, question, asks.draft);
      const told = toldAnswer(story, store.state);
      if (told) drawTold(page, story, ...told);
    },
  };
}

/**
 * What is asked for, and the answer that is chosen.
 * @param {Page} page
 * @param {Story} story
 * @param {Question} question
 * @param {AskDraft} draft
 */
function drawOpen(page, story, { form, about, options }, { option }) {
  const thing = thingOf(story, about);
  if (thing) {
    const [x, y, width, height] = markedBox(story, thing.at);
    svg(page.asked, "path", { class: "wanted", d: answerRing([x, y, width, height]) });
    svg(page.asked, "text", { x: x + width / 2, y: y + height + 34 }, "?");
  }
  if (option === null || form === "number") return;
  const marks = options[option][3];
  if (form === "place") svg(page.asked, "path", { class: "picked", d: answerRing(markedBox(story, [option])) });
  drawAnswerMarks(page, story, marks.filter(([kind]) => kind !== "cell"), "picked");
}

/**
 * The right answer, and beside it the one that was given, as far as it says something else.
 * @param {Page} page
 * @param {Story} story
 * @param {Question} question
 * @param {Answer} answer
 */
function drawTold(page, story, { kind, options, right }, { option }) {
  const [truth, said] = [options[right][3], option === right ? [] : options[option]?.[3] ?? []];
  const known = new Set(truth.flatMap(([kind, ...ranks]) => (kind === "ranks" ? ranks : [])));
  const other = said.map((mark) => {
    const ranks = mark.slice(1).filter((rank) => !known.has(/** @type {number} */ (rank)));
    return mark[0] === "ranks" ? /** @type {AnswerMark} */ (["ranks", ...ranks]) : mark;
  });
  drawAnswerMarks(page, story, other, "wrong");
  drawAnswerMarks(page, story, truth, "right");
  const [cells, believed] = [truth, said].map((marks) => marks.filter(([kind, , , content]) => kind === "cell" && content >= 0));
  if (cells.length) drawCallout(page, story, kind === "line" ? "changed" : "true", cells[0], believed[0]);
}

/**
 * @param {Page} page
 * @param {Story} story
 * @param {AnswerMark[]} marks
 * @param {Role} role
 */
function drawAnswerMarks(page, story, marks, role) {
  for (const [kind, ...numbers] of marks) {
    if (kind === "transfer") drawAnswerWay(page, story, numbers, role);
    else if (kind === "cell") svg(page.asked, "path", { class: role, d: answerRing(markedBox(story, numbers)) });
    else for (const rank of numbers) drawAnswerRank(page, story, rank, role);
  }
}

/**
 * A rank in an outline, and whether it belongs to the right answer.
 * @param {Page} page
 * @param {Story} story
 * @param {number} rank
 * @param {Role} role
 */
function drawAnswerRank(page, story, rank, role) {
  const [x, y, width, height] = markedBox(story, [rank]);
  svg(page.asked, "path", { class: role, d: answerRing([x, y, width, height]) });
  drawVerdictSign(page.asked, role, x + width - 4, y - 6);
}

/**
 * A transfer as an arrow from cell to cell, on its own side of the straight line.
 * @param {Page} page
 * @param {Story} story
 * @param {number[]} numbers
 * @param {Role} role
 */
function drawAnswerWay(page, story, [src, chunk, dst, into], role) {
  const [from, target] = [markedBox(story, [src, chunk]), markedBox(story, [dst, into])];
  const [[x, y], [u, v]] = [from, target].map(([left, top, width, height]) => [left + width / 2, top + height / 2]);
  const [length, side] = [Math.hypot(u - x, v - y) || 1, role === "right" ? BOW : -BOW];
  const [p, q] = [(x + u) / 2 - side * (v - y), (y + v) / 2 + side * (u - x)];
  const short = Math.min(target[2], target[3], length) / 2;
  const away = Math.hypot(u - p, v - q) || 1;
  const points = [x, y, p, q, u - (short * (u - p)) / away, v - (short * (v - q)) / away];
  const group = svg(page.asked, "g", { class: role });
  if (role !== "picked") svg(group, "path", { d: answerRing(from) + answerRing(target) });
  svg(group, "path", { class: "halo", d: curve(points) });
  svg(group, "path", { class: "course", d: curve(points) });
  svg(group, "path", { class: "head", d: head(points, 22) });
  drawVerdictSign(group, role, (x + 2 * p + u) / 4, (y + 2 * q + v) / 4);
}

/**
 * A badge that says whether it is right.
 * @param {Element} group
 * @param {Role} role
 * @param {number} x
 * @param {number} y
 */
function drawVerdictSign(group, role, x, y) {
  if (!ROLE_SIGNS[role]) return;
  const badge = svg(group, "g", { class: `sign ${role}`, transform: `translate(${x} ${y})` });
  svg(badge, "circle", { r: SIGN_SIZE });
  svg(badge, "path", { d: ROLE_SIGNS[role] });
}

/**
 * The box of a cell, or of a card where no slot is named.
 * @param {Story} story
 * @param {number[]} at
 * @returns {Box}
 */
function markedBox(story, [node, slot]) {
  if (slot !== undefined) {
    const [[x, y], [width, height]] = placeOfSlot(story, node, slot);
    return [x, y, width, height];
  }
  const [x, y] = story.cards[node];
  const [width, height] = shapeOf(story, node).size;
  return [x, y, width, height];
}

/**
 * A little larger than a box.
 * @param {Box} box
 */
function answerRing([x, y, width, height]) {
  return `M${x - 3} ${y - 3}h${width + 6}v${height + 6}h${-width - 6}z`;
}
