"""The messages of each step of a recording: their paths and their bytes, and later their times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from collectives.collective import Cells
from collectives.cost.clocks.costs import Costs, MessageCosts, adding_rows
from collectives.cost.clocks.fair_share import TIE
from collectives.cost.machines.paths import NO_PATHS, Floats, Integers
from collectives.cost.machines.topology import Topology
from collectives.memory_limit import check_memory
from collectives.recording.counters import each_slot_once, sums_of_rows
from collectives.schedule import Step
from collectives.schedule.columns import constant
from collectives.schedule.unique import RowGroups, all_different, numbered

if TYPE_CHECKING:
    from collectives.recording.recording import Recording

KEPT_ROUTES = 64  # that are remembered beside the last
KEPT_ROWS = 1 << 16  # of a step whose routes are remembered
Amount = float | Floats  # bytes of each message, or of every one
LocalWork = tuple[Integers, Floats, Floats]  # nodes that add, and when each begins and ends


class StepRoutes:
    """The messages of a step with their paths: one message for each pair of source and destination.

    src and dst are the algorithm's nodes. lead: seconds in which a message holds its ports
    before its bytes flow; flight: seconds after, in which it does not; limit: bytes per second
    of the slowest link of its path. out and into: the links it leaves and arrives by.
    """

    def __init__(self, step: Step, placement: Integers, topology: Topology, costs: Costs) -> None:
        nodes = len(placement)
        self.moves = np.flatnonzero(step.src != step.dst)
        src, dst = step.src[self.moves], step.dst[self.moves]
        key = src * nodes + dst
        ascending = len(key) < 2 or bool((key[1:] > key[:-1]).all())
        pairs, of_move = (key, np.arange(len(key))) if ascending else numbered(key, nodes**2)
        self.rows = RowGroups(of_move)  # by the message of each that is no local move
        self.repeats = len(pairs) < len(key)  # some message has several rows
        self.local = len(self.moves) < len(step)
        self.plain = ascending and not self.local
        self.of_row = np.full(len(step), -1, np.intp)
        self.of_row[self.moves] = of_move
        self.src, self.dst = np.divmod(pairs, nodes)
        self.number = len(pairs)
        # every node sends and receives one row at most
        self.single = self.plain and all_different(src, nodes) and all_different(dst, nodes)
        self.paths = NO_PATHS
        if self.number:
            self.paths = topology.paths(placement[self.src], placement[self.dst])
        latency = self.paths.total(topology.latency) + costs.latency
        self.limit = self.paths.minimum(topology.bandwidth)
        self.out, self.into = self.paths.first, self.paths.last
        if costs.loggp is None:
            self.lead, self.flight = latency, np.zeros(self.number)
            self.asking = 2 * self.lead
        else:
            model = costs.loggp
            self.lead = np.full(self.number, model.o)
            self.flight = latency + model.L + model.o
            with np.errstate(divide="ignore"):
                self.limit = np.minimum(self.limit, np.float64(1) / model.G)
            self.asking = 2 * (self.lead + self.flight)
        self._nodes, self._topology = nodes, topology

    @cached_property
    def slots(self) -> float | Floats:
        """Rows of each message, or of every one."""
        return np.bincount(self.rows.of_row).astype(np.float64) if self.repeats else 1.0

    @cached_property
    def fits(self) -> bool:
        """Whether all messages at once leave each the rate of its slowest link."""
        rate = np.repeat(self.limit, np.diff(self.paths.start))
        capacity = self._topology.capacity
        wanted = np.bincount(self._topology.group[self.paths.link], rate, len(capacity))
        return bool((wanted <= capacity * (1 + TIE)).all())

    @cached_property
    def rounds(self) -> list[Integers]:
        """Messages in the order in which ports serve them; those of a round use different ports.

        A port serves the nearest peer first, counted upwards from its own node: to the next
        node, to the one after that, and so on round.
        """
        if self.number == 0:
            return []
        if max(int(np.bincount(self.out).max()), int(np.bincount(self.into).max())) == 1:
            return [np.arange(self.number)]
        distance = (self.dst - self.src) % self._nodes
        turn_out = np.zeros(int(self.out.max()) + 1, np.intp)
        turn_in = np.zeros(int(self.into.max()) + 1, np.intp)
        turn = np.zeros(self.number, np.intp)
        for equal in _runs(distance):
            out, into = self.out[equal], self.into[equal]
            turn[equal] = np.maximum(turn_out[out], turn_in[into])
            turn_out[out] = turn_in[into] = turn[equal] + 1
        return _runs(turn)


def _runs(values: Integers) -> list[Integers]:
    """The places of equal values, from the smallest value on."""
    order = np.argsort(values, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(values[order])) + 1)


@dataclass(slots=True)
class StepMessages:
    """A step with its routes, the bytes of its messages, and those its receivers add.

    local: bytes that each row, a local move, adds within its node; None where there are none.
    Steps in a row that cost the same are one StepMessages object, whose `step` changes.
    """

    step: Step
    routes: StepRoutes
    size: Amount
    added: Amount
    local: Floats | None = None


@dataclass(slots=True)
class StepTimes:
    """Equal steps, each `length` seconds after the one before, and the times of their messages.

    spread: start, end of sending and end of each message, counted from `base`. alone: whether
    nothing else happens from the start of the first to the end of the last of these steps.
    work: nodes that add something of their own, and from when until when.
    """

    messages: StepMessages
    base: float
    spread: tuple[Floats, Floats, Floats]
    repeats: int = 1
    length: float = 0.0
    alone: bool = False
    work: LocalWork | None = None

    @property
    def begins(self) -> Floats:
        """When each of these steps begins; a step after one that never ends never does."""
        return self.base + np.concatenate([[0.0], np.arange(1, self.repeats) * self.length])


class MessageSource:
    """The messages of a recording on a topology, step by step; iterated once."""

    def __init__(self, recording: Recording, topology: Topology, costs: Costs) -> None:
        self.recording, self.topology = recording, topology
        self.placement = topology.placement(recording.ranks, recording.nodes, recording.title)
        costs.check_ranks(recording.ranks)
        self.costs = MessageCosts(topology, self.placement, costs)
        self._unit = recording.dtype.itemsize
        sizes = recording.size
        self._one = int(sizes[0]) * self._unit if int(sizes.min()) == int(sizes.max()) else None
        self._live = self._sizes(sizes * self._unit) if self._one is None else None
        self._full = self._fullness() if costs.gamma else None
        self._known: dict[tuple[bytes, bytes], StepRoutes] = {}

    def __iter__(self) -> Iterator[StepMessages]:
        """The messages of each step; one object for consecutive steps that cost the same."""
        src = dst = routes = known = None
        messages: StepMessages | None = None
        gamma, plain = bool(self.costs.costs.gamma), self._full is None
        counts, verbs = _ConstantColumn(), _ConstantColumn()
        for step in self.recording.steps:
            if routes is None or step.src is not src or step.dst is not dst:
                src, dst = step.src, step.dst
                routes = self._routes(step)
            count = None if self._one is None else counts.value(step.count)
            adds: int | None = 0
            if gamma:
                adds = verbs.value(step.reduces) if plain and not routes.local else None
            if routes.repeats and count and each_slot_once(step, routes.rows) is not step:
                count = None
            if self._one is None or count is None or adds is None:
                known, messages = None, _same(messages, self._messages(step, routes))
                yield messages
                continue
            if messages is None or known != (routes, count, adds):
                known = routes, count, adds
                size = routes.slots * float(self._one * count)
                messages = StepMessages(step, routes, size, size * adds)
            messages.step = step
            yield messages

    def _routes(self, step: Step) -> StepRoutes:
        """The routes of a step; those of the last few kinds of steps are remembered."""
        key = (step.src.tobytes(), step.dst.tobytes()) if len(step) <= KEPT_ROWS else None
        routes = self._known.pop(key, None) if key else None
        if routes is None:
            routes = StepRoutes(step, self.placement, self.topology, self.costs.costs)
        if key:
            if len(self._known) >= KEPT_ROUTES:
                self._known.pop(next(iter(self._known)))
            self._known[key] = routes
        return routes

    def _messages(self, step: Step, routes: StepRoutes) -> StepMessages:
        """The messages of a step whose rows do not all cost the same."""
        moved = self._moved(step)
        sent = moved
        if routes.repeats:
            lean = each_slot_once(step, routes.rows)
            sent = moved if lean is step else self._moved(lean)
        messages = StepMessages(step, routes, self._by_message(routes, sent), 0.0)
        if self.costs.costs.gamma:
            rows = self._added(step, moved)
            messages.added = self._by_message(routes, rows)
            local = np.where(routes.of_row < 0, rows, 0.0)
            messages.local = local if local.any() else None
        if self._live is not None and self._live.ndim == 2:
            self._resize(step, self._live)
        return messages

    def _by_message(self, routes: StepRoutes, moved: Integers) -> Floats:
        """Bytes of each message, whose rows move so many."""
        size = np.bincount(routes.rows.of_row, moved[routes.moves], routes.number)
        return size.astype(np.float64)

    def _moved(self, step: Step) -> Integers:
        """Bytes of each row."""
        if self._one is not None:
            return self._one * step.count
        assert self._live is not None
        if self._live.ndim == 1:  # sums of the chunks before each
            sums: Integers = self._live[step.chunk + step.count] - self._live[step.chunk]
            return sums
        if constant(step.count) == 1:
            return self._live[step.src, step.chunk]
        unrolled = step.unrolled()
        return sums_of_rows(self._live[unrolled.src, unrolled.chunk], step.count)

    def _sizes(self, sizes: Integers) -> Integers:
        """Bytes before each slot where slots keep their size, else of each [node, slot]."""
        nodes, slots, fixed = self.recording.nodes, self.recording.slots, len(sizes)
        if slots == fixed:
            return np.concatenate([[0], np.cumsum(sizes)])
        check_memory(8 * nodes * slots, "the sizes of all slots")
        live = np.zeros((nodes, slots), np.intp)
        live[:, :fixed] = sizes
        return live

    def _resize(self, step: Step, live: Integers) -> None:
        """Give received and scratch slots the size of what a step sends into them."""
        unrolled = step.unrolled()
        takes = unrolled.into >= self.recording.chunk_count
        live[unrolled.dst[takes], unrolled.into[takes]] = live[
            unrolled.src[takes], unrolled.chunk[takes]
        ]

    def _fullness(self) -> Cells | None:
        """Which slots hold anything, where some do not: what is added to them is copied."""
        recording = self.recording
        if recording.nodes == recording.ranks and bool(recording.precondition.all()):
            return None
        check_memory(recording.nodes * recording.slots, "which slots are full")
        full = np.zeros((recording.nodes, recording.slots), np.bool_)
        full[: recording.ranks] = recording.precondition
        return full

    def _added(self, step: Step, moved: Integers) -> Integers:
        """Bytes of each row that are added: not overwritten, not copied into an empty slot."""
        if self._full is None:
            return moved * step.reduces
        unrolled = step.unrolled()
        adds = adding_rows(unrolled, self._full)
        if unrolled is step:
            return moved * adds
        return sums_of_rows(self._moved(unrolled) * adds, step.count)


def _same(before: StepMessages | None, after: StepMessages) -> StepMessages:
    """The messages of a step; those before it, now of this step, where they cost the same."""
    if before is None or before.routes is not after.routes or before.local is not after.local:
        return after
    pairs = (before.size, after.size), (before.added, after.added)
    if not all(np.array_equal(*pair) for pair in pairs):
        return after
    before.step = after.step
    return before


class _ConstantColumn:
    """Finds columns that hold one value; quick where one is or equals the column before."""

    def __init__(self) -> None:
        self._column: npt.NDArray[np.integer | np.bool_] | None = None
        self._bytes = b""
        self._value: int | None = None

    def value(self, column: npt.NDArray[np.integer | np.bool_]) -> int | None:
        """The value, None where there are several."""
        if column is not self._column:
            known = b"" if column.strides == (0,) or len(column) > KEPT_ROWS else column.tobytes()
            if not known or known != self._bytes:
                alike = column.strides == (0,) or (column == column[0]).all()
                self._value = int(column[0]) if alike else None
            self._column, self._bytes = column, known
        return self._value
