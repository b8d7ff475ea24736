"""What a launch on real ranks found: results, and times beside the model's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from collectives.cost.clocks.timing import Timing
from collectives.launch.measurements import ResultComparison, added
from collectives.launch.orders import adds_like, order_text, orders_matter
from collectives.launch.plan import RUNS
from collectives.launch.run import Launched
from collectives.recording.described import described
from collectives.recording.recording import Recording
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.units import rate_text, time_text
from collectives.words import listed, plural

INDENT = 11
NO_DATA = "every rank has returned; there is no data to compare"
LOOPBACK_ONLY = "the loopback only: no other machine could reach the launch"
EVERY_INTERFACE = "not the loopback only: the launch may have listened on every interface"
MOST_SHOWN = 40  # steps in the table


@dataclass(frozen=True)
class LaunchReport:
    """A launch, and the model's time on the machine that was measured or asked for, if any."""

    launched: Launched
    timing: Timing | None = None

    @property
    def wrong(self) -> str:
        """What the ranks end with that the recording does not; empty where they are right."""
        compared = self.launched.with_recording
        return "" if compared.equal else f"the ranks end with other bits: {_differ(compared)}"

    def lines(self) -> Lines:
        """Results compared, then the time of each step."""
        run, timing, recording = self.launched, self.timing, self.launched.recording
        data = f"{recording.count} x {recording.dtype}"
        ranks = plural(recording.ranks, "rank")
        yield Heading(f"{recording.title} · {ranks} · {data} · {run.library}")
        if run.oversubscribed:
            cores = plural(sum(run.cores.values()), "core")
            nodes = plural(recording.nodes, "process")
            yield f"oversubscribed: {nodes} on {cores}, so these are not the times of a machine"
        yield ""
        for name, text in self._findings():
            yield Paragraph(text, name, INDENT)
        yield ""
        model = added(timing.step_end).tolist() if timing else []
        measured = run.step_seconds.tolist()
        rows = [
            (str(at + 1), time_text(seconds), *map(time_text, model[at : at + 1]))
            for at, seconds in enumerate(measured[:MOST_SHOWN])
        ]
        yield Grid(rows, ("step", "measured", *["model"] * bool(timing)), right=(0, 1, 2))
        if len(measured) > MOST_SHOWN:
            yield f"and {plural(len(measured) - MOST_SHOWN, 'further step')}: see --json"

    def _findings(self) -> Iterator[tuple[str, str]]:
        """What is said of a launch, and about what."""
        run, timing, compared = self.launched, self.timing, self.launched.with_recording
        equal = "every rank ends with the recording's bits" if compared.elements else NO_DATA
        yield "result", equal if compared.equal else f"not the recording's: {_differ(compared)}"
        yield "library", _library_text(run)
        if orders_matter(run):
            yield "orders", _orders_text(run)
        shortest, longest = (time_text(extreme(run.totals.tolist())) for extreme in (min, max))
        took = f"{time_text(run.total)}, the median of {RUNS} runs ({shortest} to {longest})"
        yield "measured", f"{took} in {plural(len(run.recording.steps), 'step')}"
        if timing is not None:
            modeled = f"{time_text(timing.total)} by the {timing.clock} clock"
            yield "model", f"{modeled} on {_where(run, timing)}"
        if run.hosts == 1:
            yield "network", LOOPBACK_ONLY if run.loopback_only else EVERY_INTERFACE

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        run, timing = self.launched, self.timing
        line, library = run.latency_and_bandwidth, run.with_library
        alike = [like.algorithm for like in adds_like(run)] if orders_matter(run) else None
        return described(run.recording) | {
            "library": run.library,
            "machines": run.hosts,
            "cores": sum(run.cores.values()),
            "oversubscribed": run.oversubscribed,
            "loopback_only": run.loopback_only,
            "equals_recording": run.with_recording.equal,
            "equals_library": None if library is None else library.equal,
            "differing_elements": None if library is None else library.differing,
            "library_adds_like": alike,
            "runs": RUNS,
            "seconds": run.total,
            "seconds_of_steps": run.step_seconds.tolist(),
            "clock_error": run.clock_error,
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


def _where(run: Launched, timing: Timing) -> str:
    line = run.latency_and_bandwidth
    if timing.topology is not run.machine or line is None:
        return timing.topology.name
    return f"a crossbar of {time_text(line[0])} and {rate_text(line[1])}, by ping-pong"


def _library_text(run: Launched) -> str:
    """How the library's own collective compares."""
    name, compared = run.recording.collective.title, run.with_library
    if run.no_collective:
        return f"nothing to compare: {run.no_collective}"
    if compared is None:
        return f"its own {name} returns on every rank; it moves no data"
    if compared.equal:
        return f"its own {name} gives the same bits"
    return f"its own {name} gives other bits: {_differ(compared)}{_why(run.recording)}"


def _orders_text(run: Launched) -> str:
    """In which order the recording adds, and in which the library."""
    own, alike = f"here {order_text(run.recording)}", adds_like(run)
    if not alike:
        return f"{own}; the library has the bits of no algorithm of the catalog"
    names = listed([like.algorithm for like in alike], 4)
    return f"{own}; the library has the bits of {names}: {order_text(alike[0])}"


def _differ(compared: ResultComparison) -> str:
    return (
        f"{compared.differing} of {plural(compared.elements, 'element')} differ, "
        f"by at most {plural(compared.units, 'unit')} in the last place"
    )


def _why(recording: Recording) -> str:
    sums = recording.dtype.kind == "f" and recording.collective.reduces
    return ", as it adds in another order" if sums else ""
