"""The engines that start processes: their launchers' command lines, and what they need."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from collectives.choices import BACKENDS
from collectives.errors import BadInput, NotInstalled
from collectives.values import one_of
from collectives.words import quoted

PLAYER = Path(__file__).with_name("player.py")
LOOPBACK = Path(__file__).with_name("loopback.py")
DEBIAN = "/usr/bin/python3"  # the one that Debian's mpi4py belongs to
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
INSTALL = {
    "mpi": "apt-get install openmpi-bin python3-mpi4py python3-numpy",
    "gloo": "pip install torch",
    "nccl": "pip install torch",
}
SLURM = "apt-get install slurm-client"
MODULES = {"mpi": "mpi4py", "gloo": "torch", "nccl": "torch"}
ON_LOOPBACK = {"GLOO_SOCKET_IFNAME": "lo", "HYDRA_IFACE": "lo"}  # gloo; MPICH
NO_SOCKETS = {"OMPI_MCA_btl": "^tcp,ofi", "OMPI_MCA_mtl": "^ofi"}  # Open MPI has shared memory
OVER_LOOPBACK = {"OMPI_MCA_btl_tcp_if_include": "lo"}  # where its user asks Open MPI for TCP
INTERFACE = re.compile(  # names of settings: of Open MPI; gloo; MPICH; UCX
    r"_if_(in|ex)clude$|_SOCKET_IFNAME$|_IFACE$|^UCX_NET_DEVICES$", re.IGNORECASE
)
HOSTS = re.compile(r"host_?file|node_?file|lsb_hosts", re.IGNORECASE)  # names of settings
HOST_FILE = Path("/etc/openmpi/openmpi-default-hostfile")
SETTINGS = Path("~/.openmpi/mca-params.conf")
SETTINGS_OF_ALL = Path("/etc/openmpi/openmpi-mca-params.conf")
PATIENCE = 60  # seconds, for a Python to say what it has


@dataclass(frozen=True)
class Engine:
    """How processes are started.

    backend: "mpi", "gloo" or "nccl". python: the one that each process runs. launcher: "mpirun",
    "torchrun" or "srun". flavor: whose MPI it is, as mpi4py says. modules: a folder of modules that
    this Python lacks, or "". program: the mpirun of its MPI. network: "loopback" in a network of
    its own, "shared" where none can be made, "" of several machines.
    """

    backend: str
    python: str
    launcher: str
    flavor: str = ""
    modules: str = ""
    program: str = "mpirun"
    network: str = ""

    def command(self, processes: int, folder: str) -> list[str]:
        """The words that start so many players of the plan in a folder."""
        prefix = [sys.executable, str(LOOPBACK)] if self.network == "loopback" else []
        return prefix + self._launched(processes, folder)

    def _launched(self, processes: int, folder: str) -> list[str]:
        """The words of the launcher."""
        player = [str(PLAYER), folder, self.backend]
        if self.launcher == "srun":
            options = ["--ntasks", str(processes), "--kill-on-bad-exit=1"]
            return ["srun", *options, *self._wrapped(player)]
        if self.launcher == "torchrun":
            options = ["--standalone", "--local-addr", "127.0.0.1"]
            options += ["--nproc-per-node", str(processes)]
            return [self.python, "-m", "torch.distributed.run", *options, *player]
        options = ["--oversubscribe"] if self.flavor == "Open MPI" else []
        return [self.program, *options, "-n", str(processes), self.python, *player]

    def _wrapped(self, player: list[str]) -> list[str]:
        """What srun starts; of torch, the names of its variables are those of Slurm's."""
        if self.backend == "mpi":
            return [self.python, *player]
        names = "RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS LOCAL_RANK=$SLURM_LOCALID"
        place = "MASTER_ADDR=$(scontrol show hostnames | head -n1) MASTER_PORT=29531"
        return ["sh", "-c", f'{names} {place} exec "$@"', "sh", self.python, *player]

    def environment(self, oversubscribed: bool) -> dict[str, str]:
        """The variables of the launcher."""
        more = {"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
        if self.flavor == "Open MPI":
            more |= AS_ROOT if os.geteuid() == 0 else {}
            more |= {"OMPI_MCA_mpi_yield_when_idle": "1"} if oversubscribed else {}
        if self.modules:
            more["PYTHONPATH"] = self.modules
        if self.network == "loopback":
            users = {name: text for name, text in os.environ.items() if not INTERFACE.search(name)}
            return users | ON_LOOPBACK | _interfaces() | more
        return (ON_LOOPBACK | NO_SOCKETS if self.network == "shared" else {}) | os.environ | more


def find_engine(
    backend: str, folder: Path, launcher: str = "", python: str | None = None
) -> Engine:
    """The engine of a backend; links the modules that its Python lacks into the folder.

    Raises BadInput for an unknown backend or launcher, NotInstalled for what is not there.
    """
    one_of("--backend", backend, MODULES)
    launcher = launcher or BACKENDS[backend][0]
    one_of("--launcher", launcher, BACKENDS[backend])
    module = MODULES[backend]
    candidates = list(dict.fromkeys([sys.executable, DEBIAN])) if python is None else [python]
    if python is not None and shutil.which(python) is None:
        raise BadInput(f"--python {quoted(python)}: no such command; try: {DEBIAN}")
    path = next((path for path in candidates if _has(path, module)), None)
    if path is None:
        raise _missing(f"--backend {backend} needs a Python with {module}", backend)
    if backend == "nccl" and not _runs(path, "import torch; assert torch.cuda.is_available()"):
        raise BadInput("--backend nccl: there is no GPU here; try: --backend gloo")
    flavor = _vendor(path) if backend == "mpi" else ""
    program = _mpirun(path, flavor) if launcher == "mpirun" else launcher
    if launcher != "torchrun" and shutil.which(program) is None:
        command = SLURM if launcher == "srun" else INSTALL[backend]
        raise NotInstalled(f"--backend {backend} needs {launcher}", command=command)
    modules = "" if _has(path, "numpy") else _lend_numpy(path, folder, backend)
    network = "" if launcher == "srun" or backend == "nccl" or _has_hosts() else _network()
    return Engine(backend, path, launcher, flavor, modules, program, network)


def _interfaces() -> dict[str, str]:
    """Variables that make Open MPI use the loopback, whatever its files say of interfaces."""
    names = [line.partition("=")[0].strip() for line in _settings()]
    named = {name: "lo" if name.endswith("include") else "none" for name in names}
    over = {f"OMPI_MCA_{name}": use for name, use in named.items() if INTERFACE.search(name)}
    return over if any("btl_tcp_if" in name for name in over) else over | OVER_LOOPBACK


def _has_hosts() -> bool:
    """Whether mpirun is told of several machines: by a batch system, a setting or a file."""
    named = any(value and HOSTS.search(name) for name, value in os.environ.items())
    several = os.environ.get("SLURM_JOB_NUM_NODES", "1") != "1"
    return named or several or bool(_lines(HOST_FILE)) or any(map(HOSTS.search, _settings()))


def _settings() -> list[str]:
    """The lines of Open MPI's files of settings."""
    return _lines(SETTINGS_OF_ALL) + _lines(SETTINGS)


def _lines(path: Path) -> list[str]:
    """The lines of a file that are no comments; none where there is no such file."""
    try:
        lines = path.expanduser().read_text(errors="replace").splitlines()
    except (OSError, RuntimeError):  # perhaps there is no home
        return []
    return [line for line in map(str.strip, lines) if line and not line.startswith("#")]


@cache
def _network() -> str:
    """Whether a network of its own can be made for a launch."""
    tried = subprocess.run([sys.executable, str(LOOPBACK)], capture_output=True, check=False)
    return "shared" if tried.returncode else "loopback"


def _missing(need: str, backend: str) -> NotInstalled:
    """The failure, with the command that installs a backend."""
    return NotInstalled(need, command=INSTALL[backend])


def _lend_numpy(python: str, folder: Path, backend: str) -> str:
    """A folder with links to our numpy, for a Python of the same version that has none."""
    version = "import sys; assert sys.version_info[:2] == ({}, {})".format(*sys.version_info)
    if not _runs(python, version):
        raise _missing(f"{python} has no numpy", backend)
    lent = folder / "modules"
    lent.mkdir()
    package = Path(np.__file__).parent
    for part in (package, package.with_name("numpy.libs")):
        if part.is_dir():
            (lent / part.name).symlink_to(part)
    return str(lent)


def _mpirun(python: str, flavor: str) -> str:
    """The mpirun of the MPI that a Python uses: beside it, or of its name in Debian, or any."""
    beside = Path(shutil.which(python) or python).with_name("mpirun")
    named = f"mpirun.{flavor.lower().replace(' ', '')}"
    names = ([str(beside)] if python != DEBIAN else []) + [named]
    return next((name for name in names if shutil.which(name)), "mpirun")


@cache
def _vendor(python: str) -> str:
    """Whose MPI the mpi4py of a Python uses: Open MPI, MPICH."""
    asked = "import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI"
    line = f"{asked}; print(MPI.get_vendor()[0])"
    answer = subprocess.run(
        [python, "-c", line], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    return answer.stdout.strip()


def python_with(*modules: str) -> str:
    """A Python of this machine that has all these modules, the usual one first; "" without one."""
    candidates = dict.fromkeys(["python3", DEBIAN, sys.executable])
    return next((path for path in candidates if all(_has(path, name) for name in modules)), "")


def _has(python: str, module: str) -> bool:
    """Whether a Python has a module."""
    return _runs(python, f"from importlib.util import find_spec as f; assert f({module!r})")


@cache
def _runs(python: str, line: str) -> bool:
    """Whether a line of Python ends well; of what is no Python, none does."""
    try:
        done = subprocess.run(
            [python, "-c", f"{line}\nprint('ended')"],
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and done.stdout.endswith(b"ended\n")
