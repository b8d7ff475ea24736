"""Programs of single ranks: generators of sends and receives, matched into the steps of all."""

from __future__ import annotations

import inspect
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from types import CodeType
from typing import Any

import numpy as np

from collectives.errors import WrongSchedule
from collectives.schedule.columns import frozen
from collectives.schedule.effort import Effort
from collectives.schedule.operations import (
    Group,
    Program,
    Recv,
    RecvReduce,
    Renamed,
    Request,
    Send,
    Wait,
    idle,
    sendrecv,
    start,
    wait,
)
from collectives.schedule.provenance import Source, Stamp, Standing, line_of
from collectives.schedule.stamping import WHOLE, frame_of
from collectives.schedule.step import Step
from collectives.words import brief

__all__ = [
    "Program",
    "Recv",
    "RecvReduce",
    "Renamed",
    "Send",
    "idle",
    "matched",
    "sendrecv",
    "start",
    "wait",
]
MAX_NUMBER = 1 << 31  # of chunks and tags
TRANSFERS = (Send, Recv)  # a tuple is looked through faster than a union


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
        verb = f"send {chunks} to" if self.sends else f"receive {chunks} from"
        tag = f" with tag {operation.tag}" if tagged else ""
        return f"{verb} rank {self.peer}{tag}{line_of(self.stamp)}"


class Rank:
    """A rank that runs its program: what it waits for, and what it has begun."""

    def __init__(
        self, number: int, program: Any, effort: Effort, sources: dict[CodeType, Source]
    ) -> None:
        self.number, self.program, self.effort, self.sources = number, program, effort, sources
        if not inspect.isgenerator(program):
            said = brief(program)
            raise WrongSchedule(f"rank {number}: its program is {said}; it must yield operations")
        self._awaited: list[Posted] = []
        self._stamp: Stamp = ()
        self.ended = False

    @property
    def waiting(self) -> list[Posted]:
        """What it waits for: operations that have no other end yet."""
        return [posted for posted in self._awaited if not posted.done]

    @property
    def standing(self) -> Standing:
        """Where its program stands, and for whom it waits."""
        return Standing(self._stamp, tuple(dict.fromkeys(one.peer for one in self.waiting)))

    def advance(self) -> list[Posted]:
        """Run to the next operation that the rank has to wait for; all that it has begun."""
        begun: list[Posted] = []
        reply: Request | None = None
        while True:
            try:
                operation = self.program.send(reply)
            except StopIteration:
                self.ended, self._stamp = True, ()
                return begun
            stamp, reply = self._here(), None
            self._stamp = stamp
            count = len(operation.operations) or 1 if isinstance(operation, Group) else 1
            self.effort.begin(count, self.number, stamp)
            if isinstance(operation, Wait):
                self._awaited = [p for r in self._requests(operation, stamp) for p in r.posted]
                if self.waiting:
                    return begun
                continue
            group = operation if isinstance(operation, Group) else Group((operation,))
            posted = [self._posted(one, stamp) for one in group.operations]
            begun += posted
            if group.waits:
                self._awaited = posted
                return begun
            reply = Request(tuple(posted))

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
        ranks = self.effort.ranks
        if not 0 <= peer < ranks:
            raise WrongSchedule(
                f"rank {self.number}{line_of(stamp)}: {name} {peer}: there are ranks 0 to "
                f"{ranks - 1}; try: {peer} % {ranks} = {peer % ranks}"
            )
        return Posted(self.number, int(peer), operation, stamp, sends)

    def _check_whole(self, numbers: dict[str, Any], stamp: Stamp) -> None:
        """Refuse what is no whole number, or too large."""
        for what, value in numbers.items():
            whole = isinstance(value, WHOLE) and not isinstance(value, bool)
            if not whole or abs(int(value)) > MAX_NUMBER:
                said = f"{what} {brief(value)}: must be a whole number"
                raise WrongSchedule(f"rank {self.number}{line_of(stamp)}: {said}")

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


