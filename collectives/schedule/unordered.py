"""Data races: operations that use one slot, one of which writes it, in no order.

What has to come before an operation is what it waits for, and what that waits for. Whoever runs a
schedule says what comes directly before each of its operations, and which slots they use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

WINDOW = 1 << 15  # operations whose successors are found at a time
Slot = tuple[int, int]  # a rank (a GPU), and one of its slots
Uses = Sequence[tuple[int, range, bool]]  # a rank, its slots, and whether they are written


@dataclass
class _Used:
    """Who wrote a slot last, and who has read it since: the last operation of each thread."""

    writer: int | None = None
    readers: dict[Hashable, int] = field(default_factory=dict)


def meetings(threads: Sequence[Hashable], uses: Sequence[Uses]) -> dict[tuple[int, int], Slot]:
    """Pairs of operations that must be ordered, each with a slot both use, and one writes.

    Each is paired with the last write before it, and a write with the reads since: if all of
    these are in order, all others are. Operations of one thread are in order.
    """
    meetings: dict[tuple[int, int], Slot] = {}
    used: dict[Slot, _Used] = defaultdict(_Used)
    for event, (thread, accesses) in enumerate(zip(threads, uses, strict=True)):
        for rank, slots, writes in accesses:
            for slot in ((rank, slot) for slot in slots):
                known = used[slot]
                others = [] if known.writer is None else [known.writer]
                others += known.readers.values() if writes else ()
                for event_before in others:
                    if threads[event_before] != thread:
                        meetings.setdefault((event_before, event), slot)
                if writes:
                    used[slot] = _Used(event)
                else:
                    known.readers[thread] = event
    return meetings


def unordered(
    before: Sequence[Sequence[int]], pairs: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The pairs of which the first does not have to come before the second.

    The operations that come before one are the bits of an integer; of a long program only those
    of a window at a time, so that they fit into memory.
    """
    later = [0] * len(before)  # operations that come directly after
    for events in before:
        for later_event in events:
            later[later_event] += 1
    wanted: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for first, second in pairs:
        wanted[first // WINDOW][second].append(first)
    for window, of in wanted.items():
        start, left = window * WINDOW, later.copy()
        past: dict[int, int] = {}
        for event in range(start, max(of) + 1):
            known = 0
            for later_event in before[event]:
                if later_event >= start:
                    known |= past[later_event]
                    left[later_event] -= 1
                    if not left[later_event]:
                        del past[later_event]
            yield from (
                (first, event) for first in of.get(event, ()) if not known >> first - start & 1
            )
            past[event] = known | (1 << event - start if event < start + WINDOW else 0)
