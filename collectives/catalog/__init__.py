"""The one table of algorithms: a row and a function are all it takes to add one."""

from __future__ import annotations

from dataclasses import replace

from collectives.catalog import (
    all_gather,
    all_reduce,
    all_to_all,
    barrier,
    broadcast,
    combine,
    dispatch,
    exscan,
    gather,
    reduce,
    reduce_scatter,
    scan,
    scatter,
    send_recv,
)
from collectives.catalog.parameters import DEFAULT_CHUNKS, NO_PARAMETERS, Parameter, Setting
from collectives.catalog.row import Row
from collectives.collective import find_collective
from collectives.errors import BadInput
from collectives.values import instance
from collectives.words import brief, nearest

__all__ = [
    "DEFAULT_CHUNKS",
    "NO_PARAMETERS",
    "ROWS",
    "Parameter",
    "Row",
    "Setting",
    "find_row",
    "rivals_of",
]

TABLES = (
    *(broadcast, reduce, scatter, gather, all_gather, reduce_scatter, all_reduce),
    *(all_to_all, scan, exscan, barrier, send_recv, dispatch, combine),
)
ROWS: tuple[Row, ...] = tuple(
    replace(row, collective=table.__name__.rpartition(".")[2], names=names)
    for table in TABLES  # each is named after its collective
    for names, row in table.ROWS.items()
)


def find_row(collective: str, algorithm: str) -> Row:
    """The row of an algorithm.

    Parameters
    ----------
    collective, algorithm : str
        Names, in any case, with hyphens or underscores; also the other names of an algorithm.

    Returns
    -------
    Row
        The one row of that name.

    Raises
    ------
    BadInput
        If there is none; the message has the nearest name.

    Examples
    --------
    >>> find_row("all-reduce", "ring").title
    'ring all-reduce'
    >>> find_row("broadcast", "binomial").title
    'tree broadcast'
    """
    wanted = find_collective(collective)
    rows = [row for row in ROWS if row.collective == wanted.name]
    named = {name: row for row in rows for name in (row.algorithm, *row.also)}
    key = instance("algorithm", algorithm, str, rows[0].algorithm).replace("_", "-").lower()
    if key not in named:
        first = nearest(key, [row.algorithm for row in rows])
        hint = min(nearest(key, named), first, key=len)  # of all names only one that is alike
        raise BadInput(f"unknown {wanted.title} algorithm {brief(algorithm)}; {hint}")
    return named[key]


def rivals_of(row: Row) -> tuple[Row, ...]:
    """The algorithms that one was made to beat: those its row names, else the classic one.

    >>> [rival.title for rival in rivals_of(find_row("all_reduce", "nvls"))]
    ['ring all-reduce']
    >>> [rival.title for rival in rivals_of(find_row("all_gather", "pat"))]
    ['bruck all-gather', 'ring all-gather']
    """
    if row.against:
        return tuple(find_row(row.collective, name) for name in row.against.split())
    return tuple(rival for rival in ROWS if rival.collective == row.collective and rival.classic)
