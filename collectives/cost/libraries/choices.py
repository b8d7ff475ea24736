"""What a library would choose: the row of the catalog, its own name, and its rule in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from collectives.catalog import Row, find_row
from collectives.collective import find_collective
from collectives.cost.libraries import mpich, nccl, openmpi, others
from collectives.cost.libraries.nccl.graphs import Machine, hgx
from collectives.cost.libraries.nccl.tables import OFFERED
from collectives.errors import BadInput
from collectives.units import size_text
from collectives.values import whole
from collectives.words import nearest, plural


@dataclass(frozen=True)
class Choice:
    """A row of the catalog, the library's name for it, its rule, and where it is not the same."""

    library: str
    collective: str
    row: str
    library_name: str
    rule: str
    note: str = ""
    parameters: Mapping[str, int] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        """One sentence."""
        told = f"{self.library} runs {self.library_name}: {self.rule}"
        return f"{told} ({self.note})" if self.note else told

    def find(self) -> Row:
        """The row of the catalog."""
        return find_row(self.collective, self.row)


Picked = tuple[str, str, str, str]  # row, the library's name, rule, note
NCCL_ROWS = {
    "Ring": "ring",
    "Tree": "double-binary-tree",
    "CollNetDirect": "sharp",
    "CollNetChain": "sharp",
    "NVLS": "nvls",
    "NVLSTree": "nvls-tree",
    "PAT": "pat",
}
GROUPS = {"all_to_all": "triangular", "gather": "flat", "scatter": "flat"}
RULED: Mapping[str, tuple[str, ...]] = {
    "nccl": (*OFFERED, *GROUPS),
    "mpich": (*OFFERED, *GROUPS, "barrier", "scan"),
    "openmpi": tuple(openmpi.TABLES),
    **others.RULED,
}
OTHER_NAMES = {"open-mpi": "openmpi", "ompi": "openmpi", "trt-llm": "tensorrt-llm"}


def choose(
    library: str,
    collective: str,
    ranks: int,
    size: int,
    machine: Machine | None = None,
    itemsize: int = 4,
) -> Choice:
    """What a library runs for a vector of `size` bytes, counted as the catalog counts it.

    machine: what NCCL runs on, else nodes of eight H100. itemsize: bytes of an element.

    >>> print(choose("mpich", "all-reduce", 8, 1 << 20))
    mpich runs reduce_scatter_allgather: above 8 bytes
    >>> print(choose("nccl", "all-reduce", 8, 1 << 20))
    nccl runs Ring LL: Ring LL takes 28.01 µs, NVLS Simple 28.86 µs on 1 x 8 H100
    """
    key = str(library).lower().replace("_", "-").replace(" ", "-")
    key = OTHER_NAMES.get(key, key)
    if key not in RULED:
        raise BadInput(f"unknown library {library!r}; {nearest(key, [*RULED, *OTHER_NAMES])}")
    kind = find_collective(collective).name
    if kind not in RULED[key]:
        known = ", ".join(name.replace("_", "-") for name in RULED[key])
        raise BadInput(f"{key} has no rule for {kind.replace('_', '-')}; choose from {known}")
    ranks, size = whole("ranks", ranks, least=1), whole("size", size)
    itemsize = whole("itemsize", itemsize, least=1)
    if key == "nccl":
        picked = _nccl(kind, ranks, size, machine)
    elif key == "mpich":
        picked = mpich.pick(kind, ranks, size, itemsize)
    elif key == "openmpi":
        picked = openmpi.pick(kind, ranks, size)
    else:
        picked = others.pick(key, kind, ranks, size)
    row, name, rule, note = picked
    parameters = {"radix": 4} if "radix 4" in name else {}
    return Choice(key, kind, row, name, rule, note, parameters)


def _nccl(kind: str, ranks: int, size: int, machine: Machine | None) -> Picked:
    if kind in GROUPS:
        return GROUPS[kind], "grouped sends and receives", "always", ""
    found = machine or eight_per_node(ranks)
    if found.ranks != ranks:
        raise BadInput(f"{plural(ranks, 'rank')}: {found.name} has {found.ranks}")
    choice = nccl.choose(found, kind, size)
    row = NCCL_ROWS[choice.candidate.algorithm]
    return row, choice.candidate.name, f"{choice.reason} on {found.name}", ""


def eight_per_node(ranks: int) -> Machine:
    """Nodes of eight H100 with a 400 Gb/s network card each, or one smaller node."""
    if ranks > 8 and ranks % 8:
        near = max(8, round(ranks / 8) * 8)
        raise BadInput(
            f"{plural(ranks, 'rank')}: nodes of eight H100 are meant where no machine is given; "
            f"nearest: {near}"
        )
    return hgx("H100", nodes=max(1, ranks // 8), per_node=min(ranks, 8))


def ranges(
    library: str, collective: str, ranks: int, least: int = 8, most: int = 1 << 30
) -> list[tuple[int, int, Choice]]:
    """The choice at powers of two of bytes from `least` to `most`: from, to, and what is run."""
    found: list[tuple[int, int, Choice]] = []
    size = whole("size", least, least=1)
    while size <= whole("size", most, least=1):
        choice = choose(library, collective, ranks, size)
        same = found and found[-1][2].library_name == choice.library_name
        found.append((found.pop()[0] if same else size, size, choice))
        size *= 2
    return found


def table(library: str, collective: str, ranks: int) -> str:
    """The choice by size as lines of text."""
    lines = []
    for first, last, choice in ranges(library, collective, ranks):
        span = size_text(first) if first == last else f"{size_text(first)} to {size_text(last)}"
        lines.append(f"{span:18}  {choice.library_name}  ({choice.collective} {choice.row})")
    return "\n".join(lines)
