// The types of a page's machine, and of what its reader changes.

/** How many times the size, latency and bandwidth of the page's own machine, and what is wrong with it. */
type Setting = { size: number; latency: number; bandwidth: number; faults: import("./core/faults.js").Fault[]; moves: string[] };

/** The machine of a page and what travels there; see setup_data.py. */
type Setup = {
  name: string;
  /** How many nodes there are of each kind, ranks first. */
  kinds: [kind: string, count: number][];
  /** Of each link where it begins and ends, latency, bandwidth, lanes, group. */
  links: number[][];
  capacity: number[];
  /** Columns of source, destination and links, each number less the one above. */
  paths: number[][];
  chunks: number;
  unit: number;
  size: number;
  nodes: number;
  slots: number;
  steps: number[][][] | null;
  needs: number[][] | null;
  /** The words that time it on the command line. */
  command: string[];
  /** Nodes that have one port, the first ones. */
  ports: number;
  /** That of the counters. */
  clock: string;
  /** Latency and bandwidth of all messages, if they are the same. */
  figures: [latency: number, bandwidth: number] | null;
  /** Seconds of the least latency, and of the least bytes. */
  bound: [latency: number, moving: number] | null;
  ending: string;
  /** Bytes at which the faster of the algorithm and a rival changes; what holds below and above. */
  turns: [bytes: number, below: string, above: string][];
  /** Kinds of nodes in the language of the page, where that has other names for them. */
  called?: Record<string, string>;
  /** Whether all links and the paths of all pairs are there. */
  explored?: boolean;
  /** The rank with a part of its own, or -1. */
  rooted?: number;
  /** The GPU of each rank, where some have moved. */
  seats?: number[];
};

/** A drawing of the machine: boxes by name, a path of each link, words, boxes round the parts of the cut. */
type MapPicture = {
  size: [width: number, height: number];
  /** Pixels below which it is scrolled. */
  least: number;
  boxes: [name: string, left: number, top: number, width: number, height: number][];
  lines: string[];
  texts: [text: string, x: number, baseline: number, size: number, align: string][];
  cut: Box[];
};

/** See map_data.py. */
type MachineMap = {
  pictures: MapPicture[];
  sources: string[];
  stairs: [name: string, rate: number, here: number, source: string][];
  memory: [gpu: string, rate: number, source: string] | null;
  makeup: string;
  open: boolean;
  cut: { links: number[]; vectors: number; passes: string; narrowest: boolean } | null;
};

/** A rank or another node, or a link, by its number. */
type MapPart = { kind: "node" | "link"; at: number };
/** What the map shows that no address names. */
type MapShown = { part: MapPart | null; whole: boolean; cut: boolean };

/** Where a story is timed, null for nowhere; under a setting the moves of each step that never arrive, if any, and its timing. */
type Under = { setup: Setup | null; map?: MachineMap; lost?: Set<number>[]; setting?: Setting; timing?: import("./core/clock/clocks.js").Timing };

/** Whether the machine is shown; what the reader has changed of it, and the faults and moves before each change of them; whether its map is. */
type MachineState = { machine: boolean; map: boolean; setting: Setting; faultsBefore: Pick<Setting, "faults" | "moves">[] };

type SettingAction =
  | { kind: "setting"; setting: Partial<Setting> }
  | { kind: "place"; moves: string[] }
  | { kind: "break"; faults: import("./core/faults.js").Fault[] }
  | { kind: "mend"; faults?: import("./core/faults.js").Fault[] };

/** The elements of the machine's panel. */
type MachineParts = {
  machine: HTMLButtonElement;
  setup: HTMLElement;
  named: HTMLElement;
  sliders: HTMLElement;
  target: HTMLSelectElement;
  breaks: HTMLElement;
  mends: HTMLElement;
  effects: HTMLElement;
  settles: HTMLElement;
  broken: SVGElement;
};
