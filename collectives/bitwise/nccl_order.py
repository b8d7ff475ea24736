"""NCCL's order of additions, by its published rules: channels, loops and chunks of its ring."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, reduce

from collectives.bitwise.addition_map import AdditionMap, BitsSetup, MapPart, cut_by
from collectives.bitwise.layouts import PROTOCOLS, nccl_channels, nccl_ring
from collectives.cost.libraries.default_algorithm import eight_per_node
from collectives.cost.libraries.nccl import tables, tuner
from collectives.cost.libraries.nccl.graphs import MOST_CHANNELS, Machine
from collectives.cost.like import nccl_machine
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.formats.nccl_log.log import read_log
from collectives.proof.addition_order import Term
from collectives.units import size_text
from collectives.values import whole
from collectives.words import brief, nearest, plural

MOST_PARTS = 1 << 16
BASIS = (
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
ACROSS_NODES = (
    "between nodes rings and trees follow the network cards; NCCL's log has the rings; "
    "try: -p algorithm=Ring -p log=nccl.log"
)
OF_LOG = "each channel visits the ranks in the order of its ring in the log"


Rings = list[tuple[int, ...]]  # of each channel, from rank 0 on


def nccl_map(setup: BitsSetup) -> AdditionMap:
    """The map of a setup of NCCL; raises BadInput."""
    where, ranks = Where(setup.machine) if setup.machine else None, setup.ranks
    machine = eight_per_node(ranks) if where is None else nccl_machine(where, ranks)
    picked, rule = _tuned(setup, machine)
    rings = _rings(setup, machine)
    if "channels" in setup.settings:
        more = [] if "log" in setup.settings else rings[:1] * MOST_CHANNELS
        rings = [*rings, *more][: _whole(setup, "channels", max(len(rings), len(more)))]
    used, name = len(rings), picked.name
    cut = ranks > 1 and (setup.collective, picked.algorithm) == ("all_reduce", "Ring")
    if cut and setup.count:
        used = len(nccl_channels(*_cut(setup), PROTOCOLS[picked.protocol], len(rings)))
        name += f", {used} of {plural(len(rings), 'channel')}"
    unknown = _not_modeled(setup, picked.algorithm, rings[:used]) if ranks > 1 else ""
    if unknown or not setup.count:
        parts = (MapPart(0, setup.count, "all", ""),) * (setup.count > 0)
        return AdditionMap(setup, "NCCL", name, rule, BASIS, parts, (), unknown)
    notes = ALONE, OF_LOG if "log" in setup.settings else NVSWITCH
    parts = _ring_parts(setup, picked.protocol, rings) if cut else tuple(_uncut(setup, rings[0]))
    return AdditionMap(setup, "NCCL", name, rule, BASIS, parts, notes)


def _rings(setup: BitsSetup, machine: Machine) -> Rings:
    """The ring of each channel, empty where it is not known; raises BadInput for another log."""
    if "log" not in setup.settings:
        return [tuple(range(setup.ranks)) if machine.nodes == 1 else ()] * machine.channels
    path = setup.settings["log"]
    largest = read_log(path).largest
    if largest.ranks != setup.ranks:
        has = plural(largest.ranks, "rank")
        raise BadInput(f"log={path}: has {has}; try: -n {largest.ranks}")
    whole_rings = largest.rings
    if not whole_rings:
        raise BadInput(f"log={path}: has no whole ring; try: NCCL_DEBUG_SUBSYS=INIT,GRAPH")
    orders = [whole_rings.get(channel, ()) for channel in range(largest.channels)]
    return [order[order.index(0) :] + order[: order.index(0)] if order else () for order in orders]


def _not_modeled(setup: BitsSetup, algorithm: str, rings: Rings) -> str:
    """Why the order of several ranks cannot be said; rings: of the channels that are used."""
    if algorithm not in ("Ring", "Tree"):
        return IN_SWITCH if "NVLS" in algorithm else f"the order of {algorithm} is not modeled"
    logged, title = "log" in setup.settings, setup.collective.replace("_", "-")
    if algorithm == "Tree" and logged:
        return "trees of a log are not modeled; try: -p algorithm=Ring"
    if not all(rings) and not logged:
        return ACROSS_NODES
    if not all(rings):
        return f"the log has no whole ring of channel {rings.index(())}"
    if setup.collective != "all_reduce" and len(set(rings)) > 1:
        return f"channels have different rings; their shares of a {title} are not modeled"
    return ""


def _cut(setup: BitsSetup) -> tuple[int, int, int]:
    return setup.count, setup.itemsize, setup.ranks


def _tuned(setup: BitsSetup, machine: Machine) -> tuple[tuner.Candidate, str]:
    """What NCCL's tuner picks among what the settings leave, and why."""
    without = list(machine.without)
    for key, known in (("algorithm", tables.ALGORITHMS), ("protocol", tables.PROTOCOLS)):
        if key in setup.settings:
            text = setup.settings[key]
            name = next((name for name in known if name.lower() == text.lower()), None)
            if name is None:
                raise BadInput(f"{key}={brief(text)}: unknown; {nearest(text, known)}")
            without += [choice for choice in known if choice != name]
    kind = setup.collective
    if machine.ranks > 1 and without:
        alone = replace(machine, without=tuple(without))
        if all(candidate.off for candidate in tuner.candidates(alone, kind, setup.size)):
            settings = ", ".join(f"{key}={value}" for key, value in setup.settings.items())
            raise BadInput(
                f"{settings}: NCCL has none of {kind.replace('_', '-')} on {machine.name}; "
                "try: algorithm=Ring"
            )
    choice = tuner.choose(replace(machine, without=tuple(without)), setup.collective, setup.size)
    return choice.candidate, f"{choice.reason} on {machine.name}"


