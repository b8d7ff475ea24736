// Plays the story of a page that a player has to itself.

import { storiesOf } from "../core/story.js";
import { play } from "../player.js";
import { adopt } from "../theme.js";

/** The page, what it shows in each of its languages, and how to play that. */
export async function openPage() {
  adopt(STYLE);
  const [element, root] = ["story", "player"].map((id) => /** @type {any} */ (document.getElementById(id)));
  const stories = storiesOf(await element.unpacked); // by unpack.js, in the meantime
  return { root, stories, open: (number = 0) => play(root, stories[number], "") };
}
