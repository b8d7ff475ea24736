// The types of the player: a story as data.py packs it, the state of a player, and its elements.

/** The elements of player.html as text; page.py puts it before the modules. */
declare const SHEET: string;
/** Patterns of what pages say, by language and key; page.py puts them there, the first is spoken first. */
declare const WORDS: Record<string, Record<string, string>>;
/** The style of a page, which document() of page.py puts there as well. */
declare const STYLE: string;

type Numbers = Uint16Array | number[];
type Box = [left: number, top: number, width: number, height: number];
type Point = [x: number, y: number];
/** First and last state in which something is seen; null: in all. */
type States = [first: number, last: number] | null;
/** Index of sources, first line, last line, values of its variables. */
type CodeLine = [source: number, first: number, last: number, variables: string];

/** One step; `core/story.js` decodes its moves. */
type Frame = [
  phase: number,
  moves: Numbers,
  cells: Numbers,
  sent: Numbers,
  trips: Numbers,
  columns: Numbers,
  lines: (CodeLine | null)[],
  values: string[],
  followed: number,
  hero: number,
  numbers: string[],
];

/** A copy of a chunk from a cell into another; cell, size, data and line are indices. */
type Move = {
  src: number;
  dst: number;
  chunk: number;
  into: number;
  adds: number;
  cell: number;
  size: number;
  data: number;
  line: number;
};

type Shape = {
  size: [width: number, height: number];
  radius: number;
  cells: [left: number, top: number, bars: number][];
  letters: number;
  groups: Box[];
  parts: Box[];
};

type Table = {
  box: Box;
  size: [pitch: number, height: number];
  columns: number[];
  progress: Point;
  complete: number[];
  promised: number;
};

type Line = [
  curve: number,
  steps: number[],
  tone: string,
  width: number,
  arrow: number,
  hidden: number,
  fixed: number,
  brief: number,
  states: States,
];

/** As films have them: pitch of a hatch, plain colors, unlit width, radius of + and =, their limit. */
type Measures = Record<"hatch" | "plain" | "unlit" | "badge" | "badges" | "ticks" | "to_scale", number>;
type Motion = { lifted: number; arrived: number; landed: number; easing: number[] };
type Counter = [label: string, values: number[], texts: string[], bound: number | null];
/** Full bars, faint bars, then labels of the bars; or the color of a level. */
type Content = any[];

type Story = {
  programs?: { said: [text: string, waits: boolean][]; at: number[][] }; // see touch_data.py
  title: string;
  view: string;
  shows_ranks: boolean;
  has_bars: boolean;
  legend: [head: string, labels: string[], signs: string];
  explanation: string[];
  ranks: number;
  names: string[];
  stage: Box;
  cards: [left: number, top: number, shape: number, tone: string][];
  shapes: Shape[];
  /** Width and height of a cell, left, width and height of its bars, upper edge of each. */
  bars: number[][];
  well: number[];
  outline: number;
  rounding: [cell: number, lens: number];
  grounds: [box: Box, fill: string, edge: string, radius: number, dashed: number][];
  lines: Line[];
  texts: [node: number, kind: string, text: string, x: number, baseline: number, size: number, tone: string, align: string][];
  words: [string, number, number, number, string, string, number, States, number][];
  chips: [box: Box, text: string, steps: number[], tone: string, stays: number, hatched: number, above: number, node?: number][];
  gauges: [box: Box, label: string, shares: number[], texts: string[], tone: string][];
  lens: Box | null;
  measures: Measures;
  motion: Motion;
  /** Numbers of a move, a cell, what was sent, a trip and a column, as they are packed. */
  widths: number[];
  goals: number[];
  stale: number[][];
  table: Table | null;
  curves: number[][];
  parcels: [columns: number, pitch: number, ...sizes: number[]][];
  phases: [name: string, first: number, end: number][];
  subtitles: string[];
  notes: string[];
  ending: string;
  /** Why so many steps or bytes, and which algorithm takes fewer: sentences. */
  trade: string[];
  captions: string[];
  counters: Counter[];
  heading: string;
  /** Who needs this, a sentence; of numbers of ranks the steps by the closed form and the fewest possible. */
  reason: string;
  tour: { text: string; question: string; step: number; select: string }[];
  curve: [ranks: number, steps: number, bound: number][];
  contents: Content[];
  sizes: string[];
  data: string[];
  amounts: string[];
  sources: [lines: string[], columns: number, numbers: number[]][]; // of the lines in their file, if programs stand at them
  start: Numbers;
  frames: Frame[];
  slots: string[];
  chunks: number;
  promised: number;
  blocks: boolean;
  news: boolean;
  begins: number[][];
  firsts: string[];
  needs: number[][];
  operation: string;
  bytes: number[];
  roles: string[];
  /** Of each clock but that of steps; `steps` as in message_times.py. */
  times: [clock: string, machine: string, total: number, steps: number[][]][];
  /** That by which the data of a step travels; empty where all of it takes as long. */
  clock: string;
  questions: Question[];
  /** Of a wrong schedule, see story/wrong.py; crossed: something is missing; waits: paths of arrows; code: where a rank waits for ever. */
  wrong: { band: string; heading: string; text: string; attempted: boolean; waits: string[]; code: CodeLine | null; outlines: [Box, boolean, number][] } | null;
  /** Definition, term, other spellings. */
  terms: string[][];
  /** What another schedule for the same collective has to do; see story/task.py. */
  task: TaskData | null;
} & Under;

/** Something of the picture that can be selected; for its numbers see core/selection.js. */
type Thing = { kind: "rank" | "cell" | "chunk" | "transfer" | "line" | "link" | "counter"; at: number[] };

