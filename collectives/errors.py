"""What can go wrong, each with the exit status the command line gives it."""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collectives.recording.recording import Recording
    from collectives.schedule import Step

DISTRIBUTION = "collectives-lab"


class CollectivesError(Exception):
    """Any failure this package explains in one line; `status` is the command's exit status."""

    status = 2


class BadInput(CollectivesError, ValueError):  # noqa: N818 - reads as a sentence where raised
    """A value that cannot be used: names the value, the rule and the nearest valid choice."""


class TooLarge(BadInput):
    """More ranks, chunks or messages than a picture, a trace, a program or a launch takes.

    what: the number and the rule. near: what fits, said of a schedule that can be made smaller.
    fixed: what helps where it cannot, because it is that of a file.
    """

    def __init__(self, what: str, near: str, fixed: str = "run, check and time take it") -> None:
        super().__init__(f"{what}; try: {near}")
        self.what, self.near, self.fixed = what, near, fixed

    def of_file(self) -> BadInput:
        """The same of a file, whose ranks and chunks cannot be chosen."""
        return BadInput(f"{self.what}; those of a file are fixed; {self.fixed}")


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Put a name, as that of a file, before what BadInput says in the block."""
    try:
        yield
    except BadInput as problem:
        raise BadInput(f"{name}: {problem}") from None


class WrongSchedule(CollectivesError, ValueError):  # noqa: N818
    """An algorithm broke a rule of schedules or the promise of its collective.

    recording: of the steps before the one that broke a rule, where `record` had got so far.
    attempted: that step, where what came was a step.
    """

    status = 1

    def __init__(
        self, text: str = "", recording: Recording | None = None, attempted: Step | None = None
    ) -> None:
        super().__init__(text)
        self.recording, self.attempted = recording, attempted

    def reworded(self, text: str) -> WrongSchedule:
        """The same failure in other words."""
        return type(self)(text, self.recording, self.attempted)


class Endless(WrongSchedule):
    """There are more steps, or more operations of a rank, than are run."""


class PutRace(WrongSchedule):
    """Nothing orders two operations of ranks on a slot, one of which writes it."""


class Waiting(NamedTuple):
    """A rank that cannot go on until another one receives, or sends; where its program stands.

    line: 0 where that is not known. stamp: the stack of the program there, see `Step.stamps`.
    signal: whether it waits for a signal, not for a message.
    """

    rank: int
    peer: int
    sends: bool
    file: str = ""
    line: int = 0
    stamp: tuple[Any, ...] = ()
    signal: bool = False


class Deadlock(WrongSchedule):
    """Ranks wait for one another, or for one that has ended, and none can go on.

    waiting: each rank that waits, for whom, and where. waits: the same as pairs of ranks. cycle:
    ranks each of which waits for the next, and the last for the first; none where they wait for a
    rank that has ended.
    """

    def __init__(
        self,
        text: str = "",
        recording: Recording | None = None,
        attempted: Step | None = None,
        waiting: Iterable[Waiting] = (),
    ) -> None:
        super().__init__(text, recording, attempted)
        self.waiting = tuple(waiting)
        self.waits = tuple((operation.rank, operation.peer) for operation in self.waiting)
        self.cycle = cycle_in(self.waits)

    def reworded(self, text: str) -> Deadlock:
        """The same failure in other words."""
        return Deadlock(text, self.recording, self.attempted, self.waiting)


def cycle_in(edges: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """The nodes of a cycle of a graph, from its lowest on; none where there is no cycle.

    >>> cycle_in([(0, 1), (1, 2), (2, 1)]), cycle_in([(0, 1)])
    ((1, 2), ())
    """
    after: dict[int, list[int]] = {}
    for node, following in edges:
        after.setdefault(node, []).append(following)
    while leaves := [
        node for node, waited_for in after.items() if not set(waited_for) & after.keys()
    ]:
        for node in leaves:
            del after[node]
    path = list(after)[:1]  # all that is left leads round for ever
    while path:
        following = next(node for node in after[path[-1]] if node in after)
        if following in path:
            cycle = path[path.index(following) :]
            lowest = cycle.index(min(cycle))
            return (*cycle[lowest:], *cycle[:lowest])
        path.append(following)
    return ()


class NotInstalled(CollectivesError, ImportError):  # noqa: N818
    """An optional dependency is absent: names the command that installs it.

    `need` says what needs which package, `extra` is the group of pyproject.toml that brings it.
    A checkout is completed by its own setup, an installed package by the index. What neither
    brings has a `command` of its own.
    """

    status = 3

    def __init__(self, need: str, extra: str = "", command: str = "") -> None:
        import shlex

        folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        if not command:
            command = f"pip install '{DISTRIBUTION}[{extra}]'"
            if os.path.exists(os.path.join(folder, "scripts", "setup.py")):
                command = f"make -C {shlex.quote(folder)} setup"
        super().__init__(f"{need}; type: {command}")


def imported(module: str, need: str, extra: str) -> Any:
    """An optional module; raises NotInstalled, saying what needs it, where it is absent."""
    try:
        return import_module(module)
    except ImportError as problem:
        raise NotInstalled(f"{need} ({problem})", extra) from None
