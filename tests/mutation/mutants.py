"""Every way in which one transfer of a schedule, or the place of one step, can be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from interpreter import Row

Table = list[Row]


class Mutant(NamedTuple):
    """A schedule with one fault, by its words: kind, number of the step, transfer, value instead.

    tables: the steps' rows. first: the index of the first step that differs.
    """

    kind: str
    step: int
    transfer: str
    value: str
    first: int
    tables: list[Table]

    @property
    def name(self) -> str:
        """The fault in words."""
        return " ".join(filter(None, (f"{self.kind}, step {self.step}", self.transfer, self.value)))


def text(row: Row) -> str:
    """A transfer as the package's tables show it: `0→1 +2:5` adds its slot 2 into slot 5."""

    def slots(first: int) -> str:
        return f"{first}" if row.count == 1 else f"{first}..{first + row.count - 1}"

    into = "" if row.into == row.chunk else f":{slots(row.into)}"
    return f"{row.src}→{row.dst} {'+' if row.adds else '='}{slots(row.chunk)}{into}"


def mutants(tables: list[Table], nodes: int, slots: int) -> Iterator[Mutant]:
    """All mutants of a schedule on so many nodes and slots."""
    for k, table in enumerate(tables):
        before, after = tables[:k], tables[k + 1 :]
        for i, row in enumerate(table):
            where, others = (k + 1, text(row)), table[:i] + table[i + 1 :]
            for kind, value, rows in replaced(row, nodes, slots):
                changed = [*table[:i], *rows, *table[i + 1 :]]
                yield Mutant(kind, *where, value, k, [*before, changed, *after])
            following = [[*after[0], row], *after[1:]] if after else [[row]]
            yield Mutant("also a step later", *where, "", k + 1, [*before, table, *following])
            yield Mutant("a step later", *where, "", k, [*before, others, *following])
            earlier = [*before[:-1], [*before[-1], row]] if before else [[row]]
            first = max(k - 1, 0)
            yield Mutant("a step earlier", *where, "", first, [*earlier, others, *after])
            yield Mutant("also a step earlier", *where, "", first, [*earlier, table, *after])
    for one, other in combinations(range(len(tables)), 2):
        swapped = list(tables)
        swapped[one], swapped[other] = tables[other], tables[one]
        yield Mutant("swapped", one + 1, "", f"with {other + 1}", one, swapped)


def replaced(row: Row, nodes: int, slots: int) -> Iterator[tuple[str, str, list[Row]]]:
    """What may stand in the place of one row: the kind of fault, its value, the rows."""
    yield "left out", "", []
    yield "twice", "", [row, row]
    yield "other verb", "", [row._replace(adds=not row.adds)]
    for slot in range(slots - row.count + 1):
        if slot != row.chunk:
            yield "other chunk", f"from {slot}", [row._replace(chunk=slot)]
        if slot != row.into:
            yield "other into", f"into {slot}", [row._replace(into=slot)]
        if row.into == row.chunk != slot:
            yield "other slot", f"as {slot}", [row._replace(chunk=slot, into=slot)]
    for node in range(nodes):
        if node != row.src:
            yield "other source", f"by {node}", [row._replace(src=node)]
        if node != row.dst:
            yield "other destination", f"to {node}", [row._replace(dst=node)]
    if row.count > 1:
        yield "a slot fewer", "", [row._replace(count=row.count - 1)]
        yield "a slot more", "", [row._replace(count=row.count + 1)]
