"""Command lines of launchers, and what is said where one is missing."""

import os
import stat

import pytest

from collectives import BadInput, NotInstalled
from collectives.launch import engines
from collectives.launch.engines import PLAYER, Engine, find_engine


def test_command_lines():
    player = [str(PLAYER), "/plan"]
    assert Engine("mpi", "py", "mpirun", "Open MPI").command(5, "/plan") == [
        *("mpirun", "--oversubscribe", "-n", "5", "py", *player, "mpi")
    ]
    assert Engine("mpi", "py", "mpirun").command(2, "/plan") == [
        *("mpirun", "-n", "2", "py", *player, "mpi")
    ]
    assert Engine("mpi", "py", "srun").command(8, "/plan") == [
        *("srun", "--ntasks", "8", "--kill-on-bad-exit=1", "py", *player, "mpi")
    ]
    assert Engine("gloo", "py", "torchrun").command(4, "/plan") == [
        *("py", "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "4"),
        *(*player, "gloo"),
    ]
    *start, script, name, python, file, folder, backend = Engine("nccl", "py", "srun").command(
        16, "/plan"
    )
    assert start == ["srun", "--ntasks", "16", "--kill-on-bad-exit=1", "sh", "-c"]
    assert "RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS" in script and script.endswith('exec "$@"')
    assert [name, python, file, folder, backend] == ["sh", "py", *player, "nccl"]


def test_only_crowded_processes_of_open_mpi_yield(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    crowded = Engine("mpi", "py", "mpirun", "Open MPI").environment(True)
    assert crowded["OMPI_MCA_mpi_yield_when_idle"] == crowded["OMPI_ALLOW_RUN_AS_ROOT"] == "1"
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    roomy = Engine("mpi", "py", "mpirun", "Open MPI").environment(False)
    other = Engine("mpi", "py", "mpirun").environment(True)
    assert roomy.keys() | other.keys() <= os.environ.keys() | {
        "PYTHONDONTWRITEBYTECODE",
        "OMP_NUM_THREADS",
    }


@pytest.mark.parametrize(
    ("backend", "has", "on_path", "message"),
    [
        ("mpi", (), (), "needs a Python with mpi4py; type: apt-get install openmpi-bin"),
        ("gloo", (), (), "needs a Python with torch; type: pip install torch"),
        ("mpi", ("mpi4py",), (), "needs mpirun; type: apt-get install openmpi-bin"),
    ],
)
def test_what_is_not_installed_is_named_with_its_command(
    monkeypatch, tmp_path, backend, has, on_path, message
):
    monkeypatch.setattr(engines, "_has", lambda python, module: module in has)
    monkeypatch.setattr(engines, "_vendor", lambda python: "Open MPI")
    monkeypatch.setattr(engines.shutil, "which", lambda name: name if name in on_path else None)
    with pytest.raises(NotInstalled, match=message):
        find_engine(backend, tmp_path)


def test_a_python_without_numpy_is_lent_ours(monkeypatch, tmp_path):
    monkeypatch.setattr(engines, "_has", lambda python, module: module == "torch")
    engine = find_engine("gloo", tmp_path)
    assert (tmp_path / "modules" / "numpy" / "__init__.py").is_file()
    assert engine.environment(False)["PYTHONPATH"] == str(tmp_path / "modules")
    old = tmp_path / "old"
    old.write_text("#!/bin/sh\ncase $2 in *version_info*) exit 1;; esac\n")
    old.chmod(old.stat().st_mode | stat.S_IXUSR)
    with pytest.raises(NotInstalled, match="old has no numpy"):
        find_engine("gloo", tmp_path, python=str(old))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("mp",), "--backend 'mp': unknown; did you mean mpi?"),
        (("mpi", "torchrun"), "--launcher 'torchrun': unknown; choose from mpirun, srun"),
        (("mpi", "", "/nowhere/python"), "no such command; nearest: /usr/bin/python3"),
    ],
)
def test_bad_choices(tmp_path, given, message):
    with pytest.raises(BadInput) as problem:
        find_engine(given[0], tmp_path, *given[1:])
    assert message in str(problem.value)


def test_no_gpu_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(engines, "_has", lambda python, module: True)
    monkeypatch.setattr(engines, "_runs", lambda python, line: False)
    with pytest.raises(BadInput, match="there is no GPU here; nearest: --backend gloo"):
        find_engine("nccl", tmp_path)


@pytest.mark.parametrize(
    ("python", "flavor", "there", "found"),
    [
        ("/usr/bin/python3", "Open MPI", ["mpirun.openmpi", "mpirun"], "mpirun.openmpi"),
        ("/usr/bin/python3", "MPICH", ["mpirun.openmpi", "mpirun.mpich"], "mpirun.mpich"),
        ("/usr/bin/python3", "Intel MPI", ["mpirun.openmpi", "mpirun"], "mpirun"),
        ("/env/bin/python", "MPICH", ["/env/bin/mpirun", "mpirun.mpich"], "/env/bin/mpirun"),
        ("/env/bin/python", "Open MPI", ["mpirun"], "mpirun"),
    ],
)
def test_mpirun_is_that_of_the_mpi_which_the_python_uses(
    monkeypatch, tmp_path, python, flavor, there, found
):
    monkeypatch.setattr(engines, "_has", lambda python, module: True)
    monkeypatch.setattr(engines, "_vendor", lambda python: flavor)
    known = [*there, python]
    monkeypatch.setattr(engines.shutil, "which", lambda name: name if name in known else None)
    engine = find_engine("mpi", tmp_path, python=python)
    assert engine.command(2, "/plan")[0] == found
    assert ("--oversubscribe" in engine.command(2, "/plan")) == (flavor == "Open MPI")


def test_a_command_that_is_no_python_is_not_taken_for_one(tmp_path):
    with pytest.raises(NotInstalled, match="needs a Python with mpi4py"):
        find_engine("mpi", tmp_path, python="/bin/true")
