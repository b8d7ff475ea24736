"""What a library would choose on a machine: NCCL's candidates with their times, or the rule."""

from __future__ import annotations

from collectives.cost.libraries import default_algorithm
from collectives.cost.libraries.advice import Advice
from collectives.cost.libraries.nccl import tuner
from collectives.cost.libraries.nccl.graphs import Machine, hgx
from collectives.cost.libraries.rules import RULES
from collectives.cost.machines import MACHINES
from collectives.cost.machines.links import find_link
from collectives.cost.where import Where
from collectives.errors import BadInput


def advice(library: str, collective: str, ranks: int, size: int, where: Where) -> Advice:
    """What a library runs; raises BadInput for a library or a machine it knows nothing of."""
    tuned = library.lower() == "nccl" and collective not in RULES["nccl"]
    machine = nccl_machine(where, ranks) if tuned else None
    choice = default_algorithm.choose(library, collective, ranks, size, machine)
    if machine is None:
        return Advice(choice)
    found = tuner.candidates(machine, collective, size) if ranks > 1 else ()
    return Advice(choice, tuple(found), machine.name)


def nccl_machine(where: Where, ranks: int) -> Machine:
    """The GPUs that NCCL's tuner is asked about; raises BadInput where there are none."""
    hint = f"choose from {', '.join(name for name, kind in MACHINES.items() if kind.tuned)}"
    if where.kind is None:
        raise BadInput(f"--like nccl: its tuner does not know the GPUs of {where.name}; {hint}")
    where.check_ranks(ranks)
    if not where.kind.tuned:
        raise BadInput(f"--like nccl: its tuner knows GPUs, and {where.machine} has none; {hint}")
    if where.kind.gpus:
        return hgx(where.kind.gpus[0], 1, ranks)
    settings = where.settings
    inside = find_link(str(settings["inside"]))
    if not inside.gpus:
        raise BadInput(
            f"inside {inside.name}: no GPU that NCCL's tuner is asked about; try: nvlink4"
        )
    gpus = int(settings["gpus"])
    nics = int(settings["nics"]) or gpus
    nic = find_link(str(settings["outside"])).bandwidth / 1e9
    return hgx(inside.gpus[0], ranks // gpus, gpus, nics, nic)
