"""Where a schedule is timed: a machine by name or from a file, and by which clock."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from collectives.cost.by_name import CLOCKS, setup_on
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines import MACHINES, topology, topology_for
from collectives.cost.machines.machine import NamedMachine
from collectives.cost.machines.named import DEFAULT, UNITS
from collectives.cost.machines.scaled import scaled, split_times, times_text
from collectives.cost.machines.seats import place_texts, seated, split_places
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.values import instance, one_of
from collectives.words import brief, nearest, quoted

TRUTHS = {"true": 1, "yes": 1, "false": 0, "no": 0}


@dataclass(frozen=True)
class Where:
    """The machine and the clock; None where not given.

    name: of a machine, with parameters behind a colon, or a FILE.toml. clock: "steps" where no
    time is modeled; then the lockstep clock counts it. latency, bandwidth: of links, or how many
    times theirs: "2x". given: parameters of the machine beside those in its name. built: a topology
    in place of a name. costs: of messages. place: ranks on other GPUs, as rank=GPU.
    """

    name: str | None = None
    latency: float | str | None = None
    bandwidth: float | str | None = None
    clock: str = "lockstep"
    given: Mapping[str, object] = field(default_factory=dict)
    built: Topology | None = None
    costs: Costs | None = None
    place: tuple[str, ...] = ()

    @property
    def is_given(self) -> bool:
        """Whether a machine or its links are meant, not the usual one."""
        named = (self.name, self.latency, self.bandwidth, self.built)
        return named != (None, None, None, None) or bool(self.given)

    @property
    def is_own(self) -> bool:
        """Whether a topology of somebody's own is meant."""
        return self.built is not None or (self.name or "").lower().endswith(".toml")

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
        return None if self.is_own else MACHINES[self.machine]

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """What is said of the machine behind the colon, and by options of their own."""
        taken = MACHINES[self.machine].parameters
        parameters: dict[str, Any] = {}
        _, colon, text = (self.name or "").partition(":")
        for pair in text.split(",") if colon else ():
            match = re.fullmatch(r"\s*([A-Za-z_][\w-]*)\s*=\s*(.*?)\s*", pair)
            if not match:
                raise BadInput(
                    f"--topology {quoted(self.name or '')}: {pair!r} must be NAME=VALUE, "
                    f"as in {self.machine}:{next(iter(taken), 'ranks')}=4"
                )
            name = match[1].replace("-", "_")
            if name in parameters:
                raise BadInput(f"--topology {self.name}: {name} is given twice; leave one out")
            parameters[name] = _value(name, match[2], taken.get(name, ""))
        for name, (value, text) in self._links.items():
            if name not in taken:
                raise BadInput(
                    f"--{name} {text}: {self.machine} has links of its own; "
                    f"leave it out; try: --topology {DEFAULT}"
                )
            if name in parameters:
                raise BadInput(f"--{name} {text}: --topology says it too; leave one out")
            parameters[name] = value
        return {**parameters, **self._plain}

    @property
    def factors(self) -> dict[str, float]:
        """How many times the latency and bandwidth of the links are."""
        named = {"latency": self.latency, "bandwidth": self.bandwidth}
        return split_times({**named, **self.given})[0]

    @property
    def moves(self) -> tuple[str, ...]:
        """Ranks on other GPUs; raises BadInput for what names none, or no machine."""
        texts = place_texts((*self.place, *split_places(self.given)[0]))
        if self.place and self.name is None:
            raise BadInput(f"--place {texts[0]}: on which machine? try: --topology cluster")
        return texts

    @property
    def _plain(self) -> dict[str, object]:
        """What the machine itself takes of what is given."""
        return split_places(split_times(self.given)[1])[1]

    @property
    def called(self) -> str:
        """What the machine is called, with its parameters and all that is other than usual."""
        name = self.built.name if self.built is not None else self.name or self.machine
        moved = f", place {' '.join(self.moves)}" if self.moves else ""
        return f"{name}{times_text(self.factors)}{moved}"

    @property
    def is_usual(self) -> bool:
        """Whether links are as fast as they are on any such machine, and ranks in their places."""
        return not self.factors and not self.moves

    @property
    def _links(self) -> dict[str, tuple[float, str]]:
        """--latency and --bandwidth, where they are given, and as texts."""
        changes = {"latency": self.latency, "bandwidth": self.bandwidth}
        return {
            name: (value, UNITS[name][2](value).replace(" ", ""))
            for name, value in changes.items()
            if isinstance(value, float)
        }

    @cached_property
    def own(self) -> Topology:
        """The topology of a file."""
        from collectives.cost.machines.toml_file import read_topology

        for name in self._plain if self.is_own else ():
            raise BadInput(f"{name}: the links of {self.called} have their own; leave it out")
        if self.built is not None:
            return self.built
        for name, (_, text) in self._links.items():
            raise BadInput(
                f"--{name} {text}: the links of {self.name} have their own; leave it out"
            )
        return read_topology(Path(self.name or ""))

    def ranks(self, asked: int | None) -> int | None:
        """-n, else as many as the machine has where that is certain, else None."""
        if asked is not None:
            return asked
        return self.kind.ranks(self.parameters) if self.kind else self.own.ranks

    @property
    def settings(self) -> dict[str, Any]:
        """All parameters of the machine, with their defaults."""
        return MACHINES[self.machine].parameters | self.parameters

    def setup(self) -> Setup:
        """The machine and the clock, for timing; raises BadInput."""
        clock = "lockstep" if self.clock == "steps" else self.clock
        times: dict[str, object] = {n: f"{factor!r}x" for n, factor in self.factors.items()}
        times |= {"place": self.moves} if self.moves else {}
        if self.is_own:
            return setup_on(self.own, clock, self.costs, times)
        return setup_on(self.machine, clock, self.costs, self.parameters | times)

    def named(self, setup: Setup) -> Setup:
        """The same with the machine called as it was asked for, with its parameters."""
        name = None if self.is_own else self.name

        def called(recording: Recording) -> Topology:
            machine = setup.machine(recording)
            if name is None:
                return machine
            return replace(machine, name=f"{name}{machine.name.removeprefix(self.machine)}")

        return replace(setup, machine=called)

    def check_ranks(self, ranks: int) -> None:
        """Raise BadInput where the machine has no room for so many ranks, in any case."""
        if self.is_own:
            self.own.placement(ranks, ranks)
        else:
            self.topology(ranks)

    def topology(self, ranks: int) -> Topology:
        """The machine with so many ranks; raises BadInput where it has no room for them."""
        plain = self.own if self.is_own else topology(self.machine, ranks, **self.parameters)
        return seated(scaled(plain, self.factors), self.moves)

    def check_fits(self, recording: Recording, setup: Setup) -> None:
        """Raise BadInput, naming machines that do, where an algorithm cannot run on this one."""
        try:
            _check_ways(setup.machine(recording), recording)
        except BadInput as problem:
            if self.is_own or recording.nodes == recording.ranks:
                raise
            others = [name for name in MACHINES if _runs_on(name, recording)]
            if not others:
                raise
            why = str(problem).partition("; try:")[0]
            raise BadInput(f"{why}; it runs on {', '.join(others)}") from None

    def check_room(self, recording: Recording, fixed: bool) -> None:
        """Raise BadInput where the machine has no room for the ranks; fixed: those of a file."""
        try:
            self.check_ranks(recording.ranks)
        except BadInput as problem:
            others = [name for name in MACHINES if fixed and _runs_on(name, recording)]
            if not others:
                raise
            why = str(problem).partition("; try:")[0]
            raise BadInput(
                f"{why}; those of a file are fixed; it runs on {', '.join(others)}"
            ) from None


def where_of(
    topology: str | Topology | None,
    clock: str,
    costs: Costs | None,
    parameters: Mapping[str, object],
) -> Where:
    """The machine and the clock that Python's arguments mean; raises BadInput."""
    clock = one_of("clock", clock, CLOCKS)
    if isinstance(topology, Topology):
        return Where(clock=clock, given=parameters, built=topology, costs=costs)
    name = None if topology is None else instance("topology", topology, str, "hgx-h100")
    if name is None:
        _check_unnamed(parameters)
    return Where(name, clock=clock, given=parameters, costs=costs)


def _check_unnamed(parameters: Mapping[str, object]) -> None:
    """Raise BadInput for a parameter without a machine, unless it is one of a crossbar's links."""
    for name in parameters.keys() - UNITS.keys():
        taking = [machine for machine in MACHINES if name in MACHINES[machine].parameters]
        every = sorted({name for machine in MACHINES.values() for name in machine.parameters})
        if not taking:
            raise BadInput(f"{name}: no parameter of a machine; {nearest(name, every)}")
        text = f"{taking[-1]}:{name}={parameters[name]}"
        raise BadInput(f"{name}: which machine has it? try: topology={brief(text)}")


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
