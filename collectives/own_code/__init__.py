"""Somebody's own code, found in a file and run in a process of its own, which sends steps alone."""
