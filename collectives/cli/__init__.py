"""The parts of the command line: what it is asked for, its data, its tables."""
