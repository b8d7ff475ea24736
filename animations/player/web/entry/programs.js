// The page of a schedule that programs of single ranks make.

import { mountPrograms } from "../views/programs.js";
import { openPage } from "./opening.js";

const { root, stories, open } = await openPage();
open();
mountPrograms(root, stories[0]);
