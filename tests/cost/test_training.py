"""Training models: limiting cases, numbers worked out by hand, volumes that were executed."""

import math
from fractions import Fraction

import numpy as np
import pytest

import collectives
from collectives.catalog import ROWS
from collectives.catalog.row import ranks_only
from collectives.cost import training
from collectives.cost.clock import lockstep
from collectives.cost.links import Link
from collectives.cost.machines import topology
from collectives.cost.training import Gradient, hierarchical_seconds, scaling, sync_seconds
from collectives.cost.training.overlap import Bucket, make_buckets, overlap, ready_times
from collectives.cost.training.parallel import Layer
from collectives.errors import BadInput

NDR = Link("NDR", 50e9, 5e-6)
NVLINK = Link("NVLink", 450e9, 1e-6)
SOME = (2, 3, 4, 5, 8, 12)


def sent(collective, algorithm, ranks, **more):
    """Bytes each rank sends, executed and proved, and bytes of the vector."""
    recording = collectives.record(collective, algorithm, ranks=ranks, **more)
    assert recording.check().ok
    return max(recording.bytes_sent[:ranks]), recording.count * recording.dtype.itemsize


# --- gradients, volumes, seconds


def test_seven_billion_parameters_are_14_gb_and_13_gib():
    gradient = Gradient(7_000_000_000, "bf16")
    assert (gradient.bytes, gradient.gb, round(gradient.gib, 4)) == (14 * 10**9, 14.0, 13.0385)
    assert gradient.gb / gradient.gib == pytest.approx(2**30 / 10**9)
    assert Gradient(3, "fp4").bytes == 2  # whole bytes


@pytest.mark.parametrize("dtype", training.BITS)
def test_bytes_are_numpys_where_numpy_has_the_type(dtype):
    names = {"fp64": "float64", "fp32": "float32", "fp16": "float16", "int8": "int8"}
    if dtype in names:
        assert training.bits_of(dtype) == 8 * np.dtype(names[dtype]).itemsize
    assert Gradient(1000, dtype).bytes == 125 * training.bits_of(dtype)


def walked_share(row, ranks):
    """Bytes through the busiest port of every recorded step, added up, as a part of the vector."""
    pieces = row.pieces(row.setting(ranks))
    recording = collectives.record(row.collective, row.algorithm, ranks=ranks, count=pieces)
    passed = 0
    for step in recording.steps:
        moved = {}
        for src, dst, chunk, _, count in zip(
            step.src.tolist(),
            step.dst.tolist(),
            step.chunk.tolist(),
            step.into.tolist(),
            np.broadcast_to(step.count, step.src.shape).tolist(),
            strict=True,
        ):
            if src != dst:
                moved[src, dst, chunk] = count
        ports = {}
        for (src, dst, _), count in moved.items():
            for port in (("out", src), ("in", dst)):
                ports[port] = ports.get(port, 0) + count
        passed += max(ports.values(), default=0)
    return Fraction(passed, pieces)


RANKS_ALONE = [
    row
    for row in ROWS
    if row.nodes is ranks_only and row.collective not in ("barrier", "send_recv")
]


@pytest.mark.parametrize("row", RANKS_ALONE, ids=lambda row: row.title)
def test_what_passes_one_after_another_is_the_busiest_port_of_each_recorded_step(row):
    tried = 0
    for ranks in (*range(1, 10), 16):
        if row.accepts(ranks):
            found = training.serial_share(row.collective, row.algorithm, ranks)
            assert found == walked_share(row, ranks)
            tried += 1
    assert tried > 1


@pytest.mark.parametrize("row", RANKS_ALONE, ids=lambda row: row.title)
def test_seconds_are_those_of_the_lockstep_clock_on_a_crossbar(row):
    link = Link("it", 50e9, 5e-6)
    for ranks in (1, 2, 4, 7, 8):
        if row.accepts(ranks):
            size = 8 * 840 * row.pieces(row.setting(ranks))
            recording = collectives.record(
                row.collective, row.algorithm, ranks=ranks, count=size // 8
            )
            crossbar = topology("crossbar", ranks, latency=link.latency, bandwidth=link.bandwidth)
            took = sync_seconds(size, ranks, link, row.algorithm, row.collective)
            assert took == pytest.approx(lockstep(recording, crossbar).total, rel=1e-12)


