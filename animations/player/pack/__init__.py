"""What a page holds: stories as short texts, and the player's modules as one."""
