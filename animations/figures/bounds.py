"""The algorithms of a collective beside its lower bounds: steps, and bytes of the busiest rank."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from animations.figures import captions
from collectives.catalog import ROWS, Row
from collectives.collective import Collective, find_collective
from collectives.errors import BadInput
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.theory import lower_bound

MOST_RANKS = 128
PLAIN, PORTS, SWITCHES = "one port", "several ports", "switches or servers"


@dataclass(frozen=True)
class Point:
    """An algorithm's steps and the vectors its busiest rank sends, both counted."""

    row: Row
    steps: int
    sent: Fraction
    ports: int
    kind: str

    @property
    def name(self) -> str:
        """What is written beside it."""
        return captions.short(self.row)


@dataclass(frozen=True)
class Bounds:
    """The points of a collective, and what no algorithm with one port can beat."""

    collective: Collective
    ranks: int
    chunks: int
    points: tuple[Point, ...]
    steps: int
    sent: Fraction

    @property
    def reached(self) -> tuple[Point, ...]:
        """Algorithms with one port that reach both bounds."""
        both = (self.steps, self.sent)
        return tuple(p for p in self.points if p.kind == PLAIN and (p.steps, p.sent) == both)


def bounds(collective: str, ranks: int, chunks: int = 4, root: int = 0) -> Bounds:
    """Every algorithm that runs on so many ranks, counted; raises BadInput where none does."""
    promise = find_collective(collective)
    if promise.paired or not promise.moves_data:
        why = "has no algorithms to compare" if promise.paired else "moves no bytes"
        raise BadInput(f"bounds: {promise.title} {why}; nearest: all-reduce")
    if not 2 <= ranks <= MOST_RANKS:
        near = min(max(ranks, 2), MOST_RANKS)
        raise BadInput(f"-n {ranks}: bounds are drawn for 2 to {MOST_RANKS} ranks; nearest: {near}")
    if root and not promise.rooted:
        raise BadInput(f"--root {root}: {promise.title} has no root; leave it out")
    points, least = [], None
    for row in ROWS:
        if row.collective != promise.name or not row.accepts(ranks):
            continue
        made = record(
            row.collective,
            row.algorithm,
            ranks=ranks,
            root=root,
            chunks=chunks if "chunks" in row.parameters else None,
        )
        points.append(_point(row, made))
        bound = lower_bound(promise, made.case)
        sent = Fraction(bound.sent, made.count * made.dtype.itemsize)
        least = (bound.steps, sent if least is None else min(sent, least[1]))
    if least is None:
        raise BadInput(f"-n {ranks}: no {promise.title} algorithm takes so many; nearest: -n 8")
    return Bounds(promise, ranks, chunks, tuple(points), *least)


def _point(row: Row, made: Recording) -> Point:
    counters = made.counters
    vector = made.count * made.dtype.itemsize
    kind = SWITCHES if made.nodes > made.ranks else PORTS if counters.ports > 1 else PLAIN
    sent = Fraction(int(counters.bytes_sent[: made.ranks].max()), vector)
    return Point(row, counters.steps, sent, counters.ports, kind)
