"""Which elements of a vector a library adds in which order, and where two setups differ."""
