// The page that a player has to itself in several languages, of which its reader chooses one.

import { showLanguages } from "../languages_page.js";
import { mountPrograms } from "../views/programs.js";
import { openPage } from "./opening.js";

showLanguages(await openPage(), (root, story) => {
  if (story.programs) mountPrograms(root, story);
});
