"""What lectures say of training: buckets, memory, walls."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import numpy.typing as npt

from collectives.cost.machines import topology
from collectives.cost.machines.links import find_link
from collectives.recording.recorder import record
from collectives.training.gradients import sync_seconds
from collectives.training.network import Network
from collectives.training.overlap import Overlap, overlap
from collectives.training.pairs import GPUS, training_pair
from collectives.training.parallel import WEIGHTS, Layer, bubble, state_bytes
from collectives.training.pipelines import gpipe, pipeline
from collectives.training.scaling import communication_wall
from collectives.training.timeline import Timeline
from collectives.training.workload import FLOPS
from collectives.values import whole

X, A = np.array([1, 2]), np.array([[1, 1, 2, 1], [0, -2, 1, 2]])  # A is cut into columns
B = np.array([[1, 0, 2, 1], [0, 3, 1, 0], [2, 1, 0, 1], [1, 0, 1, 2]])  # into rows
bent = partial(np.maximum, 0)  # the function between both products: no number below 0


@cache
def overlapped(size: float, layers: int, backward: float, bucket: float, gpus: int) -> Overlap:
    """A step's all-reduces under its backward pass.

    size: bytes of the gradients of all layers; bucket: bytes, also of the first one. A ring in one
    channel, over links of 400 Gbit/s; of several channels each takes its part of the size.
    """
    parts, limit = [round(size / layers)] * layers, round(bucket)
    return overlap(parts, backward, lambda part: flat_seconds(part, gpus), limit, limit)


def exposed(size: float, layers: int, backward: float, bucket: float, gpus: int) -> float:
    """Seconds of a step's all-reduces that its backward pass does not hide."""
    return overlapped(size, layers, backward, bucket, gpus).exposed


@cache
def flat_seconds(size: float, ranks: int) -> float:
    """Seconds of a ring all-reduce, each rank with a link of 400 Gbit/s."""
    return sync_seconds(size, ranks, find_link("ib-ndr"))


def bucket_seconds(size: float, buckets: int, ranks: float) -> float:
    """Seconds of a step's all-reduces, in so many buckets of one size, one after the other."""
    return buckets * flat_seconds(size / buckets, round(ranks))


def step_seconds(size: float, layers: int, work: float, ranks: float, together: int = 1) -> float:
    """Seconds of a step of ranks that share `work` seconds, a third of it the forward pass.

    together: layers of a bucket, whose sum the backward pass hides as far as it can.
    """
    alone, bucket = work / round(ranks), together * round(size / layers)
    return alone + exposed(size, layers, 2 / 3 * alone, bucket, round(ranks))


def best_step(size: float, layers: int, work: float, ranks: float) -> float:
    """Seconds of such a step with the best number of layers in a bucket."""
    return min(step_seconds(size, layers, work, ranks, k + 1) for k in range(layers))


def wall(size: float, work: float, buckets: int) -> int:
    """From how many ranks on their all-reduces take longer than their part of the work."""
    return communication_wall(lambda n: work / n, partial(bucket_seconds, size, buckets)) or 0


@cache
def pipelined(count: int) -> Timeline:
    """A step of GPipe on the pipeline's stages, in so many parts of the tensor pair's batch."""
    whole("micro-batches", count, minimum=1)
    tokens, hidden = (round(case_of("tensor", name)) for name in ("tokens", "hidden"))
    layers, part = round(case_of("pipeline", "layers")), Layer(1, tokens // count, hidden)
    forward = 2.0 * layers * WEIGHTS * hidden**2 * part.tokens / FLOPS
    network = Network(topology("crossbar", GPUS), GPUS)
    return pipeline(gpipe(GPUS, count), forward, part, network, layers)


def pipelined_in(count: int, what: str) -> float:
    """Of such a step its "total" of seconds, or the part of it "waited"."""
    return float(getattr(pipelined(count), what))


def bubble_share(stages: int, batches: float) -> float:
    """The part of a pipeline's step in which a stage is idle."""
    return float(bubble(stages, round(batches)))


def held(stage: int, parameters: float, ranks: int) -> float:
    """Bytes that a rank holds for a model, with ZeRO's stage 0 to 3."""
    return float(state_bytes(stage, round(parameters), ranks))


def slices_sum() -> npt.NDArray[np.int_]:
    """What an all-reduce makes of the parts of f(X A) B that GPUs have."""
    return record("all_reduce", "ring", ranks=len(B), data=bent(X @ A)[:, None] * B).result()[0]


def case_of(scheme: str, name: str) -> float:
    """A number of what the halves of a scheme's pair share, such as "parameters"."""
    return training_pair(scheme).setup[name]


READ = (
    *(exposed, flat_seconds, bucket_seconds, step_seconds, best_step, wall, bubble_share),
    pipelined_in,
    *(held, case_of),
)
