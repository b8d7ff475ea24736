"""Does what `collectives launch` is asked for: plays an algorithm on real ranks."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from collectives.cli.console import say, say_json, say_paragraph, say_table
from collectives.cli.show import described
from collectives.cli.subject import Subject
from collectives.cli.where import Where
from collectives.cost.by_name import setup_on
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.timing import Timing
from collectives.errors import BadInput, TooLarge, WrongSchedule, imported
from collectives.files import replacing
from collectives.launch.measurements import ResultComparison, added
from collectives.launch.orders import adds_like, order_text, orders_matter
from collectives.launch.plan import RUNS
from collectives.launch.run import TIMEOUT, Launched, launch
from collectives.recording.recording import Recording
from collectives.units import rate_text, time_text
from collectives.words import listed, plural

INDENT = 11
NO_DATA = "every rank has returned; there is no data to compare"
LOOPBACK_ONLY = "the loopback only: no other machine could reach the launch"
EVERY_INTERFACE = "not the loopback only: the launch may have listened on every interface"
MOST_SHOWN = 40  # steps in the table


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
        raise BadInput(f"--timeout {limit:g}: must be at least 1 s; nearest: --timeout 1")
    recording = subject.recording(asked.dtype, asked.op)
    if asked.where.is_given:
        asked.where.check_fits(recording, asked.where.setup())
    if asked.output:
        check_figure(recording)
    with ended_by_signal():
        found = launch(
            recording,
            asked.backend,
            timeout=limit,
            launcher=asked.launcher or "",
            python=asked.python,
        )
    setup = setup_of(found, asked.where)
    timing = None if setup is None else setup.time(found.recording)
    if asked.output and setup is not None:
        draw_figure(found, setup, asked.output, asked.theme)
    if asked.as_json:
        say_json(report(found, timing))
    else:
        show(found, timing)
    if asked.saved:  # or refused, when all else is said
        save_machine(found, asked.saved)
    for path in filter(None, (asked.output, asked.saved)):
        if not asked.as_json:
            say(f"written: {path}")
    if not found.with_recording.equal:
        raise WrongSchedule(f"the ranks end with other bits: {_differ(found.with_recording)}")


def setup_of(found: Launched, where: Where) -> Setup | None:
    """The model's machine and clock: the one asked for, else the one that was measured."""
    if where.is_given:
        return where.setup()
    return None if found.machine is None else setup_on(found.machine, where.clock)


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """Let SIGTERM, and SIGHUP of a terminal that is closed, end the processes and leave no files.

    That takes a second, in which these signals and Control-C are ignored. A signal that is ignored
    stays so: nohup asks for that.
    """

    def end(number: int, frame: object) -> None:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)

    numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
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


def draw_figure(found: Launched, setup: Setup, output: str, theme: str) -> None:
    """Write what was measured beside the model."""
    from animations.drawing.theme import THEMES
    from animations.figures.launched import beside, draw
    from animations.figures.slide import save

    save(draw(beside(found, setup), THEMES[theme]), output)


def save_machine(found: Launched, path: str) -> None:
    """Write the machine that was measured; raises BadInput where that was none."""
    if found.oversubscribed:
        raise BadInput(
            f"--save-machine {path}: oversubscribed, which measures no machine; "
            f"nearest: -n {max(2, min(found.cores.values()))}"
        )
    text = found.machine_file()
    if not text:
        raise BadInput(f"--save-machine {path}: one process measures no link; nearest: -n 2")
    with replacing(path) as file:
        file.write(text.encode())


def report(found: Launched, timing: Timing | None) -> dict[str, Any]:
    """What a launch found, as plain values."""
    line, library = found.latency_and_bandwidth, found.with_library
    return described(found.recording) | {
        "library": found.library,
        "machines": found.hosts,
        "cores": sum(found.cores.values()),
        "oversubscribed": found.oversubscribed,
        "loopback_only": found.loopback_only,
        "equals_recording": found.with_recording.equal,
        "equals_library": None if library is None else library.equal,
        "differing_elements": None if library is None else library.differing,
        "library_adds_like": [one.algorithm for one in adds_like(found)]
        if orders_matter(found)
        else None,
        "runs": RUNS,
        "seconds": found.total,
        "seconds_of_steps": found.step_seconds.tolist(),
        "clock_error": found.clock_error,
        "latency": None if line is None else line[0],
        "bandwidth": None if line is None else line[1],
        "model": timing
        and {
            "topology": timing.topology.name,
            "clock": timing.clock,
            "seconds": timing.total,
            "seconds_of_steps": added(timing.step_end).tolist(),
        },
    }


