// Questions in the store: the lock holds for every action, answers are graded as Python says.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { amountOf, asksAfter, limitOf, openQuestion, optionOf, outcomeOf, resultLine, resultsCsv,
  resultsOf, scoreText, NO_DRAFT } from "../../animations/player/web/core/ask.js";
import { createStore } from "../../animations/player/web/core/store.js";

const cases = JSON.parse(readFileSync(0, "utf8"));

/** A story as far as stepping and asking need it. */
function storyOf({ title, last, questions }) {
  const frames = Array.from({ length: last }, () => [0, [], [], [], [], [], [], [], 0, 0, []]);
  return { title, ranks: 8, frames, questions };
}

/** All that tries to step on. */
function push(store, last) {
  const steps = Array.from({ length: last + 3 }, (_, step) => ({ kind: "step", step }));
  const kinds = ["next", "on", "last", "play", "first", "last", "next", "back", "next", "next"];
  for (const action of [...steps, ...kinds.map((kind) => ({ kind })), { kind: "step", step: 1e6 }]) {
    const { limit } = store;
    store.act(action);
    assert.ok(store.state.step <= limit, `${action.kind} passes the lock`);
  }
}

/** A draft that answers with an option. */
function draftOf(question, option) {
  return question.form === "number" ? { typed: question.options[option][0] } : { option };
}

test("nothing passes the lock until a question is answered or skipped", () => {
  for (const given of cases) {
    const story = storyOf(given);
    const store = createStore([story]);
    given.questions.forEach((question, i) => {
      push(store, given.last);
      assert.equal(store.limit, Math.min(question.step - 1, given.last));
      assert.equal(store.state.step, store.limit);
      assert.equal(openQuestion(story, store.state), question);
      store.act({ kind: "answer" }); // says nothing yet
      assert.equal(store.state.asks.answers.length, i);
      assert.ok(store.state.asks.draft.missing);
      if (i % 3 === 2) store.act({ kind: "skip" });
      else {
        store.act({ kind: "draft", draft: { ...draftOf(question, question.right), reason: question.reason } });
        store.act({ kind: "answer" });
      }
      assert.equal(store.state.asks.answers.length, i + 1);
      assert.ok(store.state.asks.told);
      assert.equal(store.state.step, Math.min(store.limit, question.step));
      assert.equal(openQuestion(story, store.state), undefined);
      store.act({ kind: "continue" });
    });
    store.act({ kind: "last" });
    assert.equal(store.state.step, given.last);
    const skipped = Math.floor(given.questions.length / 3);
    const reasoned = given.questions.length - skipped;
    assert.equal(scoreText(story, store.state.asks), `${reasoned} of ${given.questions.length} with a right reason`);
  }
});

test("nothing is selected while it would tell what is asked", () => {
  const store = createStore([storyOf(cases[0])]);
  for (const kind of ["select", "touch"]) {
    store.act({ kind, thing: { kind: "chunk", at: [0] } });
    assert.equal(store.state.selection, null);
  }
});

test("a step may be taken back, and a link not go further than the lock", () => {
  const store = createStore([storyOf(cases[0])]);
  store.act({ kind: "last" });
  const { step } = store.state;
  store.act({ kind: "back" });
  assert.equal(store.state.step, step - 1);
  assert.equal(openQuestion(store.story, store.state), undefined);
  store.act({ kind: "answer" });
  store.act({ kind: "skip" });
  assert.equal(store.state.asks.answers.length, 0);
});

test("where nothing is asked nothing is locked", () => {
  const store = createStore([{ ...storyOf(cases[0]), questions: [] }]);
  assert.equal(store.state.asks, null);
  store.act({ kind: "last" });
  assert.equal(store.state.step, cases[0].last);
  assert.equal(limitOf(store.story, null), cases[0].last);
});

test("typed numbers mean what Python's units say", () => {
  let numbers = 0;
  for (const { title, questions, typed } of cases) {
    for (const [i, text, option] of typed) {
      const found = optionOf(questions[i], { ...NO_DRAFT, typed: text });
      assert.equal(found, option, `${title}: ${text} of ${questions[i].prompt}`);
      numbers++;
    }
  }
  assert.ok(numbers > 60);
  const tolerant = [["48 mib", 48 * 2 ** 20], ["1,024 KiB", 2 ** 20], ["1,5 MiB", 1.5 * 2 ** 20], ["0.5", 2 ** 19], ["3e2", null]];
  for (const [text, bytes] of tolerant) assert.equal(amountOf(text, "MiB"), bytes);
});

test("every option is graded by what it is, and results come back as they were told", () => {
  for (const given of cases) {
    const story = storyOf(given);
    for (let turn = 0; turn < 4; turn++) {
      const answers = given.questions.map((question, i) => {
        const option = (turn + i) % question.options.length;
        const reason = turn ? (turn + i) % question.reasons.length : null;
        const typed = question.form === "number" ? question.options[option][0] : "";
        const outcome = outcomeOf(question, { option, typed, reason });
        assert.equal(outcome !== "wrong", option === question.right);
        assert.equal(outcome === "reasoned", option === question.right && reason === question.reason);
        return { option, typed, reason };
      });
      const asks = { answers, draft: NO_DRAFT, told: false };
      const results = resultsOf(story, asks);
      assert.deepEqual(asksAfter(story, JSON.parse(JSON.stringify(results))), asks);
      assert.equal(resultsCsv(results).trim().split("\n").length, answers.length + 1);
      assert.ok(!resultLine(story, asks).includes("\n"));
      for (const [i, result] of results.entries()) {
        assert.equal(result.right, answers[i].option === given.questions[i].right);
        assert.equal(result.right_reason, answers[i].reason === given.questions[i].reason);
      }
    }
  }
});

test("a table opens no formula", () => {
  const row = { kind: "next", step: 1, asked: "=1+1", answered: 'a "b", c', because: null, right: false, right_reason: false };
  assert.equal(resultsCsv([row]).split("\n")[1], `next,1,'=1+1,"a ""b"", c",,false,false`);
});
