"""A launch in space and time: what real ranks did, beside what the model says they do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from animations.drawing.theme import DARK, Theme
from animations.figures import small_print
from animations.figures.slide import EDGE, LABEL, PIXELS, add_axes, extent, room, slide, write
from animations.figures.space_time import SpaceTime, Span, frame, lanes, space_time
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.timing import Messages, Timing
from collectives.launch.plan import RUNS
from collectives.launch.run import Launched
from collectives.units import rate_text, time_text
from collectives.words import capital, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAP = 0.075  # between the two diagrams: for the idle shares of the first
MOST_UNLIKE = 3  # times that differ more are drawn at scales of their own


@dataclass(frozen=True, eq=False)
class MeasuredTiming(Timing):
    """The timing of one run: the messages as the processes saw them."""

    seen: Messages

    @property
    def messages(self) -> Messages:
        """When each message was given to the engine, and when its receiver found it there."""
        return self.seen


@dataclass(frozen=True, eq=False)
class MeasuredLanes(SpaceTime):
    """Busy is what a process does between its first step and its last, but for its waits."""

    waits: tuple[tuple[Span, ...], ...]

    def idle(self, node: int) -> list[Span]:
        """When a node waits for messages; before it begins and after its end it does not."""
        return list(self.waits[node])


@dataclass(frozen=True, eq=False)
class Beside:
    """The run of the median time, and the model's messages."""

    launched: Launched
    measured: SpaceTime
    model: SpaceTime


def beside(launched: Launched, setup: Setup) -> Beside:
    """Both diagrams of a launch."""
    model = space_time(launched.recording, setup)
    run = launched.median_run
    spans = launched.spans[run]
    messages, waits = _seen(launched, run)
    timing = MeasuredTiming(
        "measured",
        launched.recording,
        model.timing.topology,
        Costs(),
        launched.total,
        spans[:, 0],
        spans[:, 1],
        lambda: iter(()),
        messages,
    )
    busy = tuple(_between(launched, run, node, spans) for node, spans in enumerate(waits))
    return Beside(launched, MeasuredLanes(timing, setup, busy, tuple(map(tuple, waits))), model)


def _seen(launched: Launched, run: int) -> tuple[Messages, list[list[Span]]]:
    """The messages of a run, and when each node waits for messages."""
    sent: dict[tuple[int, int, int], tuple[float, float]] = {}
    came: dict[tuple[int, int, int], float] = {}
    waits: list[list[Span]] = []
    for node, program in enumerate(launched.plan.programs):
        times, at = launched.times[node][run] - launched.begins[run], 1
        waits.append([])
        for number, sends, receives, _ in program:
            begun = [times[at - 1]]
            ended = []
            for peer, _ in sends:
                sent[number, node, peer] = float(times[at]), float(times[at + 1])
                begun.append(times[at])
                ended.append(times[at + 1])
                at += 2
            for peer, _ in receives:
                came[number, peer, node] = float(times[at])
                ended.append(times[at])
                at += 1
            if ended:
                waits[-1].append((float(max(begun)), float(max(ended))))
            at += 2
    keys = sorted(sent)
    step, src, dst = np.array(keys, np.intp).reshape(-1, 3).T
    start, done = np.array([sent[key] for key in keys]).reshape(-1, 2).T
    end = np.array([came[key] for key in keys])
    return Messages(step - 1, src, dst, np.zeros(len(keys)), start, done, end), waits


def _between(launched: Launched, run: int, node: int, waits: list[Span]) -> tuple[Span, ...]:
    """The time from the begin of a node's first step to the end of its last, but for its waits."""
    times = launched.times[node][run] - launched.begins[run]
    if not len(times):
        return ()
    edges = [float(times[0]), *(edge for span in waits for edge in span), float(times[-1])]
    return tuple(zip(edges[::2], edges[1::2], strict=True))


def draw(data: Beside, theme: Theme = DARK) -> Figure:
    """Two diagrams with the same ranks: measured on the left, modeled on the right."""
    measured, model, recording = data.measured, data.model, data.launched.recording
    page = slide(_title(data), _small(data), theme)
    bottom, top = room(page)
    helpers = range(recording.nodes - recording.ranks)
    names = [f"rank {k}" for k in range(recording.ranks)]
    names += [f"{recording.helpers} {k}" for k in helpers]
    left = EDGE + (max(extent(page, name, LABEL)[0] for name in names) + 12) / PIXELS[0]
    width = (1 - EDGE - GAP - left - GAP) / 2
    totals = [side.timing.total for side in (measured, model)]
    alike = max(totals) <= MOST_UNLIKE * min(totals)
    sides = (
        (measured, "measured", "waits"),
        (model, "model" if alike else "model, at its own scale", "idle"),
    )
    for k, (side, head, hatched) in enumerate(sides):
        begin, total = left + k * (width + GAP), side.timing.total
        axes = add_axes(page, theme, box=(begin, bottom - 0.04, begin + width, top - 0.03))
        named = [""] * len(names) if k else names
        frame(axes, len(names), max(totals) if alike else total, labels(named), max_ticks=4)
        lanes(axes, side, theme)
        for artist in axes.findobj(lambda artist: bool(artist.get_gid())):
            artist.set_gid(f"{side.timing.clock}-{artist.get_gid()}")  # unlike those beside it
        text = f"{head}: {time_text(total)}"
        write(page, begin, top - 0.015, text, theme.ink, LABEL, va="bottom", weight="bold")
        at = begin + width + 0.012
        write(page, at, top - 0.015, hatched, theme.faint, LABEL, va="bottom")
    return page


def labels(names: list[str]) -> Callable[[float], str]:
    """The name of each node at its tick."""
    return lambda node: names[int(node)]


def _title(data: Beside) -> str:
    launched, model = data.launched, data.model.timing
    crowd = " (oversubscribed)" if launched.oversubscribed else ""
    subject = (
        f"{small_print.heading(launched.recording)}: {time_text(launched.total)} measured{crowd}"
    )
    return f"{subject}, {time_text(model.total)} modeled"


def _small(data: Beside) -> str:
    launched, setup = data.launched, data.model.setup
    clocks = "All processes read one clock, that of their machine"
    if launched.hosts > 1:
        error = time_text(launched.clock_error)
        clocks = f"Clocks are set by messages to rank 0 and back, to within {error}"
    crowd = ""
    if launched.oversubscribed:
        processes = plural(launched.recording.nodes, "process")
        crowd = f"Oversubscribed: {processes} on {plural(sum(launched.cores.values()), 'core')}. "
    return (
        f"{crowd}{launched.library}. Of {RUNS} runs the one of the median time, after a barrier. "
        "Each "
        "arrow is a message, from when it is given to the engine to when its receiver finds it. "
        f"Full: the process works; hatched: it waits for its messages. {clocks}. "
        f"{capital(_model(data, setup))}. {capital(small_print.arguments(launched.recording))}."
    )


def _model(data: Beside, setup: Setup) -> str:
    line = data.launched.latency_and_bandwidth
    if data.model.timing.topology is not data.launched.machine or line is None:
        return small_print.model(data.model.timing.topology, setup)
    figures = f"α = {time_text(line[0])} and {rate_text(line[1])}, measured by ping-pong"
    return f"{small_print.clock(setup)} on a crossbar of {figures}"