class UnmatchedMessages:
    """The sends and receives that have no other end yet, by sender, receiver and tag."""

    def __init__(self) -> None:
        self._open: dict[tuple[int, int, int], tuple[deque[Posted], deque[Posted]]]
        self._open = defaultdict(lambda: (deque(), deque()))

    def pairs(self, begun: list[Posted]) -> list[tuple[Posted, Posted]]:
        """The sends and receives that fit, now that these are begun."""
        for posted in begun:
            self._open[posted.channel][not posted.sends].append(posted)
        found = []
        for channel in dict.fromkeys(posted.channel for posted in begun):
            sends, receives = self._open[channel]
            while sends and receives:
                found.append((sends.popleft(), receives.popleft()))
            if not sends and not receives:
                del self._open[channel]
        return found

    def check_matched(self, ranks: list[Rank]) -> None:
        """Raise WrongSchedule, or Deadlock, where some are left when no rank can go on."""
        left = [posted for queues in self._open.values() for queue in queues for posted in queue]
        if left:
            from collectives.schedule.deadlock import stuck

            raise stuck(ranks, left)


def matched(programs: Iterable[Program]) -> Iterator[Step]:
    """The steps that programs make together, the k-th of them being that of rank k.

    In each step every rank that waits for nothing goes on to its next operation, and all sends and
    receives that fit are carried out: those of the same two ranks and the same tag in their order.

    Parameters
    ----------
    programs : iterable of generator
        Of `Send`, `Recv`, `RecvReduce`, `sendrecv`, `start`, `wait` and `idle`.

    Yields
    ------
    Step
        Steps without a transfer are left out.

    Raises
    ------
    Deadlock
        If no rank can go on: its text says who waits for whom, its `cycle` are the ranks.
    WrongSchedule
        For anything but an operation, and for a message that nobody receives; Endless for more
        steps or operations than are run.

    Examples
    --------
    >>> from collectives.schedule import table
    >>> def pass_on(rank, n):
    ...     yield sendrecv(Send((rank + 1) % n, 0), Recv((rank - 1) % n, 1))
    >>> print(table(matched(pass_on(rank, 3) for rank in range(3))))
    step 1   2→0 =0:1   0→1 =0:1   1→2 =0:1
    """
    listed, sources = list(programs), dict[CodeType, Source]()
    effort = Effort(len(listed))
    ranks = [Rank(k, program, effort, sources) for k, program in enumerate(listed)]
    messages = UnmatchedMessages()
    while active := [rank for rank in ranks if not rank.ended and not rank.waiting]:
        pairs = messages.pairs([posted for rank in active for posted in rank.advance()])
        if pairs:
            step = step_of(pairs)
            effort.make_step(pairs[0][0].rank, pairs[0][0].stamp)
            yield replace(step, standing=tuple(rank.standing for rank in ranks))
    messages.check_matched(ranks)


def step_of(pairs: list[tuple[Posted, Posted]]) -> Step:
    """A step of these sends and receives, those of a receiver in the order of its program."""
    pairs.sort(key=lambda pair: pair[1].rank)
    for send, receive in pairs:
        if send.operation.count != receive.operation.count:
            raise WrongSchedule(
                f"rank {send.rank} wants to {send.text(False)}, but rank {receive.rank} to "
                f"{receive.text(False)}: a message has as many slots at both ends"
            )
        send.done = receive.done = True

    def column(values: Iterable[object], kind: type = np.intp) -> Any:
        return frozen(np.array(list(values), kind))

    return Step(
        column(send.rank for send, _ in pairs),
        column(receive.rank for _, receive in pairs),
        column(send.operation.chunk for send, _ in pairs),
        column(receive.operation.chunk for _, receive in pairs),
        column(send.operation.count for send, _ in pairs),
        column((isinstance(receive.operation, RecvReduce) for _, receive in pairs), np.bool_),
        column(range(len(pairs))),
        tuple(send.stamp for send, _ in pairs),
    )
