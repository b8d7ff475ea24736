"""In which slots of time whole chunks only go up to switches, both ways, or only come down."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import NamedTuple

from animations.course.examples import timed
from collectives.cost.clocks.timing import Timing

SIGNS = {(True, False): "↑", (True, True): "↑↓", (False, True): "↓"}


class Slots(NamedTuple):
    """Slots one after another with the same ways: their sign, if any, how many, when they end."""

    sign: str
    number: int
    end: float


def slots_by_way(timing: Timing) -> list[Slots]:
    """All slots, one a step; shards are left out, as they take a small part of one."""
    messages, ranks, slots = timing.messages, timing.recording.ranks, list[Slots]()
    whole = messages.size > messages.size.max() / 2
    ways = [
        (bool((own & (messages.dst >= ranks)).any()), bool((own & (messages.src >= ranks)).any()))
        for own in (whole & (messages.step == step) for step in range(len(timing.recording.steps)))
    ]
    for way, steps in groupby(range(len(ways)), ways.__getitem__):
        every = [*steps]
        end = messages.end[messages.step == every[-1]].max()
        slots.append(Slots(SIGNS.get(way, ""), len(every), float(end)))
    return slots


@cache
def slots(sign: str, algorithm: str, ranks: int, chunks: int, size: int, machine: str) -> int:
    """How many slots of an all-reduce in chunks have a sign of SIGNS; without one, all."""
    table = {"collective": "all_reduce", "algorithm": algorithm, "ranks": ranks}
    timing = timed({**table, "machine": machine, "chunks": chunks}, int(size))
    return sum(part.number for part in slots_by_way(timing) if sign in ("", part.sign))


READ = (slots,)
