"""Faults as options name them: slow and dead links, slow and late ranks, random delays."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines.faults import dead_link, jittery, late_rank, slow_link, slow_rank
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.units import parse_time
from collectives.words import quoted

NEAREST = "; nearest: "
LINK = re.compile(r"\s*([a-z ]*\d{1,9})\s*([-→>])\s*([a-z ]*\d{1,9})\s*", re.IGNORECASE)
Change = Callable[[Topology], Topology]


@dataclass(frozen=True)
class Faults:
    """The options as they were typed, the delay in seconds; empty where not given."""

    slow_link: tuple[str, ...]
    slow_rank: tuple[str, ...]
    late: tuple[str, ...]
    dead: tuple[str, ...]
    jitter: float | None
    seed: int | None

    def __bool__(self) -> bool:
        """Whether there is any fault."""
        return bool(self.slow_link or self.slow_rank or self.late or self.dead or self.jitter)

    def of(self, setup: Setup, ranks: int) -> Setup:
        """The setup with these faults in it; raises BadInput."""
        costs = setup.costs
        changes: list[Change] = []
        for text in self.slow_rank:
            node, factor = _of_rank("--slow-rank", text, ranks, _slower, "0.8")
            changes.append(_slow_rank(node, factor))
            known = costs.slowness.get(node, 1.0)
            costs = replace(costs, slowness={**costs.slowness, node: known * factor})
        for text in self.late:
            costs = late_rank(costs, *_of_rank("--late", text, ranks, _lateness, "10us"))
        changes += [_slow(text) for text in self.slow_link]
        changes += [_of_link("--dead", text, text, dead_link) for text in self.dead]
        if self.jitter is not None:
            costs = jittery(costs, self.jitter, self.seed or 0)
        elif self.seed is not None:
            raise BadInput(f"--seed {self.seed}: there is no jitter; nearest: --jitter 1us")
        return replace(setup, machine=_changed(setup.machine, changes), costs=costs)


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


def _slow_rank(node: int, factor: float) -> Change:
    """A rank all of whose links are so many times slower."""
    return lambda topology: slow_rank(topology, Costs(), node, factor)[0]


def _slow(text: str) -> Change:
    """A link with the share of its speed that is behind the =."""
    link, equals, speed = text.rpartition("=")
    try:
        factor = _slower(speed if equals else "")
    except BadInput as problem:
        wrong, _, near = str(problem).partition(NEAREST)
        return _of_link("--slow-link", text, link if equals else text, None, f"={near}", wrong)

    def slower(topology: Topology, src: int, dst: int) -> Topology:
        return slow_link(topology, src, dst, factor)

    return _of_link("--slow-link", text, link, slower, f"={speed}")


def _of_link(
    option: str,
    text: str,
    link: str,
    change: Callable[[Topology, int, int], Topology] | None,
    behind: str = "",
    wrong: str = "",
) -> Change:
    """What changes a link in both directions, or in one where → says so.

    What is wrong is told once the machine is known, with a link that it has; `behind` is what a
    hint has behind the link.
    """

    def changed(topology: Topology) -> Topology:
        src, dst, way, why = _found(link, topology)
        if why or change is None:
            near = f"{_spelled(topology, src)}{way}{_spelled(topology, dst)}{behind}"
            raise BadInput(f"{option} {quoted(text)}: {why or wrong}{NEAREST}{quoted(near)}")
        topology = change(topology, src, dst)
        if way == "-" and _joined(topology, dst, src):
            topology = change(topology, dst, src)
        return topology

    return changed


def _found(link: str, topology: Topology) -> tuple[int, int, str, str]:
    """The ends of a link, the way between them, and what is wrong: then of one that there is."""
    match = LINK.fullmatch(link)
    if not match:
        return *_near(topology, None, None), "-", "must name two nodes that a link joins"
    named, way = (match[1], match[3]), "-" if match[2] == "-" else "→"
    src, dst = (_node(end, topology) for end in named)
    if src is None or dst is None:
        missing = named[0] if src is None else named[1]
        there = ", ".join(f"{kind} 0 to {number - 1}" for kind, number in topology.kinds if number)
        why = f"no node {quoted(missing.strip())}, {topology.name} has {there}"
        return *_near(topology, src, dst), way, why
    if not _joined(topology, src, dst):
        ends = f"{topology.label(src)} → {topology.label(dst)}"
        return *_near(topology, src, dst), way, f"{topology.name} has no link {ends}"
    return src, dst, way, ""


def _near(topology: Topology, src: int | None, dst: int | None) -> tuple[int, int]:
    """The ends of a link that there is: of one that leaves the same node, if there is one."""
    if not topology.links:
        raise BadInput(f"{topology.name} has no links; leave it out")
    far = np.abs(topology.dst - (0 if dst is None else dst))
    if src is not None:
        far = far + np.where(topology.src == src, 0, topology.nodes)
    link = int(far.argmin())
    return int(topology.src[link]), int(topology.dst[link])


def _joined(topology: Topology, src: int, dst: int) -> bool:
    return bool(np.any((topology.src == src) & (topology.dst == dst)))


def _spelled(topology: Topology, node: int) -> str:
    """A node as an option names it: a rank by its number."""
    return topology.label(node).removeprefix("rank ")


def _node(text: str, topology: Topology) -> int | None:
    """The node of a number, or of what it is called; None where there is none."""
    if text.strip().isdigit():
        return int(text) if int(text) < topology.nodes else None
    match = re.fullmatch(r"([a-z ]+?) ?(\d+)", text.strip().lower())
    first = 0
    for kind, number in topology.kinds:
        if match and kind.lower() == match[1] and int(match[2]) < number:
            return first + int(match[2])
        first += number
    return None


def _of_rank(
    option: str, text: str, ranks: int, read: Callable[[str], float], usual: str
) -> tuple[int, float]:
    """The rank before the = and what is said of it behind it."""
    name, equals, told = (part.strip() for part in text.partition("="))
    there = bool(re.fullmatch(r"\d{1,9}", name)) and int(name) < ranks
    near = name if there else str(ranks - 1 if name.isdigit() else 0)
    try:
        value, why, hint = read(told if equals else usual), "", told if equals else usual
    except BadInput as problem:
        why, _, hint = str(problem).partition(NEAREST)
        value, hint = 0.0, hint or usual
    if not there:
        why = f"no rank {quoted(name)}; they are 0 to {ranks - 1}"
    elif not equals:
        why = "must be a rank, = and a value"
    if why:
        raise BadInput(f"{option} {quoted(text)}: {why}{NEAREST}{near}={hint}")
    return int(name), value


def _lateness(text: str) -> float:
    return parse_time(text, "lateness")


def _slower(text: str) -> float:
    """How many times slower something is that keeps this share of its speed: 0.5 or 50%."""
    number = text[:-1] if text.endswith("%") else text
    try:
        share = float(number) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = float("nan")
    if not 1e-9 <= share <= 1:
        rule = "the share of its speed that is left must be above 0 up to 1"
        raise BadInput(f"{rule}{NEAREST}{1 if share > 1 else 0.5}")
    return 1 / share
