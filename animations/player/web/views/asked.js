// What a question asks for and what answers say of it, marked on the stage.

import { openQuestion, toldAnswer } from "../core/ask.js";
import { along } from "../core/motion.js";
import { boxOf, ringOf } from "../core/places.js";
import { thingOf } from "../core/selection.js";
import { drawSign, lineOf } from "./bench_stage.js";
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
      const answered = toldAnswer(story, store.state);
      if (answered) drawTold(page, story, ...answered);
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
    const [x, y, width, height] = boxOf(story, thing.at);
    svg(page.asked, "path", { class: "wanted", d: ringOf([x, y, width, height]) });
    const [, top, , high] = story.table ? [x, y, width, height] : boxOf(story, [thing.at[0]]);
    svg(page.asked, "text", { x: x + width / 2, y: top + high + 34 }, "?"); // below the card, as its labels are in it
  }
  if (option === null || form === "number") return;
  const marks = options[option][3];
  if (form === "place") svg(page.asked, "path", { class: "picked", d: ringOf(boxOf(story, [option])) });
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
  if (cells.length) drawCallout(page, story, kind === "line" ? "ask.changed" : "ask.true", cells[0], believed[0]);
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
    else if (kind === "cell") svg(page.asked, "path", { class: role, d: ringOf(boxOf(story, numbers)) });
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
  const [x, y, width, height] = boxOf(story, [rank]);
  const group = svg(page.asked, "g", { class: role });
  svg(group, "path", { d: ringOf([x, y, width, height]) });
  if (ROLE_SIGNS[role]) drawSign(group, [x + width - 4, y - 6], ROLE_SIGNS[role], SIGN_SIZE);
}

/**
 * A transfer as an arrow from cell to cell, the right one on its own side of the straight line.
 * @param {Page} page
 * @param {Story} story
 * @param {number[]} numbers
 * @param {Role} role
 */
function drawAnswerWay(page, story, [src, chunk, dst, into], role) {
  const line = lineOf(story, [src, chunk], [dst, into], role === "right" ? -BOW : BOW);
  const group = svg(page.asked, "g", { class: role });
  const ends = [[src, chunk], [dst, into]].map((at) => ringOf(boxOf(story, at)));
  if (role !== "picked") svg(group, "path", { d: ends.join("") });
  svg(group, "path", { class: "halo", d: curve(line) });
  svg(group, "path", { class: "course", d: curve(line) });
  svg(group, "path", { class: "head", d: head(line, 22) });
  if (ROLE_SIGNS[role]) drawSign(group, along(line, 0.5), ROLE_SIGNS[role], SIGN_SIZE);
}
