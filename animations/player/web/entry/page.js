// The page that a player has to itself.

import { storiesOf } from "../core/story.js";
import { play } from "../player.js";
import { adopt } from "../theme.js";

adopt(STYLE);

const [element, root] = ["story", "player"].map((id) => document.getElementById(id));
if (element && root) {
  const { unpacked } = /** @type {any} */ (element); // by unpack.js, in the meantime
  const [story] = storiesOf(await unpacked);
  play(root, story, "");
}
