"""Does what `collectives train` is asked for: a table of what a training step costs."""

from __future__ import annotations

from typing import Any

from collectives.cli.console import say_report
from collectives.cost.where import Where
from collectives.training.train import trained
from collectives.training.train_model import TrainingOptions


def print_training(
    where: Where, ranks: int, schemes: list[str], as_json: bool, **options: Any
) -> None:
    """Print the table; raises BadInput for what cannot be trained so."""
    given = {name: value for name, value in options.items() if value is not None}
    say_report(trained(TrainingOptions(**given), ranks, where, schemes), as_json)
