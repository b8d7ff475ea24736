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
        found, timing, recording = self.launched, self.timing, self.launched.recording
        data = f"{recording.count} x {recording.dtype}"
        ranks = plural(recording.ranks, "rank")
        yield Heading(f"{recording.title} · {ranks} · {data} · {found.library}")
        if found.oversubscribed:
            cores = plural(sum(found.cores.values()), "core")
            nodes = plural(recording.nodes, "process")
            yield f"oversubscribed: {nodes} on {cores}, so these are not the times of a machine"
        yield ""
        for name, text in self._findings():
            yield Paragraph(text, name, INDENT)
        yield ""
        model = added(timing.step_end).tolist() if timing else []
        measured = found.step_seconds.tolist()
        rows = [
            (str(at + 1), time_text(seconds), *map(time_text, model[at : at + 1]))
            for at, seconds in enumerate(measured[:MOST_SHOWN])
        ]
        yield Grid(rows, ("step", "measured", *["model"] * bool(timing)), right=(0, 1, 2))
        if len(measured) > MOST_SHOWN:
            yield f"and {plural(len(measured) - MOST_SHOWN, 'further step')}: see --json"

    def _findings(self) -> Iterator[tuple[str, str]]:
        """What is said of a launch, and about what."""
        found, timing, compared = self.launched, self.timing, self.launched.with_recording
        equal = "every rank ends with the recording's bits" if compared.elements else NO_DATA
        yield "result", equal if compared.equal else f"not the recording's: {_differ(compared)}"
        yield "library", _library_text(found)
        if orders_matter(found):
            yield "orders", _orders_text(found)
        shortest, longest = (time_text(one(found.totals.tolist())) for one in (min, max))
        took = f"{time_text(found.total)}, the median of {RUNS} runs ({shortest} to {longest})"
        yield "measured", f"{took} in {plural(len(found.recording.steps), 'step')}"
        if timing is not None:
            modeled = f"{time_text(timing.total)} by the {timing.clock} clock"
            yield "model", f"{modeled} on {_where(found, timing)}"
        if found.hosts == 1:
            yield "network", LOOPBACK_ONLY if found.loopback_only else EVERY_INTERFACE

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        found, timing = self.launched, self.timing
        line, library = found.latency_and_bandwidth, found.with_library
        alike = [one.algorithm for one in adds_like(found)] if orders_matter(found) else None
        return described(found.recording) | {
            "library": found.library,
            "machines": found.hosts,
            "cores": sum(found.cores.values()),
            "oversubscribed": found.oversubscribed,
            "loopback_only": found.loopback_only,
            "equals_recording": found.with_recording.equal,
            "equals_library": None if library is None else library.equal,
            "differing_elements": None if library is None else library.differing,
            "library_adds_like": alike,
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


def _where(found: Launched, timing: Timing) -> str:
    line = found.latency_and_bandwidth
    if timing.topology is not found.machine or line is None:
        return timing.topology.name
    return f"a crossbar of {time_text(line[0])} and {rate_text(line[1])}, by ping-pong"


def _library_text(found: Launched) -> str:
    """How the library's own collective compares."""
    name, compared = found.recording.collective.title, found.with_library
    if found.no_collective:
        return f"nothing to compare: {found.no_collective}"
    if compared is None:
        return f"its own {name} returns on every rank; it moves no data"
    if compared.equal:
        return f"its own {name} gives the same bits"
    return f"its own {name} gives other bits: {_differ(compared)}{_why(found.recording)}"


def _orders_text(found: Launched) -> str:
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
