"""Where a schedule is timed: a machine by name or from a file, and by which clock."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from collectives.cli.subject import DEFAULT_RANKS, Subject
from collectives.cost.by_name import setup_on
from collectives.cost.choose.setup import Setup
from collectives.cost.machines import MACHINES, topology, topology_for
from collectives.cost.machines.machine import NamedMachine
from collectives.cost.machines.named import DEFAULT, UNITS
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput, WrongSchedule
from collectives.recording.recording import Recording
from collectives.words import brief, nearest, quoted

MOST_SHOWN, MOST_DRAWN = 256, 1024  # ranks, or chunks, in a figure or page; in a film or picture
TRUTHS = {"true": 1, "yes": 1, "false": 0, "no": 0}


@dataclass(frozen=True)
class Where:
    """The machine and the clock; None where not given.

    name: of a machine, with parameters behind a colon, or a FILE.toml. clock: "steps" where no
    time is modeled; then the lockstep clock counts it.
    """

    name: str | None = None
    latency: float | None = None
    bandwidth: float | None = None
    clock: str = "lockstep"

    @property
    def is_given(self) -> bool:
        """Whether a machine or its links are meant, not the usual one."""
        return (self.name, self.latency, self.bandwidth) != (None, None, None)

    @property
    def is_file(self) -> bool:
        """Whether a topology of somebody's own is meant."""
        return self.name is not None and self.name.lower().endswith(".toml")

    @cached_property
    def machine(self) -> str:
        """The name of the machine; raises BadInput for one that is not known."""
        name = DEFAULT if self.name is None else self.name
        key = name.partition(":")[0].strip().lower().replace("_", "-")
        if key not in MACHINES:
            alike = [name for name in MACHINES if key and name.startswith(key)]
            hint = f"did you mean {' or '.join(alike)}?" if alike else nearest(key, MACHINES)
            raise BadInput(f"--topology {quoted(key)}: unknown, and no FILE.toml; {hint}")
        return key

    @property
    def kind(self) -> NamedMachine | None:
        """What is known of the machine; None of a topology of somebody's own."""
        return None if self.is_file else MACHINES[self.machine]

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """What is said of the machine behind the colon, and by options of their own."""
        taken = MACHINES[self.machine].parameters
        found: dict[str, Any] = {}
        _, colon, text = (self.name or "").partition(":")
        for pair in text.split(",") if colon else ():
            match = re.fullmatch(r"\s*([A-Za-z_][\w-]*)\s*=\s*(.*?)\s*", pair)
            if not match:
                raise BadInput(
                    f"--topology {quoted(self.name or '')}: {pair!r} must be NAME=VALUE, "
                    f"as in {self.machine}:{next(iter(taken), 'ranks')}=4"
                )
            name = match[1].replace("-", "_")
            if name in found:
                raise BadInput(f"--topology {self.name}: {name} is given twice; leave one out")
            found[name] = _value(name, match[2], taken.get(name, ""))
        for name, (value, text) in self._links.items():
            if name not in taken:
                raise BadInput(
                    f"--{name} {text}: {self.machine} has links of its own; "
                    f"leave it out; try: --topology {DEFAULT}"
                )
            if name in found:
                raise BadInput(f"--{name} {text}: --topology says it too; leave one out")
            found[name] = value
        return found

    @property
    def _links(self) -> dict[str, tuple[float, str]]:
        """--latency and --bandwidth, where they are given, and as texts."""
        given = {"latency": self.latency, "bandwidth": self.bandwidth}
        return {
            name: (value, UNITS[name][2](value).replace(" ", ""))
            for name, value in given.items()
            if value is not None
        }

    @cached_property
    def own(self) -> Topology:
        """The topology of a file."""
        from collectives.cost.machines.toml_file import read_topology

        for name, (_, text) in self._links.items():
            raise BadInput(
                f"--{name} {text}: the links of {self.name} have their own; leave it out"
            )
        return read_topology(Path(self.name or ""))

    def ranks(self, given: int | None) -> int | None:
        """-n, else as many as the machine has where that is certain, else None."""
        if given is not None:
            return given
        return self.kind.ranks(self.parameters) if self.kind else self.own.ranks

    @property
    def settings(self) -> dict[str, Any]:
        """All parameters of the machine, with their defaults."""
        return MACHINES[self.machine].parameters | self.parameters

    def setup(self) -> Setup:
        """The machine and the clock, for timing; raises BadInput."""
        clock = "lockstep" if self.clock == "steps" else self.clock
        if self.is_file:
            return setup_on(self.own, clock)
        return setup_on(self.machine, clock, parameters=self.parameters)

    def named(self, setup: Setup) -> Setup:
        """The same with the machine called as it was asked for, with its parameters."""
        name = None if self.is_file else self.name

        def called(recording: Recording) -> Topology:
            machine = setup.machine(recording)
            return machine if name is None else replace(machine, name=name)

        return replace(setup, machine=called)

    def check_ranks(self, ranks: int) -> None:
        """Raise BadInput where the machine has no room for so many ranks, in any case."""
        if self.is_file:
            self.own.placement(ranks, ranks)
        else:
            topology(self.machine, ranks, **self.parameters)

    def check_fits(self, recording: Recording, setup: Setup) -> None:
        """Raise BadInput, naming machines that do, where an algorithm cannot run on this one."""
        try:
            _check_ways(setup.machine(recording), recording)
        except BadInput as problem:
            if self.is_file or recording.nodes == recording.ranks:
                raise
            others = [name for name in MACHINES if _runs_on(name, recording)]
            if not others:
                raise
            why = str(problem).partition("; try:")[0]
            raise BadInput(f"{why}; it runs on {', '.join(others)}") from None


