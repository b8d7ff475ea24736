"""Where a long computation is, and what it will take: for whoever shows it to a waiting user."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

Thing = TypeVar("Thing")


@dataclass
class Progress:
    """What is under way: since when, and how many of how many parts are done (0: not known)."""

    name: str = ""
    done: int = 0
    total: int = 0
    since: float = 0.0

    @property
    def age(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.since

    @property
    def left(self) -> float:
        """Seconds that the parts which are not done will take, if they are like those before."""
        return self.age / max(1, self.done) * (self.total - self.done)


current = Progress()
announced: list[Callable[[str], None]] = []  # what shows a user the texts of `announce`


def counted(things: Iterable[Thing], name: str, total: int = 0) -> Iterator[Thing]:
    """The things one by one, each counted as the next begins."""
    current.name, current.total, current.since = name, total, time.monotonic()
    for current.done, thing in enumerate(things):
        yield thing
    current.name = ""


def announce(text: str) -> None:
    """Say what a user should know before it is done, such as how much memory it takes."""
    for listener in announced:
        listener(text)
