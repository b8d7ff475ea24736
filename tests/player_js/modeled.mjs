// Draws training steps as a saved Modeler does: reads {picture, setups}, writes each as JSON.

import { readFileSync } from "node:fs";
import { efficiencies, trainingStep } from "../../animations/player/web/core/training_step.js";
import { drawnStep, stepNumbers, stepSummary } from "../../animations/player/web/views/step_picture.js";

const { picture, setups } = JSON.parse(readFileSync(0, "utf-8"));
const found = setups.map((setup) => {
  const step = trainingStep(picture, setup);
  if (!step) return null;
  const texts = { summary: stepSummary(step), numbers: stepNumbers(setup, step) };
  return { step, curves: efficiencies(picture, setup), svg: drawnStep(picture, setup), ...texts };
});
process.stdout.write(JSON.stringify(found));
