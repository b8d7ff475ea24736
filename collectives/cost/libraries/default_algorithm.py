"""What a library would choose: the row of the catalog, its own name, and its rule in words."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from collectives.catalog import Row, find_row
from collectives.collective import find_collective
from collectives.cost.libraries import openmpi
from collectives.cost.libraries.nccl import tuner
from collectives.cost.libraries.nccl.graphs import Machine, hgx
from collectives.cost.libraries.nccl.tables import ALGORITHMS, KINDS
from collectives.cost.libraries.rules import RULES, Picked, pick
from collectives.errors import BadInput
from collectives.units import size_in_bytes, size_text
from collectives.values import instance, whole
from collectives.words import brief, nearest, plural

TABLE = Path(__file__).with_name("libraries.csv")
BUILT_ON = {"rccl": "nccl"}  # a library: the one whose rules it follows
LACKS = {"rccl": ("NVLS", "NVLSTree")}  # of those that its rules know


@dataclass(frozen=True)
class Library:
    """A library whose choices are known: what they depend on, and where its rules are from.

    memory: "GPU" where it moves data of GPUs only, else "any".
    """

    title: str
    decides_by: str
    collectives: tuple[str, ...]
    source: str
    memory: str


@dataclass(frozen=True)
class LibraryChoice:
    """A row of the catalog, the library's name for it, its rule, and where it is not the same."""

    library: str
    collective: str
    row: str
    library_name: str
    rule: str
    note: str = ""
    parameters: Mapping[str, int] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        """The choice as a sentence, without its period."""
        title = LIBRARIES[self.library].title
        used = f"would use {self.library_name}: {self.rule}"
        if self.rule == "always":
            used = f"always uses {self.library_name}"
        return f"{title} {used} ({self.note})" if self.note else f"{title} {used}"

    def _repr_html_(self) -> str:
        from collectives.notebook_results import choice_html

        return choice_html(self)

    def find(self) -> Row:
        """The row of the catalog."""
        return find_row(self.collective, self.row)


def choose(
    library: str,
    collective: str,
    ranks: int,
    size: int | str,
    machine: Machine | None = None,
    itemsize: int = 4,
) -> LibraryChoice:
    """What a library runs for a vector, counted in bytes as the catalog counts them.

    Parameters
    ----------
    library : str
        One of `LIBRARIES`, in any spelling: nccl, Open MPI, trt-llm.
    collective : str
        The name of a collective the library has rules for.
    ranks : int
        Number of ranks.
    size : int
        Size of the vector in bytes.
    machine : Machine, optional
        What NCCL runs on; by default nodes of eight H100, or a smaller node.
    itemsize : int
        Bytes of an element.

    Returns
    -------
    LibraryChoice
        The catalog's row, the library's name for it and the rule that leads to it.

    Raises
    ------
    BadInput
        For an unknown library, a collective without rules, or a number out of range.

    Examples
    --------
    >>> print(choose("mpich", "all-reduce", 8, 1 << 20))
    MPICH would use reduce_scatter_allgather: above 8 bytes
    >>> print(choose("nccl", "all-reduce", 8, 1 << 20))
    NCCL would use Ring LL: Ring LL takes 28.01 µs, NVLS Simple 28.86 µs on 1 x 8 H100
    """
    key = instance("library", library, str, "nccl").lower().replace("_", "-").replace(" ", "-")
    key = OTHER_NAMES.get(key, key)
    if key not in LIBRARIES:
        raise BadInput(
            f"unknown library {brief(library)}; {nearest(key, [*LIBRARIES, *OTHER_NAMES])}"
        )
    kind, kinds = find_collective(collective).name, LIBRARIES[key].collectives
    if kind not in kinds:
        known = ", ".join(name.replace("_", "-") for name in kinds)
        raise BadInput(f"{key} has no rule for {kind.replace('_', '-')}; choose from {known}")
    ranks, size = whole("ranks", ranks, minimum=1), size_in_bytes(size)
    itemsize = whole("itemsize", itemsize, minimum=1)
    rules = rules_of(key)
    if rules == "openmpi":
        picked = openmpi.pick(kind, ranks, size)
    elif kind in RULES[rules]:
        picked = pick(rules, kind, ranks, size, itemsize)
    else:
        picked = _nccl(kind, ranks, size, library_machine(key, ranks, machine))
    if key != rules:
        picked = (*picked[:3], f"by the rules of {LIBRARIES[rules].title}")
    parameters = {"radix": 4} if "radix 4" in picked[1] else {}
    return LibraryChoice(key, kind, *picked, parameters)


def rules_of(library: str) -> str:
    """The library whose rules one follows: its own, or those that it is built on."""
    return BUILT_ON.get(library, library)


def library_machine(library: str, ranks: int, machine: Machine | None) -> Machine:
    """The machine, by default nodes of eight H100, without what a library does not have."""
    chosen = eight_per_node(ranks) if machine is None else machine
    instance("machine", chosen, Machine, "nccl.graphs.hgx('H100')")
    if library not in LACKS:
        return chosen
    return replace(chosen, without=tuple(dict.fromkeys((*chosen.without, *LACKS[library]))))


def _nccl(kind: str, ranks: int, size: int, machine: Machine) -> Picked:
    """The row, name and rule of the candidate that NCCL's tuner picks."""
    if machine.ranks != ranks:
        raise BadInput(f"{plural(ranks, 'rank')}: {machine.name} has {machine.ranks}")
    choice = tuner.choose(machine, kind, size)
    row = ALGORITHMS[choice.candidate.algorithm].row
    return row, choice.candidate.name, f"{choice.reason} on {machine.name}", ""


def _read() -> Mapping[str, Library]:
    """The libraries of the table, with the collectives that their rules are for."""
    kinds = {**RULES, "nccl": (*KINDS, *RULES["nccl"]), "openmpi": openmpi.TABLES}
    return {
        row["name"]: Library(
            row["title"],
            row["decides by"],
            tuple(kinds[rules_of(row["name"])]),
            row["source"],
            row["memory"],
        )
        for row in csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines())
    }


LIBRARIES = _read()
OTHER_NAMES = {"open-mpi": "openmpi", "ompi": "openmpi", "trt-llm": "tensorrt-llm"}


def eight_per_node(ranks: int) -> Machine:
    """Nodes of eight H100 with a 400 Gb/s network card each, or one smaller node."""
    if ranks > 8 and ranks % 8:
        near = max(8, round(ranks / 8) * 8)
        raise BadInput(
            f"{plural(ranks, 'rank')}: without a machine, nodes of eight H100 are assumed; "
            f"try: {near}"
        )
    return hgx("H100", nodes=max(1, ranks // 8), per_node=min(ranks, 8))


def ranges(library: str, collective: str, ranks: int) -> list[tuple[int, int, LibraryChoice]]:
    """The choice at powers of two of bytes from 8 B to 1 GiB: from, to, and what is run."""
    sizes = [1 << exponent for exponent in range(3, 31)]
    chosen = [(size, choose(library, collective, ranks, size)) for size in sizes]
    alike = [list(run) for _, run in groupby(chosen, lambda pair: pair[1].library_name)]
    return [(run[0][0], run[-1][0], run[-1][1]) for run in alike]


def table(library: str, collective: str, ranks: int) -> str:
    """The choice by size as lines of text."""
    lines = []
    for first, last, choice in ranges(library, collective, ranks):
        span = size_text(first) if first == last else f"{size_text(first)} to {size_text(last)}"
        lines.append(f"{span:18}  {choice.library_name}  ({choice.collective} {choice.row})")
    return "\n".join(lines)
