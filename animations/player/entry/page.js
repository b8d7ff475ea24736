// The page that a player has to itself.

import { unpacked } from "../core/story.js";
import { play } from "../player.js";
import { adopt } from "../theme.js";

adopt(STYLE);

const [packed, root] = ["story", "player"].map((id) => document.getElementById(id));
if (packed && root) {
  const [story] = await unpacked(packed.textContent ?? "");
  play(root, story, "");
}
