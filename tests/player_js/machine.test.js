// The machine equals the executor in every state, and the proof and its diagnosis on mutants.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { diagnosed } from "../../animations/player/web/core/blame.js";
import { BrokenStep, playAll, playStep, startRun }
  from "../../animations/player/web/core/machine.js";

const { replayed, mutants } = JSON.parse(readFileSync(0, "utf8"));

/** What every slot holds, as text. */
function texts(state) {
  return Array.from(state, (version) => (version ? text([...version.content].flat()) : ""));
}

function text(numbers) {
  const pairs = [];
  for (let i = 0; i < numbers.length; i += 2) pairs.push([numbers[i], numbers[i + 1]]);
  return pairs.sort(([one], [other]) => one - other).join(" ");
}

test("every state is the executor's, and the promise is kept at the end only if it is", () => {
  assert.ok(replayed.length);
  for (const { name, task, steps, changes } of replayed) {
    const expected = texts(startRun(task).states[0]);
    let run = startRun(task);
    steps.forEach((step, index) => {
      run = playStep(run, step);
      for (const [cell, ...contents] of changes[index]) expected[cell] = text(contents);
      assert.deepEqual(texts(run.states[index + 1]), expected, `${name}, step ${index + 1}`);
    });
    assert.deepEqual(diagnosed(run), { wrong: [], step: 0 }, name);
  }
});

test("verdict and first wrong step of every mutant are those of the check", () => {
  assert.ok(mutants.some(({ right }) => right) && mutants.some(({ step }) => step));
  const found = mutants.map(({ name, task, steps }) => {
    try {
      const { wrong, step } = diagnosed(playAll(task, steps));
      return { name, right: !wrong.length, step };
    } catch (problem) {
      if (!(problem instanceof BrokenStep)) throw problem;
      return { name, right: false, step: problem.step };
    }
  });
  assert.deepEqual(found, mutants.map(({ name, right, step }) => ({ name, right, step })));
});

test("a step that breaks a rule is not played", () => {
  const task = { ...replayed[0].task, nodes: 3, slots: 2, start: [0, 2] };
  const run = startRun(task);
  const broken = [
    ["conflict", [[0, 2, 0, 0, 0], [1, 2, 0, 0, 1]]],
    ["conflict", [[0, 2, 0, 0, 1], [1, 2, 0, 0, 0]]],
    ["conflict", [[0, 2, 0, 0, 0], [1, 2, 0, 0, 0]]],
    ["empty", [[0, 1, 0, 1, 0], [1, 2, 1, 0, 0]]],
    ["empty", [[0, 1, 0, 1, 0, 1]]],
    ["range", [[0, 3, 0, 0, 0]]],
    ["range", [[0, 1, 0, 2, 0]]],
    ["range", [[0, 1, -1, 0, 0]]],
  ];
  for (const [rule, step] of broken) assert.throws(() => playStep(run, step), { rule, step: 1 });
  assert.equal(playStep(run, [[0, 2, 0, 0, 1], [1, 2, 0, 0, 1]]).states[1][4].content.size, 2);
});
