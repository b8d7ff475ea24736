"""Lines that call a collective: each can be read as code; mpi4py has what its lines name."""

import ast
import re
import subprocess

import pytest
from oracles.foreign import PYTHON

from collectives.__main__ import main
from collectives.collective import COLLECTIVES, find_collective

LINES = [
    (name, library, line.partition(", from ")[0])
    for name, promise in COLLECTIVES.items()
    for library, line in promise.calls.named.items()
]
OURS = {"all_to_all_single": "all_to_all", "batch_isend_irecv": "send_recv"}


@pytest.mark.parametrize(("name", "library", "line"), LINES, ids=str)
def test_a_line_is_code(name, library, line):
    if library == "NCCL":
        called = re.findall(r"nccl\w+(?=\()", line)
        assert called and line.count("(") == line.count(")")
        return
    (statement,) = ast.parse(line.replace("…", "...")).body
    called = ast.unparse(statement.value.func).rpartition(".")[2]
    if library == "torch.distributed" and name not in ("dispatch", "combine"):
        assert find_collective(OURS.get(called, called)).name == name


def test_every_collective_can_be_called_by_some_library():
    assert {name for name, _, _ in LINES} == set(COLLECTIVES)


def test_mpi4py_has_all_that_its_lines_call():
    words = [re.match(r"comm\.(\w+)\(", line)[1] for _, lib, line in LINES if lib == "mpi4py"]
    code = f"from mpi4py import MPI; print([n for n in {words} if not hasattr(MPI.Intracomm, n)])"
    done = subprocess.run([PYTHON, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"{PYTHON} has no mpi4py")
    assert len(words) == len(COLLECTIVES) and done.stdout.strip() == "[]"


def test_the_list_of_a_collective_begins_with_its_lines(capsys):
    with pytest.raises(SystemExit):
        main(["list", "all-gather"])
    shown = capsys.readouterr().out.split("algorithm")[0]
    assert all(line in shown for line in COLLECTIVES["all_gather"].calls.named.values())
