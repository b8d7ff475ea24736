"""What a program of one rank yields: sends and receives, puts and signals, and what waits."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collectives.schedule.rank import Posted


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


@dataclass(frozen=True)
class Put:
    """Write `count` consecutive slots, from `chunk` on, to those from `into` on of a rank.

    The rank goes on at once; until a `Quiet` it must not change what it has put. `signal`: the
    number of a signal of that rank, which rises when the data is there.

    As ncclPutSignal (nccl.h of NCCL 2.30.7), a put of NCCL's GIN with a weak signal, which
    "guarantees only the bundled put is settled" (nccl_device/gin.h of NCCL 2.32.3), and
    shmem_put_signal_nbi of OpenSHMEM 1.5. Without a signal it is shmem_put_nbi.
    """

    to: int
    chunk: int = 0
    into: int | None = None
    count: int = 1
    signal: int | None = None

    @property
    def target(self) -> int:
        """The first slot that is written."""
        return self.chunk if self.into is None else self.into


@dataclass(frozen=True)
class Signal:
    """Raise a signal of a rank by one; it may overtake what was put before without a `Fence`."""

    to: int
    signal: int = 0


@dataclass(frozen=True)
class WaitSignal:
    """Stay until a signal from a rank has risen `count` times more.

    As ncclWaitSignal, which counts by sender and number (nccl.h of NCCL 2.30.7).
    """

    source: int
    signal: int = 0
    count: int = 1


class Fence:
    """What the rank puts and signals from here on reaches no rank before what it put there before.

    As shmem_fence: what goes to one rank is in order, what goes to two is not.
    """


class Quiet:
    """Stay until all that this rank has put has arrived, as shmem_quiet."""


@dataclass(frozen=True)
class Copy:
    """Copy `count` consecutive slots, from `chunk` on, of this rank to those from `into` on."""

    chunk: int
    into: int
    count: int = 1


class Add(Copy):
    """Add `count` consecutive slots, from `chunk` on, of this rank to those from `into` on."""


OneSided = Put | Signal | WaitSignal | Fence | Quiet | Copy
Operation = Send | Recv | Group | Wait | OneSided
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
        names = getattr(operation, "__dataclass_fields__", {}).keys() - {"requests"}
        values: dict[str, Any] = {name: getattr(operation, name) for name in names}
        for name, value in values.items():
            if name in ("to", "source"):
                values[name] = self.team[value]
            elif name in ("chunk", "into") and value is not None:
                values[name] = self.first + value * self.width
        if "chunk" in values:
            values["count"] *= self.width
        return replace(operation, **values) if values else operation
