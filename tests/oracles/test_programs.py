"""Printed programs: those for mpi4py run on real ranks and end with the bits of the recording."""

import ast
import os
import subprocess
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from each import each
from foreign import AS_ROOT, LAUNCHER, PATIENCE, PYTHON
from settings import SOME_ROWS, THOROUGH, recorded, settings

from collectives import BadInput, record
from collectives.formats.printed import LIBRARIES, printed
from collectives.proof.own_algorithm import OwnAlgorithm
from collectives.recording.rank_program import rank_program
from collectives.schedule.spmd import Recv, Send, sendrecv

NUMPY = str(Path(np.__file__).parents[1])  # for Debian's Python, where it has none of its own
YIELD = ["--mca", "mpi_yield_when_idle", "1", "--mca", "btl", "^openib,ofi"]


def own_all_gather(rank, n):
    for step in range(n - 1):
        chunk = (rank - step) % n
        # every rank passes a chunk to its right
        yield sendrecv(Send((rank + 1) % n, chunk), Recv((rank - 1) % n, (chunk - 1) % n))


LIVE = {
    "ring all-reduce": lambda: record("all_reduce", "ring", ranks=3, count=23, dtype="float32"),
    "own program of one rank": lambda: OwnAlgorithm(own_all_gather).record(3, 0),
    "average by doubling": lambda: record(
        "all_reduce", "recursive-doubling", ranks=2, dtype="float16", op="avg"
    ),
    "switches": lambda: record("all_reduce", "sharp", ranks=2, op="max"),
    "barrier": lambda: record("barrier", "dissemination", ranks=4),
    "all-to-all": lambda: record("all_to_all", "bruck", ranks=5, count=30),
    "two trees": lambda: record("all_reduce", "double-tree", ranks=4, dtype="float64", op="prod"),
}
SOME = LIVE if THOROUGH else list(LIVE)[:3]


@pytest.fixture(scope="module")
def environment():
    """That of a program of ranks, which needs numpy."""
    has_numpy = not subprocess.run([PYTHON, "-c", "import numpy"], capture_output=True).returncode
    return os.environ | AS_ROOT | {"PYTHONPATH": "" if has_numpy else NUMPY}


@pytest.mark.parametrize("name", SOME)
def test_a_printed_program_runs_under_mpirun(open_mpi, environment, tmp_path, name):
    recording = LIVE[name]()
    file = tmp_path / "program.py"
    file.write_text(printed(recording, "mpi4py", file.name))
    command = [LAUNCHER, "--oversubscribe", "-n", str(recording.nodes), *YIELD, PYTHON, str(file)]
    done = subprocess.run(
        [*command, str(tmp_path / "result")],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for rank, expected in enumerate(recording.result()):
        held = np.load(tmp_path / f"result.{rank}.npy")
        assert held.dtype == expected.dtype and held.tobytes() == expected.tobytes()


def calls(text):
    """The calls of each function for a rank: name, and arguments as numbers."""
    found = defaultdict(list)
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("rank_"):
            for line in node.body:
                if isinstance(line, ast.Expr):
                    name = line.value.func.id
                    values = [*line.value.args, *(word.value for word in line.value.keywords)]
                    if name != "done":
                        given = [eval(ast.unparse(value)) for value in values]
                        found[int(node.name[5:])].append((name, *given))
    return found


def wanted(operation):
    if operation.verb in ("recv", "reduce"):
        return operation.verb, operation.peer, operation.slot, list(operation.sizes)
    first = operation.peer if operation.verb == "send" else operation.source
    count = len(operation.sizes)
    return operation.verb, first, operation.slot, *([count] if count > 1 else [])


@each("row", SOME_ROWS, lambda row: row.title)
def test_printed_operations_are_those_of_rank_program(row):
    for setting in settings(row, (4, 5, 8) if THOROUGH else (4,), all_roots=False):
        recording = recorded(row, setting)
        for library in LIBRARIES:
            text = printed(recording, library, "program.py")
            found = calls(text)
            for rank in range(recording.nodes):
                assert found[rank] == [wanted(one) for one in rank_program(recording, rank)]


def test_what_cannot_be_printed_is_said_in_one_line():
    wide = record("all_reduce", "ring", ranks=256)
    with pytest.raises(BadInput, match="at most 65536 are printed; try: fewer ranks"):
        printed(wide, "torch", "program.py")
    odd = record("all_reduce", "ring", ranks=2, dtype="uint16")
    with pytest.raises(BadInput, match="dtype uint16: torch has none; try: --dtype float32"):
        printed(odd, "torch", "program.py")
    with pytest.raises(BadInput, match="'mpi': unknown; did you mean mpi4py"):
        printed(odd, "mpi", "program.py")
