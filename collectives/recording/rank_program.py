"""What each rank does in a recording: its sends, receives, additions and copies, in their order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from collectives.recording.memory import EmptySlot
from collectives.recording.recording import Recording
from collectives.schedule.step import rows
from collectives.values import whole

EMPTY = -1  # in place of the elements of a slot


@dataclass(frozen=True)
class RankOperation:
    """One operation of a rank on consecutive slots.

    Attributes
    ----------
    step : int
        The step it belongs to, from 1 on: all operations of a step read before any of them writes.
    verb : str
        "send" to the peer, "recv" from it into slots, "reduce" from it into slots that hold data;
        of slots of the rank itself "copy" and "add".
    peer : int
        The other node; the rank itself for "copy" and "add".
    slot : int
        The first slot that is sent, or written.
    sizes : tuple of int
        Elements of each of the slots.
    source : int
        The first slot that "copy" and "add" read; else the same as `slot`.
    """

    step: int
    verb: str
    peer: int
    slot: int
    sizes: tuple[int, ...]
    source: int


def rank_program(recording: Recording, rank: int) -> list[RankOperation]:
    """The operations of one rank, or of a node beside the ranks.

    Parameters
    ----------
    recording : Recording
        Of any schedule.
    rank : int
        Below `recording.nodes`.

    Returns
    -------
    list of RankOperation
        By step; of each step the sends first, then what is written, in its order. Messages from
        one node to another arrive in the order in which they are sent.

    Raises
    ------
    BadInput
        For a rank that there is not.
    WrongSchedule
        Where an empty slot is read.

    Examples
    --------
    >>> from collectives import record
    >>> for one in rank_program(record("all_reduce", "ring", ranks=2), 0):
    ...     print(one.step, one.verb, one.peer, one.slot, one.sizes)
    1 send 1 1 (4,)
    1 reduce 1 0 (4,)
    2 send 1 0 (4,)
    2 recv 1 1 (4,)
    """
    rank = whole("rank", rank, 0, recording.nodes - 1)
    return [operation for node, operation in operations(recording) if node == rank]


def rank_programs(recording: Recording) -> list[list[RankOperation]]:
    """The operations of every node, as `rank_program` has them, in one pass."""
    programs: list[list[RankOperation]] = [[] for _ in range(recording.nodes)]
    for node, operation in operations(recording):
        programs[node].append(operation)
    return programs


def operations(recording: Recording) -> Iterator[tuple[int, RankOperation]]:
    """Every operation with the node that does it, step by step."""
    held = np.full((recording.nodes, recording.slots), EMPTY)
    own = recording.precondition[:, : recording.chunk_count]
    held[: recording.ranks, : recording.chunk_count][own] = np.where(own, recording.size, 0)[own]
    for number, step in enumerate(recording.steps, 1):
        sends: dict[int, list[RankOperation]] = defaultdict(list)
        writes: dict[int, list[RankOperation]] = defaultdict(list)
        every = list(rows(step))
        read = [held[src, chunk : chunk + count].tolist() for src, _, chunk, _, count, _ in every]
        for (src, dst, chunk, into, count, adds), sizes in zip(every, read, strict=True):
            if EMPTY in sizes:
                slot = chunk + sizes.index(EMPTY)
                raise EmptySlot(f"step {number}: rank {src} reads slot {slot}, which is empty")
            there = held[dst, into : into + count].tolist()
            for begin, end, reduces in _runs(there, adds):
                part = tuple(sizes[begin:end])
                local = src == dst
                verb = ("add" if reduces else "copy") if local else "reduce" if reduces else "recv"
                source, slot = chunk + begin, into + begin
                writes[dst].append(
                    RankOperation(number, verb, src, slot, part, source if local else slot)
                )
                if not local:
                    sends[src].append(RankOperation(number, "send", dst, source, part, source))
            held[dst, into : into + count] = sizes
        for kind in (sends, writes):
            for node, listed in kind.items():
                yield from ((node, operation) for operation in listed)


def _runs(there: Sequence[int], adds: bool) -> Iterator[tuple[int, int, bool]]:
    """Begin and end of the slots that are alike: whether something is added to what they hold."""
    begin = 0
    for reduces, run in groupby(there, lambda size: adds and size != EMPTY):
        end = begin + len(list(run))
        yield begin, end, reduces
        begin = end
