"""The storyboard as a page: the data that the player replays, and the player itself."""