def _check_ways(topology: Topology, recording: Recording) -> None:
    """Raise BadInput where a message has no way."""
    placement = topology.placement(recording.ranks, recording.nodes, recording.title)
    topology.paths(*placement[recording.counters.links].T)


def _runs_on(name: str, recording: Recording) -> bool:
    try:
        _check_ways(topology_for(recording, name), recording)
    except BadInput:
        return False
    return True


def placed(
    subject: Subject,
    where: Where,
    dtype: str = "uint8",
    change: Callable[[Setup, int], Setup] | None = None,
    shown: Sequence[str] = (),
    limit: int = MOST_SHOWN,
    partly: bool = False,
) -> tuple[Recording, Setup]:
    """The recording of a subject with the parameters of its machine, and where it is timed.

    Without -n it has as many ranks as the machine, where that is certain. `change` makes another
    setup for so many ranks, as faults do. shown: options of which a picture shows at most `limit`.
    partly: a schedule that breaks a rule is recorded up to there. Raises BadInput where the
    recording does not fit.
    """
    if not subject.is_fixed:
        subject = replace(subject, ranks=where.ranks(subject.ranks) or DEFAULT_RANKS)
        _check_shown(subject, shown, limit)
    ranks = subject.ranks or DEFAULT_RANKS
    plain = where.setup()
    setup = plain if change is None else change(plain, ranks)
    subject = subject.filled(setup, ranks).with_best_chunks(setup)
    sized = subject.size is not None and not subject.is_fixed
    kind = dtype if sized else None
    try:
        recording = subject.recording(kind, executed=False)
    except WrongSchedule as problem:
        if not partly or problem.recording is None:
            raise
        recording = problem.recording
    if where.is_file or not subject.in_catalog:
        _check_room(where, recording, fixed=subject.is_fixed)
    where.check_fits(recording, plain)
    return recording, setup


def _check_shown(subject: Subject, shown: Sequence[str], limit: int) -> None:
    """Raise BadInput for more ranks or chunks than are shown, before they are recorded."""
    for option in shown:
        number = {"-n": subject.ranks, "--chunks": subject.chunks}[option]
        if number is not None and number > limit:
            near = f"{option} {limit}"
            raise BadInput(f"{option} {number}: a picture shows 1 to {limit}; try: {near}")


def _check_room(where: Where, recording: Recording, fixed: bool) -> None:
    """Raise BadInput where a machine has no room for the ranks; fixed: they are those of a file."""
    try:
        where.check_ranks(recording.ranks)
    except BadInput as problem:
        others = [name for name in MACHINES if fixed and _runs_on(name, recording)]
        if not others:
            raise
        why = str(problem).partition("; try:")[0]
        raise BadInput(
            f"{why}; those of a file are fixed; it runs on {', '.join(others)}"
        ) from None


def _value(name: str, text: str, usual: object) -> Any:
    """The value of a parameter of a machine, of the kind its default is; or the text."""
    if isinstance(usual, str) or name in UNITS:
        return text
    if text.lower() in TRUTHS:
        return TRUTHS[text.lower()]
    kind = "a whole number" if isinstance(usual, int) else "a number"
    kind = "true or false" if isinstance(usual, bool) else kind
    try:
        return int(text) if isinstance(usual, int) else float(text)
    except ValueError:
        raise BadInput(f"{name} {brief(text)}: must be {kind}; try: {usual}") from None
