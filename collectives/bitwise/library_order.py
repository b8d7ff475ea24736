"""From a setup to its map: the algorithm a library runs, its layout, the order of each part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, reduce

from collectives.bitwise.addition_map import AdditionMap, BitsSetup, Part, cut_by
from collectives.bitwise.layouts import (
    GLOO_SEGMENT,
    evenly,
    gloo_ring,
    mpich_ring,
    nccl_channels,
    nccl_ring,
)
from collectives.bitwise.layouts import PROTOCOLS as NCCL_PROTOCOLS
from collectives.catalog import find_row
from collectives.cost.libraries import openmpi
from collectives.cost.libraries.default_algorithm import LIBRARIES, eight_per_node
from collectives.cost.libraries.nccl import tables, tuner
from collectives.cost.libraries.nccl.graphs import Machine
from collectives.cost.libraries.rules import RULES, pick
from collectives.cost.like import nccl_machine
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.proof.addition_order import Term, addition_order
from collectives.recording.recorder import record
from collectives.values import whole
from collectives.words import listed, nearest, plural

KINDS = ("all_reduce", "reduce", "reduce_scatter")
MOST_RANKS, MOST_PARTS = 64, 1 << 16
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
    found: dict[int, str] = {}
    for each in addition_order(recording):
        for chunk in each.chunks:
            if found.setdefault(chunk, each.expression) != each.expression:
                return ()
    orders = tuple(found[chunk] for chunk in sorted(found))
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
        parts = (Part(0, count, "all", "".join(orders)),) * (count > 0)
    title = LIBRARIES[setup.library].title
    return AdditionMap(
        setup, title, plan.name, plan.rule, basis, parts, (*plan.notes, *notes), unknown
    )


# --- Open MPI

OPENMPI_BASIS = (
    "executed on names; Open MPI's own results have the same bits (tests/oracles), where its "
    "component coll/tuned runs the collective: han, acoll, adapt, sm and xhc, where they are "
    "active, add in other ways"
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
            f"algorithm={text}: Open MPI has no such {setup.collective.replace('_', '-')}; "
            f"there are {every}; try: algorithm={next(iter(names))}"
        )
    return known[key]


# --- MPICH and gloo

MPICH_BASIS = (
    "executed on names; MPICH's own results have the same bits (tests/oracles), where one rank "
    "runs on each node, or without its collectives for shared memory "
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
                f"algorithm={name}: no {title} of MPICH that is known here; {nearest(name, names)}"
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


GLOO_BASIS = (
    "executed on names; gloo's own results have the same bits (tests/oracles), with segments of "
    "at most 1 MiB, its default and torch's"
)
GLOO_LONG = "more than two segments for each rank are cut as in gloo's source; not compared here"


def _gloo(setup: BitsSetup) -> AdditionMap:
    if setup.collective not in RULES["gloo"]:
        raise BadInput(
            f"gloo has no {setup.collective.replace('_', '-')} of its own; try: all-reduce"
        )
    row, name, rule, _ = pick("gloo", setup.collective, setup.ranks, setup.size, setup.itemsize)
    notes = (GLOO_LONG,) if setup.size > 2 * setup.ranks * GLOO_SEGMENT else ()
    return _executed(setup, Plan(name, rule, row, gloo_ring), GLOO_BASIS, notes)


# --- NCCL

NCCL_BASIS = (
    "by NCCL's published rules (its tuner, src/enqueue.cc, src/device/all_reduce.h), not verified "
    "here on GPUs; they are those of 2.30: older releases cut the vector at other elements"
)
ALONE = "a call alone in its launch, with NCCL's buffer sizes; calls in one group share channels"
IN_SWITCH = (
    "with NVLS an NVSwitch adds, in no order of a schedule; of float32 it was measured that the "
    "sum is exact and rounded once, of bfloat16 that it is not (NVIDIA/nccl #2360, "
    "NVIDIA/Megatron-LM PR 6806)"
)
NVSWITCH = (
    "all channels visit the ranks in one order, 0 to N - 1, as logs of nodes with NVSwitches show"
)


def _nccl(setup: BitsSetup) -> AdditionMap:
    where = Where(setup.machine) if setup.machine else None
    ranks = setup.ranks
    machine = eight_per_node(ranks) if where is None else nccl_machine(where, ranks)
    picked, rule = _tuned(setup, machine)
    algorithm, protocol = picked.algorithm, picked.protocol
    channels = machine.channels
    if "channels" in setup.settings:
        channels = _whole(setup, "channels", 64)
    parts: tuple[Part, ...] = ()
    unknown = used = ""
    if ranks > 1 and algorithm not in ("Ring", "Tree"):
        unknown = IN_SWITCH if "NVLS" in algorithm else f"the order of {algorithm} is not modeled"
    elif machine.nodes > 1:
        unknown = (
            f"the ring and the trees of {machine.nodes} nodes follow their network cards, which "
            "are not known; NCCL's log has them (collectives log)"
        )
    elif setup.count and setup.collective == "all_reduce" and algorithm == "Ring" and ranks > 1:
        parts = _ring_parts(setup, protocol, channels)
        sizes = nccl_channels(
            setup.count, setup.itemsize, ranks, NCCL_PROTOCOLS[protocol], channels
        )
        used = f", {len(sizes)} of {plural(channels, 'channel')}"
    elif setup.count:
        parts = tuple(_uncut(setup, algorithm))
    if unknown:
        parts = (Part(0, setup.count, "all", ""),) * (setup.count > 0)
    notes = () if unknown else (ALONE, NVSWITCH)
    name = f"{picked.name}{used}"
    return AdditionMap(setup, "NCCL", name, rule, NCCL_BASIS, parts, notes, unknown)


def _tuned(setup: BitsSetup, machine: Machine) -> tuple[tuner.Candidate, str]:
    """What NCCL's tuner picks among what the settings leave, and why."""
    without = list(machine.without)
    for key, known in (("algorithm", tables.ALGORITHMS), ("protocol", tables.PROTOCOLS)):
        if key in setup.settings:
            text = setup.settings[key]
            name = next((name for name in known if name.lower() == text.lower()), None)
            if name is None:
                raise BadInput(f"{key}={text}: unknown; {nearest(text, known)}")
            without += [other for other in known if other != name]
    choice = tuner.choose(replace(machine, without=tuple(without)), setup.collective, setup.size)
    return choice.candidate, f"{choice.reason} on {machine.name}"


