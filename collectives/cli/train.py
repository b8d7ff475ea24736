"""Does what `collectives train` is asked for: the cost of a training step, a change of sharding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from collectives.cli.console import say_report
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.training.gathered_report import gathered_report
from collectives.training.reshard import DTYPE, resharded
from collectives.training.train import trained
from collectives.training.train_model import TrainingOptions
from collectives.training.workload import FLOPS


def print_training(
    where: Where, ranks: int | None, schemes: list[str] | None, as_json: bool, **options: Any
) -> None:
    """Print the table; raises BadInput for what cannot be trained so."""
    chosen = {name: value for name, value in options.items() if value is not None}
    for name in ("parameters", "ranks"):
        if {**chosen, "ranks": ranks}.get(name) is None:
            near = {"parameters": "7B", "ranks": "8"}[name]
            raise BadInput(f"--{name} is missing; try: --{name} {near}")
    say_report(
        trained(TrainingOptions(**chosen), ranks, where, schemes or ["ddp", "fsdp"]), as_json
    )


def print_resharding(
    where: Where,
    change: str,
    shape: Sequence[int] | None,
    mesh: Sequence[int] | None,
    dtype: str | None,
    as_json: bool,
    **others: object,
) -> None:
    """Print the collectives of a change of sharding; raises BadInput for what is none."""
    _refuse(others, "--shard is about one tensor")
    for name, sizes, near in (("shape", shape, "8192,4096"), ("mesh", mesh, "8")):
        if sizes is None:
            raise BadInput(f"--{name} is missing, beside --shard; try: --{name} {near}")
    machine = where if where.is_given else None
    say_report(resharded(change, shape or (), mesh or (), dtype or DTYPE, machine), as_json)


def print_product(
    where: Where,
    sizes: Sequence[int],
    ranks: int | None,
    flops: float | None,
    as_json: bool,
    **others: object,
) -> None:
    """Print a gathered product at once and in pieces; raises BadInput for what is none."""
    _refuse(others, "--matmul is about one product")
    say_report(gathered_report(sizes, ranks, where, FLOPS if flops is None else flops), as_json)


def _refuse(options: Mapping[str, object], rule: str) -> None:
    """Refuse options that say nothing here."""
    for name, value in options.items():
        if value is not None:
            option = "scheme" if name == "schemes" else name
            raise BadInput(f"--{option}: {rule}; leave it out")
