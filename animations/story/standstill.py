"""Who waits for whom: for a while, and for ever, up to a message that never arrives."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf

import numpy as np

from animations.story.labels import Labels
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.faults import Stall, stall
from collectives.words import runs

LONGEST = 16  # letters of a group; of more it is said how many they are
ROUNDING = 1e-9  # of all time: a wait that is shorter is none


COLUMNS = ("step", "src", "dst", "start", "sent", "end")  # of messages


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
    stopped = stall(timing.recording, timing.topology, timing.costs)
    if stopped is None:
        return None
    waits = _at_barrier(timing, stopped) if timing.clock == "lockstep" else _by_data(stopped)
    levels, known = [{stopped.src}], {stopped.src}
    while levels[-1]:
        levels.append({node for node, wait in waits.items() if wait in levels[-1]} - known)
        known |= levels[-1]
    chain = tuple(tuple(sorted(level)) for level in reversed(levels[:-1]))
    closed = len(chain) > 1 and waits.get(stopped.src, -1) in chain[0]
    more = len(waits.keys() - known)
    return Standstill(stopped.step, stopped.src, stopped.dst, waits, chain, closed, more)


def _by_data(stall: Stall) -> dict[int, int]:
    """Who waits for a message of whom."""
    return {node: awaited for node, (awaited, _) in sorted(stall.waits.items())}


def _at_barrier(timing: Timing, stall: Stall) -> dict[int, int]:
    """Who waits for a message of the step, and the others, who wait for its receiver."""
    messages = timing.messages
    rows = np.flatnonzero((messages.step == stall.step - 1) & ~np.isfinite(messages.end))
    waits = dict(zip(messages.dst[rows].tolist(), messages.src[rows].tolist(), strict=True))
    senders = set(messages.src[rows].tolist())
    nodes = range(timing.recording.nodes)
    waits |= {node: stall.dst for node in nodes if node not in waits and node not in senders}
    return dict(sorted(waits.items()))


@dataclass(frozen=True)
class RankWait:
    """A node waits for another one; for nobody where it is late itself.

    other: whom its next message comes from or goes to; where all wait for one another after each
    step, who gets the last message of the step.
    """

    start: float
    end: float
    node: int
    other: int | None


@dataclass(frozen=True, eq=False)
class Waits:
    """All waits of a timing, in order for each node."""

    of_node: tuple[tuple[RankWait, ...], ...]

    def at(self, now: float) -> list[RankWait]:
        """Those who wait at a moment."""
        at = []
        for waits in self.of_node:
            place = bisect_right(waits, now, key=lambda wait: wait.start) - 1
            if place >= 0 and now < waits[place].end:
                at.append(waits[place])
        return at


def waits_of(timing: Timing, seconds: float) -> Waits:
    """The waits of a timing, but for those that are rounding beside so many seconds."""
    busy = _busy(timing)
    waits = []
    for node in range(timing.recording.nodes):
        arrival = float(timing.costs.arrivals.get(node, 0.0))
        delayed = [RankWait(0.0, arrival, node, None)] if arrival > 0 else []
        if timing.clock == "lockstep":
            barriers = _at_barriers(timing, node, busy[node])
        else:
            barriers = _between(node, arrival, busy[node])
        long = (wait for wait in barriers if wait.end - wait.start > ROUNDING * seconds)
        waits.append((*delayed, *long))
    return Waits(tuple(waits))


Busy = list[tuple[float, int, float, int]]  # start, step, end, other: of each message of a node


def _busy(timing: Timing) -> dict[int, Busy]:
    """The messages of each node as they begin, those that never do as the steps have them."""
    busy: dict[int, Busy] = defaultdict(list)
    columns = (getattr(timing.messages, name).tolist() for name in COLUMNS)
    for step, src, dst, start, sent, end in zip(*columns, strict=True):
        busy[src].append((start, step, sent, dst))
        busy[dst].append((start, step, end, src))
    return defaultdict(list, {node: sorted(moments) for node, moments in busy.items()})


def _between(node: int, free: float, busy: Busy) -> Iterator[RankWait]:
    """Between its messages."""
    for start, _, end, peer in busy:
        if start > free:
            yield RankWait(free, start, node, peer)
        free = max(free, end)


def _at_barriers(timing: Timing, node: int, busy: Busy) -> Iterator[RankWait]:
    """Before the first step for who comes last, then for the last message of each step."""
    arrivals, messages = timing.costs.arrivals, timing.messages
    begin = float(timing.step_start[:1].sum())
    own = float(arrivals.get(node, 0.0))
    if busy and begin > own:
        yield RankWait(own, begin, node, max(arrivals, key=lambda rank: arrivals[rank]))
    done = {step: end for _, step, end, _ in sorted(busy, key=lambda moment: moment[2])}
    for step in range(max(done, default=-1) + 1):
        start, end = float(timing.step_start[step]), float(timing.step_end[step])
        free = done.get(step, start)
        rows = np.flatnonzero(messages.step == step)
        if start < inf and free < end and len(rows):
            last = rows[messages.end[rows].argmax()]
            yield RankWait(free, end, node, int(messages.dst[last]))