def _whole(setup: BitsSetup, name: str, most: int) -> int:
    """A setting that is a whole number from 1 on; raises BadInput."""
    text = setup.settings[name]
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise BadInput(f"{name}={text}: must be a whole number; try: {name}=8")
    return whole(name, int(text), 1, most)


def _ring_parts(setup: BitsSetup, protocol: str, channels: int) -> tuple[Part, ...]:
    """The chunks of every loop of every channel; chunk c is added from rank c + 1 upwards."""
    ranks = setup.ranks
    parts: list[Part] = []
    orders = [folded([(chunk + 1 + hop) % ranks for hop in range(ranks)]) for chunk in range(ranks)]
    for each in nccl_ring(setup.count, setup.itemsize, ranks, protocol, channels):
        if len(parts) == MOST_PARTS:
            raise BadInput(
                f"size {setup.size} B: has more than {MOST_PARTS:,} chunks; try: protocol=Simple"
            )
        place = f"channel {each.channel}, loop {each.loop}, chunk {each.chunk}"
        parts.append(Part(each.start, each.stop, place, orders[each.chunk]))
    return tuple(parts)


def _uncut(setup: BitsSetup, algorithm: str) -> list[Part]:
    """What is added alike in every channel: a tree's chain on one node, a reduce, own blocks."""
    ranks, count = setup.ranks, setup.count
    if setup.collective == "all_reduce":
        return [Part(0, count, "all", folded(list(range(ranks))[::-1]))]
    ends = [setup.root] if setup.collective == "reduce" else list(range(ranks))
    orders = [folded([(end + 1 + hop) % ranks for hop in range(ranks)]) for end in ends]
    sizes = [count] if len(ends) == 1 else evenly(count, ranks, setup.itemsize)
    return list(cut_by(sizes, orders, "chunk"))


def folded(ranks: list[int]) -> str:
    """The order in which the data of ranks is added one after the other.

    >>> folded([3, 0, 1, 2])
    '((x0 + x3) + x1) + x2'
    """
    return str(reduce(Term.__add__, [Term((rank,), f"x{rank}") for rank in ranks]))


MAPPERS: dict[str, Callable[[BitsSetup], AdditionMap]] = {
    "openmpi": _openmpi,
    "mpich": _mpich,
    "gloo": _gloo,
    "nccl": _nccl,
}
SETTINGS = {  # what can be set of each library
    "openmpi": ("algorithm", "segment"),
    "mpich": ("algorithm",),
    "gloo": (),
    "nccl": ("algorithm", "protocol", "channels"),
}
