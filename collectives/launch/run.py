"""What a launch found: results compared bit for bit, and the times of steps and messages."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from collectives.cost.machines.toml_file import parse_topology
from collectives.cost.machines.topology import Topology
from collectives.errors import NotInstalled, WrongSchedule
from collectives.launch.engines import find_engine
from collectives.launch.folder import launch_folder
from collectives.launch.measurements import Floats, ResultComparison, added, compared, fitted
from collectives.launch.plan import LaunchPlan, plan_of
from collectives.launch.player import cores
from collectives.launch.processes import run
from collectives.proof.prove import prove
from collectives.recording.recording import Recording
from collectives.unfinished import IS_POSIX
from collectives.units import time_text
from collectives.words import plural

TIMEOUT = 10.0  # seconds
TOML = """\
# Measured by ping-pong: {library}, {ranks} processes on {hosts}.
name = "{name}"
ranks = {ranks}
switches = {switches}
in_network = [{helpers}]

[[link]]
between = [{between}]
latency = "{latency:.4f}us"  # half of that of a message, as it passes two links
bandwidth = "{bandwidth:.6f}GB/s"
"""


@dataclass(frozen=True, eq=False)
class Launched:
    """A recording that real processes have played.

    results, own: what each rank ended with, and what the library's own collective gave it (None
    where it has none, for the reason `no_collective`). times: of each node, [run, event], as
    `player` notes them, on the clock of rank 0. infos: what each process said of itself.
    """

    plan: LaunchPlan
    results: list[Any]
    own: list[Any] | None
    times: list[Floats]
    infos: list[dict[str, Any]]

    def __repr__(self) -> str:
        """One line: what was played by whom, and how long it took."""
        ranks = plural(self.recording.ranks, "rank")
        crowd = ", oversubscribed" if self.oversubscribed else ""
        took = f"{time_text(self.total)}{crowd}"
        return f"<Launched: {self.recording.title}, {ranks}, {self.library}, {took}>"

    @property
    def recording(self) -> Recording:
        """What was played."""
        return self.plan.recording

    @property
    def library(self) -> str:
        """The library by which the messages went."""
        return str(self.infos[0]["library"])

    @property
    def no_collective(self) -> str:
        """Why there is nothing of the library's own to compare."""
        return str(self.infos[0]["no_collective"])

    @property
    def hosts(self) -> int:
        """How many machines took part."""
        return len(self.cores)

    @cached_property
    def cores(self) -> dict[str, int]:
        """How many cores the processes of each machine may use."""
        by_machine: dict[str, set[int]] = {}
        for info in self.infos:
            by_machine.setdefault(info["machine"], set()).update(info["cores"])
        return {machine: len(cores) for machine, cores in by_machine.items()}

    @property
    def oversubscribed(self) -> bool:
        """Whether a machine has more processes than cores."""
        machines = [info["machine"] for info in self.infos]
        return any(machines.count(machine) > cores for machine, cores in self.cores.items())

    @property
    def loopback_only(self) -> bool:
        """Whether the processes saw no network interface but the loopback."""
        return all(set(info["interfaces"]) <= {"lo"} for info in self.infos)

    @property
    def clock_error(self) -> float:
        """Seconds by which the clocks of two processes may differ at most."""
        return max(float(info["within"]) for info in self.infos)

    @cached_property
    def with_recording(self) -> ResultComparison:
        """The results beside those of the recording."""
        return compared(self.results, self.recording.result())

    @cached_property
    def with_library(self) -> ResultComparison | None:
        """The results beside those of the library's own collective."""
        return None if self.own is None else compared(self.results, self.own)

    @cached_property
    def spans(self) -> Floats:
        """When each step begins and ends in each run, [run, step, (begin, end)].

        From its first message to the end of its last process; the first process begins at 0.
        """
        runs, steps = len(self.times[0]), len(self.recording.steps)
        spans = np.tile([np.inf, -np.inf], (runs, steps, 1))
        for node, program in enumerate(self.plan.programs):
            at = 0
            for number, sends, receives, _ in program:
                end = at + 1 + 2 * len(sends) + len(receives)
                times, span = self.times[node], spans[:, number - 1]
                if sends or not receives:  # who only receives may wait since long before
                    span[:, 0] = np.minimum(span[:, 0], times[:, at + bool(sends)])
                span[:, 1] = np.maximum(span[:, 1], times[:, end])
                at = end + 1
        return spans - self.begins[:, None, None]

    @cached_property
    def begins(self) -> Floats:
        """When the first process begins, on the clock of rank 0, [run]."""
        first = [times[:, 0] for times in self.times if times.shape[1]]
        return np.min(first, axis=0) if first else np.zeros(len(self.times[0]))

    @cached_property
    def totals(self) -> Floats:
        """Seconds of each run."""
        if not len(self.recording.steps):
            return np.zeros(len(self.times[0]))
        ends: Floats = self.spans[:, :, 1].max(axis=1)
        return ends

    @property
    def median_run(self) -> int:
        """The run of the median time; of two in the middle the faster."""
        return int(np.argsort(self.totals, kind="stable")[(len(self.totals) - 1) // 2])

    @property
    def total(self) -> float:
        """Seconds of the run of the median time."""
        return float(self.totals[self.median_run])

    @cached_property
    def step_seconds(self) -> Floats:
        """By how much each step puts off the end of all that have ended, the median, [step]."""
        return np.median(added(self.spans[:, :, 1]), axis=0)

    @cached_property
    def latency_and_bandwidth(self) -> tuple[float, float] | None:
        """Seconds of a message of no bytes, bytes per second; None where nothing was measured."""
        pings = np.array([ping for info in self.infos for ping in info["pings"]])
        if not len(pings):
            return None
        sizes = np.unique(pings[:, 0])
        return fitted(sizes, np.array([np.median(pings[pings[:, 0] == s, 1]) for s in sizes]))

    @cached_property
    def machine(self) -> Topology | None:
        """The crossbar that was measured; None where there was one process."""
        text = self.machine_file()
        return parse_topology(text) if text else None

    def machine_file(self) -> str:
        """The crossbar that was measured, as `--topology` reads it; empty without one."""
        line, recording = self.latency_and_bandwidth, self.recording
        if line is None:
            return ""
        helpers = recording.nodes - recording.ranks
        hub = f'"switch {helpers}"'
        ends = [*map(str, range(recording.ranks)), *(f'"switch {k}"' for k in range(helpers))]
        hosts = f"{self.hosts} machine{'s' * (self.hosts > 1)}"
        return TOML.format(
            library=self.library,
            hosts=hosts,
            name=f"measured: {self.library}",
            ranks=recording.ranks,
            switches=helpers + 1,
            helpers=", ".join(ends[recording.ranks :]),
            between=", ".join(f"[{end}, {hub}]" for end in ends),
            latency=line[0] / 2 * 1e6,
            bandwidth=line[1] / 1e9,
        )


def launch(
    recording: Recording,
    backend: str,
    *,
    timeout: float = TIMEOUT,
    launcher: str = "",
    python: str | None = None,
) -> Launched:
    """Play a recording by processes of an engine.

    Parameters
    ----------
    recording : Recording
        Of any schedule that keeps its promise.
    backend : str
        "mpi", "gloo" or "nccl".
    timeout : float
        Seconds without any progress, after which the launch is ended.
    launcher : str, optional
        "mpirun" or "srun" for MPI, "torchrun" or "srun" for the others.
    python : str, optional
        The Python of the processes; by default this one, or Debian's, whichever has mpi4py.

    Returns
    -------
    Launched
        What was found.

    Raises
    ------
    BadInput
        For what cannot be launched.
    NotInstalled
        Where the engine is not installed, or the system is neither Linux nor macOS.
    WrongSchedule
        For a schedule that breaks its promise.
    Failed
        Where a rank dies or hangs; the line names it.
    """
    if not IS_POSIX:
        raise NotInstalled("ranks are launched on Linux and macOS", command="wsl --install")
    plan = plan_of(recording)
    verdict = prove(recording)
    if not verdict:
        raise WrongSchedule(str(verdict))
    oversubscribed = recording.nodes > len(cores())
    with launch_folder() as folder:
        engine = find_engine(backend, folder, launcher, python)
        plan.write(folder, 2 * timeout + 5, oversubscribed)
        run(engine, recording.nodes, folder, timeout, oversubscribed)
        return read(plan, folder)


def read(plan: LaunchPlan, folder: Path) -> Launched:
    """What the players wrote into a folder."""
    nodes, ranks = range(plan.recording.nodes), range(plan.recording.ranks)
    own = [folder / f"library.{rank}.npy" for rank in ranks]
    return Launched(
        plan,
        [np.load(folder / f"result.{rank}.npy") for rank in ranks],
        [np.load(file) for file in own] if all(file.exists() for file in own) else None,
        [np.load(folder / f"times.{node}.npy") for node in nodes],
        [json.loads((folder / f"info.{node}.json").read_text()) for node in nodes],
    )
