"""Races of programs that put: what is certain to come before what, and what is missing.

A put reads its slots and writes its target at some time after it has begun. It is over for its own
rank after a `Quiet`; for its target after a wait for the signal that came with it, or for one after
a `Fence`. A wait counts: if a later signal of the same number can come first, it says nothing about
the earlier one. Who has sent knows that its slots are read, not that they have arrived. These are
the rules of OpenSHMEM 1.5 (puts and signals are in no order without fence or quiet), of MPI's
standard sends, and of the weak signals of NCCL's GIN (see `Put`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from collectives.errors import PutRace
from collectives.schedule.operations import Add, Copy, Fence, Put, Quiet, Signal
from collectives.schedule.provenance import line_of
from collectives.schedule.unordered import Slot, meetings, unordered
from collectives.schedule.windows import (
    ARRIVED,
    RECEIVED,
    RESUMED,
    SENT,
    Channel,
    Expected,
    RankEvent,
)

if TYPE_CHECKING:
    from collectives.schedule.rank import Posted


Access = tuple[int, range, bool]  # a rank, its slots, and whether they are written
Way = tuple[int, int]  # from a rank to a rank


@dataclass(frozen=True)
class _Raised:
    """A signal: who raises it, what has to come before a wait for it, and how many fences did."""

    issued: int
    arrives: int | None  # with the data that it came with
    fence: int | None
    fences: int


def check_races(history: Sequence[RankEvent]) -> None:
    """Raise PutRace for the first one in what ranks did, in the order that was tried."""
    order = _Order(history)
    order.connect_waits()
    met = meetings(order.threads, order.uses)
    races = sorted((second, first) for first, second in unordered(order.before, met))
    if races:
        second, first = races[0]
        raise PutRace(order.text(first, second, met[first, second]))


class _Order:
    """What comes directly before what.

    Operations of a rank are in its order; what a put or a message moves comes by itself.
    """

    def __init__(self, history: Sequence[RankEvent]) -> None:
        self.before: list[list[int]] = []
        self.uses: list[list[Access]] = []
        self.threads: list[int] = []  # a rank, or a negative number of its own
        self._events: list[RankEvent] = []
        self._last: dict[int, int] = {}  # of each rank
        self._ends: dict[int, int] = {}
        self._began: dict[object, int] = {}
        self._arrivals: dict[object, int] = {}
        self._sent: dict[int, list[int]] = defaultdict(list)  # by what began them
        self._open: dict[Way, list[int]] = defaultdict(list)  # puts since the last fence
        self._fence: dict[Way, int] = {}
        self._fences: dict[Way, int] = defaultdict(int)
        self._signals: dict[Channel, list[_Raised]] = defaultdict(list)
        self._waits: list[tuple[int, Expected]] = []
        for event in history:
            self._note(event)
        written: dict[int, list[Access]] = defaultdict(list)
        for rank, slots, writes in chain.from_iterable(self.uses):
            if writes:
                written[rank].append((rank, slots, False))
        for rank, end in self._ends.items():
            self.uses[end] = written[rank]

    def _add(
        self,
        event: RankEvent,
        before: Iterable[int],
        uses: Iterable[Access] = (),
        alone: bool = False,
    ) -> int:
        """An operation in the order of its rank, or one that comes by itself; its number."""
        number = len(self.before)
        self.before.append(list(before))
        self.uses.append(list(uses))
        self._events.append(event)
        self.threads.append(-1 - number if alone else event.rank)
        if not alone:
            if event.rank in self._last:
                self.before[number].append(self._last[event.rank])
            self._last[event.rank] = number
        return number

    def _note(self, event: RankEvent) -> None:
        """Add an event, and what it sets going."""
        operation, rank = event.operation, event.rank
        if operation == ARRIVED:
            self._note_messages(event)
        elif operation == RESUMED:
            self._note_wait(event)
        elif isinstance(operation, Fence):
            for way in [way for way in self._open if way[0] == rank]:
                known = [self._fence[way]] if way in self._fence else []
                self._pass(way, self._add(event, known + self._open[way], alone=True))
        elif isinstance(operation, Quiet):
            ways = [way for way in self._open if way[0] == rank]
            number = self._add(event, [put for way in ways for put in self._open[way]])
            for way in ways:
                self._pass(way, number)
        elif isinstance(operation, Copy):
            read, written = _slots(operation.chunk, operation), _slots(operation.into, operation)
            self._add(event, (), [(rank, read, False), (rank, written, True)])
        elif isinstance(operation, Put | Signal):
            self._note_put(event, operation)
        else:
            number = self._add(event, ())
            self._began |= dict.fromkeys(event.posted, number)
            if operation is None:
                self._ends[rank] = number

    def _pass(self, way: Way, number: int) -> None:
        """What follows on this way comes after this."""
        self._fence[way] = number
        self._fences[way] += 1
        del self._open[way]

    def _note_put(self, event: RankEvent, operation: Put | Signal) -> None:
        way, arrives = (event.rank, operation.to), None
        issued = self._add(event, ())
        fence = self._fence.get(way)
        if isinstance(operation, Put):
            read = event.rank, _slots(operation.chunk, operation), False
            written = operation.to, _slots(operation.target, operation), True
            before = [issued] if fence is None else [issued, fence]
            arrives = self._add(event, before, (read, written), alone=True)
            self._open[way].append(arrives)
        if operation.signal is not None:
            raised = _Raised(issued, arrives, fence, self._fences[way])
            self._signals[*way, operation.signal].append(raised)

    def _note_messages(self, event: RankEvent) -> None:
        """Sends read; receives write after all that their ranks send with them is read."""
        pairs: Sequence[tuple[Posted, Posted]] = event.posted
        for send, _ in pairs:
            began = self._began[send]
            self._sent[began].append(self._add_end(event, send, SENT, [began]))
        for send, receive in pairs:
            began = self._began[receive]
            before = [began, self._arrivals[send], *self._sent[began]]
            self._add_end(event, receive, RECEIVED, before)

    def _add_end(self, event: RankEvent, end: Posted, what: str, before: list[int]) -> int:
        """An end of a message, which comes by itself."""
        here = RankEvent(event.step, end.rank, what, end.stamp)
        uses = end.rank, _slots(end.operation.chunk, end.operation), not end.sends
        self._arrivals[end] = self._add(here, before, [uses], alone=True)
        return self._arrivals[end]

    def _note_wait(self, event: RankEvent) -> None:
        before, expected = [], [call for call in event.posted if isinstance(call, Expected)]
        for call in event.posted:
            if call in self._arrivals:
                before.append(self._arrivals[call])
        for call in expected:
            last = self._signals[call.channel][call.until - 1]
            before += [last.issued] if last.fence is None else [last.issued, last.fence]
        number = self._add(event, before)
        self._waits += [(number, call) for call in expected]

    def connect_waits(self) -> None:
        """Let each wait come after the data of its signals, unless a later signal can end it.

        That cannot be where the later one follows a fence, or is raised after this wait.
        """
        asked: dict[tuple[int, int], None] = {}
        for wait, awaited in self._waits:
            signals = self._signals[awaited.channel]
            if awaited.until < len(signals) and signals[awaited.until].issued > wait:
                asked[wait, signals[awaited.until].issued] = None
        open_ended = set(unordered(self.before, asked))
        for wait, awaited in self._waits:
            signals = self._signals[awaited.channel]
            later = signals[awaited.until] if awaited.until < len(signals) else None
            certain = later is None or (
                later.issued > wait and (wait, later.issued) not in open_ended
            )
            self.before[wait] += [
                signal.arrives
                for signal in signals[: awaited.until]
                if signal.arrives is not None
                and (certain or (later is not None and later.fences > signal.fences))
            ]

    def text(self, first: int, second: int, slot: Slot) -> str:
        """Which operations race for which slot, and what would order them."""
        if self._events[first].operation is None:  # the end of a rank, where all is to be there
            first, second = second, first
        place = f"slot {slot[1]} of rank {slot[0]}"
        both = f"{self._put_text(first, slot)} and {self._put_text(second, slot)}"
        return f"race for {place}: {both}, in any order; try: {self._near(first, second, slot)}"

    def _put_text(self, number: int, slot: Slot) -> str:
        """What an operation does with a slot."""
        event = self._events[number]
        operation, rank, at = event.operation, event.rank, line_of(event.stamp)
        if isinstance(operation, Put):
            if self._puts_into(number, slot):
                return f"rank {rank} puts into it{at}"
            return f"rank {rank} puts it to rank {operation.to}{at}"
        if operation is None:
            return f"rank {rank} ends with it"
        if isinstance(operation, Copy):
            verb = "adds" if isinstance(operation, Add) else "copies"
            into = any(slot[1] in slots for _, slots, writes in self.uses[number] if writes)
            return f"rank {rank} {verb} {'into it' if into else 'it'}{at}"
        return f"rank {rank} {'receives into' if operation == RECEIVED else 'sends'} it{at}"

    def _puts_into(self, number: int, slot: Slot) -> bool:
        """Whether an operation is a put into this slot."""
        accesses = self.uses[number]
        is_put = isinstance(self._events[number].operation, Put)
        return is_put and any(w and r == slot[0] and slot[1] in s for r, s, w in accesses)

    def _near(self, first: int, second: int, slot: Slot) -> str:
        """What to add, so that the first comes before the second."""
        first_event, second_event = self._events[first], self._events[second]
        if self._puts_into(first, slot):
            if self._puts_into(second, slot):
                same = first_event.rank == second_event.rank
                return "Fence() between them" if same else "a slot for each rank that puts"
            near = self._near_wait(first, second, first_event)
            if first_event.step != second_event.step or second_event.operation is None:
                return near
            return f"{near}; or, to use what was there before, {self._near(second, first, slot)}"
        quiet = "Quiet() and " if isinstance(first_event.operation, Put) else ""
        if not self._puts_into(second, slot):
            return "Quiet() between them" if quiet else "wait for the first before the second"
        return (
            f"on rank {slot[0]} {quiet}Signal({second_event.rank}) after that, on rank "
            f"{second_event.rank} WaitSignal({slot[0]}) before it puts"
        )

    def _near_wait(self, put: int, use: int, event: RankEvent) -> str:
        """What lets the use of a slot wait for a put into it."""
        operation: Any = event.operation
        target, number = operation.to, operation.signal
        heard = [
            (awaited.channel[2], awaited.until)
            for wait, awaited in self._waits
            if wait <= use and awaited.channel[:2] == (event.rank, target)
        ]
        if number is None:
            if heard:
                signal = heard[-1][0]
                return f"Fence() before the signal that may overtake it, or Put(…, signal={signal})"
            return f"Put(…, signal=0), and on rank {target} WaitSignal({event.rank}) before that"
        signals = self._signals[event.rank, target, number]
        rise = next(k for k, signal in enumerate(signals, 1) if signal.arrives == put)
        if any(known == number and until >= rise for known, until in heard):
            return (
                f"another signal than {number} for the next put, which may come first, or Fence() "
                "before it"
            )
        arguments = f"{event.rank}, {number}" if number else f"{event.rank}"
        return f"on rank {target} WaitSignal({arguments}) before that"


def _slots(first: int, operation: Any) -> range:
    """Consecutive slots that an operation reads or writes."""
    return range(first, first + operation.count)
