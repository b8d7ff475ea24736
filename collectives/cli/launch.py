"""Does what `collectives launch` is asked for: plays an algorithm on real ranks."""

from __future__ import annotations

from typing import Any

from collectives.cli.console import say, say_json, say_paragraph, say_table
from collectives.cli.show import described
from collectives.cli.subject import Subject
from collectives.cli.where import Where
from collectives.cost.by_name import setup_on
from collectives.cost.clocks.timing import Timing
from collectives.errors import BadInput, WrongSchedule
from collectives.launch.plan import RUNS
from collectives.launch.readings import Comparison, added
from collectives.launch.result import TIMEOUT, Launched, launch
from collectives.recording.recording import Recording
from collectives.units import rate_text, time_text
from collectives.words import plural

INDENT = 11
MOST_SHOWN = 40  # steps in the table


def launch_subject(
    subject: Subject,
    where: Where,
    backend: str,
    dtype: str | None,
    op: str | None,
    timeout: float | None,
    launcher: str | None,
    python: str | None,
    as_json: bool,
) -> None:
    """Launch it and report; raises WrongSchedule where the result is not the recording's."""
    limit = TIMEOUT if timeout is None else timeout
    if limit < 1:
        raise BadInput(f"--timeout {time_text(limit).replace(' ', '')}: at least 1s; nearest: 1s")
    recording = subject.recording(dtype, op)
    if where.is_given:
        where.check_fits(recording, where.setup())
    found = launch(recording, backend, timeout=limit, launcher=launcher or "", python=python or "")
    timing = modeled(found, where)
    if as_json:
        say_json(report(found, timing))
    else:
        show(found, timing)
    if not found.with_recording.equal:
        raise WrongSchedule(f"the ranks end with other bits: {_differ(found.with_recording)}")


def modeled(found: Launched, where: Where) -> Timing | None:
    """The model's time on the machine asked for, else on the one that was measured."""
    if where.is_given:
        return where.setup().time(found.recording)
    if found.machine is None:
        return None
    return setup_on(found.machine, where.clock).time(found.recording)


def report(found: Launched, timing: Timing | None) -> dict[str, Any]:
    """What a launch found, as plain values."""
    line, library = found.latency_and_bandwidth, found.with_library
    return described(found.recording) | {
        "library": found.library,
        "machines": found.hosts,
        "cores": sum(found.cores.values()),
        "oversubscribed": found.oversubscribed,
        "equals_recording": found.with_recording.equal,
        "equals_library": None if library is None else library.equal,
        "differing_elements": None if library is None else library.differing,
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
    _line("result", "every rank ends with the recording's bits")
    _line("library", library_text(found))
    least, most = (time_text(one(found.totals.tolist())) for one in (min, max))
    took = f"{time_text(found.total)}, the median of {RUNS} runs ({least} to {most})"
    _line("measured", f"{took} in {plural(len(recording.steps), 'step')}")
    if timing is not None:
        _line(
            "model",
            f"{time_text(timing.total)} by the {timing.clock} clock on {_where(found, timing)}",
        )
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


def _differ(compared: Comparison) -> str:
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
