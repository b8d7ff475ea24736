// The page of an algorithm with the map of its machine.

import { mountMap } from "../views/machine_map.js";
import { openPage } from "./opening.js";

const { root, open } = await openPage();
open();
mountMap(root);
