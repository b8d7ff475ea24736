"""What a stage is made from: a recording, seen as parcels between nodes, and how it is folded."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from animations.drawing.card_shapes import Lanes, card_shape
from animations.drawing.scenery import Card, CardShape, Fold, StageLine, Tone, Way, plain_fold
from animations.drawing.shapes import CARD_RADIUS, Box
from animations.phrases import Phrases
from animations.stages.views import has_one_source
from collectives.cost.machines.paths import NO_PATHS, Integers
from collectives.cost.machines.topology import Topology
from collectives.recording.phases import phases
from collectives.recording.recording import Recording
from collectives.schedule import Step

MOST_PLAIN = 16  # ranks that have a bar of their own in every cell
MOST_LANES = 4  # rows of cells
BARS, WELLS = 8, 8  # of a cell, and of a row of cells, where they are folded
SWITCH_RADIUS = 26.0  # of the corners of cards that are no ranks


class Message(NamedTuple):
    """Data that moves from one node to another in a step, with the slots that it fills."""

    src: int
    dst: int
    chunks: tuple[int, ...]
    into: tuple[int, ...]
    adds: bool


@dataclass(frozen=True)
class Staged:
    """A recording for a stage.

    lanes: rows of cells in a card, see `lanes_of`. whole: a contribution fills its whole cell.
    topology: the machine on which it is timed, where that is known.
    """

    recording: Recording
    say: Phrases
    lanes: Lanes
    whole: bool
    fold: Fold
    topology: Topology | None = None

    @property
    def ranks(self) -> int:
        """Number of ranks."""
        return self.recording.ranks

    @property
    def nodes(self) -> int:
        """Number of ranks and helpers."""
        return self.recording.nodes

    @cached_property
    def by_chunk(self) -> bool:
        """Whether colors are those of chunks, not of ranks."""
        return self.whole and has_one_source(self.recording)

    @property
    def root(self) -> int:
        """The root's rank, 0 where there is none."""
        return self.recording.root

    @cached_property
    def steps(self) -> tuple[tuple[Message, ...], ...]:
        """What moves between nodes in each step, local moves left out."""
        return tuple(tuple(_messages(step)) for step in self.recording.steps)

    @cached_property
    def lasting(self) -> set[frozenset[int]]:
        """The links of the longest phase; others stand only while data passes them."""
        parts = [self.steps[part.first : part.end] for part in phases(self.recording)]
        return {frozenset((m.src, m.dst)) for step in max(parts, key=len, default=()) for m in step}

    @cached_property
    def link_steps(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """The steps, from 1, in which something moves from one node to another."""
        links: dict[tuple[int, int], list[int]] = {}
        for number, messages in enumerate(self.steps, 1):
            for message in messages:
                numbers = links.setdefault((message.src, message.dst), [])
                if numbers[-1:] != [number]:
                    numbers.append(number)
        return {link: tuple(numbers) for link, numbers in links.items()}

    @cached_property
    def pairs(self) -> frozenset[tuple[int, int]]:
        """Nodes that are linked, the lower one first."""
        return frozenset(self.pair_steps)

    def folded(self, bar: tuple[int, ...], noun: str = "group", wells: int = WELLS) -> Staged:
        """The same with a bar for each group of ranks, and few cells in each row of a card.

        All rows but the first are one, where they are many.
        """
        well: list[int] = []
        lanes = []
        rows = self.lanes
        if len(rows) > MOST_LANES:
            rows = (rows[0], (sum(map(sum, rows[1:])),))
        for sizes in rows:
            first, blocks = max(well, default=-1) + 1, _blocks(sum(sizes), wells)
            well += [first + block for block in blocks]
            lanes.append((blocks[-1] + 1,))
        return replace(self, fold=Fold(bar, tuple(well), noun), lanes=tuple(lanes), whole=False)

    @cached_property
    def hops(self) -> Integers:
        """Links of the machine from each rank to each, [src, dst]; 0 if it is not known."""
        pairs = np.divmod(np.arange(self.ranks**2), self.ranks)
        paths = NO_PATHS if self.topology is None else self.topology.paths(*pairs)
        return np.resize(np.diff(paths.start) if len(paths) else 0, (self.ranks, self.ranks))

    @property
    def on_ring(self) -> bool:
        """Whether the machine's links are cables of a ring, from each rank to the next."""
        ahead = np.subtract.outer(rank := np.arange(self.ranks), rank) % self.ranks
        return bool((self.hops == np.minimum(ahead, ahead.T)).all())

    @property
    def node_size(self) -> int:
        """Ranks of each node of the machine, if these stand in their order; else all of them."""
        machine = self.topology
        return machine.gpus if machine and machine.gpus > 1 and not machine.seats else self.nodes

    def rate(self, links: Collection[tuple[int, int]]) -> float:
        """Bytes per second of a message on the slowest of these links; 0 if that is not known."""
        if self.topology is None or not links:
            return 0.0
        at = self.topology.placement(self.ranks, self.nodes)
        src, dst = (at[list(ends)] for ends in zip(*links, strict=True))
        paths = self.topology.paths(src, dst)
        return float(self.topology.bandwidth[paths.link].min(initial=math.inf))

    def shape(self, width: float, height: float, radius: float = CARD_RADIUS) -> CardShape:
        """The shape of a card of this size."""
        return card_shape(width, height, self.lanes, radius)

    def card(self, node: int, x: float, y: float, shape: CardShape) -> Card:
        """The card of a node; its border is in its own color where ranks have colors."""
        if node >= self.ranks:
            return Card(x, y, shape, "faint")
        own = self.fold.is_plain and not self.by_chunk
        tone: Tone = f"rank {node}" if own else "edge"
        return Card(x, y, shape, tone, tone if own else "ink")

    def cards(self, boxes: Iterable[Box], radius: float = CARD_RADIUS) -> tuple[Card, ...]:
        """The card of each node in its box, those of helpers with corners of this radius."""
        shapes: dict[tuple[float, float, float], CardShape] = {}
        cards = []
        for node, box in enumerate(boxes):
            key = box.width, box.height, CARD_RADIUS if node < self.ranks else radius
            shape = shapes.get(key) or shapes.setdefault(key, self.shape(*key))
            cards.append(self.card(node, box.x, box.y, shape))
        return tuple(cards)

    def lines(self, ways: Mapping[tuple[int, int], Way], **look: Any) -> tuple[StageLine, ...]:
        """A line for each link, lit in its steps; `look` as `StageLine` takes it."""
        steps = self.link_steps.items()
        return tuple(StageLine(ways[link], lit, link=link, **look) for link, lit in steps)

    @cached_property
    def pair_steps(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """The steps, from 1, in which something moves between two nodes, the lower one first."""
        pairs: dict[tuple[int, int], set[int]] = {}
        for link, steps in self.link_steps.items():
            pairs.setdefault((min(link), max(link)), set()).update(steps)
        return {pair: tuple(sorted(steps)) for pair, steps in pairs.items()}

    def contributors(self, state: int) -> tuple[frozenset[int], ...]:
        """Whose data is in the fullest slot of each rank after so many steps."""
        data = self.recording.contributors(state)[: self.ranks]
        fullest = data.sum(axis=2).argmax(axis=1)
        held = data[np.arange(self.ranks), fullest]
        return tuple(frozenset(np.flatnonzero(row).tolist()) for row in held)


def staged_of(
    recording: Recording,
    say: Phrases,
    lanes: Lanes,
    whole: bool,
    folds: bool = True,
    topology: Topology | None = None,
) -> Staged:
    """A recording for a stage; ranks and slots are folded in their order where they are many."""
    fold = plain_fold(recording.ranks, recording.slots)
    facts = Staged(recording, say, lanes, whole, fold, topology)
    longest, crowded = max(map(sum, lanes)), len(lanes) > MOST_LANES
    few = recording.ranks <= MOST_PLAIN or facts.by_chunk  # whose bars are of no rank
    if not folds or (few and longest <= MOST_PLAIN and not crowded):
        return facts
    bars = MOST_PLAIN if few else BARS
    return facts.folded(_blocks(recording.ranks, bars), wells=WELLS * (1 + few))


def _blocks(number: int, limit: int) -> tuple[int, ...]:
    """So many things in order, in at most so many blocks of one size (the last may be shorter)."""
    size = -(-number // limit)
    return tuple(i // size for i in range(number))


def _messages(step: Step) -> Iterator[Message]:
    step = step.unrolled()
    groups: dict[tuple[int, int, bool], list[tuple[int, int]]] = {}
    columns = (step.src, step.dst, step.reduces, step.chunk, step.into)
    for src, dst, adds, chunk, into in zip(*(c.tolist() for c in columns), strict=True):
        if src != dst:
            groups.setdefault((src, dst, adds), []).append((chunk, into))
    for (src, dst, adds), slots in groups.items():
        chunks, into = zip(*slots, strict=True)
        yield Message(src, dst, chunks, into, adds)
