"""Runs a real MPI library on given data: what every rank ends with, and who sent what to whom."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
PROGRAM = Path(__file__).with_name("mpi_program.py")
LAUNCHER = "mpirun.openmpi"  # Debian's name for Open MPI's own
PYTHON = "/usr/bin/python3"  # the one that Debian's mpi4py belongs to
TYPES = {"float32": "f", "float64": "d", "int64": "q"}
PATIENCE = 120  # seconds
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
SETTINGS = {
    "coll": "^han,adapt,sm,acoll",  # they would take collectives away from `tuned`
    "coll_tuned_use_dynamic_rules": "1",
    "mpi_yield_when_idle": "1",
    "pml_monitoring_enable": "2",
    "pml_monitoring_enable_output": "3",
    "btl": "^openib,ofi",  # no search for networks
}
SENT = re.compile(r"^I\t(\d+)\t(\d+)\t(\d+) bytes\t(\d+) msgs", re.MULTILINE)


@dataclass(frozen=True)
class Job:
    """One call of a collective. data: [rank, element of the rank's own input]."""

    collective: str
    data: Array
    root: int = 0

    def as_json(self) -> dict[str, Any]:
        """The job as mpi_program.py reads it."""
        inputs = [row.tobytes().hex() for row in self.data]
        letter = TYPES[str(self.data.dtype)]
        return {
            "collective": self.collective,
            "root": self.root,
            "type": letter,
            "inputs": inputs,
        }


@dataclass
class Answer:
    """What the library did: results[job][rank] are elements, traffic[src, dst] (bytes, messages).

    The traffic is that of all jobs together.
    """

    results: list[list[Array]]
    traffic: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)


def missing() -> str:
    """Why Open MPI cannot be run here, empty if it can."""
    line = "apt-get install openmpi-bin python3-mpi4py"
    if shutil.which(LAUNCHER) is None:
        return f"no {LAUNCHER}: {line}"
    tried = subprocess.run([PYTHON, "-c", "import mpi4py"], capture_output=True, check=False)
    return f"{PYTHON} has no mpi4py: {line}" if tried.returncode else ""


def run_open_mpi(
    algorithms: Mapping[str, int],
    jobs: list[Job],
    folder: Path,
    more: Mapping[str, str] = MappingProxyType({}),
) -> Answer:
    """Run jobs on as many ranks as they have rows, with these algorithms of coll/tuned.

    algorithms: the number of each operation, named as in the setting, e.g. allreduce. more:
    further settings.
    """
    settings = SETTINGS | {"pml_monitoring_filename": str(folder / "traffic")}
    settings |= {f"coll_tuned_{name}_algorithm": str(n) for name, n in algorithms.items()}
    settings |= more
    options = [word for name, value in settings.items() for word in ("--mca", name, value)]
    ranks = len(jobs[0].data)
    start = [LAUNCHER, "--oversubscribe", "-n", str(ranks), *options, PYTHON]
    results = run_program(start, jobs, folder, os.environ | AS_ROOT)
    traffic = {}
    for file in folder.glob("traffic.*.prof"):
        for src, dst, sent, messages in SENT.findall(file.read_text()):
            traffic[int(src), int(dst)] = int(sent), int(messages)
    return Answer(results, traffic)


def run_program(
    start: list[str], jobs: list[Job], folder: Path, environment: dict[str, str]
) -> list[list[Array]]:
    """Start mpi_program.py with these words before it: what each rank ends with, per job."""
    given, result = folder / "jobs.json", folder / "result"
    given.write_text(json.dumps([job.as_json() for job in jobs]))
    command = [*start, str(PROGRAM), str(given), str(result)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, env=environment, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return read_results(jobs, folder)


def read_results(jobs: list[Job], folder: Path) -> list[list[Array]]:
    """What the ranks wrote into the folder: per job, what each rank ends with."""
    ranks = len(jobs[0].data)
    held = [json.loads((folder / f"result.{rank}").read_text()) for rank in range(ranks)]
    return [
        [np.frombuffer(bytes.fromhex(held[rank][k]), job.data.dtype) for rank in range(ranks)]
        for k, job in enumerate(jobs)
    ]


def random_data(ranks: int, count: int, dtype: str, seed: int = 1) -> Array:
    """Numbers of very different sizes, so that every order of additions rounds otherwise."""
    random = np.random.default_rng([seed, ranks, count])
    return (
        random.standard_normal((ranks, count)) * 2.0 ** random.integers(-4, 5, (ranks, count))
    ).astype(dtype)
