"""Data races of a program: operations that use one chunk, one of which writes it, in any order.

A thread block runs in order, an operation after the flag that it waits for, a receive after its
send, and everything after the copies at the start. What this leaves open, a GPU may decide anew
in every run. How many messages a connection holds before a send has to wait orders operations
too, but it depends on the sizes and on the protocol, so that no program may count on it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass

from collectives.formats.msccl.events import Connection, ordered
from collectives.formats.msccl.layout import Layout
from collectives.formats.msccl.program import (
    READS_SOURCE,
    RECEIVES,
    SENDS,
    WRITES,
    Block,
    BufferRange,
    Program,
)
from collectives.formats.msccl.waits import Key, awaited
from collectives.schedule.unordered import Slot, meetings, unordered
from collectives.words import plural

Event = tuple[Block, int]  # an operation: its block, and its index there


@dataclass(frozen=True)
class Race:
    """Two operations, in the order that was tried, each with the chunk that both of them use."""

    first: Event
    second: Event
    chunks: tuple[BufferRange, BufferRange]
    writes: tuple[bool, bool]
    others: int  # pairs of operations that race, too

    def __str__(self) -> str:
        """Which operations race about which chunk, and what would order them."""
        ends = zip((self.first, self.second), self.chunks, self.writes, strict=True)
        first, other = (
            f"{block.where(index)} {'writes' if writes else 'reads'} {chunk}"
            for (block, index), chunk, writes in ends
        )
        same = "" if self.chunks[0] == self.chunks[1] else ", which is the same chunk"
        block, index = self.first
        more = f" ({plural(self.others, 'more such pair')})" if self.others else ""
        step = block.operations[index]
        near = f'depid="{block.number}" deps="{step.number}" for the second'
        near += "" if step.flags else ', and hasdep="1" for the first'
        return f"{first}, {other}{same}, and neither waits for the other{more}; try: {near}"


def race_of(program: Program, layout: Layout) -> Race | None:
    """The first race of a program that runs with this layout; None where it has none."""
    events = [(block, at) for block in program.copies for at in range(len(block.operations))]
    events += ordered(program)
    met = meetings(
        [(block.gpu, block.number) for block, _ in events],
        [_slots(block, at, layout) for block, at in events],
    )
    before = _predecessors(program, events)
    races = sorted((second, first) for first, second in unordered(before, met))
    if not races:
        return None
    second, first = races[0]
    slot = met[first, second]
    ends = [_use(*events[number], layout, slot) for number in (first, second)]
    chunks, writes = zip(*ends, strict=True)
    return Race(events[first], events[second], chunks, writes, len(races) - 1)


def _predecessors(program: Program, events: list[Event]) -> list[list[int]]:
    """For each operation those that come directly before it, by their numbers."""
    waits, earlier = awaited(program), []
    number: dict[tuple[Key, int], int] = {}
    sent: dict[Connection, deque[int]] = defaultdict(deque)
    copied: dict[int, int] = {}  # the last copy of a GPU
    for event, (block, index) in enumerate(events):
        key, kind, before = (block.gpu, block.number), block.operations[index].kind, []
        number[key, index] = event
        if index:
            before.append(number[key, index - 1])
        elif block.gpu in copied:
            before.append(copied[block.gpu])
        if block.copies:
            copied[block.gpu] = event
        elif (awaited_key := waits[key][index]) is not None:
            before.append(number[awaited_key])
        if kind in RECEIVES:
            before.append(sent[block.receives_from, block.gpu, block.channel].popleft())
        if kind in SENDS:
            sent[block.gpu, block.sends_to, block.channel].append(event)
        earlier.append(before)
    return earlier


def _ranges(block: Block, index: int) -> Iterator[tuple[BufferRange, bool]]:
    """What an operation reads, then what it writes: where, and whether it writes."""
    step = block.operations[index]
    if step.kind in READS_SOURCE:
        yield step.source, False
    if step.kind == "re":
        yield step.target, False
    if step.kind in WRITES:
        yield step.target, True


def _slots(block: Block, index: int, layout: Layout) -> list[tuple[int, range, bool]]:
    """The slots that an operation reads and writes; none where it copies them onto themselves."""
    ranges = []
    for place, writes in _ranges(block, index):
        first = layout.slot(block.gpu, place)
        ranges.append((block.gpu, range(first, first + place.count), writes))
    onto_itself = block.operations[index].kind == "cpy" and ranges[0][1] == ranges[1][1]
    return [] if onto_itself else ranges


def _use(block: Block, index: int, layout: Layout, slot: Slot) -> tuple[BufferRange, bool]:
    """The chunk in a slot, as an operation names it, and whether it writes it."""
    uses = []
    for place, writes in _ranges(block, index):
        shift = slot[1] - layout.slot(block.gpu, place)
        if 0 <= shift < place.count:
            uses.append((BufferRange(place.buffer, place.offset + shift, 1), writes))
    return max(uses, key=lambda use: use[1])
