"""Programs of single ranks: generators of sends and receives, matched into the steps of all."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from types import CodeType

import numpy as np

from collectives.errors import WrongSchedule
from collectives.schedule.columns import frozen
from collectives.schedule.effort import Effort
from collectives.schedule.operations import (
    Add,
    Copy,
    Fence,
    Program,
    Put,
    Quiet,
    Recv,
    RecvReduce,
    Renamed,
    Send,
    Signal,
    WaitSignal,
    idle,
    sendrecv,
    start,
    wait,
)
from collectives.schedule.provenance import Source
from collectives.schedule.rank import Posted, Rank
from collectives.schedule.step import Step
from collectives.schedule.windows import Row, Windows

__all__ = [
    "Add",
    "Copy",
    "Fence",
    "Program",
    "Put",
    "Quiet",
    "Recv",
    "RecvReduce",
    "Renamed",
    "Send",
    "Signal",
    "WaitSignal",
    "idle",
    "matched",
    "sendrecv",
    "start",
    "wait",
]


class UnmatchedMessages:
    """The sends and receives that have no other end yet, by sender, receiver and tag."""

    def __init__(self) -> None:
        self._open: dict[tuple[int, int, int], tuple[deque[Posted], deque[Posted]]]
        self._open = defaultdict(lambda: (deque(), deque()))

    def pairs(self, begun: list[Posted]) -> list[tuple[Posted, Posted]]:
        """The sends and receives that fit, now that these are begun."""
        for posted in begun:
            self._open[posted.channel][not posted.sends].append(posted)
        pairs = []
        for channel in dict.fromkeys(posted.channel for posted in begun):
            sends, receives = self._open[channel]
            while sends and receives:
                pairs.append((sends.popleft(), receives.popleft()))
            if not sends and not receives:
                del self._open[channel]
        return pairs

    def check_matched(self, ranks: list[Rank]) -> None:
        """Raise WrongSchedule, or Deadlock, where some are left when no rank can go on."""
        left = [posted for queues in self._open.values() for queue in queues for posted in queue]
        if left or any(rank.waiting for rank in ranks):
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
    effort, windows = Effort(len(listed)), Windows()
    ranks = [Rank(k, program, effort, sources, windows) for k, program in enumerate(listed)]
    messages = UnmatchedMessages()
    while active := [rank for rank in ranks if not rank.ended and not rank.waiting]:
        pairs = messages.pairs([posted for rank in active for posted in rank.advance()])
        moved = windows.land(pairs)
        if pairs or moved:
            step = step_of(pairs, moved)
            effort.make_step(int(step.src[0]), step.stamps[0])
            yield replace(step, standing=tuple(rank.standing for rank in ranks))
    messages.check_matched(ranks)
    windows.check()


def step_of(pairs: list[tuple[Posted, Posted]], moved: Sequence[Row] = ()) -> Step:
    """A step of these sends and receives, those of a receiver in the order of its program.

    moved: the rows of what ranks put, and of what they copy and add in their own memory.
    """
    pairs.sort(key=lambda pair: pair[1].rank)
    for send, receive in pairs:
        if send.operation.count != receive.operation.count:
            raise WrongSchedule(
                f"rank {send.rank} wants {send.text(False)}, but rank {receive.rank} "
                f"{receive.text(False)}: a message has as many slots at both ends"
            )
        send.done = receive.done = True

    rows: list[Row] = []
    for send, receive in pairs:
        ends, sent, received = (send.rank, receive.rank), send.operation, receive.operation
        adds = isinstance(received, RecvReduce)
        rows.append((*ends, sent.chunk, received.chunk, sent.count, adds, send.stamp))
    *columns, stamps = zip(*rows, *moved, strict=True)
    src, dst, chunk, into, count = (frozen(np.array(column, np.intp)) for column in columns[:5])
    reduces, origin = frozen(np.array(columns[5], np.bool_)), frozen(np.arange(len(stamps)))
    return Step(src, dst, chunk, into, count, reduces, origin, stamps)
