"""Where a long computation is, and what it will take: for whoever shows it to a waiting user."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

Thing = TypeVar("Thing")
SOON = 1.0  # seconds; what began less long ago may be one of many that are soon done


@dataclass(eq=False)
class Progress:
    """What is under way: since when, and how many of how many parts are done (0: not known).

    unit: what the parts are. outer: what it is a part of.
    """

    name: str = ""
    total: int = 0
    unit: str = "steps"
    outer: Progress | None = None
    done: int = 0
    since: float = field(default_factory=lambda: time.monotonic())
    reached: float = 0.0

    def reach(self, done: int) -> None:
        """So many parts are done."""
        self.done, self.reached = done, time.monotonic()

    @property
    def chain(self) -> list[Progress]:
        """It, what it is a part of, and so on."""
        return [self, *(self.outer.chain if self.outer else ())]

    def without(self, ended: Progress) -> Progress:
        """What is under way once `ended` is not, wherever in the chain it was."""
        if self is ended:
            return self.outer or self
        if self.outer:
            self.outer = self.outer.without(ended)
        return self

    @property
    def age(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.since

    @property
    def left(self) -> float | None:
        """Seconds that the parts which are not done will take, if they are like those before."""
        if not 0 < self.done <= self.total:
            return None
        rest = (self.reached - self.since) / self.done * (self.total - self.done)
        return max(rest / 2, rest - (time.monotonic() - self.reached))  # they may take longer

    @property
    def text(self) -> str:
        """How much of it is done, and how long the rest will take; nothing where unknown."""
        if self.total == 1:
            return ""  # which says no more than that it is under way
        if not self.total:
            return f"{self.unit.removesuffix('s')} {self.done + 1}" if self.done else ""
        share = f"{100 * self.done // self.total} % of {self.total} {self.unit}"
        if not self.left:
            return share
        from collectives.units import time_text

        return f"{share}, about {time_text(float(f'{max(1.0, self.left):.1g}'))} left"


current = Progress()
announced: list[Callable[[str], None]] = []  # what shows a user the texts of `announce`


@contextmanager
def under_way(name: str, total: int = 0, unit: str = "steps") -> Iterator[Progress]:
    """What the block does is under way, as a part of what was; its own parts end with it."""
    global current
    begun = current = Progress(name, total, unit, current)
    try:
        yield begun
    finally:
        if begun in current.chain:
            current = begun.outer or current


def counted(
    things: Iterable[Thing], name: str, total: int = 0, unit: str = "steps"
) -> Iterator[Thing]:
    """The things one by one, each counted as the next begins.

    Who stops in the middle may end this walk late, after what it was a part of.
    """
    global current
    begun = current = Progress(name, total, unit, current)
    try:
        for number, thing in enumerate(things):
            begun.reach(number)
            yield thing
    finally:
        current = current.without(begun)


def longest() -> Progress:
    """What is under way and no more one of many that are soon done; never what has no name."""
    progress = current
    while progress.outer and progress.outer.name and progress.age <= SOON:
        progress = progress.outer
    return progress


def announce(text: str) -> None:
    """Say what a user should know before it is done, such as how much memory it takes."""
    for listener in announced:
        listener(text)
