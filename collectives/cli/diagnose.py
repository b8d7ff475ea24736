"""Does what `collectives diagnose` is asked for: the verdict on measurements, and its status."""

from __future__ import annotations

from collections.abc import Sequence

from collectives.cli.console import say_report
from collectives.comparison.diagnose import diagnosed
from collectives.comparison.verdicts import UNKNOWN
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.words import quoted


def print_health(
    paths: Sequence[str], where: Where, ranks: int | None, collective: str | None, as_json: bool
) -> int:
    """Print the report and return its exit status; raises BadInput where it cannot say."""
    report = diagnosed(paths, where, ranks, collective)
    say_report(report, as_json)
    if report.verdict.kind == UNKNOWN:
        raise BadInput(f"{quoted(report.files[0].path)}: {report.verdict}")
    return report.status
