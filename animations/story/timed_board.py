"""Moves in modeled time: when each begins and lands, and what cells hold at any moment."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import NamedTuple

import numpy as np

from animations.drawing.sheet import Sheet
from animations.story.standstill import Standstill, Waits, standstill, waits_of
from animations.story.storyboard import Storyboard
from animations.story.transfers import Cell, NodeSlot, Transfer
from collectives.cost.clocks.timing import Timing
from collectives.recording.replay import Replay, start

ROUNDING = 1e-9  # of all time: moments that are nearer are the same
NEVER = inf, inf
BEYOND = 1.25  # of what ends, where something never does
Link = tuple[int, int]
Seconds = tuple[float, ...]


class Landing(NamedTuple):
    """What a cell holds from a time on: the transfer that brought it, by its frame's number."""

    seconds: float
    frame: int
    transfer: int
    at: NodeSlot
    cell: Cell


@dataclass(frozen=True, eq=False)
class TimedBoard:
    """A storyboard by a clock: begins and ends of all transfers, and what has landed at any moment.

    begins, ends: in seconds, [frame][transfer], inf where it never happens. A local move takes no
    time: it happens once its cells are ready; by the lockstep clock it takes as long as its
    step. seconds: all time, or somewhat more than until the last transfer that ends at all. pace:
    modeled seconds in one of a film, 0 of a still. note: what trouble there is. clean: seconds
    without a delay that is paid once, else 0.
    """

    board: Storyboard
    timing: Timing
    begins: tuple[Seconds, ...]
    ends: tuple[Seconds, ...]
    landings: tuple[Landing, ...]
    seconds: float
    pace: float = 0.0
    note: str = ""
    clean: float = 0.0
    _last: list[tuple[int, dict[NodeSlot, Cell]]] = field(
        default_factory=list, init=False, repr=False
    )

    @property
    def is_endless(self) -> bool:
        """Whether some message never arrives."""
        return self.timing.total == inf

    @property
    def sheet(self) -> Sheet:
        """The page it is drawn on."""
        return self.board.sheet

    @cached_property
    def waits(self) -> Waits:
        """Who waits for whom, when."""
        return waits_of(self.timing, self.seconds)

    def stands(self, now: float) -> bool:
        """Whether nothing of it ever moves again."""
        return self.is_endless and now >= self.seconds - self.rounding

    @cached_property
    def standstill(self) -> Standstill | None:
        """Where it stops for ever."""
        return standstill(self.timing) if self.is_endless else None

    def sent(self, now: float) -> tuple[int, ...]:
        """What each node has sent: bytes, or messages where no data moves."""
        messages = self.timing.messages
        gone = messages.sent <= now + self.rounding
        amount = messages.size[gone] if self.board.labels.moves_data else None
        return tuple(np.bincount(messages.src[gone], amount, self.board.nodes).astype(int).tolist())

    @property
    def rounding(self) -> float:
        """Seconds within which two moments are the same."""
        return ROUNDING * self.seconds

    def landed(self, now: float) -> int:
        """How many landings there have been."""
        return bisect_right(self._times, now + self.rounding)

    def cells(self, now: float) -> dict[NodeSlot, Cell]:
        """All cells that hold something, by node and well."""
        number = self.landed(now)
        last, held = self._last.pop() if self._last else (0, self.board.start)
        if number < last:
            last, held = 0, self.board.start
        held = held | {landing.at: landing.cell for landing in self.landings[last:number]}
        self._last.append((number, held))
        return held

    def under_way(self, now: float) -> tuple[int, ...]:
        """The numbers of the steps of which something is on its way."""
        early = now + self.rounding
        first, end = self._open(early)
        return tuple(
            step
            for step in range(first, end)
            if any(
                begin <= early < finish
                for begin, finish in zip(self.begins[step - 1], self.ends[step - 1], strict=True)
            )
        )

    def done(self, now: float) -> int:
        """The first steps of which everything has landed."""
        return self._open(now + self.rounding)[0] - 1

    def begun(self, now: float) -> int:
        """The last step of which something has begun, 0 before."""
        return self._open(now + self.rounding)[1] - 1

    def moving(self, now: float) -> set[tuple[int, Link]]:
        """The steps and links of the messages that are on their way."""
        early, moving = now + self.rounding, set()
        for step in self.under_way(now):
            transfers = self.board.frames[step - 1].transfers
            spans = zip(transfers, self.begins[step - 1], self.ends[step - 1], strict=True)
            moving |= {(step, (m.src, m.dst)) for m, a, b in spans if a <= early < b}
        return moving

    @cached_property
    def _times(self) -> list[float]:
        return [landing.seconds for landing in self.landings]

    @cached_property
    def _edges(self) -> tuple[list[float], list[float]]:
        """Of each frame: when all frames up to it have landed; when it or a later one begins."""
        last = np.array([max(ends, default=0.0) for ends in self.ends])
        first = np.array([min(begins, default=inf) for begins in self.begins])
        later = np.minimum.accumulate(first[::-1])[::-1]
        return np.maximum.accumulate(last).tolist(), later.tolist()

    def _open(self, early: float) -> tuple[int, int]:
        """The first step that has not landed whole, and the first after all that have begun."""
        ended, begun = self._edges
        return bisect_right(ended, early) + 1, bisect_right(begun, early) + 1


