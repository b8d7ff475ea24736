"""What no training model takes: each is refused in one line."""

import math

import numpy as np
import pytest

from collectives.cost.machines.links import Link
from collectives.errors import BadInput
from collectives.training import compression, gradients, parallel, scaling
from collectives.training.gradients import Gradient, hierarchical_seconds, sync_seconds
from collectives.training.overlap import make_buckets, overlap, ready_times
from collectives.training.parallel import Layer

NDR = Link("NDR", 50e9, 5e-6)
NVLINK = Link("NVLink", 450e9, 1e-6)

WRONG = [
    lambda: Gradient(-1),
    lambda: Gradient(0),
    lambda: Gradient(2**63),
    lambda: Gradient(2**62, "fp64"),
    lambda: Gradient(7, "bf61"),
    lambda: sync_seconds(-1, 8, NDR),
    lambda: sync_seconds(math.nan, 8, NDR),
    lambda: sync_seconds(2.0**63, 8, NDR),
    lambda: sync_seconds(1e9, 0, NDR),
    lambda: sync_seconds(1e9, 2.5, NDR),
    lambda: sync_seconds(1e9, 2**63, NDR),
    lambda: sync_seconds(1e9, 8, Link("x", 0, 0)),
    lambda: sync_seconds(1e9, 8, Link("x", -1e9, 0)),
    lambda: sync_seconds(1e9, 8, Link("x", 1e9, math.nan)),
    lambda: sync_seconds(1e9, 8, NDR, "rnig"),
    lambda: sync_seconds(1e9, 7, NDR, "swing"),
    lambda: hierarchical_seconds(1e9, 2, 0, NVLINK, NDR),
    lambda: scaling.minimum_bandwidth(1e9, 8, 1e-6, 0.9, latency=1),
    lambda: scaling.minimum_bandwidth(1e9, 8, 1, 1),
    lambda: scaling.minimum_bandwidth(1e9, 8, 1, 0),
    lambda: scaling.minimum_bandwidth(1e9, 8, 0, 0.5),
    lambda: scaling.amdahl(1.5, 8),
    lambda: scaling.amdahl(math.nan, 8),
    lambda: scaling.dollars_per_step(-1, 8, 1),
    lambda: scaling.weak_scaling(0, lambda ranks: 0.0, 8),
    lambda: make_buckets([-1]),
    lambda: make_buckets([1], bucket_size=0),
    lambda: overlap([1, 2], (1.0,), lambda size: size),
    lambda: overlap([1], 1.0, lambda size: math.nan),
    lambda: ready_times([1], -1.0),
    lambda: parallel.sharded_bytes("zero-4", 8, 8),
    lambda: parallel.sharded_bytes("tensor", 8, 8),
    lambda: parallel.state_bytes(4, 8, 8),
    lambda: parallel.bubble(0, 8),
    lambda: Layer(0, 1, 1),
    lambda: compression.quantized("fp33", "fp8"),
    lambda: compression.top_k_gain(8, 0),
    lambda: compression.top_k_gain(8, 2),
    lambda: gradients.volume("broadcast", "ring", 8, chunks=0),
    lambda: gradients.volume("broadcast", "ring", 8, chunks=2**63),
    lambda: gradients.volume("broadcast", "ring", 8, chunks=2.5),
    lambda: gradients.volume("broadcast", "ring", 8, chunks=[]),
    lambda: sync_seconds(10**400, 8, NDR),
    lambda: sync_seconds(False, 8, NDR),
    lambda: sync_seconds(1e9, 8, Link("x", True, 0)),
    lambda: sync_seconds(np.array([1, 2]), 8, NDR),
    lambda: hierarchical_seconds(10**400, 2, 8, NVLINK, NDR),
    lambda: make_buckets(5),
    lambda: make_buckets("12"),
    lambda: ready_times([1, math.nan], 8.0),
    lambda: ready_times([1, -1], 8.0),
    lambda: ready_times([1, True], 8.0),
    lambda: ready_times([1, 2], 10**400),
    lambda: scaling.amdahl(False, 8),
    lambda: scaling.amdahl(10**400, 8),
    lambda: scaling.dollars_per_step(10**400, 8, 1),
    lambda: scaling.dollars_per_step(1, 8, True),
    lambda: scaling.communication_wall(lambda ranks: math.nan, lambda ranks: 1.0),
    lambda: scaling.communication_wall(lambda ranks: 1.0, lambda ranks: -1.0),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_cannot_be_used_is_refused_in_one_line(number):
    with pytest.raises(BadInput) as problem:
        WRONG[number]()
    assert "\n" not in str(problem.value) and len(str(problem.value)) < 300
