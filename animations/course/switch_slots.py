"""Slots of time in which whole chunks go up to switches, down from them, or both ways."""

from __future__ import annotations

from functools import cache
from itertools import groupby

from animations.course.examples import timed
from collectives.cost.clocks.timing import Timing


def slots_by_way(timing: Timing) -> list[tuple[str, int, float]]:
    """Slots of time with the same ways of whole chunks: "↑↓" for both, how many, when they end.

    A slot is a step; shards, which take a small part of it, are left out.
    """
    messages, ranks = timing.messages, timing.recording.ranks
    whole = messages.size > messages.size.max() / 2

    def ways(step: int) -> str:
        own = whole & (messages.step == step)
        up, down = messages.dst[own] >= ranks, messages.src[own] >= ranks
        return "↑" * bool(up.any()) + "↓" * bool(down.any())

    runs = [(way, [*steps]) for way, steps in groupby(range(len(timing.recording.steps)), ways)]
    ends = [float(messages.end[messages.step == steps[-1]].max()) for _, steps in runs]
    return [(way, len(steps), end) for (way, steps), end in zip(runs, ends, strict=True)]


@cache
def slots(way: str, algorithm: str, chunks: int, size: int, machine: str) -> int:
    """How many slots of an all-reduce of eight ranks in chunks have these ways; of "", all."""
    table = {"collective": "all_reduce", "algorithm": algorithm, "ranks": 8, "chunks": chunks}
    every = slots_by_way(timed({**table, "machine": machine}, int(size)))
    return sum(number for ways, number, _ in every if way in ("", ways))


READ = (slots,)
