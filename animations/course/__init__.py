"""The lecture films: each a TOML file of sentences, whose numbers are computed."""
