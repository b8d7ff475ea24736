"""When each transfer of an MSCCL program happens: steps of messages, with local moves between."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import pairwise, starmap
from typing import Any

import numpy as np

from collectives.errors import BadInput, WrongSchedule
from collectives.formats.msccl.events import Connection, ordered
from collectives.formats.msccl.layout import Layout
from collectives.formats.msccl.listing import lister
from collectives.formats.msccl.program import RECEIVES, SENDS, Block, BufferRange, Program
from collectives.formats.msccl.waits import Key, awaited
from collectives.schedule import Step
from collectives.schedule.columns import frozen, repeated
from collectives.schedule.provenance import Stamp

STEP = 1 << 24  # moments: messages travel at multiples of it, local moves after them
MAX_SLOTS = 1 << 23  # of all GPUs
MAX_STEPS = 1 << 15  # seconds of work
Cells = tuple[int, int, int]  # a GPU, the first slot, how many


@dataclass
class TimedTransfer:
    """A message or a local move, at a moment."""

    at: int
    source: Cells
    target: Cells
    adds: bool
    stamp: Stamp


@dataclass(frozen=True)
class PendingMessage:
    """A message that is not yet received; `writes`: how often each source slot was written."""

    at: int
    source: Cells
    writes: tuple[int, ...]
    borrowed: bool
    stamp: Stamp


@dataclass
class BlockProgress:
    """How far a block has come: what comes next is after `done`, and not before `sent`."""

    done: int = 0
    sent: int = 0


class Schedule:
    """Gives each transfer of a program the first moment at which it can happen.

    A transfer reads its source and writes its target at one moment. Where a block sends long before
    the receiver can write the target, and overwrites the source meanwhile, the message first goes
    into a scratch slot of the receiver. A link carries one message in a step.
    """

    def __init__(self, program: Program, layout: Layout) -> None:
        self._program, self._layout = program, layout
        self.slots = layout.scratch + program.scratch  # grows where messages need scratch slots
        self._end = [self.slots] * program.gpus
        self.transfers: list[TimedTransfer] = []
        shape = program.gpus, self.slots
        self._written, self._read = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self._added = np.zeros(shape, np.int64)  # when a message was added, if nothing came since
        self._full = np.zeros(shape, np.bool_)
        self._writes: dict[tuple[int, int], list[int]] = defaultdict(list)
        cells = layout.promise.precondition(program.gpus, layout.chunk_count, layout.root)
        self._full[:, : cells.shape[1]] = cells
        self._progress: dict[Key, BlockProgress] = defaultdict(BlockProgress)
        self._awaited = awaited(program)
        self._after: dict[tuple[Key, int], tuple[int, int]] = {}
        # those that are not yet received, by their moments, in the order in which they were sent
        self._flights: dict[Connection, OrderedDict[int, PendingMessage]] = defaultdict(OrderedDict)
        self._last: dict[Connection, int] = {}
        self._busy: Counter[tuple[int, int, int]] = Counter()  # source, destination, moment
        self._spare: dict[tuple[int, int], list[int]] = defaultdict(list)
        stamp = lister()
        copies = ((copy, index) for copy in program.copies for index in range(len(copy.operations)))
        for block, index in (*copies, *ordered(program)):
            self._stamp = stamp(block, index)  # of what is run
            self._run(block, index)

    def _run(self, block: Block, index: int) -> None:
        """One operation of a block."""
        step, where, key = block.operations[index], block.where(index), (block.gpu, block.number)
        now = self._progress[key]
        awaited = None if block.copies else self._awaited[key][index]
        if awaited is not None:
            done, sent = self._after[awaited]
            now.done, now.sent = max(now.done, done), max(now.sent, sent)
        source, target = self._cells(block, step.source), self._cells(block, step.target)
        forwarded, spare = target, False
        if step.kind == "s":
            self._check_full(source, step.source, where)
            forwarded = source
        elif step.kind in RECEIVES:
            adds = step.kind in ("rrs", "rrc", "rrcs")
            if step.kind == "rrs":
                forwarded = target = self._borrow(block.gpu, step.source.count)
                spare = True
            if adds:
                self._check_full(source, step.source, where)
                self._move(source, target, False, now)
            self._receive(block, target, adds, now)
        elif step.kind in ("cpy", "re"):
            self._check_full(source, step.source, where)
            if step.kind == "re":
                self._check_full(target, step.target, where)
            self._move(source, target, step.kind == "re", now)
        if step.kind in SENDS:
            self._send(block, forwarded, spare, now)
        self._after[key, index] = now.done, now.sent

    def _cells(self, block: Block, place: BufferRange) -> Cells:
        return block.gpu, self._layout.slot(block.gpu, place), place.count

    def _check_full(self, cells: Cells, place: BufferRange, where: str) -> None:
        """Raise WrongSchedule where an operation reads a chunk that nothing was written into."""
        empty = np.flatnonzero(~self._full[_index(cells)])
        if len(empty):
            chunk = BufferRange(place.buffer, place.offset + int(empty[0]), 1)
            raise WrongSchedule(f"{where}: reads {chunk}, but nothing was written there before it")

    def _move(self, source: Cells, target: Cells, adds: bool, now: BlockProgress) -> None:
        """A local move, at the first moment that is none of messages."""
        if source == target and not adds:
            return
        strict = max(now.done, self._when(self._written, source), self._when(self._written, target))
        weak = max(now.sent, self._when(self._read, target))
        at = max(strict + 1, weak)
        at += at % STEP == 0
        self._add(TimedTransfer(at, source, target, adds, self._stamp))
        now.done = max(now.done, at)

    def _send(self, block: Block, source: Cells, spare: bool, now: BlockProgress) -> None:
        """Put a message on its way, at the first moment of messages that its link is free."""
        link = block.gpu, block.sends_to, block.channel
        moments = self._written[_index(source)]
        after = max(now.done, int(moments.max()), self._last.get(link, 0))
        at = self._message_moment(link, after, now.sent)
        self._last[link] = at
        writes = tuple(map(len, self._writes_of(source)))
        self._flights[link][at] = PendingMessage(at, source, writes, spare, self._stamp)
        self._note_read(source, at)
        now.sent = max(now.sent, at)

    def _receive(self, block: Block, target: Cells, adds: bool, now: BlockProgress) -> None:
        """Take the next message of a block's connection."""
        link = block.receives_from, block.gpu, block.channel
        flights = self._flights[link]
        _, flight = flights.popitem(last=False)
        before = max(now.done, self._when(self._written, target))
        if adds and (self._added[_index(target)] == before).all():
            before -= 1  # messages can be added at one moment
        weak = max(now.sent, self._when(self._read, target))
        at, delayed = flight.at, flight.at <= before or flight.at < weak
        if delayed:  # those behind it come later still
            self._busy[*link[:2], at] -= 1
            at = self._message_moment(link, before, max(weak, at), flights)
        if delayed and at > self._overwritten(flight):
            self._busy[*link[:2], at] -= 1
            self._busy[*link[:2], flight.at] += 1
            buffer = self._borrow(block.gpu, target[2], fresh=True)
            self._add(TimedTransfer(flight.at, flight.source, buffer, False, flight.stamp))
            self._move(buffer, target, adds, now)
        else:
            self._add(TimedTransfer(at, flight.source, target, adds, flight.stamp))
            now.done = max(now.done, at)
        if flight.borrowed:
            gpu, first, count = flight.source
            self._spare[gpu, count].append(first)

    def _message_moment(
        self, link: Connection, after: int, not_before: int, behind: Container[int] = ()
    ) -> int:
        """The first moment of messages after one moment and not before another; it is taken.

        behind: moments of messages that make way for it.
        """
        at = STEP * max(after // STEP + 1, -(-not_before // STEP))
        while self._busy[*link[:2], at] > (at in behind):
            at += STEP
        self._busy[*link[:2], at] += 1
        return at

    def _add(self, transfer: TimedTransfer) -> None:
        self.transfers.append(transfer)
        self._note_read(transfer.source, transfer.at)
        target = _index(transfer.target)
        self._written[target] = np.maximum(self._written[target], transfer.at)
        self._added[target] = transfer.at if transfer.adds and transfer.at % STEP == 0 else 0
        self._full[target] = True
        for writes in self._writes_of(transfer.target):
            writes.append(transfer.at)

    def _writes_of(self, cells: Cells) -> list[list[int]]:
        """When each of these slots was written, in ascending order."""
        gpu, first, count = cells
        return [self._writes[gpu, slot] for slot in range(first, first + count)]

    def _overwritten(self, flight: PendingMessage) -> float:
        """When the source of a message is first written after it was sent."""
        later = zip(self._writes_of(flight.source), flight.writes, strict=True)
        return min((at[known] for at, known in later if len(at) > known), default=math.inf)

    def _note_read(self, cells: Cells, at: int) -> None:
        where = _index(cells)
        self._read[where] = np.maximum(self._read[where], at)

    def _when(self, moments: Any, cells: Cells) -> int:
        return int(moments[_index(cells)].max())

    def _borrow(self, gpu: int, count: int, fresh: bool = False) -> Cells:
        """Scratch slots of a GPU that hold nothing that is still needed, or never held anything."""
        if not fresh and (spare := self._spare[gpu, count]):
            return gpu, spare.pop(), count
        first = self._end[gpu]
        self._end[gpu] = end = first + count
        if end > self._written.shape[1]:
            self._grow(2 * end)
        self.slots = max(self.slots, end)
        return gpu, first, count

    def _grow(self, slots: int) -> None:
        """Make room for more scratch slots."""
        if slots * self._program.gpus > MAX_SLOTS:
            raise BadInput(
                f"its messages need more than {MAX_SLOTS} slots to wait in, the most there is room "
                "for; try: fewer chunks"
            )
        more = ((0, 0), (0, slots - self._written.shape[1]))
        self._written, self._read = np.pad(self._written, more), np.pad(self._read, more)
        self._added, self._full = np.pad(self._added, more), np.pad(self._full, more)


def steps_of(transfers: list[TimedTransfer]) -> Iterator[Step]:
    """The transfers as steps, in the order of their moments; raises BadInput for too many."""
    if not transfers:
        return
    if (steps := len({transfer.at for transfer in transfers})) > MAX_STEPS:
        raise BadInput(f"it takes {steps} steps; at most {MAX_STEPS} are run; try: fewer chunks")
    every = list(dict.fromkeys(transfer.stamp for transfer in transfers))
    stamps = {stamp: number for number, stamp in enumerate(every)}
    table = np.array(
        [(t.at, *t.source[:2], *t.target, t.adds, stamps[t.stamp]) for t in transfers], np.intp
    )
    table = table[np.lexsort((table[:, 2], table[:, 3], table[:, 1], table[:, 0]))]
    at, src, chunk, dst, into, count, adds, stamp = map(frozen, table.T.copy())
    reduces = frozen(adds.astype(np.bool_))
    first = [0, *(np.flatnonzero(np.diff(at)) + 1).tolist(), len(at)]
    for rows in starmap(slice, pairwise(first)):
        used, origin = np.unique(stamp[rows], return_inverse=True)
        alike = (count[rows] == count[rows.start]).all()
        yield Step(
            src[rows],
            dst[rows],
            chunk[rows],
            into[rows],
            repeated(count[rows], len(origin)) if alike else count[rows],
            reduces[rows],
            frozen(origin.astype(np.intp)),
            tuple(every[number] for number in used),
        )


def _index(cells: Cells) -> tuple[int, slice]:
    gpu, first, count = cells
    return gpu, slice(first, first + count)
