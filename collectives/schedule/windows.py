"""What ranks put and signal: the rows of a step, the signals that have risen, and what was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from collectives.schedule.operations import Add, Copy, OneSided, Put, Signal, WaitSignal
from collectives.schedule.provenance import Stamp, line_of
from collectives.words import plural

if TYPE_CHECKING:
    from collectives.schedule.rank import Posted

SENT, RECEIVED, ARRIVED, RESUMED = "sent", "received", "arrived", "resumed"  # beside operations
Channel = tuple[int, int, int]  # the sender of a signal, its receiver and its number
Row = tuple[int, int, int, int, int, bool, Stamp]  # src, dst, chunk, into, count, adds, line


class RankEvent(NamedTuple):
    """Something that a rank did, in the order that was tried; `operation` is None at its end.

    posted: the sends and receives that it began, or has waited for; or all messages of a step.
    """

    step: int
    rank: int
    operation: Any
    stamp: Stamp = ()
    posted: Sequence[Any] = ()


@dataclass(eq=False, slots=True)
class Expected:
    """A signal that a rank waits for, until it has risen `until` times in all."""

    rank: int
    peer: int
    operation: WaitSignal
    stamp: Stamp
    until: int
    raised: Counter[Channel]
    sends: bool = False

    @property
    def channel(self) -> Channel:
        """Who raises it, for whom, and its number."""
        return self.peer, self.rank, self.operation.signal

    @property
    def done(self) -> bool:
        """Whether it has risen so often."""
        return self.raised[self.channel] >= self.until

    def text(self, tagged: bool) -> str:
        """What the rank waits for, and where."""
        del tagged
        times = self.until - self.raised[self.channel]
        more = f" to rise {plural(times, 'more time')}" if times > 1 else ""
        return (
            f"for signal {self.operation.signal} from rank {self.peer}{more}{line_of(self.stamp)}"
        )


class Windows:
    """The memory that ranks write for each other, as far as the programs have run."""

    def __init__(self) -> None:
        self._history: list[RankEvent] = []
        self._step = 0
        self._rows: list[Row] = []  # of this step
        self._rising: list[Channel] = []  # with this step
        self._raised, self._awaited = Counter[Channel](), Counter[Channel]()
        self._used = False

    def note(self, rank: int, *done: Any) -> None:
        """Add what a rank did: the operation, the line and what was posted, as in `RankEvent`."""
        self._history.append(RankEvent(self._step, rank, *done))

    def do(self, rank: int, operation: OneSided, stamp: Stamp) -> Expected | None:
        """Begin an operation of a rank; what the rank waits for, if that is a signal."""
        self._used = True
        if isinstance(operation, WaitSignal):
            channel = operation.source, rank, operation.signal
            self._awaited[channel] += operation.count
            until = self._awaited[channel]
            return Expected(rank, operation.source, operation, stamp, until, self._raised)
        self.note(rank, operation, stamp)
        if isinstance(operation, Put | Copy):
            to, into = (
                (operation.to, operation.target)
                if isinstance(operation, Put)
                else (rank, operation.into)
            )
            adds, count = isinstance(operation, Add), operation.count
            self._rows.append((rank, to, operation.chunk, into, count, adds, stamp))
        if isinstance(operation, Put | Signal) and operation.signal is not None:
            self._rising.append((rank, operation.to, operation.signal))
        return None

    def land(self, pairs: Sequence[tuple[Posted, Posted]]) -> list[Row]:
        """The rows of a step, in which these messages arrive too; its signals are seen after it."""
        self.note(0, ARRIVED, (), pairs)
        rows, self._rows, self._step = self._rows, [], self._step + 1
        self._raised.update(self._rising)
        self._rising.clear()
        if rows and _write_twice(rows, pairs):
            self.check()
        return rows

    def check(self) -> None:
        """Raise WrongSchedule for a race; where no rank has put anything, none is sought."""
        if self._used:
            from collectives.schedule.put_races import check_races

            check_races(self._history)


def _write_twice(rows: Sequence[Row], pairs: Sequence[tuple[Posted, Posted]]) -> bool:
    """Whether a slot is overwritten, and written once more, in the same step."""
    written = Counter(
        (dst, slot, adds)
        for _, dst, _, into, count, adds, _ in rows
        for slot in range(into, into + count)
    )
    for _, receive in pairs:
        first, count = receive.operation.chunk, receive.operation.count
        written.update((receive.rank, slot, False) for slot in range(first, first + count))
    return any(
        not adds and (times > 1 or (rank, slot, True) in written)
        for (rank, slot, adds), times in written.items()
    )
