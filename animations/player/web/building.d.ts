// The types of the workbench: the task, transfers that were placed, what can be done.

type TaskData = {
  promise: string;
  /** The promise in the language of the page. */
  goal: string;
  exactly_once: boolean;
  at_home: boolean;
  adds: boolean;
  chunk_bytes: number[];
  settings: Record<string, any>;
  least_bytes: number | null;
  /** For each number of ports: fewest steps, whether these are enough, whose steps they are. */
  fewest: [steps: number, enough: boolean, title: string][];
  /** Steps of a wrong schedule after those of the story. */
  later: BuiltSteps;
};

/** Src, dst, chunk, into, 1 where it adds. */
type Built = readonly [src: number, dst: number, chunk: number, into: number, adds: number];
type BuiltSteps = readonly (readonly Built[])[];
type Place = readonly [node: number, slot: number];

/**
 * A schedule that is being built. The stage shows what is there after the first `at` steps, and the
 * transfers of the next one. `past` and `future`: what undo and redo bring back. cursor, picked:
 * the cell that keys go from, and the one whose chunk is on its way. adds: the verb of what is
 * placed. said: what happened last; refused: whether that was nothing.
 */
type Building = {
  steps: BuiltSteps;
  at: number;
  past: [BuiltSteps, number][];
  future: [BuiltSteps, number][];
  cursor: Place;
  picked: Place | null;
  adds: number;
  said: string;
  refused: boolean;
};

type Edit =
  | { edit: "place"; from: Place; to: Place; adds?: number }
  | { edit: "move"; number: number; to: Place }
  | { edit: "remove" | "turn"; number: number }
  | { edit: "new step" | "drop step" | "start here" | "empty" | "undo" | "redo" | "put down" }
  | { edit: "verb"; adds: number }
  | { edit: "cursor" | "pick"; at: Place };

/** Of MicroPython's script, behind which the worker's is put. */
declare const loadMicroPython: (options: { heapsize: number; url?: string }) => Promise<any>;
