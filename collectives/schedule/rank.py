"""A rank that runs its program: what it has begun, what it waits for, and where it stands."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from collectives.errors import WrongSchedule
from collectives.schedule.effort import Effort
from collectives.schedule.operations import (
    Add,
    Copy,
    Fence,
    Group,
    OneSided,
    Put,
    Quiet,
    Recv,
    Request,
    Send,
    Signal,
    Wait,
    WaitSignal,
)
from collectives.schedule.provenance import Source, Stamp, Standing, line_of
from collectives.schedule.stamping import WHOLE, frame_of
from collectives.schedule.step import Step
from collectives.schedule.windows import RESUMED, Expected, Windows
from collectives.words import brief

MAX_NUMBER = 1 << 31  # of chunks and tags
TRANSFERS = (Send, Recv)  # a tuple is looked through faster than a union
ONE_SIDED = (Put, Signal, WaitSignal, Fence, Quiet, Copy)


@dataclass(eq=False, slots=True)
class Posted:
    """An operation that a rank has begun: with whom, from which line, and whether it is done.

    channel: the sender, the receiver and the tag; what has the same is matched in its order.
    """

    rank: int
    peer: int
    operation: Send | Recv
    stamp: Stamp
    sends: bool
    channel: tuple[int, int, int] = field(init=False)
    done: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        """Know its channel, which is asked for often."""
        ends = (self.rank, self.peer) if self.sends else (self.peer, self.rank)
        self.channel = (*ends, self.operation.tag)

    def text(self, tagged: bool) -> str:
        """What the rank does, with whom, and where."""
        operation = self.operation
        chunks = f"chunk {operation.chunk}"
        if operation.count != 1:
            chunks = f"chunks {operation.chunk} to {operation.chunk + operation.count - 1}"
        verb = f"to send {chunks} to" if self.sends else f"to receive {chunks} from"
        tag = f" with tag {operation.tag}" if tagged else ""
        return f"{verb} rank {self.peer}{tag}{line_of(self.stamp)}"


class Rank:
    """A rank that runs its program: what it waits for, and what it has begun."""

    def __init__(
        self,
        number: int,
        program: Any,
        effort: Effort,
        sources: dict[CodeType, Source],
        windows: Windows,
    ) -> None:
        self.number, self.program, self.effort, self.sources = number, program, effort, sources
        self.windows = windows
        if not inspect.isgenerator(program):
            text = brief(program)
            raise WrongSchedule(f"rank {number}: its program is {text}; it must yield operations")
        self._awaited: Sequence[Posted | Expected] = ()
        self._reply: Request | None = None
        self._held: list[Any] = []  # the operation that must see what this step writes
        self._written: dict[int, bool] = {}  # slots that this step writes, and whether it adds
        self._stamp: Stamp = ()
        self.ended = False

    @property
    def waiting(self) -> list[Posted | Expected]:
        """What it waits for: operations that have no other end yet."""
        return [posted for posted in self._awaited if not posted.done]

    @property
    def standing(self) -> Standing:
        """Where its program stands, and for whom it waits."""
        return Standing(self._stamp, tuple(dict.fromkeys(op.peer for op in self.waiting)))

    def advance(self) -> list[Posted]:
        """Run to the next operation that the rank has to wait for; all that it has begun."""
        begun: list[Posted] = []
        self._written.clear()
        self._resume()
        while True:
            operation = self._held.pop() if self._held else self._next()
            if self.ended or not self._goes_on(operation, begun):
                return begun

    def _next(self) -> Any:
        """What the program yields next; None where it has ended."""
        try:
            operation = self.program.send(self._reply)
        except StopIteration:
            self.ended, self._stamp = True, ()
            self.windows.note(self.number, None)
            return None
        self._stamp, self._reply = self._here(), None
        count = len(operation.operations) or 1 if isinstance(operation, Group) else 1
        self.effort.begin(count, self.number, self._stamp)
        return operation

    def _goes_on(self, operation: Any, begun: list[Posted]) -> bool:
        """Do this, and whether the rank goes on in the same step; `begun` gets what it posts."""
        stamp = self._stamp
        if isinstance(operation, Wait):
            self._awaited = [p for r in self._requests(operation, stamp) for p in r.posted]
            return self._resume()
        if self._written and self._uses_written(operation):
            self._held = [operation]
            return False
        if isinstance(operation, ONE_SIDED):
            return self._begin(operation, stamp)
        group = operation if isinstance(operation, Group) else Group((operation,))
        posted = [self._posted(operation, stamp) for operation in group.operations]
        self.windows.note(self.number, group, stamp, posted)
        begun += posted
        if group.waits:
            self._awaited = posted
            return False
        self._reply = Request(tuple(posted))
        return True

    def _begin(self, operation: OneSided, stamp: Stamp) -> bool:
        """Begin a put, a signal or what waits for them; whether the rank goes on in this step."""
        self._check_one_sided(operation, stamp)
        expected = self.windows.do(self.number, operation, stamp)
        if expected is not None:
            self._awaited = [expected]
            return self._resume()
        if isinstance(operation, Copy):
            adds, first = isinstance(operation, Add), operation.into
            self._written |= dict.fromkeys(range(first, first + operation.count), adds)
        return not isinstance(operation, Fence | Quiet)

    def _resume(self) -> bool:
        """Go on after what was waited for, if all of it is done."""
        if self.waiting:
            return False
        if self._awaited:
            self.windows.note(self.number, RESUMED, self._stamp, self._awaited)
            self._awaited = ()
        return True

    def _uses_written(self, operation: Any) -> bool:
        """Whether it must see what this step writes: several may add to one slot in a step."""
        if not isinstance(operation, ONE_SIDED):
            return True
        if not isinstance(operation, Put | Copy):
            return False
        read = set(range(operation.chunk, operation.chunk + operation.count))
        if isinstance(operation, Copy):
            target = range(operation.into, operation.into + operation.count)
            adds = isinstance(operation, Add)
            read |= {slot for slot in target if not (adds and self._written.get(slot))}
        return not read.isdisjoint(self._written)

    def _posted(self, operation: Any, stamp: Stamp) -> Posted:
        if not isinstance(operation, TRANSFERS):
            self._refuse(operation, stamp)
        sends = isinstance(operation, Send)
        name, peer = ("to", operation.to) if sends else ("source", operation.source)
        numbers = (peer, operation.chunk, operation.count, operation.tag)
        if not all(type(value) is int and abs(value) <= MAX_NUMBER for value in numbers):
            self._check_whole(
                dict(zip((name, "chunk", "count", "tag"), numbers, strict=True)), stamp
            )
        self._check_rank(name, peer, stamp)
        return Posted(self.number, int(peer), operation, stamp, sends)

    def _check_rank(self, name: str, peer: int, stamp: Stamp) -> None:
        """Refuse a rank that there is not."""
        ranks = self.effort.ranks
        if not 0 <= peer < ranks:
            raise WrongSchedule(
                f"rank {self.number}{line_of(stamp)}: {name} {peer}: there are ranks 0 to "
                f"{ranks - 1}; try: {peer} % {ranks} = {peer % ranks}"
            )

    def _check_one_sided(self, operation: OneSided, stamp: Stamp) -> None:
        """Refuse numbers that cannot be."""
        names = getattr(operation, "__dataclass_fields__", ())
        values = {name: getattr(operation, name) for name in names}
        self._check_whole({k: v for k, v in values.items() if v is not None}, stamp)
        for name in values.keys() & {"to", "source"}:
            self._check_rank(name, values[name], stamp)
        for name, minimum in (("count", 1), ("signal", 0), ("chunk", 0), ("into", 0)):
            if values.get(name) is not None and values[name] < minimum:
                where = f"rank {self.number}{line_of(stamp)}"
                raise WrongSchedule(
                    f"{where}: {name} {values[name]}: at least {minimum}; try: {minimum}"
                )

    def _check_whole(self, numbers: dict[str, Any], stamp: Stamp) -> None:
        """Refuse what is no whole number, or too large."""
        for what, value in numbers.items():
            whole = isinstance(value, WHOLE) and not isinstance(value, bool)
            if not whole or abs(int(value)) > MAX_NUMBER:
                rule = f"{what} {brief(value)}: must be a whole number"
                raise WrongSchedule(f"rank {self.number}{line_of(stamp)}: {rule}")

    def _requests(self, operation: Wait, stamp: Stamp) -> tuple[Request, ...]:
        for request in operation.requests:
            if not isinstance(request, Request):
                raise WrongSchedule(
                    f"rank {self.number}{line_of(stamp)}: wait({brief(request)}): not what "
                    "start gives; try: request = yield start(Send(1))"
                )
        return operation.requests

    def _refuse(self, operation: object, stamp: Stamp) -> None:
        """Say what the program has yielded, and what it may have meant."""
        hint = "yield Send(to, chunk), Recv(source, chunk) or RecvReduce(source, chunk)"
        if isinstance(operation, Step):
            hint = f"send and reduce make a step of all ranks; {hint}"
        elif isinstance(operation, tuple | list):
            hint = "at the same time is sendrecv(Send(…), Recv(…))"
        elif inspect.isgenerator(operation):
            hint = "it is a whole program: yield from it"
        where = f"rank {self.number}{line_of(stamp)}"
        raise WrongSchedule(f"{where}: {brief(operation)} is no operation of a rank; {hint}")

    def _here(self) -> Stamp:
        """The lines at which the program stands, outermost first."""
        frames, program = [], self.program
        while program is not None:
            if inspect.isgenerator(program):
                if program.gi_frame is not None:
                    frames.append(frame_of(program.gi_frame, self.sources))
                program = program.gi_yieldfrom
            else:
                program = getattr(program, "inner", None)
        return tuple(frames)
