// The page of an algorithm whose code can be edited and run, with the map of its machine.

import { inflated } from "../core/unpacking.js";
import { mountEditor } from "../views/editor.js";
import { mountMap } from "../views/machine_map.js";
import { openPage } from "./opening.js";

const opened = new URLSearchParams(location.hash.slice(1)).has("edit"); // before the player writes its own
const { root, stories, open } = await openPage();
open();
mountMap(root);
const [editing, python] = ["editing", "python"].map((id) => document.getElementById(id)?.textContent ?? "");
mountEditor(root, stories[0], JSON.parse(new TextDecoder().decode(await inflated(editing))), python, opened);
