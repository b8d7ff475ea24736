"""Trouble on purpose, as options say it: slow and dead links, slow and late ranks, jitter."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from collectives.cli.subject import whole
from collectives.cost.advice.place import Place
from collectives.cost.topology import Topology
from collectives.cost.trouble import dead_link, jittery, late_rank, slow_link, slow_rank
from collectives.cost.units import parse_time
from collectives.errors import BadInput, quoted
from collectives.recording import Recording

End = str  # a rank's number, or what a node is called: switch 0
LINK = re.compile(r"\s*([a-z ]*\d{1,9})\s*([-→>])\s*([a-z ]*\d{1,9})\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Trouble:
    """What was asked for; empty where nothing was."""

    slow_links: tuple[str, ...] = ()
    slow_ranks: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    jitter: str | None = None
    seed: str | None = None

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.slow_links or self.slow_ranks or self.late or self.dead or self.jitter)

    def of(self, place: Place, ranks: int) -> Place:
        """The place with this trouble in it; raises BadInput."""
        costs, changes = place.costs, []
        for text in self.slow_ranks:
            rank, speed = _named("--slow-rank", text, "2=0.8")
            node, factor = _rank("--slow-rank", text, rank, ranks), _slower("--slow-rank", speed)
            changes.append(_of_rank(node, factor))
            known = costs.slowness.get(node, 1.0)
            costs = replace(costs, slowness={**costs.slowness, node: known * factor})
        for text in self.late:
            rank, late = _named("--late", text, "5=10us")
            costs = late_rank(costs, _rank("--late", text, rank, ranks), parse_time(late, "--late"))
        for text in self.slow_links:
            link, speed = _named("--slow-link", text, "3-4=0.5")
            changes.append(_of_link("--slow-link", link, _slower("--slow-link", speed)))
        changes += [_of_link("--dead", text, None) for text in self.dead]
        seed = 0 if self.seed is None else whole("--seed", self.seed)
        if self.jitter is None and self.seed is not None:
            raise BadInput(f"--seed {self.seed}: there is no jitter; nearest: --jitter 1us")
        if self.jitter is not None:
            costs = jittery(costs, parse_time(self.jitter, "--jitter"), seed)
        return replace(place, machine=_changed(place.machine, changes), costs=costs)


Change = Callable[[Topology], Topology]


def _changed(
    machine: Callable[[Recording], Topology], changes: list[Change]
) -> Callable[[Recording], Topology]:
    made: dict[int, tuple[Topology, Topology]] = {}

    def with_trouble(recording: Recording) -> Topology:
        plain = machine(recording)
        if id(plain) not in made:
            troubled = plain
            for change in changes:
                troubled = change(troubled)
            made[id(plain)] = plain, troubled
        return made[id(plain)][1]

    return with_trouble if changes else machine


def _of_rank(node: int, factor: float) -> Change:
    from collectives.cost.model import Costs

    return lambda topology: slow_rank(topology, Costs(), node, factor)[0]


def _of_link(option: str, text: str, factor: float | None) -> Change:
    """A slower link, or a dead one; both directions, unless → says one."""
    match = LINK.fullmatch(text)
    if not match:
        example = "3-4" if factor is None else "3-4=0.5"
        raise BadInput(
            f"{option} {quoted(text)}: must name two nodes that a link joins; nearest: {example}"
        )
    one, way, other = match.groups()

    def change(topology: Topology) -> Topology:
        ends = _node(option, one, topology), _node(option, other, topology)
        pairs = [ends, ends[::-1]] if way == "-" and _joined(topology, *ends[::-1]) else [ends]
        try:
            for src, dst in pairs:
                if factor is None:
                    topology = dead_link(topology, src, dst)
                else:
                    topology = slow_link(topology, src, dst, factor)
        except BadInput as problem:
            raise BadInput(f"{option} {quoted(text)}: {problem}") from None
        return topology

    return change


def _joined(topology: Topology, src: int, dst: int) -> bool:
    return bool(np.any((topology.src == src) & (topology.dst == dst)))


def _node(option: str, text: End, topology: Topology) -> int:
    """The node of a number, or of what it is called."""
    if text.isdigit():
        return int(text)
    match = re.fullmatch(r"([a-z ]+?) ?(\d+)", text.strip().lower())
    first = 0
    for kind, number in topology.kinds:
        if match and kind.lower() == match[1] and int(match[2]) < number:
            return first + int(match[2])
        first += number
    there = ", ".join(f"{kind} 0 to {number - 1}" for kind, number in topology.kinds if number)
    raise BadInput(f"{option} {quoted(text)}: {topology.name} has {there}")


def _named(option: str, text: str, example: str) -> tuple[str, str]:
    """What is before and behind the =."""
    name, equals, value = text.rpartition("=")
    if not equals:
        raise BadInput(f"{option} {quoted(text)}: must be as in {option} {example}")
    return name.strip(), value.strip()


def _rank(option: str, text: str, name: str, ranks: int) -> int:
    if not re.fullmatch(r"\d{1,9}", name) or int(name) >= ranks:
        raise BadInput(
            f"{option} {quoted(text)}: no rank {quoted(name)}; they are 0 to {ranks - 1}"
        )
    return int(name)


def _slower(option: str, text: str) -> float:
    """How many times slower something is that keeps this share of its speed: 0.5 or 50%."""
    number = text[:-1] if text.endswith("%") else text
    try:
        share = float(number) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = float("nan")
    if not 1e-9 <= share <= 1:
        raise BadInput(
            f"{option} {quoted(text)}: must be the share of its speed that is left, above 0 up "
            "to 1; nearest: 0.5"
        )
    return 1 / share
