"""The frames of a storyboard: transfers of each step, in parcels, what is followed, new cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from animations.drawing.scenery import Fold
from animations.story.cell_views import Snapshot
from animations.story.comments import Remark, in_plural, remarks
from animations.story.labels import Labels
from animations.story.source import SourceLine, source_line
from animations.story.transfers import Cell, NodeSlot, Transfer
from collectives.progress import counted
from collectives.recording.phases import Phase
from collectives.recording.recording import Recording
from collectives.schedule import Step
from collectives.schedule.provenance import Standing
from collectives.schedule.step import rows

MOVES = 1 + 1e-6  # of a step in which one of several chunks moves on: rather than one added to
Way = dict[NodeSlot, tuple[tuple[float, int], int]]  # of a cell: steps that it can be followed and
# how many ranks it passes then, negative; the first transfer


@dataclass(frozen=True)
class Frame:
    """One step: its transfers, then the cells that changed and their content; counts are after it.

    number: 1 for the first step; counted: steps so far in which a message traveled. phase:
    index in the storyboard's phases. parcels: the transfers that travel together. sent: sent by
    each node so far, in bytes; in messages where the collective moves no data. busiest: what has
    gone through the busiest port, in one direction. followed: the index of the transfer that the
    caption speaks of, see `heroes`. standing: of programs of single ranks, where each stands.
    """

    number: int
    counted: int
    phase: int
    transfers: tuple[Transfer, ...]
    parcels: tuple[Parcel, ...]
    cells: dict[NodeSlot, Cell]
    sent: tuple[int, ...]
    busiest: int = 0
    followed: int = 0
    standing: tuple[Standing, ...] = ()

    @property
    def comment(self) -> str:
        """The comments above the yields of the step, each once."""
        return "; ".join(dict.fromkeys(p.remark.text for p in self.parcels if p.remark.text))

    @property
    def example(self) -> Transfer:
        """The transfer that is followed."""
        return self.transfers[self.followed]

    @cached_property
    def hero(self) -> int:
        """The index of the parcel in which the example is."""
        return next(i for i, parcel in enumerate(self.parcels) if self.followed in parcel.transfers)

    @property
    def senders(self) -> tuple[int, ...]:
        """All nodes whose data is added to the cells of the example in this step, if several."""
        hero = [self.transfers[i] for i in self.parcels[self.hero].transfers]
        cells = {(transfer.dst, transfer.into) for transfer in hero}
        sent: dict[int, set[tuple[int, int]]] = {}
        for transfer in self.transfers:
            if (transfer.dst, transfer.into) in cells:
                sent.setdefault(transfer.src, set()).add((transfer.dst, transfer.into))
        alike = all(held == cells for held in sent.values())
        adds = hero[0].adds and not hero[0].is_local
        return tuple(sorted(sent)) if adds and alike and len(sent) > 1 else ()

    @property
    def source(self) -> SourceLine | None:
        """The statement that made the example."""
        return self.example.source


def frames(
    recording: Recording,
    after: Callable[[int], Snapshot],
    parts: Sequence[Phase],
    labels: Labels,
    fold: Fold,
    refused: bool = False,
) -> tuple[Frame, ...]:
    """All steps of a recording; `after` gives what slots hold after each.

    refused: the last one is drawn, but was not executed: its messages do not count.
    """
    executed = len(recording.steps) - refused
    frames_only = list(_frames(recording, after, parts, labels, fold, executed))
    hops = hopping(frames_only, labels)
    pairs = enumerate(zip(frames_only, followed(frames_only), strict=True))
    return tuple(replace(frame, followed=hops.get(at, way)) for at, (frame, way) in pairs)


def _frames(
    recording: Recording,
    after: Callable[[int], Snapshot],
    parts: Sequence[Phase],
    labels: Labels,
    fold: Fold,
    executed: int,
) -> Iterator[Frame]:
    now = after(0)
    sent, so_far, ports = [0] * recording.nodes, 0, Counter[tuple[object, ...]]()
    grouped = any(step.groups for step in recording.steps)
    structure = recording.structure if grouped else None
    added = set[tuple[int, int, int]]()
    walk = counted(recording.steps, "laying out the steps", len(recording.steps))
    for number, step in enumerate(walk, 1):
        before, now = now, after(number)
        transfers = tuple(_transfers(recording, before, now, step))
        traveling = {
            (m.src, m.dst, m.chunk) if labels.moves_data else (m.src, m.dst): m.size
            for m in transfers
            if not m.is_local and number <= executed
        }
        for (src, dst, *_), size in traveling.items():  # what goes there twice is sent once
            amount = size if labels.moves_data else 1
            sent[src] += amount
            ports[src, "out", _port(recording, src, dst)] += amount
            ports[dst, "in", _port(recording, dst, src)] += amount
        so_far += bool(traveling)
        targets = dict.fromkeys((transfer.dst, fold.well[transfer.into]) for transfer in transfers)
        changed = {at: cell for at in targets if (cell := now.well(at)) != before.well(at)}
        phase = next(i for i, part in enumerate(parts) if part.first < number <= part.end)
        parcels = parcels_of(transfers, labels, remarks(step, transfers, labels, structure, added))
        added |= {(m.src, m.dst, m.into) for m in transfers if grouped and m.adds}
        busiest = max(ports.values(), default=0)
        fields = number, so_far, phase, transfers, parcels, changed, tuple(sent), busiest
        yield Frame(*fields, standing=step.standing)


def _port(recording: Recording, node: int, peer: int) -> int:
    """The port through which a node is linked: 0 of one with one port, a switch has many."""
    return peer if node >= recording.ranks and recording.helpers == "switch" else 0


def _transfers(
    recording: Recording, before: Snapshot, now: Snapshot, step: Step
) -> Iterator[Transfer]:
    lines = [source_line(stamp) for stamp in step.stamps]
    step = step.unrolled()
    for (src, dst, chunk, into, _, adds), origin in zip(
        rows(step), step.origin.tolist(), strict=True
    ):
        at, line = (src, chunk), lines[origin]
        size = before.elements(at) * recording.dtype.itemsize
        cell, values, number = before.cell(at), before.values(at), now.number((dst, into))
        yield Transfer(src, dst, chunk, into, adds, cell, size, values, number, line)


@dataclass(frozen=True, slots=True)
class Parcel:
    """Moves of a step, as indices, that are one flight from `src`: one verb, one statement.

    A switch that sends the same slots to several nodes sends them as one parcel, which forks on
    its way. remark: what its function says of it.
    """

    src: int
    dsts: tuple[int, ...]
    transfers: tuple[int, ...]
    adds: bool
    remark: Remark

    @property
    def is_local(self) -> bool:
        """Whether it stays on its node."""
        return self.dsts == (self.src,)


def parcels_of(
    transfers: Sequence[Transfer], labels: Labels, remarks: Sequence[Remark]
) -> tuple[Parcel, ...]:
    """The parcels of a step in the order of their first transfers; each is in one of them."""
    copies: dict[tuple[object, object], dict[int, list[int]]] = {}  # of a slot, or of all slots
    for i, transfer in enumerate(transfers):
        line = transfer.source
        sender = (transfer.src, transfer.adds, line and (line.function, line.first))
        forks = labels.helper == "switch" and transfer.src >= labels.ranks
        what = (transfer.chunk, transfer.into) if forks else transfer.dst
        copies.setdefault((sender, what), {}).setdefault(transfer.dst, []).append(i)
    together: dict[tuple[object, tuple[int, ...]], list[int]] = {}
    for (way, _), groups in copies.items():
        indices = [i for some in groups.values() for i in some]
        together.setdefault((way, tuple(groups)), []).extend(indices)
    ordered = sorted(map(sorted, together.values()))
    several = {
        remarks[own[0]].text for own in ordered if len({transfers[i].chunk for i in own}) > 1
    }
    return tuple(_parcel(indices, transfers, labels, remarks, several) for indices in ordered)


def _parcel(
    indices: list[int],
    transfers: Sequence[Transfer],
    labels: Labels,
    remarks: Sequence[Remark],
    several: set[str],
) -> Parcel:
    some, remark = [transfers[i] for i in indices], remarks[indices[0]]
    first, dsts = some[0], tuple(dict.fromkeys(transfer.dst for transfer in some))
    if remark.text in several:
        remark = remark._replace(text=in_plural(remark.text, labels.say))
    return Parcel(first.src, dsts, tuple(indices), first.adds, remark)


def followed(frames: Sequence[Frame]) -> Iterator[int]:
    """The index of the transfer that is followed in each step.

    A chunk is chosen that can be followed for the most steps: to where it is sent, and while it
    rests, by what is added to it. Where it can be followed no more, another one is chosen in the
    same way; of several that passes fewest ranks, so that near is near, if nothing is added and it
    takes several hops or one is all; of these the first.
    """
    at: NodeSlot | None = None
    copies = not any(transfer.adds for frame in frames for transfer in frame.transfers)
    for frame, ways in zip(frames, _ways(frames, copies), strict=True):
        is_far = len(frames) == 1 or max(steps for (steps, _), _ in ways.values()) >= 2
        longest = max(ways.values(), key=lambda way: (way[0][0], is_far * way[0][1], -way[1]))
        _, transfer = ways.get(at, longest) if at is not None else longest
        at = frame.transfers[transfer].dst, frame.transfers[transfer].into
        yield transfer


def hopping(steps: Sequence[Frame], labels: Labels) -> dict[int, int]:
    """Of the block of rank 0 whose two hops are farthest apart, its transfer by step, from 0.

    Of several the last. Nothing where not all blocks of a step go equally far.
    """
    ways = dict[str, dict[int, int]]()
    for place, frame in enumerate(steps if labels.in_blocks else ()):
        traveling = [(i, m) for i, m in enumerate(frame.transfers) if not m.is_local]
        if len({(m.dst - m.src) % labels.ranks for _, m in traveling}) > 1:
            return {}
        for i, m in traveling:
            if m.cell.held == (0,) and m.cell.labels:
                ways.setdefault(m.cell.labels[0], {})[place] = i
    twice = (way for way in reversed(ways.values()) if len(way) == 2)
    return max(twice, key=lambda way: max(way) - min(way), default={})


def _ways(steps: Sequence[Frame], near: bool) -> list[Way]:
    """How long each cell's content can be followed from each step on, and its first transfer."""
    ways: list[Way] = [{}]
    for frame in reversed(steps):
        ways.append(_ways_from(frame, ways[-1], near))
    return ways[:0:-1]


def _ways_from(frame: Frame, later: Way, near: bool) -> Way:
    """The cells that a step sends on, then those it adds to; rather where data is new.

    near: whether it matters how far these are sent.
    """
    transfers = frame.transfers
    traveling = [(i, transfer) for i, transfer in enumerate(transfers) if not transfer.is_local]
    traveling = [traveler for traveler in traveling if traveler[1].size] or traveling
    new = [(i, m) for i, m in traveling if (m.dst, m.into) in frame.cells]
    traveling = new or traveling
    several = len({transfer.chunk for transfer in transfers}) > 1
    leaving: Way = {}
    arriving: Way = {}
    for i, transfer in traveling or enumerate(transfers):
        target = transfer.dst, transfer.into
        ways = [(leaving, (transfer.src, transfer.chunk), MOVES if several else 1.0)]
        ways += [(arriving, target, 1.0)] * transfer.adds
        for known, cell, step in ways:
            (steps, passed), _ = later.get(target, ((0.0, 0), 0))
            way = steps + step, passed - abs(transfer.dst - transfer.src) * near
            if cell not in known or way > known[cell][0]:
                known[cell] = way, i
    return arriving | leaving
