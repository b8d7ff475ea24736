"""A machine of one's own as a file tells it, for the tests of the command line."""

TOML = """
name = "three in a row"
ranks = 3
[[link]]
between = [[0, 1], [1, 2]]
bandwidth = "10GB/s"
latency = "2us"
"""
