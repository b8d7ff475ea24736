"""A model, its batch and its GPUs: how long forward pass, backward pass and update take on them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from collectives.training.gradients import Gradient
from collectives.values import positive, seconds, whole

FLOPS = 400e12  # operations per second: 40 % of an H100's dense bf16 peak
MEMORY_RATE = 3.35e12  # bytes per second of an H100's memory
LOAD = 0.01  # seconds in which a GPU gets its part of the batch
BACKWARD = 2  # times the operations of the forward pass
UPDATED = 28  # bytes a parameter: Adam reads 12 of state, 2 of gradient; writes 12 and 2


@dataclass(frozen=True)
class Workload:
    """A step of a model on some GPUs, each with so many tokens; gradients in so many buckets.

    A forward pass takes two operations for each parameter and token: Kaplan et al., Scaling laws,
    arXiv 2001.08361, 2020, section 2.1.
    """

    parameters: int
    tokens: int
    gpus: int = 4
    buckets: int = 6
    flops: float = FLOPS
    drawn: int | None = None  # GPUs on the timeline, which are all alike; by default all of them

    def __post_init__(self) -> None:
        """Refuse what is no size."""
        for name in ("parameters", "tokens", "gpus", "buckets"):
            whole(name, getattr(self, name), minimum=1)
        positive("flops", self.flops)

    @property
    def lanes(self) -> int:
        """GPUs on the timeline."""
        return self.gpus if self.drawn is None else self.drawn

    @property
    def bytes(self) -> int:
        """Bytes of the parameters, and of the gradients."""
        return Gradient(self.parameters).bytes

    @property
    def parts(self) -> tuple[int, ...]:
        """Bytes of each bucket, as equal as whole bytes can be."""
        size, n = self.bytes, self.buckets
        return tuple(size * (k + 1) // n - size * k // n for k in range(n))

    @property
    def forward(self) -> float:
        """Seconds of the forward pass."""
        return 2.0 * self.parameters * self.tokens / self.flops

    @property
    def backward(self) -> float:
        """Seconds of the backward pass."""
        return BACKWARD * self.forward

    def update(self, shared_by: int = 1) -> float:
        """Seconds of the update, which memory bounds; of a shard where GPUs share it."""
        return UPDATED * self.parameters / whole("shared_by", shared_by, minimum=1) / MEMORY_RATE

    def part_of(self, whole_pass: float, bucket: int) -> float:
        """Seconds of a pass that the layers of a bucket take."""
        return seconds("pass", whole_pass) * float(Fraction(self.parts[bucket], self.bytes))
