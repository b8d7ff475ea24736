// The types of questions: as they are packed, what is being answered, and what was.

/** What is asked before a step; see question_data.py. */
type Question = {
  kind: string;
  step: number;
  form: "choice" | "place" | "number";
  prompt: string;
  detail: string;
  about: string;
  unit: string;
  options: [text: string, feedback: string, value: number, marks: AnswerMark[]][];
  right: number;
  reasons: [text: string, feedback: string][];
  reason: number;
  hint: string;
  explanation: string;
};

/**
 * What the picture would show if an answer were right: a transfer as source, chunk, destination and
 * slot there; node and slot of a cell and the number of its content, -1 where none is drawn; ranks.
 */
type AnswerMark = ["transfer" | "cell" | "ranks", ...number[]];

/**
 * Numbers of the chosen option and reason, what was typed; missing: answered without an answer;
 * stray: a place on the stage was touched that is none.
 */
type AskDraft = {
  option: number | null;
  typed: string;
  reason: number | null;
  hint: boolean;
  missing: boolean;
  stray: boolean;
};
type Answer = { option: number; typed: string; reason: number | null };
/** told: the last answer is being told what it is worth. */
type Asks = { answers: Answer[]; draft: AskDraft; told: boolean };
type Result = {
  kind: string;
  step: number;
  asked: string;
  answered: string | null;
  because: string | null;
  right: boolean | null;
  right_reason: boolean | null;
};

type AskAction =
  | { kind: "answer" | "skip" | "continue" | "score" }
  | { kind: "draft"; draft: Partial<AskDraft> }
  | { kind: "answers"; results: Result[] };

/** Elements of player.html for questions. */
type QuestionParts = {
  question: HTMLElement;
  asked: SVGElement;
  score: HTMLButtonElement;
  marks: HTMLElement;
  told: HTMLElement;
};
