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
  options: [text: string, feedback: string, value: number][];
  right: number;
  reasons: [text: string, feedback: string][];
  reason: number;
  hint: string;
  explanation: string;
};

/** Numbers of the chosen option and reason, what was typed; missing: answered without an answer. */
type AskDraft = { option: number | null; typed: string; reason: number | null; hint: boolean; missing: boolean };
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
