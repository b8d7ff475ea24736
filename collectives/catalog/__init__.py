"""The one table of algorithms: a row and a function are all it takes to add one."""

from __future__ import annotations

from collectives.catalog import (
    all_gather,
    all_reduce,
    all_to_all,
    barrier,
    broadcast,
    gather,
    reduce,
    reduce_scatter,
    scan,
    scatter,
    send_recv,
)
from collectives.catalog.row import DEFAULT_CHUNKS, Parameter, Row, Setting, Sizes
from collectives.collective import find_collective
from collectives.errors import BadInput
from collectives.words import nearest

__all__ = ["DEFAULT_CHUNKS", "ROWS", "Parameter", "Row", "Setting", "Sizes", "find_row"]

ROWS = (
    *broadcast.ROWS,
    *reduce.ROWS,
    *scatter.ROWS,
    *gather.ROWS,
    *all_gather.ROWS,
    *reduce_scatter.ROWS,
    *all_reduce.ROWS,
    *all_to_all.ROWS,
    *scan.ROWS,
    *barrier.ROWS,
    *send_recv.ROWS,
)


def find_row(collective: str, algorithm: str) -> Row:
    """The row of these names, hyphens or underscores; raises BadInput with the nearest.

    >>> find_row("all-reduce", "ring").title
    'ring all-reduce'
    >>> find_row("broadcast", "binomial").title
    'tree broadcast'
    """
    wanted = find_collective(collective)
    rows = {row.algorithm: row for row in ROWS if row.collective == wanted.name}
    others = {name: row for row in rows.values() for name in row.also}
    key = algorithm.replace("_", "-").lower()
    if key not in rows and key not in others:
        known = [*rows, *others] if key else rows
        raise BadInput(f"unknown {wanted.title} algorithm {algorithm!r}; {nearest(key, known)}")
    return rows.get(key) or others[key]
