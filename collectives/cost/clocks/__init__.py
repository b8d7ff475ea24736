"""The clocks: lockstep and dataflow, and how messages share ports and links."""
