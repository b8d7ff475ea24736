"""Speed of the clocks and of fair sharing, beside that of making the steps they walk through."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from collectives import record
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.fair_share import fair_rates
from collectives.cost.machines import topology
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
        "from collectives import record; from collectives.cost.clocks.clock import {0}; "
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
    """Max-min shares of an all-to-all, all flows at once, on even and on random capacities."""
    n, random = 256, np.random.default_rng(1)
    src, dst = np.nonzero(~np.eye(n, dtype=bool))
    crossbar = topology("crossbar", n)
    tree = topology("cluster", n, gpus=1, leaf=16, spines=4, oversubscription=4.0)
    for made in (crossbar, tree, topology("torus-2d", n), topology("ring", n)):
        paths = made.paths(src, dst)
        ways = paths.start, made.group[paths.link]
        limit = paths.minimum(made.bandwidth)
        uneven = made.capacity * random.uniform(0.5, 1.5, len(made.capacity))
        for name, room in (("", made.capacity), (", random capacities", uneven)):
            shares = partial(fair_rates, *ways, room, limit)
            what = f"max-min, 256-rank all-to-all, {made.name}{name}"
            told = f"{len(src):,} flows, {len(paths.link):,} links of paths"
            yield line(what, f"{median_cpu(shares):.3f} s CPU", "<= 0.2 s", told)
    swap = record("all_to_all", "flat", ranks=n)
    for name, clock in CLOCKS.items():
        seconds = median_cpu(partial(clock, swap, crossbar))
        yield line(f"{name}, 256-rank all-to-all at once", f"{seconds:.3f} s CPU", "", "flat")


def whole_exchanges() -> Iterator[str]:
    """An all-to-all on a fat tree from its start to its end, even and uneven."""
    n, random = 256, np.random.default_rng(1)
    counts = random.integers(1, 1_000_000, n).tolist()
    tree = topology("cluster", n, leaf=4, oversubscription=2.0)
    even = record("all_to_all", "pairwise", ranks=n)
    uneven = record("all_to_all", "pairwise", ranks=n, counts=counts, dtype="uint8")
    for told, swap in (("even", even), ("uneven", uneven)):
        for name, clock in CLOCKS.items():
            seconds = median_cpu(partial(clock, swap, tree), 3)
            what = f"{name}, 256-rank all-to-all, fat tree, {told}"
            yield line(what, f"{seconds:.3f} s CPU", "", "pairwise, 65,280 messages")
    flat = record("all_to_all", "flat", ranks=n, counts=counts, dtype="uint8")
    seconds = median_cpu(partial(lockstep, flat, topology("crossbar", n)), 3)
    yield line("lockstep, 256-rank all-to-all at once, uneven", f"{seconds:.3f} s CPU", "", "flat")


def everything() -> Iterator[str]:
    """All of it."""
    for benchmark in (ring_clocks, many_steps, fair_sharing, whole_exchanges):
        yield from benchmark()
