"""Shows how an order of additions rounds: the sums as they are added, and distances in ulps."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from collectives.cli.text import say, wrapped
from collectives.proof.addition_order import Sum, matters, order_of
from collectives.recording.recording import Recording
from collectives.words import ranges

MOST_OF_A_SHAPE = 4  # sums that differ in who comes first only

Array = npt.NDArray[Any]


def show_order(recording: Recording) -> None:
    """Who is added to whom, where another order could have another result."""
    if not matters(recording):
        return
    adds, what = ("times", "products") if recording.op == "prod" else ("plus", "sums")
    say()
    say(f"order of the {what}", bold=True)
    say(f"  x0: what rank 0 has; of a {adds} b and b {adds} a, which are the same, one is written")
    found = order_of(recording)
    shapes = {found_sum.shape: number for number, found_sum in reversed(list(enumerate(found)))}
    found.sort(key=lambda one: shapes[one.shape])
    for _, group in groupby(found, lambda one: one.shape):
        alike = list(group)
        for one in alike[:MOST_OF_A_SHAPE]:
            for line in wrapped(f"  {_label(one, recording)}: {written(one, recording)}", 6):
                say(line)
        if len(alike) > MOST_OF_A_SHAPE:
            say(f"  … and {len(alike) - MOST_OF_A_SHAPE} more of this shape")


def order_report(recording: Recording) -> list[dict[str, Any]] | None:
    """The sums for `--json`; None where the order cannot matter, or the ranks are many."""
    if not matters(recording):
        return None
    return [
        {"sum": written(one, recording), "ranks": one.ranks, "chunks": one.chunks}
        for one in order_of(recording)
    ]


def written(one: Sum, recording: Recording) -> str:
    """The expression, with the sign of the operation."""
    return one.expression.replace("+", "*") if recording.op == "prod" else one.expression


def ulps_apart(one: Array, other: Array) -> npt.NDArray[np.uint64]:
    """How many floats two floats are apart, counting from one to the next of their dtype.

    >>> a = np.array([1, 0, -1], np.float32)
    >>> ulps_apart(a, np.nextafter(a, np.float32(2)))
    array([1, 1, 1], dtype=uint64)
    """
    first, second = _counted(one), _counted(other)
    return np.maximum(first, second) - np.minimum(first, second)


def _counted(floats: Array) -> npt.NDArray[np.uint64]:
    """Floats as whole numbers in the same order, neighbors 1 apart, both zeros the same."""
    bits = floats.view(f"i{floats.itemsize}").astype(np.int64)
    lowest = np.int64(np.iinfo(f"i{floats.itemsize}").min)
    ordered = np.where(bits < 0, lowest - bits, bits)
    return ordered.view(np.uint64) + np.uint64(1 << 63)


def _label(one: Sum, recording: Recording) -> str:
    """Which chunks of which ranks are added like this."""
    cells, after = set(one.cells), recording.postcondition
    ranks, chunks = one.ranks, one.chunks
    promised = {(r, c) for r, c in np.argwhere(after).tolist() if c in chunks}
    some = _numbered("chunk", chunks) if len(chunks) < recording.chunk_count else "every chunk"
    some = some if recording.chunk_count > 1 else ""
    if cells == promised:
        return some or "every rank"
    if cells == {(r, c) for r, c in promised if r in ranks}:
        return ", ".join(filter(None, (_numbered("rank", ranks), some)))
    return ", ".join(f"rank {rank} chunk {chunk}" for rank, chunk in one.cells)


def _numbered(noun: str, numbers: list[int]) -> str:
    return f"{noun} {numbers[0]}" if len(numbers) == 1 else f"{noun}s {ranges(numbers)}"
