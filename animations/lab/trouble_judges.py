"""Incidents with a ring of eight ranks, made by a seed, and the judge of who is to blame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

import numpy as np

from animations.lab.verdicts import judged
from collectives.cost.by_name import time
from collectives.cost.clocks.timing import Timing
from collectives.cost.fault_texts import Faults
from collectives.cost.machines import topology
from collectives.cost.machines.faults import dead_link, stall
from collectives.errors import BadInput
from collectives.proof.prove import Verdict
from collectives.recording.recorder import record
from collectives.units import time_text
from collectives.words import brief

RANKS, SIZE, COLUMNS = 8, 1 << 26, 64
KINDS = ("slow link", "late rank", "jitter", "dead link", "other order")
NUMBERS = range(1, 7)


def incident(number: int) -> str:
    """What was seen of an incident with a ring all-reduce of eight ranks, as lines.

    Lanes show when each rank sends (█) and when it does not (·). Raises BadInput for an incident
    that is not there.
    """
    if number not in NUMBERS:
        raise BadInput(f"incident {brief(number)}: there are {NUMBERS[0]} to {NUMBERS[-1]}")
    return "\n".join([f"incident {number}", *_seen(*_causes()[number])])


@cache
def _causes() -> Mapping[int, tuple[str, int]]:
    """The kind of each incident and the rank that is to blame: all kinds, one of them twice."""
    random = Random(11)
    kinds = [*KINDS, "slow link"]
    random.shuffle(kinds)
    ranks = random.sample(range(RANKS), len(kinds))
    return dict(zip(NUMBERS, zip(kinds, ranks, strict=True), strict=True))


def _seen(kind: str, rank: int) -> Iterator[str]:
    ring, after = record("all_reduce", "ring", ranks=RANKS), (rank + 1) % RANKS
    if kind == "other order":
        for node in range(RANKS):
            calls = ["all_gather", "all_reduce"] if node == rank else ["all_reduce", "all_gather"]
            yield f"rank {node}: waits in {calls[0]}; calls {', then '.join(calls)}"
        return
    if kind == "dead link":
        standstill = stall(ring, dead_link(topology("ring", RANKS), rank, after))
        waits = standstill.waits if standstill else {}
        for node, (whom, step) in sorted(waits.items()):
            yield f"rank {node}: waits for rank {whom} in step {step}, for ever"
        return
    faults = {
        "slow link": Faults(slow_link=(f"{rank}→{after}=0.25",)),
        "late rank": Faults(late=(f"{rank}=2ms",)),
        "jitter": Faults(jitter=3e-4, seed=3),
    }
    timing = time(ring, "ring", size=SIZE, clock="dataflow", faults=faults[kind])
    healthy = time(ring, "ring", size=SIZE, clock="dataflow")
    yield f"the all-reduce takes {time_text(timing.total)}, healthy {time_text(healthy.total)}"
    for node in range(RANKS):
        yield f"rank {node}  {_lane(timing, node)}"


def _lane(timing: Timing, rank: int) -> str:
    """When a rank sends, in columns of equal time."""
    messages = timing.messages
    own = messages.src == rank
    middles = (np.arange(COLUMNS) + 0.5) * timing.total / COLUMNS
    spans = zip(messages.start[own], messages.sent[own], strict=True)
    sends = np.zeros(COLUMNS, bool)
    for start, end in spans:
        sends |= (middles >= start) & (middles < end)
    return "".join("█" if busy else "·" for busy in sends)


def culprits(answer: Any) -> Verdict:
    """Who is to blame in each incident: its kind and the rank, the sender of a link."""
    if not isinstance(answer, dict):
        return Verdict(False, "culprits is no dict: it must name a kind and a rank for each number")
    wrong = []
    for number in NUMBERS:
        kind, rank = _causes()[number]
        named = answer.get(number)
        if not isinstance(named, tuple) or len(named) != 2 or named[0] not in KINDS:
            wrong.append(
                f'incident {number}: {named!r}; try: ("slow link", 2) of {", ".join(KINDS)}'
            )
        elif named[0] != kind:
            wrong.append(f"incident {number}: a {named[0]} would look different")
        elif named[1] != (None if kind == "jitter" else rank):
            wrong.append(f"incident {number}: the kind is right, the rank is not")
    return judged("culprits", wrong, len(NUMBERS))
