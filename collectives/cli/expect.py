"""Does what `collectives expect` is asked for: a table of what a measurement should show."""

from __future__ import annotations

from collections.abc import Sequence

from collectives.cli.console import say_report
from collectives.cost.where import Where
from collectives.evidence.expect import expected


def print_expectation(
    collective: str,
    where: Where,
    ranks: int | None,
    like: str | None,
    sizes: Sequence[Sequence[int]],
    as_json: bool,
    output: str | None,
) -> None:
    """Print the table, and write it as CSV where that is asked for; raises BadInput."""
    wanted = [size for several in sizes for size in several]
    report = expected(collective, where, ranks, wanted or None, like)
    if output is not None:
        report.save(output)
    say_report(report, as_json)
