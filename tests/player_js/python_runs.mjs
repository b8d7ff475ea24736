// Runs texts in MicroPython as the page does: reads [folder, files, cases] and writes what they made.

import { readFileSync } from "node:fs";
import { startPython } from "../../animations/player/web/core/python_run.js";
import { taskFrom } from "../../animations/player/web/core/task.js";
import { triedOn } from "../../animations/player/web/core/tried.js";

const { folder, files, cases, most } = JSON.parse(readFileSync(0, "utf-8"));
const { loadMicroPython } = await import(`${folder}/package/micropython.mjs`);
const python = await startPython(loadMicroPython, files, `${folder}/package/micropython.wasm`);
const found = cases.map(({ text, function: name, trials }) => {
  const problem = python.read(text);
  return trials.map(({ arguments: given, task }) => {
    const made = problem ?? python.call(name, given, most);
    return { made, trial: triedOn(taskFrom(task), made) };
  });
});
process.stdout.write(JSON.stringify(found));
