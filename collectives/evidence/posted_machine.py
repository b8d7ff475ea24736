"""A machine as a row that somebody posts of it, so that one model serves posts and machines."""

from __future__ import annotations

from collectives.cost.busbw import operation
from collectives.cost.libraries.nccl.tables import KINDS
from collectives.cost.machines.links import find_link
from collectives.cost.where import Where
from collectives.evidence.measured import Measured
from collectives.evidence.measured_model import gpu_of

MODELED = (*KINDS, "all_to_all")  # collectives that the model of posted rows is for


def as_posted(where: Where, collective: str, ranks: int, size: int) -> Measured | None:
    """The row of a collective on a machine; None of machines and collectives without its model.

    None too where links are so many times as fast, or ranks elsewhere: nobody posted such rows.

    >>> as_posted(Where("cluster:nics=4"), "all_reduce", 16, 8).fabric
    'nvlink4 + 4x400G ib-ndr'
    """
    kind = where.kind
    if kind is None or not where.is_usual or collective not in MODELED:
        return None
    gpu, fabric, nodes = *(kind.posted or ("", "")), 1
    if "inside" in kind.parameters:
        settings = where.settings
        gpus = int(settings["gpus"])
        inside, outside = (find_link(str(settings[end])) for end in ("inside", "outside"))
        cards, gigabits = int(settings["nics"]) or gpus, round(outside.bandwidth * 8 / 1e9)
        fabric = f"{inside.name} + {cards}x{gigabits}G {outside.name}"
        gpu, nodes = next(iter(inside.gpus), ""), ranks // gpus
    if gpu_of(gpu) is None:
        return None
    size, name = max(size, 1), operation(collective)
    return Measured(name, gpu, ranks, nodes, fabric, size, 1.0, 1.0, 1.0, where.called, "")
