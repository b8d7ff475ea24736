"""The cases in which rows of the catalog are tried: numbers of ranks, roots, parameters, counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from collectives import record
from collectives.catalog import Row, Setting

EVERY_ROOT = 9  # ranks up to which every root is tried
CHUNKS = (1, 4, 7)


def roots(row: Row, n: int) -> list[int]:
    """Every root of few ranks, else two of them; rank 0 where there is none."""
    if not row.promise.rooted:
        return [0]
    return list(range(n)) if n <= EVERY_ROOT else [0, n // 2 + 1]


def variants(row: Row, n: int) -> Iterator[dict[str, int]]:
    """The defaults, then for each parameter its least and largest value that fits so many ranks."""
    if row.accepts(n):
        yield {}
    for parameter in row.takes:
        usual = parameter.default(n)
        values = [v for v in range(1, n + 2) if parameter.accepts(n, v) and v != usual]
        for value in dict.fromkeys(values[:1] + values[-1:]):
            if row.accepts(n, {parameter.name: value}):
                yield {parameter.name: value}


def settings(row: Row, numbers: Any, all_roots: bool = True) -> Iterator[Setting]:
    """Every case of a row on these numbers of ranks, those it does not accept left out."""
    for n in numbers:
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


def cases(row: Row, numbers: Any = (1, 2, 3, 4, 5, 6, 8, 9)) -> Iterator[Setting]:
    """The defaults of a row on these numbers of ranks, from the first, a middle, the last root."""
    for n in filter(row.accepts, numbers):
        for root in sorted({0, n // 2, n - 1}) if row.promise.rooted else [0]:
            yield row.setting(n, root)
