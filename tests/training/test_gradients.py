"""Gradients, volumes and seconds: numbers worked out by hand, schedules that were executed."""

import math
from fractions import Fraction

import numpy as np
import pytest
from each import each, row_title
from training.executed import SOME

import collectives
from collectives.catalog import ROWS
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology
from collectives.cost.machines.links import Link
from collectives.errors import BadInput
from collectives.training import gradients
from collectives.training.gradients import Gradient, hierarchical_seconds, sync_seconds

NDR = Link("NDR", 50e9, 5e-6)
NVLINK = Link("NVLink", 450e9, 1e-6)


def test_seven_billion_parameters_are_14_gb_and_13_gib():
    gradient = Gradient(7_000_000_000, "bf16")
    assert (gradient.bytes, str(gradient)) == (14 * 10**9, "14 GB = 13.04 GiB")
    assert Gradient(3, "fp4").bytes == 2  # whole bytes


@pytest.mark.parametrize("dtype", gradients.BITS)
def test_bytes_are_numpys_where_numpy_has_the_type(dtype):
    names = {"fp64": "float64", "fp32": "float32", "fp16": "float16", "int8": "int8"}
    if dtype in names:
        assert gradients.bits_of(dtype) == 8 * np.dtype(names[dtype]).itemsize
    assert Gradient(1000, dtype).bytes == 125 * gradients.bits_of(dtype)


def walked_share(row, ranks):
    """Bytes through the busiest port of every recorded step, added up, as a part of the vector."""
    chunk_count = row.chunk_count(row.setting(ranks))
    recording = collectives.record(row.collective, row.algorithm, ranks=ranks, count=chunk_count)
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
    return Fraction(passed, chunk_count)


RANKS_ALONE = [
    row
    for row in ROWS
    if not row.in_network and row.collective not in ("barrier", "send_recv", "dispatch", "combine")
]


@each("row", RANKS_ALONE, row_title, few=4)
def test_what_passes_one_after_another_is_the_busiest_port_of_each_recorded_step(row):
    tried = 0
    for ranks in (*range(1, 10), 16):
        if row.accepts(ranks):
            found = gradients.serial_share(row.collective, row.algorithm, ranks)
            assert found == walked_share(row, ranks)
            tried += 1
    assert tried > 1


@each("row", RANKS_ALONE, row_title, few=2)
def test_seconds_are_those_of_the_lockstep_clock_on_a_crossbar(row):
    link = Link("it", 50e9, 5e-6)
    for ranks in (1, 2, 4, 7, 8):
        if row.accepts(ranks):
            size = 8 * 840 * row.chunk_count(row.setting(ranks))
            recording = collectives.record(
                row.collective, row.algorithm, ranks=ranks, count=size // 8
            )
            crossbar = topology("crossbar", ranks, latency=link.latency, bandwidth=link.bandwidth)
            took = sync_seconds(size, ranks, link, row.algorithm, row.collective)
            assert took == pytest.approx(lockstep(recording, crossbar).total, rel=1e-12)


@pytest.mark.parametrize("ranks", SOME)
def test_a_volume_is_what_an_executed_recording_sends(ranks):
    for row in ROWS:
        if row.accepts(ranks) and row.collective not in (
            "barrier",
            "send_recv",
            "dispatch",
            "combine",
        ):
            recording = collectives.record(row.collective, row.algorithm, ranks=ranks)
            form = gradients.volume(row.collective, row.algorithm, ranks)
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
                chunk_count = np.bincount(
                    step.src[rows], np.broadcast_to(step.count, rows.shape)[rows]
                )
                slowest.append(link.latency + chunk_count.max() * size / ranks / link.bandwidth)
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