@pytest.mark.parametrize("ranks", SOME)
def test_a_volume_is_what_an_executed_recording_sends(ranks):
    for row in ROWS:
        if row.accepts(ranks) and row.collective not in ("barrier", "send_recv"):
            recording = collectives.record(row.collective, row.algorithm, ranks=ranks)
            form = training.volume(row.collective, row.algorithm, ranks)
            whole = recording.count * recording.dtype.itemsize
            assert form.steps == recording.counters.steps
            assert form.sent * whole == max(recording.bytes_sent[:ranks]), row.title
            assert form.total * whole == recording.counters.total_bytes


@pytest.mark.parametrize("ranks", SOME)
def test_seconds_are_the_textbooks_formulas(ranks):
    size, alpha, beta = 10**9, NDR.latency, 1 / NDR.bandwidth
    depth = math.ceil(math.log2(ranks))
    wanted = {
        "ring": 2 * (ranks - 1) * alpha + 2 * (ranks - 1) / ranks * size * beta,
        "bruck": 2 * depth * alpha + 2 * (ranks - 1) / ranks * size * beta,
        "tree": 2 * depth * (alpha + size * beta),
        "flat": alpha + (ranks - 1) * size * beta,
        "bar-noy": depth * (alpha + size * beta),
    }
    if ranks & (ranks - 1):
        fold = ranks.bit_length() + 1  # floor(log2 N) + 2
        wanted["recursive-doubling"] = fold * (alpha + size * beta)
    else:
        wanted["recursive-doubling"] = depth * (alpha + size * beta)
    for name, value in wanted.items():
        assert sync_seconds(size, ranks, NDR, name) == pytest.approx(value, rel=1e-12), name


def test_one_rank_needs_no_time():
    assert [sync_seconds(1e9, 1, NDR, name) for name in ("ring", "tree", "hierarchical")] == [0] * 3
    assert hierarchical_seconds(1e9, 1, 1, NVLINK, NDR) == 0


@pytest.mark.parametrize(("nodes", "gpus"), [(2, 8), (4, 8), (3, 4), (1, 8), (8, 1)])
def test_hierarchical_seconds_are_those_of_the_executed_steps(nodes, gpus):
    """Each step's largest message, at the latency and bandwidth of the link it takes."""
    ranks, size = nodes * gpus, 1e9
    recording = collectives.record(
        "all_reduce", "hierarchical", ranks=ranks, count=ranks, parameters={"gpus": gpus}
    )
    total = 0.0
    for step in recording.steps:
        across = step.src // gpus != step.dst // gpus
        slowest = []
        for link, rows in ((NVLINK, ~across), (NDR, across)):
            if rows.any():
                pieces = np.bincount(step.src[rows], np.broadcast_to(step.count, rows.shape)[rows])
                slowest.append(link.latency + pieces.max() * size / ranks / link.bandwidth)
        total += max(slowest)
    assert hierarchical_seconds(size, nodes, gpus, NVLINK, NDR) == pytest.approx(total, rel=1e-12)


def test_fewer_rails_share_their_bandwidth():
    free = Link("free", 1e18, 0)
    full = hierarchical_seconds(1e9, 4, 8, free, NDR)
    half = hierarchical_seconds(1e9, 4, 8, free, NDR, rails=4)
    lost = 6 * NDR.latency
    assert half - lost == pytest.approx(2 * (full - lost), rel=1e-6)
    assert hierarchical_seconds(1e9, 4, 8, free, NDR, rails=16) == full


def test_algorithms_with_switches_need_a_topology():
    with pytest.raises(BadInput, match="a topology is needed"):
        sync_seconds(1e9, 8, NDR, "nvls")


# --- overlap


def test_buckets_close_when_full_from_the_last_layer_on():
    assert make_buckets([5, 5, 5, 5], most=10, first=1) == (
        Bucket((3,), 5),
        Bucket((2, 1), 10),
        Bucket((0,), 5),
    )
    assert make_buckets([]) == ()
    assert sum(bucket.size for bucket in make_buckets([7] * 99, most=20)) == 7 * 99


