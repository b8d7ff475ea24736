"""From a setup to its map: the algorithm a library runs, its layout, the order of each part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from collectives.bitwise.addition_map import AdditionMap, BitsSetup, MapPart, cut_by
from collectives.bitwise.layouts import GLOO_SEGMENT, evenly, gloo_ring, mpich_ring
from collectives.bitwise.nccl_order import nccl_map
from collectives.catalog import find_row
from collectives.cost.libraries import openmpi
from collectives.cost.libraries.default_algorithm import LIBRARIES
from collectives.cost.libraries.rules import RULES, pick
from collectives.errors import BadInput
from collectives.proof.addition_order import addition_order
from collectives.recording.recorder import record
from collectives.words import brief, listed, nearest

KINDS = ("all_reduce", "reduce", "reduce_scatter")
MOST_RANKS = 64
Layout = Callable[[int, int, int], list[int]]


@dataclass(frozen=True)
class Plan:
    """What a library runs: its name for it, the rule, our row, and how the vector is cut."""

    name: str
    rule: str
    row: str
    layout: Layout = evenly
    kind: str = ""  # of the row, where that is not the collective
    notes: tuple[str, ...] = ()


def map_of(setup: BitsSetup) -> AdditionMap:
    """The map of a setup; raises BadInput for what cannot be mapped."""
    return MAPPERS[setup.library](setup)


@lru_cache(maxsize=256)
def orders_of(kind: str, row: str, ranks: int, root: int) -> tuple[str, ...]:
    """The order of each chunk of a row of the catalog, executed on names; one where all agree.

    Empty where the ranks of a chunk add it in different orders.
    """
    if ranks == 1:
        return ("x0",)
    pipelined = "chunks" in find_row(kind, row).parameters
    recording = record(kind, row, ranks=ranks, root=root, chunks=1 if pipelined else None)
    by_chunk: dict[int, str] = {}
    for term in addition_order(recording):
        for chunk in term.chunks:
            if by_chunk.setdefault(chunk, term.expression) != term.expression:
                return ()
    orders = tuple(by_chunk[chunk] for chunk in sorted(by_chunk))
    return orders[:1] if len(set(orders)) == 1 else orders


def _executed(setup: BitsSetup, plan: Plan, basis: str, notes: tuple[str, ...]) -> AdditionMap:
    """The map of a row of the catalog with the layout of a library."""
    kind, count = plan.kind or setup.collective, setup.count
    root = setup.root if kind == setup.collective == "reduce" else 0
    orders = orders_of(kind, plan.row, setup.ranks, root)
    unknown = "" if orders else f"the ranks add in different orders in {plan.row}"
    if len(orders) > 1:
        parts = tuple(cut_by(plan.layout(count, setup.ranks, setup.itemsize), orders, "chunk"))
    else:
        parts = (MapPart(0, count, "all", "".join(orders)),) * (count > 0)
    title = LIBRARIES[setup.library].title
    return AdditionMap(
        setup, title, plan.name, plan.rule, basis, parts, (*plan.notes, *notes), unknown
    )


# --- Open MPI

OPENMPI_BASIS = (
    "executed; tested bit for bit with Open MPI's component tuned (not han, acoll, sm or xhc)"
)
OPENMPI_UNCUT = "segments do not change the order: a segment has that of its chunk"


def _openmpi(setup: BitsSetup) -> AdditionMap:
    plan = _openmpi_plan(setup)
    notes = (OPENMPI_UNCUT,) if "segment" in setup.settings else ()
    return _executed(setup, plan, OPENMPI_BASIS, notes)


def _openmpi_plan(setup: BitsSetup) -> Plan:
    """The algorithm of coll/tuned, where it stands for another one in few elements, too."""
    kind, ranks, count = setup.collective, setup.ranks, setup.count
    names = openmpi.NAMES[kind]
    if "algorithm" in setup.settings:
        number = _numbered(setup, {key: name for key, (name, _, _) in names.items()})
        rule = "asked for"
    else:
        number, rule = openmpi.decide(kind, ranks, setup.size)
    name, row, _ = names[number]
    if (kind, number) == ("reduce", 2) and "algorithm" in setup.settings:
        row = "chains"  # four of them, by default, where it is asked for
    power = 1 << ranks.bit_length() - 1
    if (kind, number) in (("all_reduce", 2), ("reduce_scatter", 1)):
        inner = _openmpi_plan(replace(setup, collective="reduce", root=0, settings={}))
        return Plan(f"{name} ({inner.name})", f"{rule}; {inner.rule}", inner.row, kind="reduce")
    if kind == "all_reduce" and number in (4, 5) and count < ranks:
        few = f"{rule}; fewer elements than ranks: instead of the {name}"
        return Plan("recursive doubling", few, "recursive-doubling")
    if (kind, number) in (("all_reduce", 6), ("reduce", 7)) and count < power:
        return Plan("basic linear", f"{rule}; fewer elements than {power}: not {name}", "linear")
    return Plan(name, rule, row)


def _numbered(setup: BitsSetup, names: dict[int, str]) -> int:
    """The number of the algorithm asked for by number or name; raises BadInput."""
    text = setup.settings["algorithm"]
    known = {str(number): number for number in names}
    known |= {name.lower().replace(" ", "-"): number for number, name in names.items()}
    key = text.lower().replace("_", "-").replace(" ", "-")
    if key not in known:
        every = listed([f"{number} {name}" for number, name in names.items()])
        raise BadInput(
            f"algorithm={brief(text)}: Open MPI has no such {setup.collective.replace('_', '-')}; "
            f"there are {every}; try: algorithm={next(iter(names))}"
        )
    return known[key]


# --- MPICH and gloo

MPICH_BASIS = (
    "executed; tested bit for bit with MPICH, without its collectives for shared memory "
    "(MPIR_CVAR_ENABLE_SMP_COLLECTIVES=0, MPIR_CVAR_DEVICE_COLLECTIVES=none)"
)
MPICH_NAMES = {  # what can be asked for (MPIR_CVAR_…_INTRA_ALGORITHM), with our rows
    "all_reduce": {
        "recursive_doubling": "recursive-doubling",
        "reduce_scatter_allgather": "rabenseifner",
        "ring": "ring",
        "recursive_multiplying": "tail-fold",
    },
    "reduce": {"binomial": "tree", "reduce_scatter_gather": "rabenseifner"},
    "reduce_scatter": {
        "recursive_halving": "recursive-halving",
        "pairwise": "pairwise",
        "recursive_doubling": "tree",
    },
}


def _mpich(setup: BitsSetup) -> AdditionMap:
    kind, names = setup.collective, MPICH_NAMES[setup.collective]
    if "algorithm" in setup.settings:
        name = setup.settings["algorithm"].lower().replace("-", "_")
        if name not in names:
            title = kind.replace("_", "-")
            raise BadInput(
                f"algorithm={brief(name)}: no {title} of MPICH that is known here; "
                f"{nearest(name, names)}"
            )
        row, rule, power = names[name], "asked for", 1 << setup.ranks.bit_length() - 1
        if (kind, row) == ("reduce", "rabenseifner") and setup.count < power:
            row, name, rule = "tree", "binomial", f"fewer elements than {power}: not {name}"
    else:
        row, name, rule, _ = pick("mpich", kind, setup.ranks, setup.size, setup.itemsize)
    inner = "reduce" if (kind, row) == ("reduce_scatter", "tree") else ""
    ring = (kind, name) == ("all_reduce", "ring")
    plan = Plan(name, rule, row, mpich_ring if ring else evenly, inner)
    return _executed(setup, plan, MPICH_BASIS, ())


GLOO_BASIS = "executed; tested bit for bit with gloo in torch, up to two segments for each rank"
GLOO_LONG = "more than two segments for each rank are cut as in gloo's source; not compared here"


def _gloo(setup: BitsSetup) -> AdditionMap:
    if setup.collective not in RULES["gloo"]:
        raise BadInput(
            f"gloo has no {setup.collective.replace('_', '-')} of its own; try: all-reduce"
        )
    row, name, rule, _ = pick("gloo", setup.collective, setup.ranks, setup.size, setup.itemsize)
    notes = (GLOO_LONG,) if setup.size > 2 * setup.ranks * GLOO_SEGMENT else ()
    return _executed(setup, Plan(name, rule, row, gloo_ring), GLOO_BASIS, notes)


MAPPERS: dict[str, Callable[[BitsSetup], AdditionMap]] = {
    "openmpi": _openmpi,
    "mpich": _mpich,
    "gloo": _gloo,
    "nccl": nccl_map,
}
SETTINGS = {  # what can be set of each library
    "openmpi": ("algorithm", "segment"),
    "mpich": ("algorithm",),
    "gloo": (),
    "nccl": ("algorithm", "protocol", "channels", "log"),
}