def _whole(setup: BitsSetup, name: str, limit: int) -> int:
    """A setting that is a whole number from 1 on; raises BadInput."""
    text = setup.settings[name]
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise BadInput(f"{name}={brief(text)}: must be a whole number; try: {name}=8")
    return whole(name, int(text), 1, limit)


def _ring_parts(setup: BitsSetup, protocol: str, rings: Rings) -> tuple[MapPart, ...]:
    """The chunks of every loop of every channel; chunk c is added from place c + 1 onwards."""
    parts: list[MapPart] = []
    for piece in nccl_ring(*_cut(setup), protocol, len(rings)):
        if len(parts) == MOST_PARTS:
            near = size_text(MOST_PARTS * PROTOCOLS[protocol].chunk // 2).replace(" ", "")
            rule = f"a map has at most {MOST_PARTS:,} chunks"
            raise BadInput(f"size {setup.size} B: {rule}; try: {near}")
        place = f"channel {piece.channel}, loop {piece.loop}, chunk {piece.chunk}"
        order = _ending(rings[piece.channel], piece.chunk)
        parts.append(MapPart(piece.start, piece.stop, place, order))
    return tuple(parts)


def _uncut(setup: BitsSetup, ring: tuple[int, ...]) -> list[MapPart]:
    """What is added alike in every channel: a tree's chain on one node, a reduce, own blocks."""
    ranks, count = setup.ranks, setup.count
    if setup.collective == "all_reduce":
        return [MapPart(0, count, "all", folded(tuple(range(ranks))[::-1]))]
    if setup.collective == "reduce":
        return [MapPart(0, count, "all", _ending(ring, ring.index(setup.root)))]
    if count % ranks:
        near = max(1, count // ranks) * ranks * setup.itemsize
        raise BadInput(
            f"size {setup.size} B: NCCL scatters blocks of the same size to {ranks} ranks; "
            f"try: {near}B"
        )
    orders = [_ending(ring, ring.index(rank)) for rank in range(ranks)]
    return list(cut_by([count // ranks] * ranks, orders, "block"))


def _ending(ring: tuple[int, ...], place: int) -> str:
    """The order of a sum that goes once round a ring and is whole at this place."""
    return folded(ring[place + 1 :] + ring[: place + 1])


@lru_cache(maxsize=1 << 12)
def folded(ranks: tuple[int, ...]) -> str:
    """The order in which the data of ranks is added one after the other.

    >>> folded((3, 0, 1, 2))
    '((x0 + x3) + x1) + x2'
    """
    return str(reduce(Term.__add__, [Term((rank,), f"x{rank}") for rank in ranks]))
