"""Says what is wrong with a recording: which rank, whose data, at which step and source line."""
