"""How much work it is to time an algorithm, by its formulas, before anything of it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from collectives.catalog import NO_PARAMETERS, Row
from collectives.cost.choose.crossover import MANY
from collectives.errors import BadInput
from collectives.recording.recorder import record
from collectives.recording.request import catalog_request
from collectives.theory import Case

MOST_MESSAGES = 1 << 22  # of an algorithm that is timed beside others
PIECES = 8  # of the vector that are moved together cost about as much as a message
ALONE = 1 << 28  # chunks up to which an algorithm is timed alone in a minute or so
FEW = 64  # ranks on which it is seen whether an algorithm moves its chunks one by one


def check_amount(
    row: Row,
    ranks: int,
    root: int = 0,
    parameters: Mapping[str, int] = NO_PARAMETERS,
    most_messages: int = MOST_MESSAGES,
) -> None:
    """Raise BadInput, naming the amount, where an algorithm is too long to time beside others.

    most_messages: of its steps. Those that move every chunk by a row of its own, and those of
    which many numbers of chunks are tried, may have `MOST_MESSAGES` of all that.
    """
    messages, chunk_count = _amount(row, ranks, root, None, parameters)
    name = f"{row.collective.replace('_', '-')} {row.algorithm} -n {ranks}"
    alone = f"; time {name} times it alone" if chunk_count <= ALONE else ""
    if messages > most_messages:
        raise BadInput(f"{messages:,} messages are too many beside others{alone}")
    single = chunk_count > MOST_MESSAGES and _one_by_one(row)
    if chunk_count > MOST_MESSAGES * (1 if single else PIECES):
        raise BadInput(
            f"{chunk_count:,} chunks in {messages:,} messages are too many beside others{alone}"
        )
    if "chunks" in row.parameters:
        tried = _amount(row, ranks, root, MANY[-1], parameters)[0]
        if tried > MOST_MESSAGES:
            raise BadInput(
                f"{tried:,} messages of {MANY[-1]} chunks, to find the best number, are too many "
                f"beside others{alone}"
            )


def fits(row: Row, ranks: int, root: int = 0, most_messages: int = MOST_MESSAGES) -> bool:
    """Whether an algorithm can be timed beside others on so many ranks."""
    try:
        check_amount(row, ranks, root, NO_PARAMETERS, most_messages)
    except BadInput:
        return False
    return True


def refuse_amount(
    rows: Sequence[Row], ranks: int, root: int, most_messages: int = MOST_MESSAGES
) -> None:
    """Raise BadInput where none of these fits on so many ranks, though one does on fewer."""
    few, many = root + 1, ranks
    if any(fits(row, many, root, most_messages) for row in rows):
        return
    if not any(fits(row, few, root, most_messages) for row in rows):
        return
    while many - few > 1:
        middle = (few + many) // 2
        if any(fits(row, middle, root, most_messages) for row in rows):
            few = middle
        else:
            many = middle
    raise BadInput(
        f"-n {ranks}: each {rows[0].promise.title} algorithm sends more than {most_messages:,} "
        f"messages or chunks, too many to time beside others; nearest: -n {few}"
    )


def _amount(
    row: Row, ranks: int, root: int, chunks: int | None, parameters: Mapping[str, int]
) -> tuple[int, int]:
    """Messages, and chunks of the vector that are moved in them."""
    request = catalog_request(row, ranks, root, chunks, parameters)
    one_each = np.broadcast_to(np.intp(1), request.chunk_count)
    case = Case(ranks, one_each, root, parameters=request.parameters)
    return row.form.message_count(case), row.form.total_range(case)[1]


@lru_cache(maxsize=256)
def _one_by_one(row: Row) -> bool:
    """Whether an algorithm's chunks have rows of their own, as it has them on few ranks."""
    ranks = max(number for number in range(1, FEW + 1) if row.accepts(number))
    messages, chunk_count = _amount(row, ranks, 0, None, NO_PARAMETERS)
    made = record(row.collective, row.algorithm, ranks=ranks, count=0)
    return 2 * made.counters.rows > messages + chunk_count
