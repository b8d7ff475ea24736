"""Two maps of a vector: which elements are added in another order, and what pins the order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from collectives.bitwise.addition_map import AdditionMap, BitsSetup, shown, span_text
from collectives.bitwise.library_order import MPICH_NAMES, map_of
from collectives.cost.libraries import openmpi
from collectives.errors import BadInput
from collectives.text_lines import Heading, Lines, Paragraph
from collectives.words import plural

SAME, DIFFERENT, UNKNOWN = "same order", "another order", "cannot say"
MOST_RUNS, MOST_PINS = 8, 3


@dataclass(frozen=True)
class Pin:
    """Settings with which two setups add every element alike, and how the library takes them.

    name: the algorithm that is set, as maps call it.
    """

    settings: dict[str, str]
    command: str
    name: str = ""

    def __str__(self) -> str:
        """The settings."""
        return ", ".join(f"{key}={value}" for key, value in self.settings.items())


@dataclass(frozen=True)
class DifferentRun:
    """Elements from start to before stop, with their order in each of two maps."""

    start: int
    stop: int
    first: str
    second: str


@dataclass(frozen=True, repr=False)
class MapComparison:
    """Two maps, element by element, as far as both go."""

    first: AdditionMap
    second: AdditionMap

    def __repr__(self) -> str:
        """One line: the verdict."""
        return f"<MapComparison: {self.verdict}; {self.first.setup} | {self.second.setup}>"

    @property
    def common(self) -> int:
        """Elements that both vectors have."""
        return min(self.first.setup.count, self.second.setup.count)

    @property
    def verdict(self) -> str:
        """`same order`, `another order` of some elements, or `cannot say`."""
        if self.first.setup.ranks != self.second.setup.ranks and self.common:
            return DIFFERENT
        if self.first.unknown or self.second.unknown:
            return UNKNOWN
        return DIFFERENT if self.differing else SAME

    @cached_property
    def differing(self) -> tuple[DifferentRun, ...]:
        """Runs of elements that are added in another order; none where an order is unknown."""
        if self.first.unknown or self.second.unknown:
            return ()
        return tuple(self._differing())

    def _differing(self) -> Iterator[DifferentRun]:
        left, right = iter(self.first.runs), iter(self.second.runs)
        left_run, right_run, start = next(left, None), next(right, None), 0
        while left_run and right_run and start < self.common:
            stop = min(left_run.stop, right_run.stop, self.common)
            if left_run.order != right_run.order:
                yield DifferentRun(start, stop, left_run.order, right_run.order)
            left_run = next(left, None) if left_run.stop == stop else left_run
            right_run = next(right, None) if right_run.stop == stop else right_run
            start = stop

    @cached_property
    def pins(self) -> tuple[Pin, ...]:
        """Settings of one library with which both add every element in the same order."""
        first, second = self.first.setup, self.second.setup
        alike = (first.library, first.ranks) == (second.library, second.ranks)
        if self.verdict == SAME or not alike:
            return ()
        pins: list[Pin] = []
        ran = {self.first.algorithm, self.second.algorithm}
        for pin in sorted(_candidates(first, second), key=lambda pin: pin.name not in ran):
            if len(pins) < MOST_PINS and _is_pinned(first, second, pin):
                pins.append(pin)
        return tuple(pins)

    def lines(self) -> Lines:
        """Both maps in short, the verdict, the elements that differ, and what pins the order."""
        for side in (self.first, self.second):
            yield Heading(f"{side.title} {side.algorithm}: {side.setup}")
            yield Paragraph(f"  {side.rule}; {plural(len(side.parts), 'part')}", indent=2)
        yield ""
        yield from self._verdict_lines()
        for pin in self.pins:
            yield f"the same order with {pin}:"
            yield f"  {pin.command}"
        alike = self.first.setup.ranks == self.second.setup.ranks
        if self.verdict != SAME and alike and not self.pins:
            yield "no setting of one library that is known here makes the orders the same"
        for basis in dict.fromkeys((self.first.basis, self.second.basis)):
            yield Paragraph(basis, "basis  ", 7)
        for note in dict.fromkeys((*self.first.notes, *self.second.notes)):
            yield Paragraph(note, "note   ", 7)

    def _verdict_lines(self) -> Lines:
        first, second = self.first, self.second
        if first.setup.ranks != second.setup.ranks and self.common:
            yield f"{DIFFERENT}: the sums have {first.setup.ranks} and {second.setup.ranks} terms"
            return
        if self.verdict == UNKNOWN:
            yield Paragraph(f"{UNKNOWN}: {first.unknown or second.unknown}")
            return
        further = abs(first.setup.count - second.setup.count)
        beyond = f"; {further:,} more are in one of them only" if further else ""
        if self.verdict == SAME:
            yield Paragraph(f"{SAME} of all {self.common:,} elements{beyond}")
            return
        number = sum(run.stop - run.start for run in self.differing)
        yield Paragraph(
            f"{DIFFERENT}: {number:,} of {self.common:,} elements, from element "
            f"{self.differing[0].start:,} on{beyond}"
        )
        for run in self.differing[:MOST_RUNS]:
            orders = f"{shown(run.first)}  |  {shown(run.second)}"
            yield Paragraph(f"  {span_text(run.start, run.stop)}: {orders}", indent=4)
        if len(self.differing) > MOST_RUNS:
            yield f"  … and {plural(len(self.differing) - MOST_RUNS, 'run')} more"

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        return {
            "verdict": self.verdict,
            "common": self.common,
            "differing": [vars(run) for run in self.differing],
            "pins": [{"settings": pin.settings, "command": pin.command} for pin in self.pins],
            "first": self.first.as_json(),
            "second": self.second.as_json(),
        }


def _candidates(left: BitsSetup, right: BitsSetup) -> Iterator[Pin]:
    """Settings of the library that may fix the order, the least change first."""
    if left.library == "openmpi":
        operation = left.collective.replace("all_reduce", "allreduce")
        variable = f"OMPI_MCA_coll_tuned_{operation}_algorithm"
        for number, (name, _, _) in openmpi.NAMES[left.collective].items():
            command = f"OMPI_MCA_coll_tuned_use_dynamic_rules=1 {variable}={number}"
            yield Pin({"algorithm": name.replace(" ", "-")}, command, name)
    elif left.library == "mpich":
        variable = f"MPIR_CVAR_{left.collective.replace('all_reduce', 'allreduce').upper()}"
        for name in MPICH_NAMES[left.collective]:
            yield Pin({"algorithm": name}, f"{variable}_INTRA_ALGORITHM={name}", name)
    elif left.library == "nccl":
        asked = {setup.settings.get("channels", "") for setup in (left, right)} - {""}
        for few in sorted(asked, key=int):
            command = f"NCCL_MIN_NCHANNELS={few} NCCL_MAX_NCHANNELS={few}"
            yield Pin({"channels": few}, command)
        for name in ("Ring", "Tree"):
            yield Pin({"algorithm": name}, f"NCCL_ALGO={name}")
        for name in ("Simple", "LL"):
            settings = {"algorithm": "Ring", "protocol": name}
            yield Pin(settings, f"NCCL_ALGO=Ring NCCL_PROTO={name}")


def _is_pinned(left: BitsSetup, right: BitsSetup, pin: Pin) -> bool:
    """Whether both add all elements alike with these settings."""

    def pinned(setup: BitsSetup) -> AdditionMap:
        return map_of(replace(setup, settings={**setup.settings, **pin.settings}))

    try:
        return MapComparison(pinned(left), pinned(right)).verdict == SAME
    except BadInput:
        return False  # not an algorithm of this collective there