def slow_overlap(layers, times, bandwidth, most, first):
    """The same by a clock that ticks: one unit of time, one unit of bytes."""
    clock, queue, held, done, left = 0, [], 0, [], 0
    limit = first
    for layer in reversed(range(len(layers))):
        for _ in range(times[layer]):
            clock, queue, left = tick(clock, queue, left, bandwidth, done)
        held += layers[layer]
        if held >= limit or layer == 0:
            queue, held, limit = [*queue, held], 0, most
    while queue or left:
        clock, queue, left = tick(clock, queue, left, bandwidth, done)
    return done


def tick(clock, queue, left, bandwidth, done):
    if not left and queue:
        left, queue = queue[0], queue[1:]
    if left:
        left = max(0, left - bandwidth)
        if not left:
            done.append(clock + 1)
    return clock + 1, queue, left


@pytest.mark.parametrize("seed", range(20))
def test_overlap_equals_a_clock_that_ticks(seed):
    random = np.random.default_rng(seed)
    count = int(random.integers(1, 12))
    layers = [int(size) * 4 for size in random.integers(1, 20, count)]
    times = [int(time) for time in random.integers(1, 30, count)]
    found = overlap(layers, times, lambda size: size / 4, most=60, first=20)
    done = slow_overlap(layers, times, 4, 60, 20)
    assert list(found.end) == done
    assert found.exposed == max(0, done[-1] - sum(times))
    assert found.hidden + found.exposed + idle_after(found) == pytest.approx(found.busy)


def idle_after(found):
    """Communication is never idle once the pass is over: all are ready by then."""
    late = [start for start in found.start if start > found.backward]
    return 0 if all(start in found.end for start in late) else math.nan


def test_all_but_the_last_bucket_hides_behind_a_slow_pass():
    found = overlap([10] * 5, 100.0, lambda size: size / 10, most=10, first=10)
    assert found.exposed == pytest.approx(1) and found.hidden == pytest.approx(4)


def test_one_bucket_hides_nothing_and_a_short_pass_next_to_nothing():
    one = overlap([10] * 5, 100.0, lambda size: size, most=50, first=50)
    assert (one.exposed, one.hidden) == (50, 0)
    short = overlap([10] * 5, 1e-9, lambda size: size, most=10, first=10)
    assert short.exposed == pytest.approx(50)


def test_gradients_of_the_last_layer_are_there_first():
    assert ready_times([1, 2, 3], (1.0, 2.0, 4.0)) == (7.0, 6.0, 4.0)
    assert overlap([], 1.0, lambda size: size).exposed == 0


# --- scaling


def test_the_limits_of_amdahl():
    assert [scaling.amdahl(part, 8) for part in (0, 1)] == [8, 1]
    assert scaling.amdahl_limit(0.01) == 100 and scaling.amdahl_limit(0) == math.inf
    assert scaling.amdahl(0.01, 10**12) == pytest.approx(100)


@pytest.mark.parametrize("ranks", [1, 2, 8, 1024])
def test_strong_scaling_is_amdahls_where_synchronization_takes_a_fixed_time(ranks):
    """Serial seconds that no rank shares are what a fixed synchronization is."""
    serial, parallel = 0.02, 0.98
    found = scaling.strong_scaling(parallel, lambda ranks: serial, ranks)
    if ranks > 1:
        one_rank = scaling.amdahl(serial, ranks) * parallel  # against 1 s, not 0.98 s
        assert found.speedup == pytest.approx(one_rank)
    assert found.seconds == pytest.approx(parallel / found.speedup)


def test_weak_scaling_loses_what_synchronization_takes():
    assert scaling.weak_scaling(3.0, lambda ranks: 1.0, 1).efficiency == 1
    found = scaling.weak_scaling(3.0, lambda ranks: 1.0, 16)
    assert (found.efficiency, found.speedup, found.seconds) == (0.75, 12, 4)


@pytest.mark.parametrize("most", [1, 2, 7, 100, 5000])
def test_the_wall_is_the_first_number_of_ranks_above_it(most):
    def compute(ranks):
        return 1.0 / ranks

    def sync(ranks):
        return sync_seconds(1e6, ranks, NDR)

    found = scaling.communication_wall(compute, sync, most)
    above = [ranks for ranks in range(2, most + 1) if sync(ranks) > compute(ranks)]
    assert found == (above[0] if above else None)
    assert (found is None) == (most < 313)


