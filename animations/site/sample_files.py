"""Sample files that commands of the site read: kept ones, results of calls, measurements."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from collectives import record
from collectives.comparison.slow_causes import modeled_causes
from collectives.cost.busbw import factor
from collectives.cost.libraries.nccl.graphs import hgx
from collectives.evidence.measured_model import CARDS

SAMPLES = Path(__file__).with_name("samples")
# files, and the cause of slow times in each
MEASURED = {"slow.txt": "sockets (TCP) instead of InfiniBand or RoCE", "healthy.txt": ""}
NOISE = 0.03  # of a measured time
GPU, NODES, PER_NODE = "H100", 2, 8
HEAD = f"#{'size':>10} {'count':>10} {'type':>6} {'redop':>6} {'root':>5}" + 2 * (
    f" {'time':>8} {'algbw':>6} {'busbw':>6} #wrong"
)


def write_samples(folder: Path) -> None:
    """Write all sample files into a folder."""
    shutil.copytree(SAMPLES, folder, dirs_exist_ok=True)
    whole = np.arange(8 * 64, dtype=np.float32).reshape(8, 64)
    calls = (whole, 2 * whole, 0.1 + np.sin(whole))  # small whole numbers twice, then fractions
    for file, algorithm in (("ring", "ring"), ("doubling", "recursive-doubling")):
        rows = [record("all_reduce", algorithm, ranks=8, data=data).result()[0] for data in calls]
        np.save(folder / f"{file}.npy", np.stack(rows))
    for name, cause in MEASURED.items():
        (folder / name).write_text(_measurement(cause), "utf-8")


def sample(name: str) -> str:
    """The text of a sample file."""
    with TemporaryDirectory() as folder:
        write_samples(Path(folder))
        return (Path(folder) / name).read_text("utf-8")


def _measurement(cause: str) -> str:
    """What nccl-tests would print: times of NCCL's tuner with a cause of slow times, and noise."""
    machine, rate = hgx(GPU, NODES, PER_NODE, PER_NODE, CARDS["NDR"]), CARDS["NDR"]
    times = dict(modeled_causes(machine, "all_reduce", PER_NODE, rate))[cause]
    share, noise = float(factor("all_reduce", machine.ranks)), np.random.default_rng(1)
    lines = ["# Collective test starting: all_reduce_perf", "# Using devices"]
    for rank in range(machine.ranks):
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
