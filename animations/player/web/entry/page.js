// The page that a player has to itself.

import { openPage } from "./opening.js";

const { open } = await openPage();
open();
