"""The cut that limits a collective on a machine: the links over which it must take the longest."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from collectives.collective import Collective
from collectives.cost.machines.topology import Topology
from collectives.units import rate_text, size_text
from collectives.values import not_negative, whole
from collectives.words import Worded, plural, ranges, runs

NAMES = ("parts", "direction", "links", "vectors", "bandwidth", "reachable", "narrowest")
MOST_RUNS = 3  # of ranks in a row, that are named


@dataclass(frozen=True, repr=False, eq=False)
class Cut:
    """Parts of a machine, and what must pass all links out of them, or into them.

    Attributes
    ----------
    topology : Topology
        The machine.
    collective : Collective
        What is limited.
    parts : tuple of frozenset of int
        The nodes of each part: one part, or for an all-reduce several, each of which has ranks
        of its own.
    leaving : bool
        Whether the data must leave the parts; otherwise it must enter them.
    vectors : Fraction
        How many vectors must pass, all parts together.
    bandwidth : Fraction
        Bytes per second of all links that leave (or enter) the parts.
    reachable : bool
        Whether schedules come as near to this time as one likes; otherwise it is a bound only.
    narrowest : bool
        Whether no other cut takes longer; otherwise it is the narrowest of those that were tried.
    """

    topology: Topology
    collective: Collective
    parts: tuple[frozenset[int], ...]
    leaving: bool
    vectors: Fraction
    bandwidth: Fraction
    reachable: bool
    narrowest: bool = True

    def __repr__(self) -> str:
        """One line: what limits what."""
        return f"<Cut: {self.collective.title} on {self.topology.name}: {self.text()}>"

    def seconds(self, size: int | float) -> float:
        """The least time for a vector of `size` bytes; raises BadInput for what is no size."""
        moved = self.vectors * Fraction(not_negative("size", size, "bytes"))
        return float(moved / self.bandwidth) if self.bandwidth else float("inf")

    @cached_property
    def links(self) -> tuple[int, ...]:
        """The links that leave the parts, or enter them, without dead ones."""
        crossing = list[int]()
        rows = zip(self.topology.src.tolist(), self.topology.dst.tolist(), strict=True)
        ends = [pair if self.leaving else pair[::-1] for pair in rows]
        alive = (self.topology.bandwidth > 0).tolist()
        for part in self.parts:
            crossing += [
                link
                for link, (start, end) in enumerate(ends)
                if alive[link] and start in part and end not in part
            ]
        return tuple(dict.fromkeys(crossing))  # parts may share a switch

    def text(self, size: int | None = None) -> str:
        """What must pass where, in bytes or in vectors of S bytes."""
        moved = f"{float(self.vectors):.4g} S"
        if size is not None:
            moved = size_text(self.vectors * whole("size", size))
        rate, links = rate_text(float(self.bandwidth)), self.links
        if len(links) == 1:
            return f"{moved} must {self.passes} over {self.topology.link_label(links[0])}, {rate}"
        such = f", such as {self.topology.link_label(links[0])}" if links else ""
        return f"{moved} must {self.passes} over {plural(len(links), 'link')}{such}, {rate} in all"

    @property
    def passes(self) -> str:
        """Between, out of or into which parts: enter rank 0; pass between 8 ranks."""
        if len(self.parts) == 1:
            way = "leave {part}" if self.leaving else "enter {part}"
            return Worded(way, part=self.part_name(0))
        if len(self.parts) == self.topology.ranks > 2:
            return Worded("pass between {number} ranks", number=len(self.parts))
        names = list(map(self.part_name, range(len(self.parts))))
        if len(self.parts) == 2:
            return Worded("pass between {first} and {last}", first=names[0], last=names[1])
        parts = {"number": len(self.parts), "part": min(names, key=len)}
        return Worded("pass between {number} parts, such as {part},", **parts)

    def part_name(self, part: int) -> str:
        """The ranks of a part: rank 3, ranks 0-7, 20 ranks."""
        inside = self.parts[whole("part", part, 0, len(self.parts) - 1)]
        ranks = sorted(node for node in inside if node < self.topology.ranks)
        if len(runs(ranks)) > MOST_RUNS:
            return plural(len(ranks), "rank")
        if len(ranks) == 1:
            return Worded("rank {number}", number=ranks[0])
        return Worded("ranks {numbers}", numbers=ranges(ranks))

    def as_json(self) -> dict[str, Any]:
        """Its values by name."""
        label = self.topology.label
        values = (
            [[label(node) for node in sorted(part)] for part in self.parts],
            "out" if self.leaving else "in",
            [self.topology.link_label(link) for link in self.links],
            float(self.vectors),
            float(self.bandwidth),
            self.reachable,
            self.narrowest,
        )
        return dict(zip(NAMES, values, strict=True))
