"""Channels and threads, against dropping them one by one."""

from dataclasses import replace

import numpy as np

from collectives.cost.libraries import nccl
from collectives.cost.libraries.nccl import model as nccl_model
from collectives.cost.libraries.nccl import tables as nccl_tables
from collectives.cost.libraries.nccl.graphs import Graph, hgx


def test_channels_of_nvls():
    assert nccl_model.workers(hgx("H100"), "NVLS", "Simple", 8) == (16, 640)
    assert nccl_model.workers(hgx("B200"), "NVLS", "Simple", 8) == (32, 640)
    few = replace(hgx("H100", nodes=2), channels=4)
    assert nccl_model.workers(few, "NVLS", "Simple", 8) == (4, 640)
    assert nccl_model.workers(few, "NVLSTree", "Simple", 8) == (16, 640)


def slow_workers(machine, algorithm, protocol, size):
    """Channels are given up one by one, then threads are halved: as it is told."""
    channels, threads = machine.channels, nccl_tables.THREADS[protocol]
    each = nccl_tables.BYTES_PER_THREAD[protocol]
    if (algorithm, protocol) == ("Ring", "LL"):
        each *= machine.ranks
    while size < channels * threads * each and channels >= 2:
        channels -= 1
    while size < channels * threads * each and threads % 128 == 0:
        threads //= 2
    if algorithm == "Tree":
        return channels, 640
    return channels, max(96, threads + (32 if protocol == "Simple" else 0))


def test_channels_and_threads_by_size():
    random = np.random.default_rng(5)
    for size in [0, 1, *(2 ** random.uniform(0, 32, 200)).astype(int).tolist()]:
        for machine in (hgx("H100"), hgx("A100", nodes=2, nics=4, nic=12.5)):
            for algorithm in ("Ring", "Tree"):
                for protocol in nccl_tables.PROTOCOLS:
                    found = nccl_model.workers(machine, algorithm, protocol, size)
                    assert found == slow_workers(machine, algorithm, protocol, size)
    assert nccl.choose(hgx("H100"), "all-reduce", 2**30).channels == 16
    assert nccl.choose(hgx("H100"), "all-reduce", 8).channels == 1
    assert nccl.choose(hgx("A100"), "all-reduce", 2**30).channels == 24
    assert nccl.choose(hgx("A100"), "all-reduce", 2**30).threads == 544


def test_slow_rings_take_half_of_the_threads():
    machine = hgx("H100", nodes=2)
    slow = replace(machine, graphs={**machine.graphs, "ring": Graph(2, 6, 6)})
    assert nccl_model.workers(slow, "Ring", "Simple", 2**30)[1] == 256 + 32


def test_collnet_drops_channels_one_at_a_time():
    machine = replace(hgx("H100", nodes=2), channels=24)
    load = 640 * 8 * 512
    found = [nccl_model.workers(machine, "CollNetDirect", "Simple", c * load) for c in (30, 20)]
    assert found == [(24, 640), (23, 640)]  # below 24, one is worth while for half as much
    assert nccl_model.workers(machine, "CollNetDirect", "Simple", 0) == (1, 640)
