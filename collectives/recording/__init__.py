"""Recordings: how they are made, what they hold, how they are replayed, counted and saved."""
