"""Variants of a recording that questions execute: other algorithms, other sizes, other times."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random

from collectives.catalog import ROWS, find_row
from collectives.cost.choose.setup import resized, sized
from collectives.cost.machines import topology_for
from collectives.cost.machines.topology import Topology
from collectives.questions.facts import Facts
from collectives.questions.question import Option, choice
from collectives.recording.recording import Recording
from collectives.units import size_text, time_text
from collectives.words import Quoted, Worded, plural

SIZES = (1 << 10, 64 << 20)  # bytes of a small vector and of a large one
MOST_PORTS = 2  # messages of a rival's port in a step; with more, lockstep is too kind to it
MOST_RIVALS = 6
MOST_ROWS = 1 << 14  # of a recording that is executed for a question
NEAR = 0.06  # of a factor: not told apart


@dataclass(frozen=True)
class Variants:
    """Variants of a recording on one machine, by default a crossbar for it."""

    facts: Facts
    given: Topology | None = None

    @cached_property
    def topology(self) -> Topology:
        """Where everything is timed."""
        return self.given or topology_for(self.facts.recording, "crossbar")

    @cached_property
    def large(self) -> Recording:
        """The recording for a large vector."""
        recording = self.facts.recording
        return resized(recording, SIZES[-1]) if recording.collective.moves_data else recording

    def contenders(self, size: int, random: Random) -> dict[str, Recording]:
        """This algorithm and some others of its collective for a vector of a size, by name."""
        own = self.facts.recording
        names = [row.algorithm for row in ROWS if row.collective == own.collective.name]
        names = [name for name in names if name != own.algorithm]
        by_name = {called(own): resized(own, size)}
        for name in random.sample(names, min(len(names), MOST_RIVALS)):
            rival = _rival(own.collective.name, name, own.ranks, own.root, size)
            if rival is not None:
                by_name[called(rival)] = rival
        return by_name


@lru_cache(maxsize=256)
def _rival(collective: str, algorithm: str, ranks: int, root: int, size: int) -> Recording | None:
    """Another algorithm for a vector of a size; None where it cannot be compared."""
    row = find_row(collective, algorithm)
    if not row.accepts(ranks):
        return None
    rival = sized(row, ranks, size, root=root)
    few = rival.counters.rows <= MOST_ROWS and rival.counters.ports <= MOST_PORTS
    return rival if few and rival.nodes == ranks else None


def called(recording: Recording) -> str:
    """An algorithm, with its chunks where it is given some."""
    row = recording.row
    chunks = recording.chunk_count if row and "chunks" in row.parameters else 0
    name = algorithm_name(recording)
    if not chunks:
        return name
    return Worded("{name}, {chunks}", name=name, chunks=plural(chunks, "chunk"))


def algorithm_name(recording: Recording) -> str:
    """An algorithm of the catalog, which languages name with its collective, or somebody's own."""
    if recording.row is None:
        return Quoted(recording.algorithm)
    names = {"algorithm": recording.algorithm, "collective": recording.collective.title}
    return Worded("{algorithm}", **names)


def on_machine(variants: Variants) -> str:
    """The size of the vector, where there is one, the machine, and the rule of its clock."""
    recording, machine = variants.large, Quoted(variants.topology.name)
    if not recording.collective.moves_data:
        return Worded("{machine}; a rank goes on as soon as it can", machine=machine)
    pattern = "{size}, {machine}; a rank goes on as soon as it can"
    return Worded(pattern, size=size_text(recording.case.S), machine=machine)


def multiples(
    seconds: tuple[float, float], wrong: list[tuple[float, str]], counted: str, random: Random
) -> tuple[Option, ...]:
    """Options that say how many times as long it takes; seconds before and after."""
    before, after = seconds
    right = after / before

    def option(value: float, name: str = "") -> Option:
        would = time_text(value * before, digits=3)
        took = time_text(after, digits=3)
        pattern = "It takes {took}, not {would}: {counted}."
        instead = Worded(pattern, took=took, would=would, counted=counted)
        text = Worded("{factor} times as long", factor=f"{value:.1f}")
        return Option(text, round(value, 3), name, (), instead if name else "")

    others = [option(*pair) for pair in wrong if abs(pair[0] - right) > NEAR * right]
    return choice(option(right), others, random)
