"""Sample files that commands of the site read: kept ones, results of calls, measurements."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from animations.lab.printed_benchmarks import printed
from collectives import record

SAMPLES = Path(__file__).with_name("samples")
# files, and the cause of slow times in each
MEASURED = {"slow.txt": "sockets (TCP) instead of InfiniBand or RoCE", "healthy.txt": ""}
NODES = 2


def write_samples(folder: Path) -> None:
    """Write all sample files into a folder."""
    shutil.copytree(SAMPLES, folder, dirs_exist_ok=True)
    whole = np.arange(8 * 64, dtype=np.float32).reshape(8, 64)
    calls = (whole, 2 * whole, 0.1 + np.sin(whole))  # small whole numbers twice, then fractions
    for file, algorithm in (("ring", "ring"), ("doubling", "recursive-doubling")):
        rows = [record("all_reduce", algorithm, ranks=8, data=data).result()[0] for data in calls]
        np.save(folder / f"{file}.npy", np.stack(rows))
    for name, cause in MEASURED.items():
        (folder / name).write_text(printed(cause, NODES), "utf-8")


def sample(name: str) -> str:
    """The text of a sample file."""
    with TemporaryDirectory() as folder:
        write_samples(Path(folder))
        return (Path(folder) / name).read_text("utf-8")
