// Plays the story of a page that a player has to itself.

import { storiesOf } from "../core/story.js";
import { play } from "../player.js";
import { adopt } from "../theme.js";

/** The root of the player, and its story. */
export async function openPage() {
  adopt(STYLE);
  const [element, root] = ["story", "player"].map((id) => /** @type {any} */ (document.getElementById(id)));
  const [story] = storiesOf(await element.unpacked); // by unpack.js, in the meantime
  play(root, story, "");
  return { root, story };
}
