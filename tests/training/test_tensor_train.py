"""Tensor parallelism in groups: proofs in groups, bytes and steps by hand, published shapes."""

import numpy as np
import pytest

from collectives import record, topology, train
from collectives.collective import find_collective
from collectives.cost.clocks.clock import lockstep
from collectives.cost.shrunk_machine import without_ranks
from collectives.schedule import within
from collectives.training.groups import GroupNetwork, in_groups
from collectives.training.network import ALGORITHMS
from collectives.training.parallel import layer_shape
from collectives.training.workload import LOAD

BILLION = 1 << 30
LAYERS, HIDDEN, TOKENS = 20, 2048, 512
SHAPE = {"layers": LAYERS, "hidden": HIDDEN, "tokens": TOKENS}


def cost(split, ranks, machine="crossbar", **more):
    options = SHAPE | more
    report = train(BILLION, ranks=ranks, topology=machine, scheme=f"tensor={split}", **options)
    return report.schemes[0], report


@pytest.mark.parametrize("collective", ALGORITHMS)
@pytest.mark.parametrize("strided", [False, True])
def test_groups_at_once_send_and_take_what_one_group_does_alone(collective, strided):
    machine = topology("crossbar", 12)
    ranks = np.arange(12).reshape(-1, 4)
    groups = ranks.reshape(4, 3).T if strided else ranks
    together = GroupNetwork(machine, groups).run(collective, 4800)
    rest = np.setdiff1d(np.arange(12), groups[0])
    alone = record(collective, ALGORITHMS[collective], ranks=4, count=4800, dtype="uint8")
    assert together.total == pytest.approx(lockstep(alone, without_ranks(machine, rest)).total)
    assert together.recording.bytes_sent == 3 * alone.bytes_sent
    assert together.recording.collective.name == collective


@pytest.mark.parametrize("collective", ALGORITHMS)
def test_a_promise_in_groups_refuses_what_mixes_groups(collective):
    steps = list(record(collective, ALGORITHMS[collective], ranks=4).steps)
    for ranks, right in (
        ([[0, 1, 2, 3], [4, 5, 6, 7]], True),
        ([[0, 1, 2, 4], [3, 5, 6, 7]], False),
    ):
        promise = in_groups(find_collective(collective), 4)
        groups = record(within(ranks, steps), "groups", ranks=8, collective=promise, slots=4)
        assert groups.check().ok is right, ranks


@pytest.mark.parametrize(("split", "beside"), [(2, 4), (8, 1)])
def test_groups_across_nodes_leave_them_by_every_rank_they_have_there(split, beside):
    """So many ranks of a group in each node: as many channels, each with its share on its card."""
    machine, members = topology("cluster", 64), 64 // split
    groups = np.arange(64).reshape(-1, split).T
    seconds = GroupNetwork(machine, groups).run("all_reduce", 1 << 30).total
    over_the_card = 2 * (members - 1) / members * (1 << 30) / beside / 50e9
    assert seconds == pytest.approx(over_the_card, rel=0.02)


