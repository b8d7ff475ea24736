"""Does what `collectives launch` is asked for: plays an algorithm on real ranks."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from collectives.cli.console import say, say_report
from collectives.cli.subject import Subject
from collectives.cost.by_name import setup_on
from collectives.cost.choose.setup import Setup
from collectives.cost.where import Where
from collectives.errors import BadInput, TooLarge, WrongSchedule, imported
from collectives.files import replacing
from collectives.launch.launch_report import LaunchReport
from collectives.launch.run import TIMEOUT, Launched, launch
from collectives.recording.recording import Recording
from collectives.words import plural


@dataclass(frozen=True)
class LaunchOptions:
    """What is asked for beside the subject; None where it is not given.

    output: the file of a figure. saved: that of the machine that was measured.
    """

    backend: str
    where: Where
    dtype: str | None
    op: str | None
    timeout: float | None
    launcher: str | None
    python: str | None
    output: str | None
    theme: str
    saved: str | None
    as_json: bool


def launch_subject(subject: Subject, asked: LaunchOptions) -> None:
    """Launch it and report; raises WrongSchedule where the result is not the recording's."""
    limit = TIMEOUT if asked.timeout is None else asked.timeout
    if limit < 1:
        raise BadInput(f"--timeout {limit:g}: must be at least 1 s; try: --timeout 1")
    recording = subject.recording(asked.dtype, asked.op)
    if asked.where.is_given:
        asked.where.check_fits(recording, asked.where.setup())
    if asked.output:
        check_figure(recording)
    launcher = asked.launcher or ""
    with ended_by_signal():
        launched = launch(
            recording, asked.backend, timeout=limit, launcher=launcher, python=asked.python
        )
    setup = setup_of(launched, asked.where)
    timing = None if setup is None else setup.time(launched.recording)
    if asked.output and setup is not None:
        draw_figure(launched, setup, asked.output, asked.theme)
    report = LaunchReport(launched, timing)
    say_report(report, asked.as_json)
    if asked.saved:  # or refused, when all else is said
        save_machine(launched, asked.saved)
    for path in filter(None, (asked.output, asked.saved)):
        if not asked.as_json:
            say(f"written: {path}")
    if report.wrong:
        raise WrongSchedule(report.wrong)


def setup_of(launched: Launched, where: Where) -> Setup | None:
    """The model's machine and clock: the one asked for, else the one that was measured."""
    if where.is_given:
        return where.setup()
    return None if launched.machine is None else setup_on(launched.machine, where.clock)


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """Let SIGTERM, and SIGHUP of a terminal that is closed, end the processes and leave no files.

    That takes a second, in which these signals and Control-C are ignored. A signal that is ignored
    stays so: nohup asks for that.
    """

    def end(number: int, frame: object) -> None:
        for kind in before:
            signal.signal(kind, signal.SIG_IGN)
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)

    names = ("SIGTERM", "SIGHUP", "SIGINT")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    every = {number: signal.getsignal(number) for number in numbers}
    before = {number: was for number, was in every.items() if was != signal.SIG_IGN}
    for number in before:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was)


def check_figure(recording: Recording) -> None:
    """Raise NotInstalled without matplotlib, BadInput for what cannot be drawn."""
    imported("matplotlib", "a figure needs matplotlib", "figure")
    from animations.figures.space_time import check_drawable

    try:
        check_drawable(recording)
    except TooLarge as problem:
        raise TooLarge(problem.what, problem.near, fixed="leave -o out") from None
    if not recording.counters.messages:
        raise BadInput(
            f"-o: {recording.title} on {plural(recording.ranks, 'rank')} sends no message"
        )


def draw_figure(launched: Launched, setup: Setup, output: str, theme: str) -> None:
    """Write what was measured beside the model."""
    from animations.drawing.theme import THEMES
    from animations.figures.launched import beside, draw
    from animations.figures.slide import save

    save(draw(beside(launched, setup), THEMES[theme]), output)


def save_machine(launched: Launched, path: str) -> None:
    """Write the machine that was measured; raises BadInput where that was none."""
    if launched.oversubscribed:
        raise BadInput(
            f"--save-machine {path}: oversubscribed, which measures no machine; "
            f"try: -n {max(2, min(launched.cores.values()))}"
        )
    text = launched.machine_file()
    if not text:
        raise BadInput(f"--save-machine {path}: one process measures no link; try: -n 2")
    with replacing(path) as file:
        file.write(text.encode())
