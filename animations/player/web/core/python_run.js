// Starts MicroPython with the library's files, and makes schedules of what was written.

import { forMicroPython } from "./python_text.js";

const MOST_STEPS = 2000;
const OUTSIDE = ["js", "jsffi"]; // modules that reach what is around Python
const HEAP = 1 << 26; // bytes
// modules of Python's library that `standard` stands in for
const STANDARD = ["__future__", "dataclasses", "functools", "itertools", "operator", "typing"];

/**
 * What a call of the function made: its steps, each with rows of src, dst, chunk, into, count,
 * whether it adds, and the slot it needs if that is another one; the lines they came from, as
 * [function, file, line], outermost first. What it raised, and where: line 0 is not known.
 * @typedef {{steps: number[][][], lines: [string, string, number][][][], error?: string, line?: number}} Made
 */

/**
 * @param {(options: {heapsize: number, url?: string}) => Promise<any>} loadMicroPython
 * @param {Record<string, string>} files
 * @param {string} [url]
 */
export async function startPython(loadMicroPython, files, url) {
  const python = await loadMicroPython({ heapsize: HEAP, url });
  const folders = new Set(["/lib"]);
  for (const path of Object.keys(files)) {
    path.split("/").slice(0, -1).reduce((above, name) => {
      folders.add(`${above}/${name}`);
      return `${above}/${name}`;
    }, "/lib");
  }
  for (const folder of folders) python.FS.mkdir(folder);
  for (const [path, text] of Object.entries(files)) python.FS.writeFile(`/lib/${path}`, text);
  const [names, refused] = [STANDARD, OUTSIDE].map((each) => JSON.stringify(each));
  python.runPython(
    `import standard, sys\nfor name in ${names}: sys.modules[name] = standard\n`
    + `for name in ${refused}: sys.modules[name] = standard.Refused(name)`,
  );
  const runner = python.pyimport("runner");
  return {
    /**
     * Reads a text; what is wrong with it, or null.
     * @param {string} text
     * @returns {Made | null}
     */
    read(text) {
      const problem = runner.load(forMicroPython(text));
      return problem ? { steps: [], lines: [], ...JSON.parse(problem) } : null;
    },
    /**
     * Calls a function of the text that was read last.
     * @param {string} name
     * @param {Record<string, unknown>} given
     * @param {number} most steps
     * @returns {Made}
     */
    call(name, given, most = MOST_STEPS) {
      const { steps, lines, ...raised } = JSON.parse(runner.steps(name, JSON.stringify(given), most));
      return { ...raised, steps: steps.map(rowsOf), lines: lines.map(stampsOf) };
    },
  };
}

/**
 * The rows of a table of columns.
 * @param {number[][]} columns
 */
function rowsOf(columns) {
  return columns[0].map((_, row) => columns.map((column) => column[row]));
}

/**
 * The stamp of each row.
 * @param {[stamps: [string, string, number][][], origin: number[]]} lines
 */
function stampsOf([stamps, origin]) {
  return origin.map((index) => stamps[index]);
}
