
// The page that a player has to itself.
const story = await unpacked(document.getElementById("story").textContent);
play(document.getElementById("player"), story, true);
