"""What nccl-tests would print with a cause of slow times, and the judge of who finds it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from animations.lab.verdicts import judged
from collectives.comparison.diagnose import diagnose
from collectives.comparison.slow_causes import Times, modeled_causes
from collectives.comparison.verdicts import JudgedSize
from collectives.cost.busbw import factor
from collectives.cost.libraries.nccl.graphs import hgx
from collectives.errors import BadInput
from collectives.evidence.measured_model import CARDS
from collectives.proof.prove import Verdict
from collectives.units import rate_text
from collectives.words import brief

NOISE = 0.03  # of a measured time
GPU, PER_NODE = "H100", 8
HEAD = f"#{'size':>10} {'count':>10} {'type':>6} {'redop':>6} {'root':>5}" + 2 * (
    f" {'time':>8} {'algbw':>6} {'busbw':>6} #wrong"
)
MACHINES = {1: "hgx-h100", 2: "cluster:nics=8"}  # of so many nodes
RUNS = {  # the nodes of each benchmark, and its cause of slow times
    1: (2, "one network card of the node is used"),
    2: (1, ""),
    3: (1, "PCIe instead of NVLink inside the nodes"),
    4: (2, ""),
}


@cache
def _times(nodes: int) -> dict[str, Times]:
    """What so many nodes take for a size, healthy and with each cause of slow times."""
    machine = hgx(GPU, nodes, PER_NODE, PER_NODE, CARDS["NDR"])
    return dict(modeled_causes(machine, "all_reduce", PER_NODE, CARDS["NDR"]))


def times_longer(cause: str, nodes: int, size: int) -> float:
    """How many times as long an all-reduce takes with a cause of slow times."""
    return _times(nodes)[cause](size) / _times(nodes)[""](size)


def printed(cause: str, nodes: int, seed: int = 1) -> str:
    """What nccl-tests would print: times of NCCL's tuner with a cause of slow times, and noise."""
    times, ranks = _times(nodes)[cause], nodes * PER_NODE
    share, noise = float(factor("all_reduce", ranks)), np.random.default_rng(seed)
    lines = ["# Collective test starting: all_reduce_perf", "# Using devices"]
    for rank in range(ranks):
        node, device = divmod(rank, PER_NODE)
        place = f"Rank {rank:2} Group  0 Pid {100 + rank} on node{node} device {device}"
        lines.append(f"#  {place} [0x{27 + device:02x}] NVIDIA H100 80GB HBM3")
    lines += ["#", HEAD]
    for power in range(20, 31, 2):
        size, cells = 1 << power, ""
        for _ in ("out of place", "in place"):
            seconds = times(size) * (1 + NOISE * noise.standard_normal())
            algbw = size / seconds / 1e9
            cells += f" {seconds * 1e6:8.1f} {algbw:6.2f} {algbw * share:6.2f} {0:6}"
        lines.append(f"{size:11} {size // 4:10} {'float':>6} {'sum':>6} {-1:5}{cells}")
    return "\n".join(lines) + "\n"


def benchmark(number: int) -> str:
    """The output of a benchmark that is healthy or sick; raises BadInput for an unknown one."""
    if number not in RUNS:
        raise BadInput(f"benchmark {brief(number)}: there are {min(RUNS)} to {max(RUNS)}")
    nodes, cause = RUNS[number]
    return printed(cause, nodes, number)


@cache
def diagnosed(number: int) -> tuple[str, JudgedSize]:
    """What the library says of a benchmark, "healthy" or the likeliest cause; the largest size."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "out.txt")
        file.write_text(benchmark(number), "utf-8")
        report = diagnose(file, topology=MACHINES[RUNS[number][0]])
    return report.causes[0].name if report.causes else "healthy", report.verdict.sizes[-1]


def benchmarks(answer: Any) -> Verdict:
    """What is wrong in each benchmark, beside `diagnose`; the least busbw that is accepted."""
    if not isinstance(answer, dict):
        return Verdict(False, "benchmarks is no dict: it must have a verdict for each number")
    wrong = []
    for number in RUNS:
        name, largest = diagnosed(number)
        rate = rate_text(largest.busbw, 3)
        if answer.get(number) != name:
            named = brief(answer.get(number))
            wrong.append(f"benchmark {number}: {named} is not the likeliest of {rate} at 1 GiB")
    for nodes, key in ((1, "one node"), (2, "two nodes")):
        accepted = answer.get(key)
        runs = [diagnosed(number) for number, (run, _) in RUNS.items() if run == nodes]
        healthy = next(size for name, size in runs if name == "healthy")
        bounds = healthy.expected.bounds
        if isinstance(accepted, bool) or not isinstance(accepted, int | float):
            wrong.append(f"{key}: {brief(accepted)} is no number of bytes per second; try: 400e9")
        elif not accepted <= healthy.busbw:  # nan, too
            wrong.append(f"{key}: refuses a healthy machine of {rate_text(healthy.busbw, 3)}")
        elif bounds and accepted < healthy.expected.busbw_of(bounds[1]):
            wrong.append(f"{key}: accepts a machine slower than every one that was posted")
    return judged("benchmarks", wrong, len(RUNS) + len(MACHINES))
