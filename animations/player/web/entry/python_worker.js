// Runs in a worker behind MicroPython's own script: makes the schedules that a page asks for.

import { startPython } from "../core/python_run.js";

/**
 * First comes what Python needs: the library's files and its program. Then a text, the name of its
 * function, and the arguments of each call; each answer names its call.
 * @typedef {{files: Record<string, string>, program: ArrayBuffer}} Needed
 * @typedef {{text: string, name: string, calls: Record<string, unknown>[]}} Asked
 */

/** @type {Awaited<ReturnType<typeof startPython>>} */
let python;

/** @param {MessageEvent<Needed & Asked>} event */
self.onmessage = async ({ data }) => {
  if (data.program) {
    const headers = { "content-type": "application/wasm" };
    self.fetch = async () => new Response(data.program, { headers }); // nothing is ever loaded
    python = await startPython(loadMicroPython, data.files, "micropython.wasm");
    self.postMessage({ ready: true });
    return;
  }
  const problem = python.read(data.text);
  data.calls.forEach((given, number) => {
    self.postMessage({ number, made: problem ?? python.call(data.name, given) });
  });
};