def test_no_wall_where_nothing_is_sent():
    assert scaling.communication_wall(lambda ranks: 1.0, lambda ranks: 0.0, 1 << 20) is None


@pytest.mark.parametrize("goal", [0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("algorithm", ["ring", "tree"])
def test_the_minimum_bandwidth_reaches_just_the_efficiency(goal, algorithm):
    size, ranks, compute, latency, hidden = 14e9, 8, 0.2, 1e-6, 0.01
    least = scaling.minimum_bandwidth(size, ranks, compute, goal, latency, hidden, algorithm)
    took = sync_seconds(size, ranks, Link("it", least, latency), algorithm)
    assert scaling.efficiency(compute, took - hidden) == pytest.approx(goal)


def test_the_bandwidth_at_which_communication_takes_as_long_as_compute():
    """1.75 x 14 GB in 3.5 ms are 56,000 Gb/s."""
    assert scaling.minimum_bandwidth(14e9, 8, 3.5e-3, 0.5) * 8 == pytest.approx(56_000e9)


def test_dollars():
    assert scaling.dollars_per_step(30, 8, 0.031) == pytest.approx(30 * 8 * 0.031 / 3600)
    assert scaling.dollars_per_step(0, 8, 1) == 0


# --- sharded, tensor, sequence, pipeline, expert


@pytest.mark.parametrize("ranks", SOME)
@pytest.mark.parametrize("name", [name for name in training.SCHEMES if name != "pipeline"])
def test_schemes_send_what_their_recorded_collectives_send(name, ranks):
    """ZeRO-3: all-gather, all-gather and reduce-scatter, 3 (N-1)/N of the parameters in all."""
    scheme, total, size = training.SCHEMES[name], 0, 0
    for collective, times in scheme.calls:
        algorithm = "pairwise" if collective == "all_to_all" else "ring"
        moved, size = sent(collective, algorithm, ranks, count=4 * ranks)
        total += times * moved
    assert scheme.sent(ranks) * size == total
    hand = {"ddp": 2, "zero-1": 2, "zero-2": 2, "zero-3": 3, "fsdp": 3}
    hand |= {"tensor": 8, "sequence": 8, "ulysses": 8, "expert": 4}
    assert scheme.sent(ranks) == hand[name] * Fraction(ranks - 1, ranks)


@pytest.mark.parametrize("nodes", [1, 2, 3])
def test_hybrid_sharding_sends_copies_of_shards_across(nodes):
    gpus, size = 4, 32 * nodes
    inside, across = training.hybrid_bytes(size, nodes, gpus)
    gathered, whole = sent("all_gather", "ring", gpus)
    reduced, shard = sent("all_reduce", "ring", nodes)
    scattered, _ = sent("reduce_scatter", "ring", gpus)
    assert inside == Fraction(2 * gathered + scattered, whole) * size
    assert across == Fraction(reduced, shard) * Fraction(size, gpus)


def test_zero_divides_one_kind_of_state_after_another():
    """The table of the paper: 7.5 billion parameters on 64 ranks."""
    held = [float(training.state_bytes(stage, 7_500_000_000, 64)) for stage in range(4)]
    assert [round(size / 1e9, 1) for size in held] == [120.0, 31.4, 16.6, 1.9]
    assert all(training.state_bytes(stage, 5, 1) == 80 for stage in range(4))
    assert training.state_bytes(3, 64, 64) * 64 == training.state_bytes(0, 64, 1)


def test_a_layer_shared_out():
    layer = Layer(batch=2, tokens=1024, hidden=512)
    whole = 2 * 1024 * 512 * 2
    assert layer.bytes == whole
    assert training.tensor_bytes(layer, 4) == 4 * 2 * Fraction(3, 4) * whole
    assert training.ulysses_bytes(layer, 4) == 8 * Fraction(3, 4) * Fraction(whole, 4)
    assert training.expert_bytes(layer, 4, 2) == 4 * 2 * Fraction(3, 4) * whole
    assert training.boundary_bytes(layer, 6) == 6 * whole
    for function in (training.tensor_bytes, training.expert_bytes):
        assert function(layer, 1) == 0


def simulated_pipeline(stages, microbatches, forward, backward):
    """When the last backward of GPipe's schedule ends, by what each task waits for."""
    done = {}
    order = [(0, m) for m in range(microbatches)] + [(1, m) for m in range(microbatches)]
    for way, m in order:
        line = range(stages) if way == 0 else reversed(range(stages))
        for stage in line:
            tasks = order[: order.index((way, m))]
            before = done[(*tasks[-1], stage)] if tasks else 0
            from_where = stage - 1 if way == 0 else stage + 1
            start = max(before, done.get((way, m, from_where), 0))
            done[way, m, stage] = start + (backward if way else forward)
    return max(done.values())


@pytest.mark.parametrize("stages", [1, 2, 4])
@pytest.mark.parametrize("microbatches", [1, 3, 8])
def test_the_bubble_is_that_of_a_simulated_pipeline(stages, microbatches):
    took = simulated_pipeline(stages, microbatches, 1, 2)
    assert training.pipeline_seconds(stages, microbatches, 1, 2) == took
    idle = Fraction(took - 3 * microbatches, took)
    assert training.bubble(stages, microbatches) == idle
    assert training.bubble(stages, microbatches, 2) <= idle


def test_hops_between_stages_delay_the_first_micro_batch():
    assert training.pipeline_seconds(4, 2, 1, 1, hop=0.5) == 10 + 3


# --- compression


def test_quantised_numbers_take_fewer_bits():
    assert training.quantised("fp32", "int8") == 4
    assert training.quantised("bf16", "bf16") == 1


@pytest.mark.parametrize("ranks", SOME)
def test_top_k_sends_what_gathering_values_and_indices_sends(ranks):
    """Of 1000 fp32 values 10 are kept, with indices of 4 bytes: 80 bytes from each rank."""
    moved, _ = sent("all_gather", "ring", ranks, count=10 * ranks, dtype="int64")
    dense, size = sent("all_reduce", "ring", ranks, count=ranks, dtype="float32")
    gain = training.top_k_gain(ranks, 0.01, "fp32")
    assert gain == Fraction(dense, size) * 4000 / moved


@pytest.mark.parametrize("ranks", SOME)
def test_at_the_break_even_density_both_send_as_much(ranks):
    density = training.break_even_density(ranks, "fp32")
    assert density == Fraction(1, ranks)  # 2 / (N (1 + 4/4))
    assert training.top_k_gain(ranks, float(density)) == pytest.approx(1)


@pytest.mark.parametrize("gain", [1.5, 2, 100])
def test_at_the_break_even_bandwidth_both_take_as_long(gain):
    rate = training.break_even_bandwidth(1e9, 8, gain, coding=0.01)
    link = Link("it", rate, 0)
    plain, packed = sync_seconds(1e9, 8, link), sync_seconds(1e9 / gain, 8, link) + 0.01
    assert plain == pytest.approx(packed)
    assert training.break_even_bandwidth(1e9, 8, gain, coding=0) == math.inf


# --- bad input

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
    lambda: make_buckets([1], most=0),
    lambda: overlap([1, 2], (1.0,), lambda size: size),
    lambda: overlap([1], 1.0, lambda size: math.nan),
    lambda: training.ready_times([1], -1.0),
    lambda: training.sharded_bytes("zero-4", 8, 8),
    lambda: training.sharded_bytes("tensor", 8, 8),
    lambda: training.state_bytes(4, 8, 8),
    lambda: training.bubble(0, 8),
    lambda: training.pipeline_seconds(2, 8, 1, -1),
    lambda: Layer(0, 1, 1),
    lambda: training.quantised("fp33", "fp8"),
    lambda: training.top_k_gain(8, 0),
    lambda: training.top_k_gain(8, 2),
    lambda: training.break_even_density(1),
    lambda: training.break_even_bandwidth(1e9, 8, 1, 1),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_cannot_be_used_is_refused_in_one_line(number):
    with pytest.raises(BadInput) as problem:
        WRONG[number]()
    assert "\n" not in str(problem.value) and len(str(problem.value)) < 300