def timed_board_of(board: Storyboard, timing: Timing) -> TimedBoard:
    """The transfers of a storyboard by a timing of its recording."""
    begins, ends, targets = _times(board, timing)
    known = [time for times in (*begins, *ends) for time in times if time < inf]
    seconds = timing.total
    if seconds == inf:
        seconds = BEYOND * max(known, default=0.0) or _of_one(timing)
    landings = tuple(_landings(board, timing, targets))
    return TimedBoard(board, timing, begins, ends, landings, seconds or 1.0)


def _of_one(timing: Timing) -> float:
    """About the seconds of a message, where not even the first arrives."""
    latency, bandwidth = (
        part.max(initial=0.0) for part in (timing.topology.latency, timing.topology.bandwidth)
    )
    carried = timing.messages.size.max(initial=0) / bandwidth if bandwidth else 0.0
    return float(BEYOND * (latency + carried))


def _times(
    board: Storyboard, timing: Timing
) -> tuple[tuple[Seconds, ...], tuple[Seconds, ...], list[list[float]]]:
    """Begins and ends of all transfers; and the ends once more, each after those into its slot."""
    messages = timing.messages
    columns = (messages.step, messages.src, messages.dst, messages.start, messages.end)
    when = {(k, a, b): (s, e) for k, a, b, s, e in zip(*(c.tolist() for c in columns), strict=True)}
    written: dict[NodeSlot, float] = {}
    touched: dict[NodeSlot, float] = {}  # read or written
    begins, ends, targets = [], [], []
    for frame in board.frames:
        begin = [when.get((frame.number - 1, m.src, m.dst), NEVER)[0] for m in frame.transfers]
        end = [when.get((frame.number - 1, m.src, m.dst), NEVER)[1] for m in frame.transfers]
        remote = [i for i, transfer in enumerate(frame.transfers) if not transfer.is_local]
        for i in remote:
            _later(touched, _source(frame.transfers[i]), begin[i])
        before = dict(touched)
        for i in remote:
            _later(touched, _target(frame.transfers[i]), end[i])
        if frame.number <= len(timing.step_start):
            for i, transfer in enumerate(frame.transfers):
                if transfer.is_local:
                    ready = written.get(_source(transfer), 0.0), touched.get(_target(transfer), 0.0)
                    begin[i], end[i] = _in_place(timing, frame.number, transfer.dst, max(ready))
        after = [max(end[i], before.get(_target(m), 0.0)) for i, m in enumerate(frame.transfers)]
        for transfer, seconds in zip(frame.transfers, after, strict=True):
            _later(written, _target(transfer), seconds)
            _later(touched, _target(transfer), seconds)
        begins.append(tuple(begin))
        ends.append(tuple(end))
        targets.append(after)
    return tuple(begins), tuple(ends), targets


def _in_place(timing: Timing, step: int, node: int, ready: float) -> tuple[float, float]:
    """When a local move begins and ends: at once, or with its step where all wait for it.

    ready: when its cells are.
    """
    if timing.clock == "lockstep":
        return float(timing.step_start[step - 1]), float(timing.step_end[step - 1])
    at = max(ready, float(timing.costs.arrivals.get(node, 0.0)))
    return at, at


def _source(transfer: Transfer) -> NodeSlot:
    return transfer.src, transfer.chunk


def _target(transfer: Transfer) -> NodeSlot:
    return transfer.dst, transfer.into


def _later(times: dict[NodeSlot, float], at: NodeSlot, seconds: float) -> None:
    times[at] = max(times.get(at, 0.0), seconds)


def _landings(
    board: Storyboard, timing: Timing, targets: Sequence[Sequence[float]]
) -> Iterator[Landing]:
    """The transfers executed in the order in which they land, each with what it read."""
    recording, fold = timing.asked, board.scenery.fold
    drawn = board.view.drawn(recording)
    memory, add = start(recording, board.view.payload)
    values, full = memory.values.copy(), memory.full.copy()
    replay = Replay(recording.steps, memory, add)
    taken, order = {}, []
    for frame, when in zip(board.frames[: len(recording.steps)], targets, strict=False):
        now = replay.at(frame.number - 1).values
        for i, transfer in enumerate(frame.transfers):
            taken[frame.number, i] = now[_source(transfer)].copy()
            if when[i] < inf:
                order.append((when[i], frame.number, transfer.is_local, i))
    for seconds, number, _, i in sorted(order):
        transfer = board.frames[number - 1].transfers[i]
        target, read = _target(transfer), taken[number, i]
        values[target] = add(values[target], read) if transfer.adds and full[target] else read
        full[target] = True
        at = transfer.dst, fold.well[transfer.into]
        yield Landing(seconds, number, i, at, drawn(values, full, target))
