"""How much of a synchronization hides behind the backward pass: buckets, in order, on one link.

Li et al., PyTorch Distributed, VLDB 13(12), 2020, sections 3.2.3 and 4.2: gradients become ready
from the last layer to the first; a bucket is summed as soon as all of it is ready and the bucket
before it is done. A kernel that moves data takes SMs from the pass while it runs; copy engines take
none (`copy_engines`). Sizes are in bytes, times in seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np

from collectives.errors import BadInput
from collectives.values import positive, seconds, share, whole
from collectives.words import brief

BUCKET = 25 * 2**20  # bytes: the default of PyTorch's DistributedDataParallel
FIRST_BUCKET = 2**20  # its first, so that communication starts early


@dataclass(frozen=True)
class Bucket:
    """Gradients that are summed together: their layers (0 is the input's) and bytes."""

    layers: tuple[int, ...]
    size: int


@dataclass(frozen=True)
class Overlap:
    """A backward pass and its buckets: seconds from the start of the pass.

    exposed: from the end of the pass to the end of the last bucket; hidden: the rest of the
    link's busy time. alone: the pass without buckets that take SMs from it.
    """

    backward: float
    ready: tuple[float, ...]
    start: tuple[float, ...]
    end: tuple[float, ...]
    alone: float

    @property
    def busy(self) -> float:
        """Seconds the link works."""
        return sum(end - start for start, end in zip(self.start, self.end, strict=True))

    @property
    def exposed(self) -> float:
        """Seconds of the link's work after the pass."""
        return max(0.0, max(self.end, default=0.0) - self.backward)

    @property
    def slowed(self) -> float:
        """Seconds by which the pass is longer because buckets take SMs from it."""
        return self.backward - self.alone

    @property
    def added(self) -> float:
        """Seconds by which the synchronization makes the step longer."""
        return self.slowed + self.exposed

    @property
    def hidden(self) -> float:
        """Seconds of the link's work that happen during the backward pass."""
        spans = zip(self.start, self.end, strict=True)
        return sum(max(0.0, min(end, self.backward) - start) for start, end in spans)


def make_buckets(
    layers: Sequence[int], bucket_size: int = BUCKET, first: int = FIRST_BUCKET
) -> tuple[Bucket, ...]:
    """Layers of so many bytes, the last one first, in buckets that are closed once full.

    A bucket is full when it holds `bucket_size` bytes or more (the first one: `first`); a layer is
    never cut.

    >>> make_buckets([40, 30, 20, 10], bucket_size=50, first=10)
    (Bucket(layers=(3,), size=10), Bucket(layers=(2, 1), size=50), Bucket(layers=(0,), size=40))
    """
    limits = whole("first bucket", first, minimum=1), whole("bucket", bucket_size, minimum=1)
    sizes = _sizes(layers)
    buckets: list[Bucket] = []
    held: list[int] = []
    size = 0
    for layer in reversed(range(len(sizes))):
        held.append(layer)
        size += sizes[layer]
        if size >= limits[bool(buckets)] or layer == 0:
            buckets.append(Bucket(tuple(held), size))
            held, size = [], 0
    return tuple(buckets)


def overlap(
    layers: Sequence[int],
    backward: float | Sequence[float],
    sync: Callable[[int], float],
    bucket_size: int = BUCKET,
    first: int = FIRST_BUCKET,
    taken: float = 0.0,
) -> Overlap:
    """Run the buckets of a backward pass, one after another, on one link.

    layers: bytes of gradients of each; backward: seconds of the whole pass, shared out by
    bytes, or of each layer; sync(bytes): seconds of a bucket. taken: part of the GPU that a
    bucket takes from the pass while it is on the link, as `sms_taken` has it; 0 for copy engines.

    >>> overlap([50, 50], 1.0, lambda size: size / 50, bucket_size=50, first=50).exposed
    1.5
    >>> overlap([50, 50], 1.0, lambda size: size / 50, 50, 50, taken=0.5).slowed
    0.5
    """
    rate = 1 - share("taken", taken)
    if not rate:
        raise BadInput(f"taken {brief(taken)}: leaves nothing of the GPU to the pass; try: 0.18")
    buckets = make_buckets(layers, bucket_size, first)
    work = ready_times(layers, backward)  # seconds of the pass alone
    ready: list[float] = []
    start: list[float] = []
    end: list[float] = []
    free = done = lost = 0.0
    for bucket in buckets:
        until = work[bucket.layers[-1]]
        lost += min(until - done, max(0.0, free - done - lost) * rate) * taken / rate
        ready.append(until + lost)
        start.append(max(ready[-1], free))
        free, done = start[-1] + seconds("sync", sync(bucket.size)), until
        end.append(free)
    alone = max(work, default=0.0)
    return Overlap(alone + lost, tuple(ready), tuple(start), tuple(end), alone)


def ready_times(layers: Sequence[int], backward: float | Sequence[float]) -> tuple[float, ...]:
    """When each layer's gradients are there: those of the last layer first.

    >>> ready_times([1, 1, 2], 8.0)
    (8.0, 6.0, 4.0)
    """
    sizes = _sizes(layers)
    if isinstance(backward, Sequence | np.ndarray):
        if len(backward) != len(sizes):
            raise BadInput(f"backward of {len(backward)} layers, gradients of {len(sizes)}")
        durations = [seconds("backward", layer) for layer in backward]
    else:
        whole_pass, total = positive("backward", backward, "s"), sum(sizes)
        part = [Fraction(size, total) if total else Fraction(1, len(sizes)) for size in sizes]
        durations = [whole_pass * float(share) for share in part]
    return tuple(reversed(list(accumulate(reversed(durations)))))


def _sizes(layers: Sequence[int]) -> list[int]:
    """Bytes of each layer; raises BadInput for what they cannot be."""
    if isinstance(layers, str | bytes) or not isinstance(layers, Sequence | np.ndarray):
        raise BadInput(f"layers {brief(layers)}: must be a list of bytes; try: [1000]")
    return [whole("layer", size) for size in layers]
