"""What lectures say of training: steps with and without a scheme, buckets, memory, walls."""

from __future__ import annotations

from functools import cache

from collectives.cost.machines.links import find_link
from collectives.training.gradients import sync_seconds
from collectives.training.overlap import overlap
from collectives.training.pairs import TrainingPair, training_pair
from collectives.training.parallel import bubble, state_bytes
from collectives.training.scaling import communication_wall, strong_scaling


@cache
def _pair(scheme: str) -> TrainingPair:
    return training_pair(scheme)


def without(scheme: str) -> float:
    """Seconds of a training step before a scheme is used, as its film shows."""
    return _pair(scheme).before.total


def with_scheme(scheme: str) -> float:
    """Seconds of a training step with a scheme."""
    return _pair(scheme).after.total


@cache
def exposed(size: float, layers: int, backward: float, bucket: float, gpus: int) -> float:
    """Seconds of a step's all-reduces that its backward pass does not hide.

    size: bytes of the gradients of all layers; bucket: bytes, also of the first one. A ring in one
    channel, over links of 400 Gbit/s; of several channels each takes its part of the size.
    """
    parts = [round(size / layers)] * layers
    bucket_size = round(bucket)

    def sync(part: int) -> float:
        return flat_seconds(part, gpus)

    return overlap(parts, backward, sync, bucket_size, bucket_size).exposed


@cache
def best_bucket(size: float, layers: int, backward: float, gpus: int) -> int:
    """The bytes of the bucket that exposes least, of 16 to 64 MiB."""
    sizes = range(16 << 20, 65 << 20, 1 << 20)
    return min(sizes, key=lambda bucket: exposed(size, layers, backward, bucket, gpus))


def flat_seconds(size: float, ranks: int) -> float:
    """Seconds of a ring all-reduce, each rank with a link of 400 Gbit/s."""
    return sync_seconds(size, ranks, find_link("ib-ndr"))


def speedup(size: float, work: float, ranks: float) -> float:
    """How many times faster ranks are that share `work` seconds and all-reduce at 400 Gbit/s."""
    scaling = strong_scaling(work, lambda n: flat_seconds(size, n), round(ranks))
    return scaling.speedup


def wall(size: float, work: float) -> int:
    """From how many ranks on their all-reduce takes longer than their part of the work."""
    return communication_wall(lambda n: work / n, lambda n: flat_seconds(size, n)) or 0


def bubble_share(stages: int, batches: float) -> float:
    """The part of a pipeline's step in which a stage is idle."""
    return float(bubble(stages, round(batches)))


def held(stage: int, parameters: float, ranks: int) -> float:
    """Bytes that a rank holds for a model, with ZeRO's stage 0 to 3."""
    return float(state_bytes(stage, round(parameters), ranks))


READ = (
    *(without, with_scheme, exposed, best_bucket, flat_seconds, speedup, wall),
    *(bubble_share, held),
)
