// The page of an algorithm with the map of its machine, in several languages.

import { showLanguages } from "../languages_page.js";
import { mountMap } from "../views/machine_map.js";
import { openPage } from "./opening.js";

showLanguages(await openPage(), mountMap);
