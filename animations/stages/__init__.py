"""Where the nodes of a picture stand."""
