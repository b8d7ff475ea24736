"""Why a scan runs along a chain: the rank before has the sum of all before it already."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from animations.whys.doubling import moves
from animations.whys.sends import WhyFacts
from animations.whys.spread import MOST_DRAWN, Spread, StepsReached
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.schedule import Schedule, reduce

FEWEST = 3  # ranks
COUNTS = 3, 1, 4, 1, 5, 9, 2, 6  # of ranks, and so on: small enough to be added up in the head


def prefix_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of a scan that passes a sum from each rank to the next, one rank a step."""
    n, recording = facts.ranks, facts.recording
    if recording.collective.name not in ("scan", "exscan") or not FEWEST <= n <= MOST_DRAWN:
        return
    if [hop[:3] for hop in facts.hops] != [(rank, rank + 1, rank) for rank in range(n - 1)]:
        return
    direct = record(all_before(n), collective="scan", ranks=n, slots=1, scratch=recording.slots - 1)
    asked = len(WhyFacts(direct).hops)
    obvious = _spread(direct, "«1|frac(N (N - 1), 2)»")
    picture = replace(_spread(recording, "«1|N - 1»"), obvious=obvious)
    fields = {"rank": n - 1, "number": tell.count(n - 1), "messages": n - 1, "all": asked}
    sentences = [tell(f"prefix_{key}", **fields) for key in ("asks", "together", "before", "waits")]
    yield tell.why("prefix", sentences, picture, tell("prefix_aside", ranks=tell.ranks(n)), 2)


def all_before(n: int) -> Schedule:
    """Every rank asks all ranks before it for their data, the last rank first.

    >>> from collectives.schedule import table
    >>> print(table(all_before(3)))
    step 1   0→2 +0   1→2 +0
    step 2   0→1 +0
    """
    for rank in range(n - 1, 0, -1):
        yield reduce(range(rank), rank)


def _spread(recording: Recording, source: str) -> Spread:
    """Rows of a scan, and how many messages were sent; in cells of one slot small numbers."""
    n, facts = recording.ranks, WhyFacts(recording)
    held = tuple(tuple(tuple(sorted(ranks)) for ranks in state) for state in facts.known)
    sent = [len(step) for step in moves(facts)]
    data = np.resize(np.array(COUNTS, recording.dtype), (n, 1))
    played = recording.excerpt(1).on(data)
    states = map(played.state, range(len(sent) + 1)) if recording.slots == 1 else ()
    rows = tuple(range(n)), held, moves(facts), ("", *map(str, sent)), False, source
    reaches = StepsReached(1), StepsReached(n - 1, 1)
    counted = tuple(sum(sent[:state]) for state in range(len(sent) + 1))
    numbers = ([state.value(rank, 0)[0] for rank in range(n)] for state in states)
    values = tuple(tuple(str(int(number)) for number in state) for state in numbers)
    return Spread(*rows, reaches, counted=counted, values=values)
