"""A task of a homework: a function, what it promises, on how many ranks, and what earns points."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from collectives.catalog import Row, find_row
from collectives.catalog.row import MAX_RANKS
from collectives.collective import Collective, collective_of, find_collective
from collectives.cost.where import Where
from collectives.errors import BadInput, naming
from collectives.units import size_in_bytes
from collectives.values import instance, not_negative, one_of, positive, share, whole
from collectives.words import plural, quoted

CHECKS = {  # what earns points, in the order in which it is printed
    "some": "right on some number of ranks from 2 on",
    "right": "right on every number of ranks that is tried",
    "steps": "as few steps as possible",
    "messages": "as few messages as possible",
    "bytes": "as few bytes sent by the busiest rank as possible",
    "time": "as short a time as possible",
}
USUAL = {"right": 6.0, "steps": 2.0, "bytes": 2.0}  # points
EXAMPLES = {  # of each setting
    "collective": "all_gather",
    "ranks": "1-16",
    "like": "ring",
    "slots": 1,
    "chunks": 4,
    "machine": "hgx-h100",
    "size": "64MiB",
    "within": 0.02,
    "library": True,
    "points": USUAL,
}
NUMBERS = re.compile(r"\d{1,7}(-\d{1,7})?(,\d{1,7}(-\d{1,7})?)*")
MOST_NUMBERS = 200


@dataclass(frozen=True)
class HomeworkTask:
    """What is asked of one function.

    Attributes
    ----------
    function : str
        Its name.
    collective : str
        What it promises; by default the end of its name says it.
    ranks : str
        The numbers of ranks that are tried, as 1-16 or 2,4,8.
    like : str
        The algorithm of the catalog whose steps, messages, bytes and time are enough; by default
        the lower bounds are.
    slots, chunks : int or None
        Chunks of the vector; chunks of a pipeline, where the function takes them.
    machine, size : str
        Where, and of how many bytes, the time is that is compared.
    within : float
        The share of the time by which it may be longer.
    library : bool
        Whether steps may come from the algorithms of this library.
    points : mapping
        Of each check.
    """

    function: str
    collective: str
    ranks: str = "1-16"
    like: str = ""
    slots: int | None = None
    chunks: int | None = None
    machine: str = "hgx-h100"
    size: str = "64MiB"
    within: float = 0.02
    library: bool = False
    points: Mapping[str, float] = field(default_factory=lambda: USUAL)

    @property
    def numbers(self) -> list[int]:
        """The numbers of ranks that are tried, from the smallest on."""
        return _numbers(self.ranks)

    @property
    def promise(self) -> Collective:
        """The collective."""
        return find_collective(self.collective)

    @property
    def row(self) -> Row | None:
        """The algorithm that it is compared with."""
        return find_row(self.collective, self.like) if self.like else None

    @property
    def total(self) -> float:
        """All points."""
        return math.fsum(self.points.values())

    def asked(self) -> list[str]:
        """What earns points, for students, without what is hidden."""
        promise = f"{self.function}, {self.promise.title}: {self.promise.sentence.lower()}"
        checks = [f"  {_points(points)}: {CHECKS[name]}" for name, points in self.points.items()]
        return [promise, *checks]


def task_of(function: str, table: object) -> HomeworkTask:
    """The task that a table of a key describes; raises BadInput."""
    with naming(f"[{function}]"):
        entries = instance("table", table, dict, "[ring_all_gather]")
        for name, value in entries.items():
            example = EXAMPLES[one_of("setting", name, EXAMPLES)]
            instance(name, value, type(example), f"{name} = {example!r}")
        named = collective_of(function)
        collective = entries.get("collective", named and named.name)
        if collective is None:
            raise BadInput('its name ends in no collective; try: collective = "all_gather"')
        points = entries.get("points", USUAL)
        for name in points:
            not_negative(name, points[one_of("points", name, CHECKS)])
        settings = {
            "collective": find_collective(collective).name,
            "points": {name: points[name] for name in CHECKS if name in points},
        }
        task = HomeworkTask(function, **{**entries, **settings})
        _check(task)
        return task


def _check(task: HomeworkTask) -> None:
    """Raise BadInput where settings do not fit one another."""
    positive("points", task.total)
    for name in ("slots", "chunks"):
        if getattr(task, name) is not None:
            whole(name, getattr(task, name), 1, MAX_RANKS)
    share("within", task.within)
    row, numbers = task.row, task.numbers
    refused = [number for number in numbers if row and not row.accepts(number)]
    if row and refused:
        ranks = plural(refused[0], "rank")
        raise BadInput(f"like {quoted(task.like)}: not on {ranks}; it takes {row.sizes.text}")
    if row is None and {"messages", "time"} & task.points.keys():
        raise BadInput('messages and time are compared with an algorithm; try: like = "ring"')
    if "time" in task.points:
        size_in_bytes(task.size)
        Where(task.machine).check_ranks(max(numbers))


def _numbers(text: str) -> list[int]:
    """The numbers in 1-16 or 2,4,8; raises BadInput."""
    numbers: set[int] = set()
    for part in text.split(",") if NUMBERS.fullmatch(text) else ():
        low, _, high = part.partition("-")
        numbers |= set(range(int(low), min(int(high or low), int(low) + MOST_NUMBERS) + 1)) or {0}
    if not numbers or min(numbers) < 1 or len(numbers) > MOST_NUMBERS:
        raise BadInput(f"ranks {quoted(text)}: at most {MOST_NUMBERS} numbers; try: 1-16 or 2,4,8")
    return sorted(numbers)


def _points(number: float) -> str:
    return "1 point" if number == 1 else f"{number:g} points"
