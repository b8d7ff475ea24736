// The state of a player while somebody builds: what actions do then, and where a chunk would go.

import { edited, goneTo, startDraft } from "./draft.js";
import { judged, versionAt } from "./judge.js";
import { boxOf, boxOfWell, shapeOf } from "./places.js";
import { word } from "./say.js";
import { stepsOf, taskOf } from "./task.js";

const NEAR_CELL = 6; // units beside a cell that still mean it
const IGNORED = ["play", "on", "part", "transfers", "diagram", "clock", "select", "touch"];

/**
 * To the workbench with what was built there last, else the story's own schedule, at its first
 * wrong step if that is shown; or back.
 * @param {State} state
 * @param {Story} story
 * @returns {State}
 */
export function toggledBuilding(state, story) {
  if (!story.task) return state;
  if (state.building) return { ...state, building: false };
  const steps = stepsOf(story);
  const last = state.step === story.frames.length;
  const judgment = judged(story, steps);
  const wrong = last && (story.wrong?.attempted ? state.step : judgment.step);
  const said = story.wrong && judgment.right ? word("draft.left_out") : "";
  const built = state.built ?? { ...startDraft(story, steps, wrong ? wrong - 1 : state.step), said };
  return { ...state, ...CALM, building: true, built };
}

const CALM = { selection: null, panel: /** @type {const} */ ("counters"), diagram: "", playing: false, part: 1 };

/**
 * On the workbench with a schedule that is given, after its last step; away from it with none.
 * @param {State} state
 * @param {Story} story
 * @param {BuiltSteps | null} steps
 * @returns {State}
 */
export function givenBuilt(state, story, steps) {
  if (!steps || !story.task) return { ...state, building: false, built: null };
  return { ...state, ...CALM, building: true, built: startDraft(story, steps, steps.length) };
}

/**
 * The state after an action on the workbench; null for actions that are no different there.
 * @param {State} state
 * @param {Story} story
 * @param {Action} action
 * @returns {State | null}
 */
export function afterBuilding(state, story, action) {
  const { built } = state;
  if (!built) return null;
  /** @type {(at: number) => State} */
  const go = (at) => ({ ...state, built: goneTo(built, at) });
  if (action.kind === "edit") return { ...state, built: edited(story, built, action.edit) };
  if (action.kind === "step") return go(action.step);
  const targets = { first: 0, back: built.at - 1, next: built.at + 1, last: built.steps.length };
  if (action.kind in targets) return go(targets[/** @type {keyof typeof targets} */ (action.kind)]);
  return IGNORED.includes(action.kind) ? state : null;
}

/**
 * The cell at a point of the stage, a little around it too; with slot -1 the rest of a card.
 * @param {Story} story
 * @param {number} x
 * @param {number} y
 * @returns {Place | null}
 */
export function placeAt(story, x, y) {
  for (const node of story.cards.keys()) {
    if (!within(boxOf(story, [node]), x, y)) continue;
    const wells = [...shapeOf(story, node).cells.keys()];
    const well = wells.find((each) => within(boxOfWell(story, node, each), x, y));
    return [node, well === undefined ? -1 : story.well.indexOf(well)];
  }
  return null;
}

/**
 * @param {number[]} box
 * @param {number} x
 * @param {number} y
 */
function within([left, top, width, height], x, y) {
  return x >= left - NEAR_CELL && x <= left + width + NEAR_CELL
    && y >= top - NEAR_CELL && y <= top + height + NEAR_CELL;
}

/**
 * The cell of a node that a chunk goes to, if only the node is named: where received data has cells
 * of its own, the one that is promised this chunk; else that of the same chunk.
 * @param {Story} story
 * @param {Building} draft
 * @param {Place} from
 * @param {number} node
 * @returns {Place}
 */
export function cellFor(story, draft, from, node) {
  const { promised, slots, promisedSlots } = taskOf(story);
  const version = versionAt(story, draft, from);
  if (promisedSlots === story.chunks || version?.content.size !== 1) return [node, from[1]];
  const [contribution] = version.content.keys();
  const required = promised.find(([cell, origin, first, end]) => {
    const rank = Math.floor(contribution / slots);
    const meant = contribution % slots === origin && first <= rank && rank < end;
    return meant && Math.floor(cell / slots) === node;
  });
  return [node, required ? required[0] % slots : from[1]];
}
