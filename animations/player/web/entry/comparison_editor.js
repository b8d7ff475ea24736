// The page of a comparison whose code can be edited and run: what is written runs beside the others.

import { openComparison } from "../comparison_page.js";
import { inflated } from "../core/unpacking.js";
import { mountEditor } from "../views/editor.js";

const { abreast, stories } = await openComparison();
const textOfElement = (/** @type {string} */ id) => document.getElementById(id)?.textContent ?? "";

for (const [number, story] of stories.entries()) {
  const packed = textOfElement(`editing-${number}`);
  if (!packed) continue;
  const { section } = abreast.panels[number];
  const act = (/** @type {{kind: string, steps: BuiltSteps | null}} */ { kind, steps }) => kind === "built" && abreast.write(number, steps);
  Object.assign(section, { collectives: { store: { act, state: { help: true } } } }); // whose keys are not those of an editor
  mountEditor(section, story, JSON.parse(new TextDecoder().decode(await inflated(packed))), textOfElement("python"));
  abreast.counted.before(/** @type {HTMLElement} */ (section.querySelector(".editor")));
}
