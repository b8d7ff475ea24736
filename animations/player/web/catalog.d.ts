// The types of a page of several recordings: what catalog.py writes, and what is chosen there.

/** A recording of several: its story is `place` in the packed stories of a group. */
type Entry = {
  collective: string;
  algorithm: string;
  ranks: number;
  group: number;
  place: number;
  /** The machine of its counters; latency and bandwidth of all messages there, 0 if they differ. */
  machine: string;
  latency: number;
  bandwidth: number;
  /** Bytes of the vector; seconds in each state, and those of a vector of no bytes. */
  size: number;
  times: number[];
  waits: number[];
  /** Messages that start at once over a port that takes fewer, else 0; chunks of a pipeline, else 0. */
  crowd: number;
  pipeline: number;
  wrong: number;
};

/**
 * What catalog.py writes: an entry is a list of its values; the goal of each collective; the
 * comparison of its entries, if it was written for one.
 */
type Catalog = {
  fields: (keyof Entry)[];
  entries: unknown[][];
  goals: Record<string, string>;
  compared?: Compared;
  /** Of the whole catalog: name and meaning of each family, and where each entry stands. */
  map?: { families: Record<string, [name: string, text: string]>; rows: MapRow[] };
};

/** Executed steps, bytes through the busiest port, the kind of its links, whether one begins there. */
type MapRow = { steps: number; bytes: number; family: string; start: boolean };

/**
 * Seconds of each entry on one machine, null where it never ends, and what is said of them.
 */
type Compared = {
  title: string;
  subtitle: string;
  seconds: (number | null)[];
  sentences: string[];
  beside?: Beside;
};

/**
 * What plays a comparison side by side, see pack/beside.py: names, and what tells those of one name
 * apart; faults that are there at first; from how many bytes on which of them is the fastest; the
 * words that compare them on the command line.
 */
type Beside = {
  names: string[];
  labels: string[];
  faults: import("./core/faults.js").Fault[];
  ranges: [size: number, fastest: number][];
  command: string[];
  words: import("./core/compared/sentences.js").Words;
};
