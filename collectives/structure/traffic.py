"""The links of a schedule, step by step and chunk by chunk: all that a structure is judged by."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from collectives.schedule import Step
from collectives.schedule.columns import Integers

Link = tuple[int, int]
Links = frozenset[Link]


@dataclass(frozen=True)
class Traffic:
    """Which links carry a message in each step; steps in which none travels are left out.

    ranks: nodes from this number on are helpers. by_chunk: the links that each chunk takes.
    """

    ranks: int
    nodes: int
    steps: tuple[Links, ...]
    by_chunk: dict[int, Links] = field(default_factory=dict)

    @cached_property
    def links(self) -> Links:
        """All links in use."""
        return frozenset().union(*set(self.steps))

    def mapped(self, ranks: int, nodes: int, place: Callable[[Link], Link | None]) -> Traffic:
        """The links that have a place in part of a machine, with the numbers they have there."""
        known: dict[Links, Links] = {}

        def moved(links: Links) -> Links:
            if links not in known:
                known[links] = frozenset(new for new in map(place, links) if new is not None)
            return known[links]

        by_chunk = {chunk: moved(links) for chunk, links in self.by_chunk.items()}
        steps = tuple(new for links in self.steps if (new := moved(links)))
        return Traffic(ranks, nodes, steps, {c: links for c, links in by_chunk.items() if links})


def traffic_of(steps: Iterable[Step], ranks: int, nodes: int) -> Traffic:
    """The traffic of these steps; equal sets of links are kept once."""
    known: dict[bytes, Links] = {}
    found: list[Links] = []
    carried: list[Integers] = []
    for step in steps:
        moves = np.flatnonzero(step.src != step.dst)
        if not len(moves):
            continue
        key = step.src * nodes + step.dst
        links = np.unique(key[moves])
        name = links.tobytes()
        if name not in known:
            known[name] = _links(links, nodes)
        found.append(known[name])
        each = step.select(moves).unrolled()
        rows = each.chunk * nodes**2 + each.src * nodes + each.dst
        carried.append(np.unique(rows))
    by_chunk = {}
    every = np.unique(np.concatenate(carried)) if carried else np.zeros(0, np.intp)
    chunks, begin = np.unique(every // nodes**2, return_index=True)
    for chunk, some in zip(chunks.tolist(), np.split(every % nodes**2, begin[1:]), strict=True):
        by_chunk[chunk] = _links(some, nodes)
    return Traffic(ranks, nodes, tuple(found), by_chunk)


def _links(keys: Integers, nodes: int) -> Links:
    src, dst = np.divmod(keys, nodes)
    return frozenset(zip(src.tolist(), dst.tolist(), strict=True))
