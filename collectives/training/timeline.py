"""A training step as spans on lanes: what each GPU computes, sends and holds.

Times are in seconds from the start of the step, sizes in bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collectives.cost.clocks.timing import Timing
    from collectives.recording.recording import Recording

Kind = Literal["load", "forward", "backward", "network", "update"]
Size = Fraction | int


@dataclass(frozen=True, eq=False)
class Span:
    """What a GPU does from one moment to another, on its compute or its network lane.

    timing: of a network span, that of its executed and proved recording, as long as the span.
    """

    gpu: int
    kind: Kind
    label: str
    start: float
    end: float
    timing: Timing | None = None

    @property
    def recording(self) -> Recording | None:
        """What is executed in a network span."""
        return self.timing.recording if self.timing else None


@dataclass(frozen=True)
class Held:
    """Bytes that a GPU holds from one moment to another, and what they are."""

    gpu: int
    what: str
    size: Size
    start: float
    end: float


@dataclass(frozen=True, eq=False)
class Timeline:
    """A step of training on some GPUs: all its spans, and what is held in memory meanwhile."""

    gpus: int
    spans: tuple[Span, ...]
    held: tuple[Held, ...] = ()

    @cached_property
    def total(self) -> float:
        """Seconds of the step."""
        return max((span.end for span in self.spans), default=0.0)

    def lane(self, gpu: int, network: bool = False) -> list[Span]:
        """The spans of the compute or the network lane of a GPU, in the order of time."""
        spans = [s for s in self.spans if s.gpu == gpu and (s.kind == "network") == network]
        return sorted(spans, key=lambda span: span.start)

    def waiting(self, gpu: int) -> list[tuple[float, float]]:
        """When a GPU computes nothing: the gaps of its compute lane, from start to end."""
        return list(gaps(((span.start, span.end) for span in self.lane(gpu)), self.total))

    @cached_property
    def waited(self) -> float:
        """The share of the step in which GPUs wait, over all of them."""
        idle = sum(end - start for gpu in range(self.gpus) for start, end in self.waiting(gpu))
        return idle / (self.gpus * self.total) if self.total else 0.0

    @cached_property
    def busy(self) -> float:
        """Seconds in which the network lane with the most work is in use."""
        lanes = (self.lane(gpu, network=True) for gpu in range(self.gpus))
        return max(sum(span.end - span.start for span in lane) for lane in lanes)

    @cached_property
    def exposed(self) -> float:
        """Seconds in which the first GPU's network is in use while it computes nothing."""
        return sum(
            max(0.0, min(end, span.end) - max(start, span.start))
            for start, end in self.waiting(0)
            for span in self.lane(0, network=True)
        )

    @cached_property
    def sent(self) -> int:
        """Bytes the busiest GPU sends: those of the executed recordings."""
        sums = [0] * self.gpus
        for span in self.spans:
            if span.recording:
                sums[span.gpu] += span.recording.bytes_sent[span.gpu]
        return max(sums)

    def holding(self, gpu: int, moment: float) -> dict[str, Size]:
        """What a GPU holds at a moment, by what it is, in the order of `held`."""
        amounts: dict[str, Size] = {held.what: 0 for held in self.held}
        for held in self.held:
            last = held.end >= self.total and moment >= self.total
            if held.gpu == gpu and (held.start <= moment < held.end or last):
                amounts[held.what] += held.size
        return amounts

    def peak(self, gpu: int) -> Size:
        """The most bytes that a GPU holds at any moment."""
        return sum(self.holding(gpu, self.peak_time(gpu)).values())

    def peak_time(self, gpu: int) -> float:
        """The first moment at which a GPU holds the most."""
        moments = sorted({held.start for held in self.held if held.gpu == gpu})
        sums = [sum(self.holding(gpu, at).values()) for at in moments]
        return moments[sums.index(max(sums))] if sums else 0.0


def gaps(spans: Iterable[tuple[float, float]], end: float) -> Iterator[tuple[float, float]]:
    """What spans in the order of time leave free, from 0 to `end`.

    >>> list(gaps([(0, 2), (3, 4)], 5))
    [(2, 3), (4, 5)]
    """
    free: float = 0
    for start, stop in spans:
        if start > free:
            yield free, start
        free = max(free, stop)
    if end > free:
        yield free, end


class Planner:
    """Puts spans on lanes one after another: each as soon as its lanes and its data are there."""

    def __init__(self, gpus: int) -> None:
        self.gpus = gpus
        self._spans: list[Span] = []
        self._held: list[Held] = []
        self._free: dict[tuple[int, bool], float] = {}

    def compute(
        self, kind: Kind, label: str, seconds: float, ready: float = 0.0, gpu: int | None = None
    ) -> Span:
        """Compute on one GPU, or on all alike; the span, of all the last."""
        return self._put(kind, label, seconds, ready, gpu, None)

    def network(
        self, label: str, timing: Timing, ready: float = 0.0, gpu: int | None = None
    ) -> Span:
        """Run an executed recording on the network lane of one GPU, or of all; the span."""
        return self._put("network", label, timing.total, ready, gpu, timing)

    def hold(self, what: str, size: Size, start: float, end: float, gpu: int | None = None) -> None:
        """Note what one GPU, or each, holds meanwhile."""
        self._held += [Held(member, what, size, start, end) for member in self._chosen(gpu)]

    def free(self, network: bool = False, gpu: int | None = None) -> float:
        """When a lane of one GPU, or that of all, has nothing more to do."""
        return max(self._free.get((member, network), 0.0) for member in self._chosen(gpu))

    def timeline(self) -> Timeline:
        """All that was put on lanes."""
        return Timeline(self.gpus, tuple(self._spans), tuple(self._held))

    def _chosen(self, gpu: int | None) -> range:
        return range(self.gpus) if gpu is None else range(gpu, gpu + 1)

    def _put(
        self,
        kind: Kind,
        label: str,
        seconds: float,
        ready: float,
        gpu: int | None,
        timing: Timing | None,
    ) -> Span:
        network = kind == "network"
        start = max(ready, self.free(network, gpu))
        for member in self._chosen(gpu):
            self._spans.append(Span(member, kind, label, start, start + seconds, timing))
            self._free[member, network] = start + seconds
        return self._spans[-1]
