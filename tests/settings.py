"""The cases in which rows of the catalog are tried: rows, numbers of ranks, roots, parameters.

`make thorough`, or THOROUGH=1 in the environment, tries all of them. `make test` tries a sample,
which is the same one every time and has every property in it: rules that a row states of itself
are tried on every row, rules that hold of all rows alike on SOME_ROWS; of the numbers of ranks
those in SOME_RANKS, of the roots two. Seeds and further cases are cut by `sampled`.

Two things keep it fast: sweeps that cost much say how `few` of their cases it tries (`each`), and
tests share what is slow to make: a browser and its tab, the site, a lab. A new test takes a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from spread import THOROUGH

from collectives import ROWS, record
from collectives.catalog import Row, Setting

Case = TypeVar("Case")
EVERY_ROOT = 9 if THOROUGH else 3  # ranks up to which every root is tried
CHUNKS = (1, 4, 7) if THOROUGH else (1, 4)
STATED = [row for row in ROWS if row.structure]  # rows that state what their links are
SOME_RANKS = frozenset((*range(1, 10), 12, 16, 27))
"""None, few, odd, even, powers of two and three, products of two and three."""


def sampled(cases: Iterable[Case], each: int) -> list[Case]:
    """All cases, or the first, the last and each so many between."""
    every = list(cases)
    if THOROUGH:
        return every
    return [case for k, case in enumerate(every) if k % each == 0 or k == len(every) - 1]


def kind(row: Row) -> set[object]:
    """What sets a row apart from others: some row of the sample has it."""
    promise = row.promise
    return {
        ("collective", row.collective),
        ("module", row.function.__module__),
        ("helpers", row.helpers if row.in_network else ""),
        ("sizes", row.sizes.text),
        *(("parameter", parameter.name) for parameter in row.takes),
        ("chunks", "chunks" in row.parameters, promise.rooted, promise.reduces),
    }


def few_of_every_kind(
    rows: Sequence[Row], kind: Callable[[Row], set[object]] = kind
) -> Iterator[Row]:
    """The first row, then the one with most of what none before it has, until all is had."""
    missing = set().union(*map(kind, rows))
    row = rows[0]
    while missing:
        yield row
        missing -= kind(row)
        row = max(rows, key=lambda row: len(kind(row) & missing))


RING_FIRST = sorted(ROWS, key=lambda row: row.title != "ring all-reduce")
SOME_ROWS: Sequence[Row] = ROWS if THOROUGH else tuple(few_of_every_kind(RING_FIRST))


def taken(row: Row, *wanted: int) -> int:
    """The first of these numbers of ranks that the row accepts, or the next number it accepts."""
    most = wanted[-1]
    return next(n for n in (*wanted, *range(most, 2 * most + 2)) if row.accepts(n))


def sampled_ranks(numbers: Iterable[int]) -> list[int]:
    """Of these numbers of ranks all, or those of the sample."""
    return [n for n in numbers if THOROUGH or n in SOME_RANKS]


def roots(row: Row, n: int) -> list[int]:
    """Every root of few ranks, else the first and one past the middle; 0 where there is none."""
    if not row.promise.rooted:
        return [0]
    return list(range(n)) if n <= EVERY_ROOT else [0, n // 2 + 1]


def variants(row: Row, n: int) -> Iterator[dict[str, int]]:
    """The defaults, then for each parameter its least and largest value that fits so many ranks.

    Also fewer channels than the largest nodes have ranks.
    """
    if row.accepts(n):
        yield {}
    for parameter in row.takes:
        usual = parameter.default(n, {})
        values = [v for v in range(1, n + 2) if parameter.accepts(n, v) and v != usual]
        for value in dict.fromkeys(values[:1] + values[-1:]):
            if row.accepts(n, {parameter.name: value}):
                yield {parameter.name: value}
    nodes = [gpus for gpus in range(3, n) if n % gpus == 0]
    if row.in_channels and nodes:
        yield {"channels": nodes[-1] - 1, "gpus": nodes[-1]}
    if row.in_ways and row.accepts(n, {"outside": 2, "inside": 2}):
        yield {"outside": 2, "inside": 2}


def settings(row: Row, numbers: Iterable[int], all_roots: bool = True) -> Iterator[Setting]:
    """Every case of a row on these numbers of ranks, those it does not accept left out."""
    for n in sampled_ranks(numbers):
        for parameters in variants(row, n):
            for root in roots(row, n) if all_roots else [0]:
                for chunks in CHUNKS if "chunks" in row.parameters and n <= 9 else (None,):
                    yield row.setting(n, root, chunks, parameters)


def recorded(row: Row, setting: Setting, count: int | None = None, **more: Any) -> Any:
    """The recording of a row in a setting."""
    return record(
        row.collective,
        row.algorithm,
        ranks=setting.ranks,
        root=setting.root,
        count=0 if row.collective == "barrier" else count,
        chunks=setting.chunks if "chunks" in row.parameters else None,
        parameters=setting.parameters,
        **more,
    )


def cases(row: Row, numbers: Iterable[int] = (1, 2, 3, 4, 5, 6, 8, 9)) -> Iterator[Setting]:
    """The defaults of a row on these numbers of ranks, from the first, a middle, the last root."""
    for n in filter(row.accepts, sampled_ranks(numbers)):
        for root in sorted({0, n // 2, n - 1}) if row.promise.rooted else [0]:
            yield row.setting(n, root)
