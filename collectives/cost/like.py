"""What a library would choose on a machine: NCCL's candidates with their times, or the rule."""

from __future__ import annotations

from dataclasses import replace

from collectives.cost.libraries.advice import Advice
from collectives.cost.libraries.default_algorithm import (
    LIBRARIES,
    choose,
    library_machine,
    rules_of,
)
from collectives.cost.libraries.nccl import tuner
from collectives.cost.libraries.nccl.graphs import Machine, hgx
from collectives.cost.libraries.rules import RULES
from collectives.cost.machines import MACHINES
from collectives.cost.machines.links import find_link
from collectives.cost.where import Where
from collectives.errors import BadInput


def advice(library: str, collective: str, ranks: int, size: int, where: Where) -> Advice:
    """What a library runs; raises BadInput for a library or a machine it knows nothing of."""
    tuned = rules_of(library.lower()) == "nccl" and collective not in RULES["nccl"]
    machine = nccl_machine(where, ranks, library.lower()) if tuned else None
    choice = choose(library, collective, ranks, size, machine)
    if machine is None:
        return Advice(choice)
    machine = library_machine(choice.library, ranks, machine)
    candidates = tuner.candidates(machine, collective, size) if ranks > 1 else ()
    return Advice(choice, tuple(candidates), machine.name)


def every_advice(collective: str, ranks: int, size: int, where: Where) -> tuple[Advice, ...]:
    """What each library would choose that has rules for the collective and for the machine.

    A library that leaves it to NCCL is said to use what NCCL does. Libraries of GPUs are left out
    on machines without, and so are those built on another one.
    """
    advices: dict[str, Advice] = {}
    gpus = where.kind is not None and where.kind.tuned
    for name, library in LIBRARIES.items():
        if rules_of(name) != name or (library.memory == "GPU" and not gpus):
            continue
        try:
            advices[name] = advice(name, collective, ranks, size, where)
        except BadInput:
            continue
    return tuple(
        _left_to_nccl(library_advice, advices.get("nccl")) for library_advice in advices.values()
    )


def _left_to_nccl(advice: Advice, nccl: Advice | None) -> Advice:
    """The same, with the row that NCCL uses where a library leaves the choice to it."""
    if nccl is None or advice.choice.library_name != nccl.title:
        return advice
    return replace(advice, choice=replace(advice.choice, row=nccl.choice.row))


def nccl_machine(where: Where, ranks: int, like: str = "nccl") -> Machine:
    """The GPUs that NCCL's tuner is asked about; raises BadInput where there are none.

    It knows no links of another speed and no ranks on other GPUs; then its name says so.
    """
    machine = _tuned(where, ranks, like)
    return machine if where.is_usual else replace(machine, name=f"{machine.name} as built")


def _tuned(where: Where, ranks: int, like: str) -> Machine:
    """The same GPUs with the links and places that NCCL's tuner knows."""
    hint = f"choose from {', '.join(name for name, kind in MACHINES.items() if kind.tuned)}"
    if where.kind is None:
        raise BadInput(f"--like {like}: its tuner does not know the GPUs of {where.name}; {hint}")
    where.check_ranks(ranks)
    if not where.kind.tuned:
        raise BadInput(f"--like {like}: its tuner knows GPUs, and {where.machine} has none; {hint}")
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
