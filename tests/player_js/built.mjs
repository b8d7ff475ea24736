// Builds schedules as somebody does on the page, and writes what the page finds of each as JSON.

import { readFileSync } from "node:fs";

import { edited, goneTo, startDraft } from "../../animations/player/web/core/draft.js";
import { verdictText } from "../../animations/player/web/core/draft_words.js";
import { judged } from "../../animations/player/web/core/judge.js";
import { stepsOf } from "../../animations/player/web/core/task.js";
import { codeOf, filledSteps, recordingOf } from "../../animations/player/web/core/written.js";

const { stories, scripts } = JSON.parse(readFileSync(0, "utf8"));

const found = scripts.map(({ story: number, own, edits }) => {
  const story = stories[number];
  let draft = startDraft(story, own ? stepsOf(story) : [], 0);
  let refused = 0;
  for (const edit of edits) {
    const many = draft.steps[draft.at]?.length ?? 0;
    if (edit.edit === "goto") draft = goneTo(draft, edit.at);
    else if ("number" in edit && !many) continue;
    else {
      const before = draft;
      draft = edited(story, draft, "number" in edit ? { ...edit, number: edit.number % many } : edit);
      refused += draft.refused;
      if (draft.refused && draft.steps !== before.steps) throw new Error("refused and done");
    }
  }
  const steps = filledSteps(draft.steps);
  const judgment = judged(story, steps);
  const { right, step, cost } = judgment;
  return {
    ...{ steps, right, step, cost, refused, said: draft.said, text: verdictText(story, judgment) },
    ...{ code: codeOf(story.task, steps).lines.join("\n"), recording: recordingOf(story.task, steps) },
  };
});
process.stdout.write(JSON.stringify(found));
