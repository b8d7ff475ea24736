"""Thread blocks that carry out a recording: one for each end of a link, and one for local moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from collectives.collective import Cells
from collectives.recording.recording import Recording
from collectives.schedule import Step
from collectives.schedule.step import rows

MAX_COUNT = 71  # chunks of an operation
LOCAL = (-1, -1)  # the ends of the block for local moves: it sends to nobody, and receives nothing
Ends = tuple[int, int]  # the peers of a block: whom it sends to, whom it receives from
Row = tuple[int, int, int, int, int, bool]


@dataclass
class Written:
    """An operation of a thread block; `after`: operations of other blocks it waits for."""

    kind: str
    source: int  # the first slot that is read; of a receive, on the sender
    target: int  # the first that is written; of a send, on the receiver
    count: int
    after: dict[Ends, int]


@dataclass
class Gpu:
    """The blocks of a GPU so far, and who wrote and read each slot last."""

    staged: int  # the first slot that is free for copies
    blocks: dict[Ends, list[Written]] = field(default_factory=dict)
    writer: dict[int, tuple[Ends, int]] = field(default_factory=dict)
    readers: dict[int, dict[Ends, int]] = field(default_factory=dict)
    waited: dict[tuple[Ends, Ends], int] = field(default_factory=dict)

    def add(self, ends: Ends, row: Written, reads: list[range], writes: range) -> None:
        """Put an operation at the end of a block, after all that it must not overtake."""
        block = self.blocks.setdefault(ends, [])
        after: dict[Ends, int] = {}

        def wait(reader: Ends, index: int) -> None:
            if reader != ends and index > self.waited.get((ends, reader), -1):
                after[reader] = max(index, after.get(reader, -1))

        for slot in (slot for part in (*reads, writes) for slot in part):
            if slot in self.writer:
                wait(*self.writer[slot])
        for slot in writes:
            for reader, index in self.readers.pop(slot, {}).items():
                wait(reader, index)
        for reader, index in after.items():
            self.waited[ends, reader] = index
        row.after = after
        for part in reads:
            for slot in part:
                self.readers.setdefault(slot, {})[ends] = len(block)
        self.writer.update(dict.fromkeys(writes, (ends, len(block))))
        block.append(row)


def blocks_of(recording: Recording) -> list[Gpu]:
    """The thread blocks of every rank, in which each step is sends, local moves, then receives."""
    gpus = [Gpu(recording.slots) for _ in range(recording.ranks)]
    full = np.zeros((recording.ranks, recording.slots), np.bool_)
    full[:] = recording.precondition
    for step in recording.steps:
        if _meets_empty(step, full):  # a slot that is written, and one that is added to, differ
            step = step.unrolled()
        every = [part for row, need in _needed(step) for part in _parts(row, need)]
        local = [part for part, _ in every if part[0] == part[1]]
        moves = [(part, need) for part, need in every if part[0] != part[1]]
        messages = _messages(moves, gpus)
        staged = [_stage(gpus[part[0]], part, local) for part in local]
        for (src, dst, chunk, into, count, _), need, _ in messages:
            reads = [range(chunk, chunk + count), range(need, need + count)]
            gpus[src].add((dst, -1), Written("s", chunk, into, count, {}), reads, range(0))
        for src, _, chunk, into, count, adds in staged:
            _write(gpus[src], full[src], LOCAL, (chunk, into, count, adds), ("cpy", "re"))
        for row, _, copies in messages:
            _receive(gpus[row[1]], full[row[1]], row, copies)
    return gpus


def _needed(step: Step) -> Iterator[tuple[Row, int]]:
    """The rows of a step, each with the first slot that has to be written before."""
    yield from zip(rows(step), step.needed.tolist(), strict=True)


def _meets_empty(step: Step, full: Cells) -> bool:
    """Whether a row adds to several slots, of which one is empty."""
    adds = step.select(np.flatnonzero(step.reduces & (step.count > 1))).unrolled()
    return not full[adds.dst, adds.into].all()


def _parts(row: Row, need: int) -> Iterator[tuple[Row, int]]:
    """A row in parts that are short enough for an operation."""
    src, dst, chunk, into, count, adds = row
    for first in range(0, count, MAX_COUNT):
        length = min(MAX_COUNT, count - first)
        yield (src, dst, chunk + first, into + first, length, adds), need + first


def _messages(
    moves: list[tuple[Row, int]], gpus: list[Gpu]
) -> list[tuple[Row, int, list[tuple[int, bool]]]]:
    """Rows as messages: what one node sends another twice in a step travels once.

    The third part says where such a message is copied to, or added, from a slot that is free.
    """
    same: dict[tuple[int, ...], list[tuple[Row, int]]] = {}
    for row, need in moves:
        same.setdefault((*row[:3], row[4], need), []).append((row, need))
    messages = []
    for (row, need), *others in same.values():
        copies = [(row[3], row[5]) for row, _ in others]
        if copies:
            copies = [(row[3], row[5]), *copies]
            gpu = gpus[row[1]]
            row = (*row[:3], gpu.staged, row[4], False)
            gpu.staged += row[4]
        messages.append((row, need, copies))
    return messages


def _receive(gpu: Gpu, full: Cells, row: Row, copies: list[tuple[int, bool]]) -> None:
    """A receive, and the local moves from where it is put to where it belongs."""
    src, _, chunk, into, count, adds = row
    if not copies:
        return _write(gpu, full, (-1, src), (chunk, into, count, adds), ("r", "rrc"))
    gpu.add((-1, src), Written("r", chunk, into, count, {}), [], range(into, into + count))
    for place, adds_there in copies:
        _write(gpu, full, LOCAL, (into, place, count, adds_there), ("cpy", "re"))


def _stage(gpu: Gpu, row: Row, local: list[Row]) -> Row:
    """A local move; from a copy where another move of the step writes what it reads."""
    src, dst, chunk, into, count, adds = row
    # its own target may overlap what it reads
    met = any(row[0] == src and row[3] < chunk + count and chunk < row[3] + row[4] for row in local)
    if not met:
        return row
    copy, gpu.staged = gpu.staged, gpu.staged + count
    here, there = range(chunk, chunk + count), range(copy, copy + count)
    gpu.add(LOCAL, Written("cpy", chunk, copy, count, {}), [here], there)
    return src, dst, copy, into, count, adds


def _write(
    gpu: Gpu, full: Cells, ends: Ends, row: tuple[int, int, int, bool], kinds: tuple[str, str]
) -> None:
    """An operation that writes slots: those that are empty are not added to, but overwritten."""
    chunk, into, count, adds = row
    held = full[into : into + count]
    kind = kinds[bool(adds and held.all())]
    target = range(into, into + count)
    reads = [range(chunk, chunk + count)] if ends == LOCAL else []
    gpu.add(ends, Written(kind, chunk, into, count, {}), reads, target)
    held[:] = True
