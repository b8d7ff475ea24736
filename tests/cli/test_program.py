"""`program`: an algorithm as a program of real ranks, printed or written, or why not."""

import ast
import sys

import pytest

from collectives.launch import engines

OWN = """
from collectives.schedule.spmd import Recv, Send

def ring_all_gather(rank, n):
    yield Send((rank + 1) % n)
    yield Recv((rank - 1) % n)

def idle_all_gather(rank, n):
    yield from ()
"""


@pytest.fixture(autouse=True)
def pythons(monkeypatch):
    """The Pythons of this machine, and what each has; python3 has nothing."""
    has = {engines.DEBIAN: {"mpi4py", "numpy"}, sys.executable: {"numpy", "torch"}}
    monkeypatch.setattr(engines, "_has", lambda python, name: name in has.get(python, ()))
    return has


def test_a_program_names_a_python_that_has_what_it_needs(right, pythons):
    mpi, torch = (f"program all-reduce ring -n 3 --for {name}" for name in ("mpi4py", "torch"))
    assert f"# Run it: mpirun -n 3 {engines.DEBIAN} ring-" in right(mpi).out
    assert f"# Run it: {sys.executable} -m torch.distributed.run --nproc" in right(torch).out
    pythons["python3"] = {"mpi4py", "numpy", "torch"}
    assert "# Run it: mpirun -n 3 python3 ring-" in right(mpi).out
    assert "# Run it: python3 -m torch.distributed.run --nproc" in right(torch).out
    pythons |= {"python3": {"numpy"}, engines.DEBIAN: {"mpi4py"}}
    assert f"# Run it: mpirun -n 3 {engines.DEBIAN} ring-" in right(mpi).out
    pythons.clear()
    said = right(mpi).out
    assert "# Run it: mpirun -n 3 python3 ring-" in said
    assert "\n# It needs a Python with mpi4py and numpy: apt-get install openmpi-bin" in said


def test_a_program_is_printed_or_written(collectives, folder, pythons):
    pythons["python3"] = {"mpi4py", "numpy", "torch"}
    shown = collectives("program all-reduce ring -n 3 --for mpi4py --dtype float32")
    assert shown.status == 0 and shown.err == ""
    first, second = shown.out.splitlines()[:2]
    assert first == "# Ring all-reduce on 3 ranks: every rank ends with the sum over all ranks"
    assert second == "# Run it: mpirun -n 3 python3 ring-all-reduce-3.py"
    written = collectives("program broadcast tree -n 4 --root 1 --for torch -o tree.py")
    assert (written.status, written.out) == (0, "tree.py\n")
    text = (folder / "tree.py").read_text()
    assert "# Run it: python3 -m torch.distributed.run --nproc-per-node 4 tree.py" in text
    for one in (shown.out, text):
        names = [node.name for node in ast.parse(one).body if isinstance(node, ast.FunctionDef)]
        assert {"rank_0", "rank_2", "send", "done", "main"} <= set(names)
        assert max(map(len, one.splitlines())) <= 100


def test_what_is_not_a_program_is_one_line(collectives, folder):
    (folder / "mine.py").write_text(OWN)
    for words, status, said in (
        ("mine.py:ring_all_gather -n 3 --for mpi4py", 1, "rank 0 waits to send chunk 0 to rank 1"),
        ("mine.py:idle_all_gather -n 3 --for torch", 1, "idle_all_gather on 3 ranks: rank 0, slot"),
        ("all-reduce ring --for mpi", 2, "did you mean mpi4py"),
        ("all-reduce ring", 2, "--for"),
        ("all-reduce ring --for torch -o ring.txt", 2, "ring.txt"),
        ("all-reduce ring --for torch --dtype uint32", 2, "torch has none"),
        ("all-reduce ring -n 300 --for torch", 2, "at most 65536 are printed"),
    ):
        ended = collectives(f"program {words}")
        assert (ended.status, ended.out) == (status, "")
        assert said in ended.err and ended.err.count("\n") == 1
