"""Where a reader of the catalog begins: one algorithm of each of four ideas."""

from __future__ import annotations

START_HERE = (
    ("all_reduce", "ring"),  # every link works in every step
    ("broadcast", "tree"),  # those who have the data double
    ("all_reduce", "recursive-doubling"),  # partners swap whole sums: fewest steps
    ("all_reduce", "hierarchical"),  # what runs inside nodes, and what between them
)
"""Collectives and algorithms: first the ring, then trees, doubling, and groups of ranks."""
