"""How a result rounds, in lines: its difference from numpy's, and the order of the additions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

import numpy as np

from collectives.proof.addition_order import Sum, addition_order, matters
from collectives.proof.rounding import Rounding
from collectives.recording.payload import OPERATIONS
from collectives.recording.recording import Recording
from collectives.text_lines import Heading, Lines, Paragraph
from collectives.words import plural, ranges

MOST_OF_A_SHAPE = 4  # sums that differ in who comes first only
IN_SWITCHES = (
    "what meets in a switch is added in the order of this schedule; a switch may add otherwise. Of "
    "NVLS it was measured that float32 is the exact sum, rounded once, and bfloat16 is not "
    "(NVIDIA/nccl #2360, NVIDIA/Megatron-LM PR 6806)"
)

QUANTIZED = (
    "how often each rank's data is rounded, at most, if a rank, or a switch, quantizes what it "
    "sends and keeps that, adds in full precision, and passes on codes as they came (vLLM's "
    "QuickReduce does so in two-shot; arXiv 2412.04964, 2506.17615)"
)


def rounding_lines(rounding: Rounding, recording: Recording) -> Iterator[str]:
    """How the result differs from numpy's, a line for each finding."""
    name, dtype = OPERATIONS[recording.op], recording.dtype
    numpys = f"numpy's {name}" if recording.collective.reduces else "the data"
    ulps = f" ({plural(rounding.ulps, 'ulp')})" if rounding.ulps else ""
    elements = f"{rounding.differing} of {rounding.elements} elements of the result"
    differ = f"{elements} differ from {numpys}, by up to {rounding.largest:.3g}{ulps}"
    if not rounding.differing:
        yield f"all {rounding.elements} elements of the result equal {numpys}, to the last bit"
    elif rounding.within:
        yield f"rounding: {differ}:"
        yield f"{dtype} rounds, and the order differs; numpy's: rank 0 first"
        yield f"for example {rounding.example}"
    else:
        yield f"{differ}: more than rounding explains"
    if rounding.overflowed:
        few = f"{rounding.overflowed} of {recording.count} elements of the {name}"
        wider = "float64" if dtype.itemsize == 8 else "int64"
        yield f"overflow: {few} do not fit in {dtype} and wrap, numpy's too; try: {wider}"
    if rounding.disagreeing:
        yield f"rounding: in {rounding.disagreeing} elements the ranks differ in some bits"
    if rounding.not_finite:
        yield f"{rounding.not_finite} elements of the data are NaN or infinite"
    if rounding.exact is not None and rounding.numpys is not None:
        yield f"largest error against the exact {name} (math.fsum): {rounding.exact}"
        yield f"that of numpy's {name}, rank 0 first: {rounding.numpys}"
    if rounding.ulps or rounding.exact is not None:
        yield f"ulp: the distance from one {dtype} to the next"


def order_lines(recording: Recording, exact: bool = False) -> Lines:
    """Which rank's data is added to which, where another order could change the result.

    exact: how often each rank's data would be rounded in quantized messages, too.
    """
    if not matters(recording):
        return
    adds, what = ("times", "products") if recording.op == "prod" else ("plus", "sums")
    yield ""
    yield Heading(f"order of the {what}")
    yield f"  x0: what rank 0 has; of a {adds} b and b {adds} a, which are the same, one is written"
    sums = _by_shape(addition_order(recording))
    yield from _of_each(sums, recording, lambda term: term.expression)
    if adds_in_switches(recording):
        yield Paragraph(f"  whose order: {IN_SWITCHES}", indent=4)
    if exact:
        yield ""
        yield Heading(f"roundings of the {what} if messages were fp8 or int8")
        yield Paragraph(f"  {QUANTIZED}", indent=2)
        yield from _of_each(sums, recording, _roundings)


def _by_shape(sums: list[Sum]) -> list[Sum]:
    """Sums of one shape beside each other, in the order of the first of each shape."""
    shapes = {term.shape: number for number, term in reversed(list(enumerate(sums)))}
    return sorted(sums, key=lambda term: shapes[term.shape])


def _of_each(sums: list[Sum], recording: Recording, text: Callable[[Sum], str]) -> Lines:
    """A line for each of the first sums of a shape."""
    for _, group in groupby(sums, lambda term: term.shape):
        alike = list(group)
        for term in alike[:MOST_OF_A_SHAPE]:
            yield Paragraph(f"  {_label(term, recording)}: {text(term)}", indent=6)
        if len(alike) > MOST_OF_A_SHAPE:
            yield f"  … and {len(alike) - MOST_OF_A_SHAPE} more of this shape"


def _roundings(term: Sum) -> str:
    """How often the data of which ranks is rounded, the most first."""
    by_times: dict[int, list[int]] = {}
    for rank, times in term.roundings.items():
        by_times.setdefault(times, []).append(rank)
    most_first = sorted(by_times.items(), reverse=True)
    return "; ".join(
        f"{plural(times, 'time')} {_numbered('rank', ranks)}" for times, ranks in most_first
    )


def adds_in_switches(recording: Recording) -> bool:
    """Whether data is added up in nodes that stand for switches."""
    if recording.helpers != "switch" or recording.nodes == recording.ranks:
        return False
    return any(bool(s.reduces[s.dst >= recording.ranks].any()) for s in recording.steps)


def order_values(recording: Recording) -> list[dict[str, Any]] | None:
    """The sums for `--json`; None where the order cannot matter, or for too many ranks."""
    if not matters(recording):
        return None
    return [
        {
            "sum": term.expression,
            "ranks": term.ranks,
            "chunks": term.chunks,
            "roundings": dict(term.roundings),
        }
        for term in addition_order(recording)
    ]


def _label(term: Sum, recording: Recording) -> str:
    """Which chunks of which ranks are added like this."""
    cells, after = set(term.cells), recording.postcondition
    ranks, chunks = term.ranks, term.chunks
    promised = {(r, c) for r, c in np.argwhere(after).tolist() if c in chunks}
    some = _numbered("chunk", chunks) if len(chunks) < recording.chunk_count else "every chunk"
    some = some if recording.chunk_count > 1 else ""
    if cells == promised:
        return some or "every rank"
    if cells == {(r, c) for r, c in promised if r in ranks}:
        return ", ".join(filter(None, (_numbered("rank", ranks), some)))
    return ", ".join(f"rank {rank} chunk {chunk}" for rank, chunk in term.cells)


def _numbered(noun: str, numbers: list[int]) -> str:
    return f"{noun} {numbers[0]}" if len(numbers) == 1 else f"{noun}s {ranges(numbers)}"
