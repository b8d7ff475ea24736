"""Does what `collectives calibrate` is asked for: writes the machine, then prints the report."""

from __future__ import annotations

from collections.abc import Sequence

from collectives.cli.console import say_report
from collectives.comparison.calibrate import calibrate
from collectives.files import check_writable


def print_calibration(
    paths: Sequence[str],
    output: str,
    ranks: int | None,
    nodes: int | None,
    collective: str | None,
    as_json: bool,
) -> None:
    """Write FILE.toml and print how well it foretells; raises BadInput, and then writes none."""
    check_writable(output)
    report = calibrate(*paths, ranks=ranks, nodes=nodes, collective=collective)
    report.save(output)
    say_report(report, as_json)
