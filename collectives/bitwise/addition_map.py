"""A map of a vector: which elements a library adds in which order, and by what rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any

from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.units import size_text
from collectives.words import capital, plural

MOST_ROWS = 16  # of a table
LONGEST = 90  # letters of an order that is written out
TERM = re.compile(r"x\d+")
CUT_END, CUT_START = re.compile(r"x\d*$"), re.compile(r"^(x?\d+|x)")  # names that may be cut
LEFT_TO_RIGHT = re.compile(r"\(*x\d+(?: \+ x\d+\)?)+")


@dataclass(frozen=True)
class MapPart:
    """Elements from `start` to before `stop`, that stand together in a library's layout.

    order: how the ranks' data are added, in brackets; empty where that cannot be said.
    """

    start: int
    stop: int
    place: str
    order: str

    @property
    def elements(self) -> str:
        """The first and the last element."""
        return span_text(self.start, self.stop)


@dataclass(frozen=True)
class BitsSetup:
    """What is run: a collective of a library on so many bytes, and what else the order depends on.

    settings: those of the library by name, such as algorithm or channels. machine: what NCCL's
    tuner is asked about; empty for nodes of eight H100.
    """

    collective: str
    library: str
    ranks: int
    size: int
    dtype: str
    itemsize: int
    root: int = 0
    settings: Mapping[str, str] = field(default_factory=dict, hash=False)
    machine: str = ""

    @property
    def count(self) -> int:
        """Elements of the vector."""
        return self.size // self.itemsize

    def __str__(self) -> str:
        """What is run, in a line."""
        name = self.collective.replace("_", "-")
        size = f"{size_text(self.size)} ({self.count:,} {self.dtype})"
        texts = [f"{key}={value}" for key, value in self.settings.items()]
        texts += [self.machine] if self.machine else []
        own = f", {', '.join(texts)}" if texts else ""
        return f"{name} of {size} on {plural(self.ranks, 'rank')}{own}"


@dataclass(frozen=True, repr=False)
class AdditionMap:
    """Every element of a vector, in parts, with the order in which a library adds it.

    algorithm: the library's name for what it runs. rule: what makes it run that. basis: how far
    the order is certain. notes: what it depends on. unknown: why the order cannot be said.
    """

    setup: BitsSetup
    title: str
    algorithm: str
    rule: str
    basis: str
    parts: tuple[MapPart, ...]
    notes: tuple[str, ...] = ()
    unknown: str = ""

    def __repr__(self) -> str:
        """One line: what is run, and how many orders it has."""
        return f"<AdditionMap: {self.setup}; {self.title} {self.algorithm}, {self._summary}>"

    @cached_property
    def runs(self) -> tuple[MapPart, ...]:
        """Neighboring elements of one order, as few as there are."""
        return tuple(
            MapPart(several[0].start, several[-1].stop, "", order)
            for order, run in groupby(self.parts, lambda part: part.order)
            for several in [list(run)]
        )

    @property
    def orders(self) -> list[str]:
        """The different orders, that of element 0 first."""
        return list(dict.fromkeys(part.order for part in self.parts))

    def order_of(self, element: int) -> str:
        """The order of an element; empty where it cannot be said, or where there is no such."""
        return next((run.order for run in self.runs if run.start <= element < run.stop), "")

    @property
    def _summary(self) -> str:
        if self.unknown:
            return "order unknown"
        return plural(len(self.orders), "order")

    def lines(self) -> Lines:
        """The choice, the parts with their orders, and what they depend on."""
        yield Heading(capital(str(self.setup)))
        yield Paragraph(f"{self.title} runs {self.algorithm}: {self.rule}")
        if self.unknown:
            yield Paragraph(f"cannot say: {self.unknown}")
        else:
            yield from self._table()
        yield Paragraph(self.basis, "basis  ", 7)
        for note in self.notes:
            yield Paragraph(note, "note   ", 7)

    def _table(self) -> Lines:
        """The parts with their orders, or one line where all elements have the same."""
        if len(self.orders) <= 1:
            order = self.orders[0] if self.orders else ""
            yield Paragraph(f"every element is added as {shown(order)}" if order else "no elements")
            return
        yield Grid(
            [(part.elements, part.place, shown(part.order)) for part in self.parts[:MOST_ROWS]],
            ("elements", "where", "added as"),
        )
        if len(self.parts) > MOST_ROWS:
            further = len(self.parts) - MOST_ROWS
            yield f"… and {further:,} more, in {plural(len(self.orders), 'order')} in all"

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        setup = self.setup
        return {
            "collective": setup.collective,
            "library": setup.library,
            "ranks": setup.ranks,
            "root": setup.root,
            "bytes": setup.size,
            "dtype": setup.dtype,
            "settings": dict(setup.settings),
            "algorithm": self.algorithm,
            "rule": self.rule,
            "basis": self.basis,
            "notes": list(self.notes),
            "unknown": self.unknown or None,
            "parts": [
                {
                    "start": part.start,
                    "stop": part.stop,
                    "where": part.place,
                    "order": part.order or None,
                }
                for part in self.parts
            ],
        }


def span_text(start: int, stop: int) -> str:
    """The first and the last element of a run, as 0 – 4,095."""
    return f"{start:,}" if stop == start + 1 else f"{start:,} – {stop - 1:,}"


def shown(order: str, longest: int = LONGEST) -> str:
    """An order without its middle, where it is long; a sum from left to right without brackets.

    No name of a rank's data is cut.

    >>> shown("((x10 + x11) + x12) + x13", 24)
    'x10 + x11 + … + x13, from left to right'
    """
    if len(order) <= longest:
        return order
    if LEFT_TO_RIGHT.fullmatch(order):
        terms = TERM.findall(order)
        few = max(1, longest // 20)
        some = [*terms[: 2 * few], "…", *terms[-few:]]
        return f"{' + '.join(terms if len(terms) <= 3 * few else some)}, from left to right"
    half = longest // 2 - 2
    start = CUT_END.sub("", order[: half + 1])[:half]
    end = CUT_START.sub("", order[-half - 1 :])[-half:]
    return f"{start.rstrip()} … {end.lstrip()}"


def cut_by(sizes: Sequence[int], orders: Sequence[str], noun: str) -> Iterator[MapPart]:
    """Parts of these sizes one after the other, each with its order; empty ones are left out."""
    start = 0
    for number, (size, order) in enumerate(zip(sizes, orders, strict=True)):
        if size:
            yield MapPart(start, start + size, f"{noun} {number}", order)
        start += size
