// The types of a page's machine, and of what its reader changes.

/** How many times the size, latency and bandwidth of the page's own machine, and what is wrong with it. */
type Setting = { size: number; latency: number; bandwidth: number; faults: import("./core/faults.js").Fault[] };

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
  /** Kinds of nodes in the language of the page, where that has other names for them. */
  called?: Record<string, string>;
};

/** Where a story is timed, null for nowhere; under a setting the moves of each step that never arrive, if any, and its timing. */
type Under = { setup: Setup | null; lost?: Set<number>[]; setting?: Setting; timing?: import("./core/clock/clocks.js").Timing };

/** Whether the machine is shown; what the reader has changed of it, and the faults before each change of them. */
type MachineState = { machine: boolean; setting: Setting; faultsBefore: import("./core/faults.js").Fault[][] };

type SettingAction =
  | { kind: "setting"; setting: Partial<Setting> }
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
