// The page that a player has to itself in several languages, of which its reader chooses one.

import { speak } from "../core/say.js";
import { addLanguages } from "../views/languages.js";
import { mountPrograms } from "../views/programs.js";
import { openPage } from "./opening.js";

const { root, stories, open } = await openPage();
let [now, leave] = [-1, () => {}];

function show() {
  const number = speak(new URLSearchParams(location.hash.slice(1)).get("lang") ?? "");
  if (number === now) return;
  now = number;
  leave();
  leave = open(now);
  addLanguages(root);
  if (stories[now].programs) mountPrograms(root, stories[now]);
}

addEventListener("hashchange", show);
show();
