"""Speed of the clocks and of fair sharing, beside that of making the steps they walk through."""

from collections.abc import Iterator

import numpy as np

from collectives import record
from collectives.cost.clock import dataflow, lockstep
from collectives.cost.machines import topology
from collectives.cost.simulate.fair import arrivals
from tests.benchmarks.measure import line, median_cpu, python_peak

CLOCKS = {"lockstep": lockstep, "dataflow": dataflow}


def ring_clocks() -> Iterator[str]:
    """Both clocks on rings, whose steps are made anew as they are timed."""
    ring, machine = record("all_reduce", "ring", ranks=1024), topology("crossbar", 1024)
    walk = median_cpu(lambda: sum(1 for _ in ring.steps))
    for name, clock in CLOCKS.items():
        seconds = median_cpu(lambda clock=clock: clock(ring, machine))
        yield line(
            f"ring {name}, 1,024 ranks",
            f"{seconds:.3f} s CPU",
            "<= 0.15 s",
            f"{seconds / walk:.2f} x making the steps",
        )
    code = (
        "from collectives import record; from collectives.cost.clock import {0}; "
        "from collectives.cost.machines import topology; import time; "
        "r = record('all_reduce', 'ring', ranks=16384); t = time.process_time(); "
        "{0}(r, topology('crossbar', 16384)); print(time.process_time() - t)"
    )
    record_only = "from collectives import record; r = record('all_reduce', 'ring', ranks=16384)"
    alone, _ = python_peak(record_only)
    for name in CLOCKS:
        whole, peak = python_peak(code.format(name))
        yield line(
            f"ring {name}, 16,384 ranks",
            f"{whole - alone:.2f} s CPU, {peak:.0f} MB",
            "<= 4 s, 100 MB",
            f"process less that of record alone, {alone:.2f} s",
        )


def many_steps() -> Iterator[str]:
    """A long pipeline: steps of 8 messages."""
    chain = record("broadcast", "ring", ranks=9, chunks=100_000)
    machine = topology("crossbar", 9)
    len(chain.steps[0])  # they are kept from now on
    for name, clock in CLOCKS.items():
        seconds = median_cpu(lambda clock=clock: clock(chain, machine))
        yield line(f"{name}, 100,000 steps of 8", f"{seconds:.3f} s CPU", "<= 0.2 s", "chain")


def fair_sharing() -> Iterator[str]:
    """Max-min shares of an all-to-all at once, beside one sum over all of its paths."""
    n = 256
    src, dst = np.nonzero(~np.eye(n, dtype=bool))
    start, link = np.arange(0, 2 * len(src) + 1, 2), np.stack([src, n + dst], 1).ravel()
    begin, size = np.zeros(len(src)), np.ones(len(src))
    capacity, limit = np.ones(2 * n), np.full(len(src), np.inf)
    even = median_cpu(lambda: arrivals(begin, size, start, link, capacity, limit))
    yield line("max-min, 256-rank all-to-all", f"{even:.3f} s CPU", "<= 0.2 s", "65,280 flows")
    swap, machine = record("all_to_all", "flat", ranks=n), topology("crossbar", n)
    for name, clock in CLOCKS.items():
        seconds = median_cpu(lambda clock=clock: clock(swap, machine))
        yield line(f"{name}, 256-rank all-to-all at once", f"{seconds:.3f} s CPU", "", "flat")
    cluster = topology("cluster", n, leaf=4, oversubscription=2.0)
    pairwise = record("all_to_all", "pairwise", ranks=n)
    for name, clock in CLOCKS.items():
        seconds = median_cpu(lambda clock=clock: clock(pairwise, cluster), 3)
        yield line(f"{name}, 256-rank all-to-all, fat tree", f"{seconds:.3f} s CPU", "", "pairwise")
