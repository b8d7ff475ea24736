"""NCCL's order of additions, by its published rules: channels, loops and chunks of its ring."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from collectives.bitwise.addition_map import AdditionMap, BitsSetup, MapPart, cut_by
from collectives.bitwise.layouts import PROTOCOLS, evenly, nccl_channels, nccl_ring
from collectives.cost.libraries.default_algorithm import eight_per_node
from collectives.cost.libraries.nccl import tables, tuner
from collectives.cost.libraries.nccl.graphs import Machine
from collectives.cost.like import nccl_machine
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.proof.addition_order import Term
from collectives.values import whole
from collectives.words import nearest, plural

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


def nccl_map(setup: BitsSetup) -> AdditionMap:
    """The map of a setup of NCCL; raises BadInput."""
    where = Where(setup.machine) if setup.machine else None
    ranks = setup.ranks
    machine = eight_per_node(ranks) if where is None else nccl_machine(where, ranks)
    picked, rule = _tuned(setup, machine)
    algorithm, protocol = picked.algorithm, picked.protocol
    channels = machine.channels
    if "channels" in setup.settings:
        channels = _whole(setup, "channels", 64)
    parts: tuple[MapPart, ...] = ()
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
        sizes = nccl_channels(setup.count, setup.itemsize, ranks, PROTOCOLS[protocol], channels)
        used = f", {len(sizes)} of {plural(channels, 'channel')}"
    elif setup.count:
        parts = tuple(_uncut(setup, algorithm))
    if unknown:
        parts = (MapPart(0, setup.count, "all", ""),) * (setup.count > 0)
    notes = () if unknown else (ALONE, NVSWITCH)
    name = f"{picked.name}{used}"
    return AdditionMap(setup, "NCCL", name, rule, BASIS, parts, notes, unknown)


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
    kind = setup.collective
    if machine.ranks > 1 and without:
        alone = replace(machine, without=tuple(without))
        if all(one.off for one in tuner.candidates(alone, kind, setup.size)):
            said = ", ".join(f"{key}={value}" for key, value in setup.settings.items())
            raise BadInput(
                f"{said}: NCCL has none of {kind.replace('_', '-')} on {machine.name}; "
                "try: algorithm=Ring"
            )
    choice = tuner.choose(replace(machine, without=tuple(without)), setup.collective, setup.size)
    return choice.candidate, f"{choice.reason} on {machine.name}"


def _whole(setup: BitsSetup, name: str, limit: int) -> int:
    """A setting that is a whole number from 1 on; raises BadInput."""
    text = setup.settings[name]
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise BadInput(f"{name}={text}: must be a whole number; try: {name}=8")
    return whole(name, int(text), 1, limit)


def _ring_parts(setup: BitsSetup, protocol: str, channels: int) -> tuple[MapPart, ...]:
    """The chunks of every loop of every channel; chunk c is added from rank c + 1 upwards."""
    ranks = setup.ranks
    parts: list[MapPart] = []
    orders = [folded([(chunk + 1 + hop) % ranks for hop in range(ranks)]) for chunk in range(ranks)]
    for each in nccl_ring(setup.count, setup.itemsize, ranks, protocol, channels):
        if len(parts) == MOST_PARTS:
            raise BadInput(
                f"size {setup.size} B: has more than {MOST_PARTS:,} chunks; try: protocol=Simple"
            )
        place = f"channel {each.channel}, loop {each.loop}, chunk {each.chunk}"
        parts.append(MapPart(each.start, each.stop, place, orders[each.chunk]))
    return tuple(parts)


def _uncut(setup: BitsSetup, algorithm: str) -> list[MapPart]:
    """What is added alike in every channel: a tree's chain on one node, a reduce, own blocks."""
    ranks, count = setup.ranks, setup.count
    if setup.collective == "all_reduce":
        return [MapPart(0, count, "all", folded(list(range(ranks))[::-1]))]
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
