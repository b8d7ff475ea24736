"""Where a run stands still for ever: who waits for whom, up to a message that never arrives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from animations.story.labels import Labels
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.faults import Stall, stall
from collectives.words import runs

LONGEST = 16  # letters of a group; of more it is said how many they are


@dataclass(frozen=True)
class Standstill:
    """The first message that never arrives, and who waits for whom in the end.

    waits: for each node that waits whom it waits for. chain: groups of nodes, each of which waits
    for one of the next group; the last is the sender of the lost message. closed: the sender waits
    for the first group, so that all wait for one another. more: those who wait for others.
    """

    step: int
    src: int
    dst: int
    waits: Mapping[int, int]
    chain: tuple[tuple[int, ...], ...]
    closed: bool
    more: int

    def groups(self, labels: Labels) -> Iterator[str]:
        """The chain in short words; where it is closed the sender once more before it."""
        for nodes in ((self.src,), *self.chain) if self.closed else self.chain:
            ranks = [node for node in nodes if node < labels.ranks]
            others = [labels.node(node) for node in nodes if node >= labels.ranks]
            text = ", ".join([*runs(ranks, "–"), *others])
            yield text if len(text) <= LONGEST else f"{len(nodes)} × …"


def standstill(timing: Timing) -> Standstill | None:
    """Where a timing stands still; None where it ends."""
    found = stall(timing.recording, timing.topology, timing.costs)
    if found is None:
        return None
    waits = _at_barrier(timing, found) if timing.clock == "lockstep" else _by_data(found)
    levels, known = [{found.src}], {found.src}
    while levels[-1]:
        levels.append({node for node, other in waits.items() if other in levels[-1]} - known)
        known |= levels[-1]
    chain = tuple(tuple(sorted(level)) for level in reversed(levels[:-1]))
    closed = len(chain) > 1 and waits.get(found.src, -1) in chain[0]
    more = len(waits.keys() - known)
    return Standstill(found.step, found.src, found.dst, waits, chain, closed, more)


def _by_data(found: Stall) -> dict[int, int]:
    """Who waits for a message of whom."""
    return {node: other for node, (other, _) in sorted(found.waits.items())}


def _at_barrier(timing: Timing, found: Stall) -> dict[int, int]:
    """Who waits for a message of the step, and the others, who wait for its receiver."""
    messages = timing.messages
    rows = np.flatnonzero((messages.step == found.step - 1) & ~np.isfinite(messages.end))
    waits = dict(zip(messages.dst[rows].tolist(), messages.src[rows].tolist(), strict=True))
    senders = set(messages.src[rows].tolist())
    nodes = range(timing.recording.nodes)
    waits |= {node: found.dst for node in nodes if node not in waits and node not in senders}
    return dict(sorted(waits.items()))
