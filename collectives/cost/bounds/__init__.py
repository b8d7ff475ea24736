"""Closed forms of the time, and the least time that is possible."""
