"""What a program of one rank yields: sends and receives, and what waits for them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collectives.schedule.spmd import Posted


@dataclass(frozen=True)
class Send:
    """Send `count` consecutive slots, from `chunk` on, to a rank; done when they are received."""

    to: int
    chunk: int = 0
    count: int = 1
    tag: int = 0


@dataclass(frozen=True)
class Recv:
    """Receive `count` consecutive slots from a rank: they overwrite those from `chunk` on."""

    source: int
    chunk: int = 0
    count: int = 1
    tag: int = 0


class RecvReduce(Recv):
    """Receive, and add to what the slots hold; an empty slot takes the value."""


@dataclass(frozen=True)
class Group:
    """Operations that are done at the same time; `waits` where the rank stays until they are."""

    operations: tuple[Send | Recv, ...]
    waits: bool = True


@dataclass(frozen=True)
class Request:
    """What a rank gets for operations that it has started: to be waited for."""

    posted: tuple[Posted, ...]


@dataclass(frozen=True)
class Wait:
    """Stay until everything that was started is done."""

    requests: tuple[Request, ...]


Operation = Send | Recv | Group | Wait
Program = Generator[Operation, Any, None]


def sendrecv(*operations: Send | Recv) -> Group:
    """Send and receive at the same time: all of it is read before any of it is written."""
    return Group(operations)


def idle() -> Group:
    """Do nothing while the others make a step."""
    return Group(())


def start(*operations: Send | Recv) -> Group:
    """Start to send or receive, and go on: `request = yield start(Send(1))`."""
    return Group(operations, waits=False)


def wait(*requests: Request) -> Wait:
    """Stay until everything that was started for these requests is done."""
    return Wait(requests)


class Renamed:
    """The program of a rank of a team: rank k of the program is the k-th of the team.

    Slot s becomes the `width` slots from `first + s * width` on.
    """

    def __init__(self, team: range, program: Program, first: int = 0, width: int = 1) -> None:
        self.team, self.inner, self.first, self.width = team, program, first, width

    def __iter__(self) -> Renamed:
        """The same: it is its own iterator."""
        return self

    def __next__(self) -> Any:
        """The next operation."""
        return self._renamed(next(self.inner))

    def send(self, reply: object) -> Any:
        """Hand the program what it waits for."""
        return self._renamed(self.inner.send(reply))

    def _renamed(self, operation: Any) -> Any:
        if isinstance(operation, Group):
            return replace(operation, operations=tuple(map(self._renamed, operation.operations)))
        if not isinstance(operation, Send | Recv):
            return operation
        chunk, count = self.first + operation.chunk * self.width, operation.count * self.width
        if isinstance(operation, Send):
            return replace(operation, to=self.team[operation.to], chunk=chunk, count=count)
        return replace(operation, source=self.team[operation.source], chunk=chunk, count=count)
