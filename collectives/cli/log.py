"""Does what `collectives log` is asked for: who hangs, how NCCL is set up; draws or writes it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from collectives.cli.console import say_report
from collectives.errors import BadInput, imported, naming
from collectives.files import check_writable
from collectives.formats import FORMATS
from collectives.hangs.logs import LogsReport, log
from collectives.words import quoted


def explain_log(
    paths: Sequence[str], as_json: bool, output: str | None, algorithm: str, theme: str
) -> int:
    """Print what the files say, or write it, and return the exit status; raises BadInput."""
    if output is not None:
        check_writable(output)
    report = log(*paths)
    if output is not None:
        _write(report, output, algorithm, theme)
    if as_json or output is None:
        say_report(report, as_json)
    else:
        print(output)
    return report.status


def _write_stop(report: LogsReport, output: str, theme: str) -> None:
    """Write the page of a call that ranks are missing from, up to where nobody goes on."""
    from animations.player.page import write_page
    from animations.story.usual import usual_board
    from collectives.hangs.stop import stopped

    with naming(quoted(report.path)):
        if report.hang is None:
            raise BadInput("has no calls of ranks; try: a Flight Recorder dump of each rank")
        recording = stopped(report.hang)
    write_page(usual_board(recording), output, theme)


def _write(report: LogsReport, output: str, algorithm: str, theme: str) -> None:
    """Write the stop as a page, the algorithm, or the drawing."""
    if output.endswith(".html"):
        _write_stop(report, output, theme)
        return
    if known := FORMATS.get(Path(output).suffix):
        recording = report.recording(algorithm)
        known.save(recording, output)
        return
    setup = report.explained()
    imported("matplotlib", "a figure needs matplotlib", "figure")
    from animations.drawing.theme import THEMES
    from animations.figures import slide
    from animations.figures.nccl_log import draw

    with naming(quoted(setup.path)):
        page = draw(setup.log, algorithm, THEMES[theme])
    slide.save(page, output)
