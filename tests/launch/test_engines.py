"""Command lines of launchers, and what is said where one is missing."""

import os
import stat
import subprocess
import sys

import pytest

from collectives import BadInput, NotInstalled
from collectives.launch import engines
from collectives.launch.engines import LOOPBACK, PLAYER, Engine, find_engine


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
        *("py", "-m", "torch.distributed.run", "--standalone", "--local-addr", "127.0.0.1"),
        *("--nproc-per-node", "4", *player, "gloo"),
    ]
    apart = Engine("mpi", "py", "mpirun", network="loopback").command(2, "/plan")
    assert apart == [sys.executable, str(LOOPBACK), "mpirun", "-n", "2", "py", *player, "mpi"]
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


def test_a_command_has_a_network_of_its_own_with_the_loopback_only():
    line = "import socket; print(socket.if_nameindex()); a = socket.create_server(('127.0.0.1', 0))"
    talk = "b = socket.create_connection(a.getsockname()); b.sendall(b'hello')"
    heard = "print(a.accept()[0].recv(5))"
    words = [sys.executable, str(LOOPBACK), sys.executable, "-c", f"{line}; {talk}; {heard}"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if engines._network() == "shared":  # this system allows no namespace: the command does not run
        assert done.returncode and not done.stdout and "Error" in done.stderr
    else:
        assert done.stdout.splitlines() == ["[(1, 'lo')]", "b'hello'"]


@pytest.fixture
def here(monkeypatch, tmp_path):
    """An engine of mpirun in an environment that names no hosts; what there is on disk is ours."""
    for name in list(os.environ):
        named = engines.HOSTS.search(name) or engines.INTERFACE.search(name)
        if named or name.startswith(("OMPI_", "SLURM_")):
            monkeypatch.delenv(name)
    monkeypatch.setattr(engines, "HOST_FILE", tmp_path / "hosts")
    monkeypatch.setattr(engines, "SETTINGS", tmp_path / "settings")
    monkeypatch.setattr(engines, "SETTINGS_OF_ALL", tmp_path / "settings of all")
    monkeypatch.setattr(engines, "_has", lambda python, module: True)
    monkeypatch.setattr(engines, "_runs", lambda python, line: True)
    monkeypatch.setattr(engines, "_vendor", lambda python: "Open MPI")
    monkeypatch.setattr(engines.shutil, "which", lambda name: name)
    monkeypatch.setattr(engines, "_network", lambda: "shared")
    return lambda backend="mpi", launcher="": find_engine(backend, tmp_path, launcher)


def test_on_one_machine_ranks_do_not_listen_outside(here, monkeypatch):
    (engines.HOST_FILE).write_text("# node1\n\n")
    engines.SETTINGS.write_text("# orte_default_hostfile = mine\nmpi_yield_when_idle = 1\n")
    monkeypatch.setenv("SLURM_JOB_NUM_NODES", "1")
    shared = here()
    assert shared.network == here("gloo").network == "shared"
    found = shared.environment(False)
    assert (found["OMPI_MCA_btl"], found["GLOO_SOCKET_IFNAME"]) == ("^tcp,ofi", "lo")
    monkeypatch.setenv("OMPI_MCA_btl", "tcp,self")  # what the user sets stays
    assert shared.environment(False)["OMPI_MCA_btl"] == "tcp,self"
    monkeypatch.setattr(engines, "_network", lambda: "loopback")
    apart = here("gloo")
    assert apart.network == "loopback" and str(LOOPBACK) in apart.command(2, "/plan")
    assert apart.environment(False)["GLOO_SOCKET_IFNAME"] == "lo"
    assert "OMPI_MCA_mtl" not in here().environment(False)


def test_a_network_of_its_own_has_no_interface_that_a_variable_names(here, monkeypatch):
    cards = {
        *("OMPI_MCA_oob_tcp_if_include", "OMPI_MCA_btl_tcp_if_exclude", "HYDRA_IFACE"),
        *("PRTE_MCA_prte_if_include", "PMIX_MCA_ptl_tcp_if_exclude", "TP_SOCKET_IFNAME"),
        *("GLOO_SOCKET_IFNAME", "UCX_NET_DEVICES", "FI_TCP_IFACE"),
    }
    for name in cards:
        monkeypatch.setenv(name, "eth0")
    monkeypatch.setenv("OMPI_MCA_btl", "tcp,self")
    shared = here().environment(False)  # it has the user's cards
    assert {name for name, value in shared.items() if value == "eth0"} == cards
    monkeypatch.setattr(engines, "_network", lambda: "loopback")
    apart = here().environment(False)
    assert "eth0" not in apart.values() and apart["OMPI_MCA_btl"] == "tcp,self"
    assert {name for name in apart if engines.INTERFACE.search(name)} == {
        *("HYDRA_IFACE", "GLOO_SOCKET_IFNAME", "OMPI_MCA_btl_tcp_if_include")
    }


def test_in_a_network_of_its_own_variables_replace_what_files_say_of_interfaces(here, monkeypatch):
    monkeypatch.setattr(engines, "_network", lambda: "loopback")
    assert here().environment(False)["OMPI_MCA_btl_tcp_if_include"] == "lo"  # without files
    engines.SETTINGS_OF_ALL.write_text("btl = tcp,self\noob_tcp_if_include = eth0\n")
    engines.SETTINGS.write_text("btl_tcp_if_exclude=lo,eth0\n")
    found = here().environment(False)
    over = {name: value for name, value in found.items() if name.startswith("OMPI_MCA_")}
    assert over == {  # include and exclude of one part must not both be set
        "OMPI_MCA_oob_tcp_if_include": "lo",
        "OMPI_MCA_btl_tcp_if_exclude": "none",
    }


@pytest.mark.parametrize(
    "told",
    [
        {"PBS_NODEFILE": "/hosts"},
        {"OMPI_MCA_orte_default_hostfile": "/hosts"},
        {"PRTE_MCA_prte_default_hostfile": "/hosts"},
        {"HYDRA_HOST_FILE": "/hosts"},
        {"LSB_HOSTS": "a b"},
        {"SLURM_JOB_NUM_NODES": "2"},
        {"HOST_FILE": "node1\n"},
        {"SETTINGS": "orte_default_hostfile = /hosts\n"},
        {"SETTINGS_OF_ALL": "orte_default_hostfile = /hosts\n"},
    ],
    ids=lambda told: "".join(told),
)
def test_a_launch_on_several_machines_keeps_its_network(here, monkeypatch, told):
    assert here().network == "shared"
    ((name, value),) = told.items()
    if hasattr(engines, name):
        getattr(engines, name).write_text(value)
    else:
        monkeypatch.setenv(name, value)
    several = here()
    assert several.network == "" and str(LOOPBACK) not in several.command(2, "/plan")
    assert "OMPI_MCA_btl" not in several.environment(False)


def test_slurm_and_nccl_keep_their_network(here):
    assert here("mpi", "srun").network == here("nccl").network == ""


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
        (("mpi", "", "/nowhere/python"), "no such command; try: /usr/bin/python3"),
    ],
)
def test_bad_choices(tmp_path, given, message):
    with pytest.raises(BadInput) as problem:
        find_engine(given[0], tmp_path, *given[1:])
    assert message in str(problem.value)


def test_no_gpu_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(engines, "_has", lambda python, module: True)
    monkeypatch.setattr(engines, "_runs", lambda python, line: False)
    with pytest.raises(BadInput, match="there is no GPU here; try: --backend gloo"):
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
    assert found in engine.command(2, "/plan") and engine.program == found
    assert ("--oversubscribe" in engine.command(2, "/plan")) == (flavor == "Open MPI")


def test_a_command_that_is_no_python_is_not_taken_for_one(tmp_path):
    with pytest.raises(NotInstalled, match="needs a Python with mpi4py"):
        find_engine("mpi", tmp_path, python="/bin/true")
