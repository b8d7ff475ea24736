"""How the clocks walk through a recording: messages, shared links, ports, slots and events."""
