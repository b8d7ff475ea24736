"""What libraries are known to do, in plain Python: bytes they move, order in which they add.

The orders reproduce the float32 bits of Open MPI and MPICH on 2 to 8 ranks, the byte counts are
those of Open MPI's own monitor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random

import numpy as np
from interpreter import Cell
from promises import Run, unrolled

Floats = list[np.float32]


def floats(run: Run, seed: int = 1) -> tuple[dict[Cell, np.float32], dict[Cell, np.float32]]:
    """Random float32 before, and what the schedule makes of them, one addition at a time."""
    random = Random(seed)
    before = {cell: np.float32(random.gauss(0, 1)) for cell in run.states[0]}
    held = dict(before)
    for step in run.steps:
        moves = [(row, held[row.src, row.chunk]) for row in unrolled(step)]
        for row, value in moves:
            adds = row.adds and (row.dst, row.into) in held
            held[row.dst, row.into] = held[row.dst, row.into] + value if adds else value
    return before, held


def column(values: dict[Cell, np.float32], slot: int, n: int) -> Floats:
    """What the ranks hold in one slot."""
    return [values[rank, slot] for rank in range(n)]


def nearest_first(values: Sequence[np.float32]) -> np.float32:
    """A balanced tree: neighbors are added, then sums of two, and so on."""
    sums = list(values)
    while len(sums) > 1:
        sums = [sums[k] + sums[k + 1] for k in range(0, len(sums), 2)]
    return sums[0]


def farthest_first(values: Sequence[np.float32]) -> np.float32:
    """A balanced tree in which the first and the second half are added first."""
    sums = list(values)
    while len(sums) > 1:
        half = len(sums) // 2
        sums = [sums[k] + sums[k + half] for k in range(half)]
    return sums[0]


def pairs_folded(values: Sequence[np.float32]) -> Floats:
    """As many sums of two at the front as leave a power of two values."""
    beyond = len(values) - largest_power(len(values))
    folded = [values[2 * k] + values[2 * k + 1] for k in range(beyond)]
    return [*folded, *values[2 * beyond :]]


def tail_folded(values: Sequence[np.float32]) -> Floats:
    """The values beyond a power of two are added to the first ones."""
    power = largest_power(len(values))
    tail = values[power:]
    return [a + b for a, b in zip(values, tail, strict=False)] + list(values[len(tail) : power])


def largest_power(number: int) -> int:
    """The largest power of two up to a number."""
    power = 1
    while 2 * power <= number:
        power *= 2
    return power


def traffic(run: Run) -> tuple[Fraction, Fraction, Fraction, int]:
    """Bytes in all, of the busiest sender and receiver, in full vectors; and the messages.

    A slot that goes from one rank to another twice in a step counts once.
    """
    out: Counter[int] = Counter()
    into: Counter[int] = Counter()
    for step in run.steps:
        rows = {(row.src, row.dst, row.chunk) for row in unrolled(step) if row.src != row.dst}
        out.update(src for src, _, _ in rows)
        into.update(dst for _, dst, _ in rows)
    parts = (out.total(), max(out.values(), default=0), max(into.values(), default=0))
    total, most, received = (Fraction(part, run.chunk_count) for part in parts)
    return total, most, received, sum(map(len, run.messages()))


def in_vectors(total: str, most: str, received: str, messages: int) -> tuple[Fraction | int, ...]:
    """The same four numbers, as they are written in a table."""
    return Fraction(total), Fraction(most), Fraction(received), messages
