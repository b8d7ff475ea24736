"""The links of a schedule, step by step and chunk by chunk: all that a structure is judged by."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from collectives.schedule import Step
from collectives.schedule.columns import Integers
from collectives.schedule.step import Matrix

Link = tuple[int, int]
Links = frozenset[Link]
Map = Callable[[Link], Link | None]


@dataclass(frozen=True)
class Traffic:
    """Which links carry a message in each step; steps in which none travels are left out.

    ranks: nodes from this number on are helpers. by_chunk: the links that each chunk takes, in
    the order in which they are first used. groups: the ranks of `within`, for each step the
    matrices of ranks that it has.
    """

    ranks: int
    nodes: int
    steps: tuple[Links, ...]
    by_chunk: dict[int, tuple[Link, ...]] = field(default_factory=dict)
    groups: tuple[tuple[Matrix, ...], ...] = ()

    @cached_property
    def links(self) -> Links:
        """All links in use."""
        return frozenset().union(*set(self.steps))

    @cached_property
    def in_order(self) -> tuple[Link, ...]:
        """All links in use, in the order in which they are first used."""
        fresh = dict.fromkeys(self.steps)
        return tuple(dict.fromkeys(link for links in fresh for link in sorted(links)))

    def mapped(
        self, ranks: int, nodes: int, place: Map, groups: Callable[[Matrix], Matrix]
    ) -> Traffic:
        """The links that have a place in part of a machine, with the numbers they have there."""
        known: dict[Links, Links] = {}
        for links in self.steps:
            if links not in known:
                known[links] = frozenset(_placed(links, place))
        by_chunk = {chunk: tuple(_placed(links, place)) for chunk, links in self.by_chunk.items()}
        busy = [number for number, links in enumerate(self.steps) if known[links]]
        kept = {of: tuple(filter(None, map(groups, of))) for of in set(self.groups)}
        return Traffic(
            ranks,
            nodes,
            tuple(known[self.steps[number]] for number in busy),
            {chunk: links for chunk, links in by_chunk.items() if links},
            tuple(kept[self.groups[number]] for number in busy) if self.groups else (),
        )


def traffic_of(steps: Iterable[Step], ranks: int, nodes: int) -> Traffic:
    """The traffic of these steps; equal sets of links are kept once."""
    known: dict[bytes, Links] = {}
    found: list[Links] = []
    groups: list[tuple[Matrix, ...]] = []
    carried = [np.zeros(0, np.intp)]
    for step in steps:
        moves = np.flatnonzero(step.src != step.dst)
        if not len(moves):
            continue
        each = step.select(moves).unrolled()
        link = each.src * nodes + each.dst
        keys = np.unique(link)
        name = keys.tobytes()
        if name not in known:
            known[name] = frozenset(_links(keys, nodes))
        found.append(known[name])
        groups.append(tuple(dict.fromkeys(filter(None, step.groups))))
        carried.append(np.unique(each.chunk * nodes**2 + link))
    every, first = np.unique(np.concatenate(carried), return_index=True)
    order = np.argsort(first)
    order = order[np.argsort(every[order] // nodes**2, kind="stable")]
    chunk, link = np.divmod(every[order], nodes**2)
    begin = np.flatnonzero(np.diff(chunk, prepend=-1))
    parts = np.split(link, begin[1:]) if len(link) else []
    by_chunk = {int(chunk[at]): _links(part, nodes) for at, part in zip(begin, parts, strict=True)}
    return Traffic(ranks, nodes, tuple(found), by_chunk, tuple(groups) if any(groups) else ())


def _placed(links: Iterable[Link], place: Map) -> dict[Link, None]:
    """The places of links, each once."""
    return dict.fromkeys(new for link in links if (new := place(link)) is not None)


def _links(keys: Integers, nodes: int) -> tuple[Link, ...]:
    src, dst = np.divmod(keys, nodes)
    return tuple(zip(src.tolist(), dst.tolist(), strict=True))