def show(found: Launched, timing: Timing | None) -> None:
    """Print what a launch found."""
    recording = found.recording
    data = f"{recording.count} x {recording.dtype}"
    nodes = plural(recording.nodes, "process")
    say(f"{recording.title} · {plural(recording.ranks, 'rank')} · {data} · {found.library}", True)
    if found.oversubscribed:
        cores = plural(sum(found.cores.values()), "core")
        say(f"oversubscribed: {nodes} on {cores}, so these are not the times of a machine")
    say()
    compared = found.with_recording
    equal = "every rank ends with the recording's bits" if compared.elements else NO_DATA
    _line("result", equal if compared.equal else f"not the recording's: {_differ(compared)}")
    _line("library", library_text(found))
    if orders_matter(found):
        _line("orders", orders_text(found))
    shortest, longest = (time_text(one(found.totals.tolist())) for one in (min, max))
    took = f"{time_text(found.total)}, the median of {RUNS} runs ({shortest} to {longest})"
    _line("measured", f"{took} in {plural(len(recording.steps), 'step')}")
    if timing is not None:
        _line(
            "model",
            f"{time_text(timing.total)} by the {timing.clock} clock on {_where(found, timing)}",
        )
    if found.hosts == 1:
        _line("network", LOOPBACK_ONLY if found.loopback_only else EVERY_INTERFACE)
    say()
    _show_steps(found, timing)


def _line(name: str, text: str) -> None:
    say_paragraph(text, name, INDENT)


def _where(found: Launched, timing: Timing) -> str:
    line = found.latency_and_bandwidth
    if timing.topology is not found.machine or line is None:
        return timing.topology.name
    return f"a crossbar of {time_text(line[0])} and {rate_text(line[1])}, by ping-pong"


def library_text(found: Launched) -> str:
    """How the library's own collective compares."""
    name, compared = found.recording.collective.title, found.with_library
    if found.no_collective:
        return f"nothing to compare: {found.no_collective}"
    if compared is None:
        return f"its own {name} returns on every rank; it moves no data"
    if compared.equal:
        return f"its own {name} gives the same bits"
    return f"its own {name} gives other bits: {_differ(compared)}{_why(found.recording)}"


def orders_text(found: Launched) -> str:
    """In which order the recording adds, and in which the library."""
    own, alike = f"here {order_text(found.recording)}", adds_like(found)
    if not alike:
        return f"{own}; the library has the bits of no algorithm of the catalog"
    names = listed([one.algorithm for one in alike], 4)
    return f"{own}; the library has the bits of {names}: {order_text(alike[0])}"


def _differ(compared: ResultComparison) -> str:
    return (
        f"{compared.differing} of {plural(compared.elements, 'element')} differ, "
        f"by at most {plural(compared.units, 'unit')} in the last place"
    )


def _why(recording: Recording) -> str:
    sums = recording.dtype.kind == "f" and recording.collective.reduces
    return ", as it adds in another order" if sums else ""


def _show_steps(found: Launched, timing: Timing | None) -> None:
    """A row for each step: what was measured, and the model's."""
    measured = found.step_seconds.tolist()
    model = added(timing.step_end).tolist() if timing else []
    rows = []
    for step, seconds in enumerate(measured[:MOST_SHOWN]):
        rows.append((str(step + 1), time_text(seconds), *map(time_text, model[step : step + 1])))
    say_table(rows, ("step", "measured", *["model"] * bool(timing)), right=(0, 1, 2))
    if len(measured) > MOST_SHOWN:
        say(f"and {plural(len(measured) - MOST_SHOWN, 'further step')}: see --json")
