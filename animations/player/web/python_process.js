// Python in a worker, which is ended where it does not answer in time.

import { inflated } from "./core/unpacking.js";

const PATIENCE = 2000; // milliseconds for one answer
const START = 20_000; // for the first one, on a slow machine

/** @typedef {import("./core/python_run.js").Made} Made */

/**
 * @param {string} packed see `packed_python` of pack/editor.py
 */
export function pythonProcess(packed) {
  const unpacking = inflated(packed);
  /** @type {Promise<Worker> | null} */
  let process = null; // that has started or is starting
  let running = false;
  let stop = () => {}; // what runs
  const end = () => {
    stop();
    process?.then((worker) => worker.terminate()).catch(() => {});
    process = null;
  };
  const start = () => {
    const fresh = (process ??= started(unpacking));
    fresh.catch(() => {
      if (fresh === process) process = null; // it may be tried again
    });
    return fresh;
  };
  return {
    start,
    /**
     * Calls a function of a text with each of several arguments, and hears each answer; resolves
     * to the number of the first call that had none in time, or -1, also if another run begins.
     * @param {string} text
     * @param {string} name
     * @param {Record<string, unknown>[]} calls
     * @param {(number: number, made: Made) => void} hear
     * @returns {Promise<number>}
     */
    async run(text, name, calls, hear) {
      if (running) end();
      running = true;
      const mine = start();
      const python = await mine;
      if (mine !== process) return -1; // another run began while Python started
      return new Promise((resolve) => {
        let [next, timer] = [0, 0];
        const over = (/** @type {number} */ unanswered) => {
          clearTimeout(timer);
          [running, stop] = [false, () => {}];
          resolve(unanswered);
        };
        const wait = () => {
          clearTimeout(timer);
          timer = setTimeout(() => {
            over(next);
            end();
          }, PATIENCE);
        };
        stop = () => over(-1);
        python.onmessage = ({ data: { number, made: schedule } }) => {
          next = number + 1;
          wait();
          hear(number, schedule);
          if (next === calls.length) over(-1);
        };
        python.postMessage({ text, name, calls });
        wait();
      });
    },
  };
}

/**
 * A worker in which Python has started; rejects where a page may have none.
 * @param {Promise<ArrayBuffer>} unpacking
 * @returns {Promise<Worker>}
 */
async function started(unpacking) {
  const whole = await unpacking;
  const length = new DataView(whole).getUint32(0, true);
  const [script, files] = JSON.parse(new TextDecoder().decode(new Uint8Array(whole, 4, length)));
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(url);
  const ready = new Promise((resolve, reject) => {
    worker.onmessage = () => resolve(worker);
    worker.onerror = reject;
    setTimeout(reject, START);
  });
  worker.postMessage({ files, program: whole.slice(4 + length) });
  try {
    return await ready;
  } catch (problem) {
    worker.terminate();
    throw problem;
  } finally {
    URL.revokeObjectURL(url);
  }
}
