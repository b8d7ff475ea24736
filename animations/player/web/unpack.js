// Runs the player, which is packed as it is long: the page's policy names it by its digest.

import { inflated } from "./core/unpacking.js";

const [code, story] = ["code", "story"].map((id) => document.getElementById(id));
inflated(code?.textContent ?? "").then((bytes) => {
  const script = document.createElement("script"); // a module would wait for another task
  script.textContent = new TextDecoder().decode(bytes);
  document.body.append(script);
});
if (story) Object.assign(story, { unpacked: inflated(story.textContent ?? "") }); // meanwhile