@pytest.mark.parametrize(("split", "ranks"), [(2, 8), (4, 8), (8, 8), (4, 16)])
def test_bytes_and_memory_are_those_of_megatron_and_of_a_ring_of_slices(split, ranks):
    found, _ = cost(split, ranks)
    activations = split * TOKENS * HIDDEN * 2
    groups, gradients = ranks // split, 2 * BILLION // split
    sent = LAYERS * 4 * 2 * (split - 1) * activations // split
    whole = 2 * (groups - 1) * gradients / groups
    assert found.sent == pytest.approx(sent + whole, rel=1e-6)  # layers are no whole bytes
    assert found.memory == 16 * BILLION // split and not found.minimum_bandwidth
    assert (found.bucket == 0) == (groups == 1)
    quarter, _ = cost(split, ranks, bucket=gradients // 4)
    assert quarter.bucket in (0, gradients // 4)  # 5 of 20 layers


@pytest.mark.parametrize("bandwidth", [2e9, 50e9])
@pytest.mark.parametrize(("ranks", "bucket"), [(4, 1 << 30), (16, 1 << 30), (16, 1 << 27)])
def test_a_step_is_that_of_a_clock_by_hand(ranks, bucket, bandwidth):
    """Rings on a crossbar by Hockney's formula, block after block; gradients beside them."""
    latency, split = 1e-5, 4
    links = {"latency": latency, "bandwidth": bandwidth}
    found, report = cost(split, ranks, bucket=bucket, **links)

    def ring(size, members):
        return 2 * (members - 1) * (latency + size / members / bandwidth)

    forward = report.compute / 3 / LAYERS
    activations = ring(split * TOKENS * HIDDEN * 2, split)
    done = LOAD + LAYERS * (forward + 2 * activations)
    free = done
    slices, groups = 2 * BILLION // split, ranks // split
    buckets = min(LAYERS, -(-slices // bucket))
    closing = {LAYERS * k // buckets for k in range(buckets)}
    left = LAYERS
    for layer in reversed(range(LAYERS)):
        for part in (2 / 3, 1 / 3):
            computed = done + 2 * forward * part
            free = done = max(computed, free) + activations
        if layer in closing and groups > 1:
            free += ring(slices * (left - layer) / LAYERS, groups)
            left = layer
    update = 28 * BILLION / split / 3.35e12
    assert found.step == pytest.approx(max(done, free) + update, rel=1e-6)


def test_the_wall_is_the_first_number_of_groups_by_trying_all():
    latency, bandwidth, split, ranks = 2e-5, 50e9, 2, 8
    found, report = cost(split, ranks, latency=latency, bandwidth=bandwidth, bucket=1 << 30)

    def taken(n):
        batch = ranks * TOKENS / n * split  # tokens of a group
        share = batch * HIDDEN * 2 * (split - 1) / split
        inside = 4 * LAYERS * 2 * ((split - 1) * latency + share / bandwidth)
        groups = n // split
        across = 2 * (groups - 1) * (latency + BILLION * 2 / split / groups / bandwidth)
        return inside + across

    def longer(n):
        return taken(n) > report.compute * ranks / n

    assert found.wall == next(n for n in range(split, 10_000, split) if longer(n))
    for each in found.scaling:
        assert longer(each.ranks) == (each.ranks >= found.wall)
        whole = report.compute * ranks / each.ranks + taken(each.ranks)
        assert each.seconds == pytest.approx(whole, rel=1e-6)
        assert each.efficiency == pytest.approx(each.speedup / each.ranks)
    assert [each.ranks for each in found.scaling] == [2 << power for power in range(14)]
    slow, _ = cost(split, ranks, bandwidth=1e9)
    assert slow.wall == split  # blocks alone wait longer than they compute


@pytest.mark.parametrize(
    ("parameters", "layers", "hidden"),  # GPT-3's table 2.1 and LLaMA's table 2
    [(175e9, 96, 12288), (6.7e9, 32, 4096), (13e9, 40, 5120), (65.2e9, 80, 8192)],
)
def test_shapes_are_near_those_of_published_models(parameters, layers, hidden):
    assert layer_shape(int(parameters), layers)[1] == pytest.approx(hidden, rel=0.04)
    assert layer_shape(int(parameters), hidden=hidden)[0] == pytest.approx(layers, abs=3)
    free, wide = layer_shape(int(parameters))
    assert free == pytest.approx(layers, rel=0.15) and wide == pytest.approx(hidden, rel=0.15)
    assert 12 * free * wide**2 == pytest.approx(parameters, rel=0.05)


def test_tensor_stands_beside_other_schemes_and_says_what_it_assumes():
    report = train("7B", ranks=16, topology="cluster", scheme=["ddp", "tensor=8", "tensor=4"])
    assert [each.scheme for each in report.schemes] == ["ddp", "tensor=8", "tensor=4"]
    assert report.schemes[0].hideable and not report.schemes[1].hideable
    text = " ".join(" ".join(map(str, report.lines())).split())
    for words in ("33 layers", "hidden size 4,224", "consecutive ranks", "4 all-reduces a layer"):
        assert words in text
    fewer, _ = cost(4, 16, compression="fp8", bucket=1 << 30)
    full, _ = cost(4, 16, bucket=1 << 30)
    assert full.sent - fewer.sent == pytest.approx(2 * 3 / 4 * 2 * BILLION / 4 / 2, rel=1e-6)
