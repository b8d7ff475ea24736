"""Faults as texts: slow and dead links, slow and late ranks, random delays."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial, reduce

import numpy as np

from collectives.catalog.parameters import SHORT
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines.faults import (
    MOST_SEED,
    dead_link,
    jittery,
    late_rank,
    slow_link,
    slow_rank,
)
from collectives.cost.machines.rerouted import rerouted
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.units import parse_time, time_text
from collectives.values import seconds, whole
from collectives.words import brief, quoted

NEAREST = "; try: "
LINK = re.compile(r"\s*([a-z ]*\d{1,9})\s*([-→>])\s*([a-z ]*\d{1,9})\s*", re.IGNORECASE)
Change = Callable[[Topology], Topology]


@dataclass(frozen=True)
class Faults:
    """What is wrong with a machine, for `collectives.time` and `collectives.rank`.

    Attributes
    ----------
    slow_link : tuple of str
        Links, named by their ends, and the share of their bandwidth that is left: "0-1=0.5".
    slow_rank : tuple of str
        Ranks and the share of their speed that is left, latency too: "2=80%".
    late : tuple of str
        Ranks and how much later they start: "5=10us".
    dead : tuple of str
        Links over which nothing arrives: "0-1", or "0→1" for one direction.
    jitter : float, optional
        The longest random delay of a message, in seconds.
    seed : int, optional
        Of the random delays.
    reroute : bool
        Whether messages take another path where theirs has a dead link.

    Examples
    --------
    >>> from collectives import record, time
    >>> ring = record("all_reduce", "ring", ranks=4)
    >>> time(ring, "ring", size="1MiB", faults=Faults(slow_link=("0-1=0.5",)))
    <Timing: lockstep 92.91 µs, ring all-reduce, 4 ranks, on ring>
    """

    slow_link: tuple[str, ...] = ()
    slow_rank: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    jitter: float | None = None
    seed: int | None = None
    reroute: bool = False

    def __post_init__(self) -> None:
        """Take a text for one of them, and a list; raises BadInput for anything else."""
        for name in self._texts:
            value = getattr(self, name)
            texts = (value,) if isinstance(value, str) else value
            if not isinstance(texts, Sequence) or not all(isinstance(text, str) for text in texts):
                rule = "must be texts that name a link or a rank; nearest"
                raise BadInput(f"{name} {brief(value)}: {rule}: {_EXAMPLES[name]}")
            object.__setattr__(self, name, tuple(texts))
        if self.jitter is not None:
            seconds("jitter", self.jitter)
        if self.seed is not None:
            whole("seed", self.seed, maximum=MOST_SEED)
            if self.jitter is None:
                raise BadInput(f"--seed {self.seed}: there is no jitter; try: --jitter 1us")

        if self.reroute and not self.dead:
            raise BadInput("--reroute: no link is dead; leave it out, or try: --dead 0-1")

    def __bool__(self) -> bool:
        """Whether there is any fault."""
        return bool(self.slow_link or self.slow_rank or self.late or self.dead or self.jitter)

    @property
    def _texts(self) -> dict[str, tuple[str, ...]]:
        """What names links and ranks, by the kind of fault."""
        return {name: getattr(self, name) for name in ("slow_link", "slow_rank", "late", "dead")}

    @property
    def kinds(self) -> dict[str, tuple[str, ...]]:
        """The links and ranks of each kind of fault that there is, as they are typed: 0-1."""
        every = self._texts.items()
        kinds = {
            n: tuple(t.partition("=")[0].strip() for t in texts) for n, texts in every if texts
        }
        return kinds | ({"jitter": ("",)} if self.jitter else {})

    def __str__(self) -> str:
        """The options as they are typed: --slow-link 0-1=0.5; --late 5=10us."""
        every = self._texts.items()
        parts = [f"--{n.replace('_', '-')} {text}" for n, texts in every for text in texts]
        if self.jitter is not None:
            parts.append(f"--jitter {time_text(self.jitter).replace(' ', '')}")
        parts += [] if self.seed is None else [f"--seed {self.seed}"]
        return "; ".join([*parts, "--reroute"] if self.reroute else parts)

    def of(self, setup: Setup, ranks: int) -> Setup:
        """The setup with these faults in it; raises BadInput.

        Algorithms that go round a short rank go round the slowest of these ranks.
        """
        if not self:
            return setup
        costs = setup.costs
        changes: list[Change] = []
        for text in self.slow_rank:
            node, factor = _of_rank("--slow-rank", text, ranks, _slower, "0.8")
            _refuse_again("--slow-rank", text, node in costs.slowness)
            changes.append(_slow_rank(node, factor))
            costs = replace(costs, slowness={**costs.slowness, node: factor})
        for text in self.late:
            delay = _of_rank("--late", text, ranks, partial(parse_time, what="lateness"), "10us")
            _refuse_again("--late", text, delay[0] in costs.arrivals)
            costs = late_rank(costs, *delay)
        changes += [_link("--slow-link", text) for text in self.slow_link]
        changes += [_link("--dead", text) for text in self.dead]
        changes += [rerouted] * self.reroute
        if self.jitter is not None:
            costs = jittery(costs, self.jitter, self.seed or 0)
        parameters = dict(setup.parameters)
        if self.slow_rank:
            parameters[SHORT.name] = max(costs.slowness, key=lambda rank: costs.slowness[rank])
        machine = _changed(setup.machine, changes)
        return replace(setup, machine=machine, costs=costs, parameters=parameters)


_EXAMPLES = {"slow_link": "0-1=0.5", "slow_rank": "2=0.8", "late": "5=10us", "dead": "0-1"}
NO_FAULTS = Faults()


def _refuse_again(option: str, text: str, known: bool) -> None:
    """Raise BadInput for a rank that is named twice."""
    if known:
        raise BadInput(f"{option} {quoted(text)}: this rank is given twice; leave one of them out")


def _changed(
    machine: Callable[[Recording], Topology], changes: list[Change]
) -> Callable[[Recording], Topology]:
    """The machines with these changes, each made once."""

    @cache
    def with_faults(plain: Topology) -> Topology:
        return reduce(lambda changed, change: change(changed), changes, plain)

    return lambda recording: with_faults(machine(recording))


def _slow_rank(node: int, factor: float) -> Change:
    """A rank all of whose links are so many times slower."""
    return lambda topology: slow_rank(topology, Costs(), node, factor)[0]


def _link(option: str, text: str) -> Change:
    """A link that is slower or dead, in both directions or, where → says so, in one.

    A wrong text is refused once the machine is known, with a link that it has.
    """
    link, factor, wrong, near = text, 0.0, "", ""
    if option == "--slow-link":
        link, equals, share = text.rpartition("=")
        link = link if equals else text
        factor, wrong, near = _read(_slower, share if equals else "", "0.5")

    def slower(topology: Topology, src: int, dst: int) -> Topology:
        return slow_link(topology, src, dst, factor) if near else dead_link(topology, src, dst)

    def changed(topology: Topology) -> Topology:
        src, dst, way, why = _link_named(link, topology)
        if why or wrong:
            behind = f"={near}" if near else ""
            hint = f"{_spelled(topology, src)}{way}{_spelled(topology, dst)}{behind}"
            raise BadInput(f"{option} {quoted(text)}: {why or wrong}{NEAREST}{quoted(hint)}")
        topology = slower(topology, src, dst)
        back = way == "-" and _joined(topology, dst, src)
        return slower(topology, dst, src) if back else topology

    return changed


def _link_named(link: str, topology: Topology) -> tuple[int, int, str, str]:
    """The ends of a link, the way between them, and what is wrong: then of one that there is."""
    match = LINK.fullmatch(link)
    if not match:
        alone = re.fullmatch(r"\s*([a-z]*)\s*(\d{1,9})\s*", link, re.IGNORECASE)
        end = _node(f"{alone[1]} {alone[2]}".strip(), topology) if alone else None
        return *_near(topology, end, topology.nodes), "-", "must name two nodes that a link joins"
    way = "-" if match[2] == "-" else "→"
    src, dst = (_node(end, topology) for end in (match[1], match[3]))
    if src is None or dst is None:
        missing = match[1] if src is None else match[3]
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
    distance = np.abs(topology.dst - (0 if dst is None else dst))
    if src is not None:
        distance = distance + np.where(topology.src == src, 0, topology.nodes)
    link = int(distance.argmin())
    return int(topology.src[link]), int(topology.dst[link])


def _joined(topology: Topology, src: int, dst: int) -> bool:
    return bool(np.any((topology.src == src) & (topology.dst == dst)))


def _spelled(topology: Topology, node: int) -> str:
    """A node as an option names it: a rank by its number."""
    return topology.label(node).removeprefix("rank ")


def _node(text: str, topology: Topology) -> int | None:
    """The node of a number, or of what it is called; None where there is none."""
    name = text.strip().lower()
    if name.isdigit():
        return int(name) if int(name) < topology.nodes else None
    named = {topology.label(node).lower().replace(" ", ""): node for node in range(topology.nodes)}
    return named.get(name.replace(" ", ""))


def _of_rank(
    option: str, text: str, ranks: int, read: Callable[[str], float], usual: str
) -> tuple[int, float]:
    """The rank before the =, and the value behind it."""
    name, equals, amount = (part.strip() for part in text.partition("="))
    there = bool(re.fullmatch(r"\d{1,9}", name)) and int(name) < ranks
    value, why, near = _read(read, amount if equals else usual, usual)
    if not there:
        why = f"no rank {quoted(name)}; the ranks are 0 to {ranks - 1}"
    elif not equals:
        why = "must be a rank, = and a value"
    if why:
        rank = name if there else str(ranks - 1 if name.isdigit() else 0)
        raise BadInput(f"{option} {quoted(text)}: {why}{NEAREST}{rank}={near}")
    return int(name), value


def _read(read: Callable[[str], float], text: str, usual: str) -> tuple[float, str, str]:
    """The value of a text, what is wrong with it, and the nearest text that is right."""
    try:
        return read(text), "", text
    except BadInput as problem:
        why, _, near = str(problem).partition(NEAREST)
        return 0.0, why, near or usual


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