/** All that a player shows, ready for JSON. */
type State = {
  /** Which of the store's stories. */
  story: number;
  step: number;
  /** How much of the step's time is over, 0 to 1: below 1 its chunks are on their way. */
  part: number;
  playing: boolean;
  /** Whether the step on its way begins with one transfer alone; the first number in each slot is seen. */
  slow: boolean;
  values: boolean;
  /** The stop of the tour; -1 off it. */
  tour: number;
  speed: number;
  /** Whether chunks are seen on their way. */
  motion: boolean;
  selection: Thing | null;
  panel: "counters" | "transfers";
  /** Whether the stage is a workbench, and what is or was being built on it. */
  building: boolean;
  built: Building | null;
  /** The clock of the diagram in space and time; nothing while it is not shown. */
  diagram: string;
  /** What a link names that is not here; said until something else is done. */
  unknown: string;
  unmade: string; // why the schedule is the page's own after other code has run
  help: boolean;
  theme: string;
  /** null where nothing is asked. */
  asks: Asks | null;
} & MachineState & Framing;

/** How a page is embedded in another one, if it is: as large as its frame, or as high as it needs to be; the panels left out. */
type Framing = { embed: "" | "fit" | "tall"; hide: string[] };

/** A piece of the state; "landed" changes as the chunks of a step depart or arrive. */
type Slice = keyof State | "landed";
type Changed = Set<Slice>;

type Action =
  | { kind: "first" | "back" | "next" | "last" | "play" | "on" | "speed" }
  | { kind: "transfers" | "diagram" | "build" | "theme" | "help" | "machine" | "map" | "values" }
  | SettingAction
  | { kind: "clock"; clock: string }
  | { kind: "unknown"; text: string }
  | { kind: "step"; step: number }
  | { kind: "tour"; stop: number }
  | { kind: "framing"; framing: Framing }
  | { kind: "part"; part: number }
  | { kind: "story"; story: number }
  | { kind: "select" | "touch"; thing: Thing | null }
  | { kind: "motion"; motion: boolean }
  | { kind: "built"; steps: BuiltSteps | null; unmade?: string }
  | { kind: "edit"; edit: Edit }
  | AskAction;

type Store = {
  readonly state: State;
  /** As it is under the reader's setting, and on the page's own machine. */
  readonly story: Story;
  readonly own: Story;
  readonly last: number;
  /** The last step that may be shown: what follows is locked until a question is answered. */
  readonly limit: number;
  act(action: Action): void;
  /** Calls `update` after each act that changed one of the slices; returns how to end that. */
  subscribe(slices: readonly Slice[], update: (changed: Changed) => void): () => void;
};

/** What shows some slices of the state; `repaint` draws anew where sizes or colors changed. */
type View = {
  slices: readonly Slice[];
  update(changed: Changed): void;
  repaint?(): void;
  /** What is painted on the canvas, for those who cannot look at it. */
  drawn?(): Drawn[];
};

type Drawn = import("./core/marks.js").Mark & { node: number; well: number };

type Mount = (page: Page, store: Store) => View;

/** The elements of player.html by their data-part. */
type Page = QuestionParts & MachineParts & {
  /** Of this player alone: before the names of its patterns. */
  id: string;
  /** Letters of the stage below which numbers are left out, in its units; see views/legible.js. */
  least: number;
  sheet: HTMLElement;
  board: HTMLElement;
  whole: HTMLElement;
  title: HTMLElement;
  subtitle: HTMLElement;
  reason: HTMLElement;
  tour: HTMLElement;
  values: SVGElement;
  alone: SVGElement;
  canvas: HTMLCanvasElement;
  under: SVGSVGElement;
  stage: SVGSVGElement;
  hatches: SVGElement;
  grounds: SVGElement;
  cards: SVGElement;
  lines: SVGElement;
  scene: SVGElement;
  goals: SVGElement;
  stale: SVGElement;
  read: SVGElement;
  changed: SVGElement;
  lens: SVGElement;
  moves: SVGElement;
  faults: SVGElement;
  band: HTMLElement;
  names: SVGElement;
  overhead: SVGElement;
  source: HTMLElement;
  counters: HTMLElement;
  heading: HTMLElement;
  head: HTMLElement;
  signs: HTMLElement;
  legend: HTMLElement;
  number: HTMLElement;
  list: HTMLElement;
  first: HTMLButtonElement;
  back: HTMLButtonElement;
  play: HTMLButtonElement;
  next: HTMLButtonElement;
  last: HTMLButtonElement;
  speed: HTMLButtonElement;
  transfers: HTMLButtonElement;
  diagram: HTMLButtonElement;
  theme: HTMLButtonElement;
  help: HTMLButtonElement;
  caption: HTMLElement;
  note: HTMLElement;
  phases: HTMLElement;
  scrub: HTMLInputElement;
  dialog: HTMLDialogElement;
  chosen: SVGElement;
  story: HTMLElement;
  thing: HTMLElement;
  tale: HTMLElement;
  close: HTMLButtonElement;
  tip: HTMLElement;
  ticks: HTMLElement;
  state: HTMLElement;
  unknown: HTMLElement;
  build: HTMLButtonElement;
  built: SVGElement;
  arrows: SVGElement;
  aim: SVGElement;
  script: HTMLElement;
  bench: HTMLElement;
  verbs: HTMLElement;
  rows: HTMLElement;
  place: HTMLElement;
  edits: HTMLElement;
  outs: HTMLElement;
  space: HTMLElement;
  clocks: HTMLElement;
  lanes: HTMLElement;
  ways: SVGElement;
  base: SVGElement;
  plane: SVGElement;
  lit: SVGElement;
  mine: SVGElement;
  moment: HTMLElement;
  axis: HTMLElement;
  reading: HTMLElement;
  embeds: HTMLElement;
  moving: HTMLElement;
};
