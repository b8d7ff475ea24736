"""The space-time diagram: messages as arrows between the lines of ranks, idle time hatched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from animations.drawing.theme import DARK, Theme
from animations.figures import small_print
from animations.figures.axis_ticks import even_locator, ticks
from animations.figures.slide import (
    LABEL,
    LEFT,
    TICK,
    add_axes,
    extent,
    make_room_for_ticks,
    note,
    room,
    slide,
    write,
)
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.timing import Timing
from collectives.errors import BadInput, TooLarge
from collectives.recording.recording import Recording
from collectives.units import time_text
from collectives.words import capital, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_NODES, MOST_MESSAGES = 20, 600
STEP_SIZE = TICK - 1.5  # of the numbers of steps, in points
STEP_ROOM = 0.02  # for the numbers of steps above
RIGHT = 0.885  # of the axes
Span = tuple[float, float]


@dataclass(frozen=True, eq=False)
class SpaceTime:
    """A timing with when each node is busy: sending, receiving or adding, [node][interval]."""

    timing: Timing
    setup: Setup
    busy: tuple[tuple[Span, ...], ...]

    def idle(self, node: int) -> list[Span]:
        """When a node is not busy."""
        edges = [0.0, *(edge for span in self.busy[node] for edge in span), self.timing.total]
        gaps = zip(edges[::2], edges[1::2], strict=True)
        return [(start, end) for start, end in gaps if end - start > 1e-9 * self.timing.total]

    def idle_share(self, node: int) -> float:
        """The part of the time in which a node is not busy."""
        total = self.timing.total
        return sum(end - start for start, end in self.idle(node)) / total if total else 0.0


def space_time(recording: Recording, setup: Setup) -> SpaceTime:
    """The messages of a recording in time; raises BadInput for more than can be told apart."""
    check_drawable(recording)
    timing = setup.time(recording)
    if not np.isfinite(timing.total):
        raise BadInput(f"{recording.title} never ends on {timing.topology.name}: a link is dead")
    busy = tuple(tuple(timing.busy_spans(node)) for node in range(recording.nodes))
    return SpaceTime(timing, setup, busy)


def check_drawable(recording: Recording) -> None:
    """Raise BadInput for more lines, or more messages, than can be told apart."""
    if recording.nodes > MOST_NODES:
        raise TooLarge(
            f"{recording.nodes} nodes: a space-time diagram has at most {MOST_NODES} lines", "-n 16"
        )
    if recording.counters.messages > MOST_MESSAGES:
        raise TooLarge(
            f"{recording.counters.messages} messages: at most {MOST_MESSAGES} can be told apart",
            "fewer ranks or chunks",
        )


def draw(data: SpaceTime, theme: Theme = DARK) -> Figure:
    """A line for each node, ranks on top; an arrow from a sender's line to its receiver's."""
    timing, recording = data.timing, data.timing.recording
    page = slide(_title(data), _small(data), theme)
    bottom, top = room(page)
    top -= STEP_ROOM
    axes = add_axes(page, theme, box=(LEFT, bottom - 0.04, RIGHT, top))
    frame(axes, recording.nodes, timing.total, lambda node: _name(data, int(node)))
    make_room_for_ticks(axes)
    _steps(axes, timing, theme)
    lanes(axes, data, theme)
    write(page, RIGHT + 0.012, top + 0.012, "idle", theme.faint, LABEL, va="bottom")
    return page


def frame(
    axes: Axes, nodes: int, total: float, name: Callable[[float], str], max_ticks: int = 6
) -> None:
    """Time to the right, at most so many ticks of it; nodes from the top down, with their names."""
    axes.grid(False)
    axes.set(xlim=(0, total or 1.0), ylim=(nodes - 0.45, -0.55))
    ticks(axes.xaxis, even_locator(max_ticks), time_text)
    ticks(axes.yaxis, range(nodes), name)
    axes.tick_params(axis="y", length=0)


def lanes(axes: Axes, data: SpaceTime, theme: Theme) -> None:
    """The line of each node and the arrow of each message."""
    for node in range(data.timing.recording.nodes):
        _line(axes, data, node, theme)
    _arrows(axes, data, theme)


def _name(data: SpaceTime, node: int) -> str:
    ranks = data.timing.recording.ranks
    if node < ranks:
        return f"rank {node}"
    placement = data.timing.topology.placement(ranks, data.timing.recording.nodes)
    return data.timing.topology.label(int(placement[node]))


def _steps(axes: Axes, timing: Timing, theme: Theme) -> None:
    """In lockstep: where each step begins, with its number where there is room."""
    if timing.clock != "lockstep" or not len(timing.step_start):
        return
    for start in timing.step_start.tolist():
        axes.axvline(start, color=theme.line, linewidth=1.5, zorder=0)
    page: Any = axes.get_figure(root=True)
    pixels = axes.get_window_extent().width / (timing.total or 1.0)
    number, free = len(timing.step_start), 0.0
    for k in range(number):
        middle = (float(timing.step_start[k]) + float(timing.step_end[k])) / 2
        text = f"step {k + 1}" if number <= 8 else str(k + 1)
        half = (extent(page, text, STEP_SIZE)[0] / 2 + 4) / pixels
        if middle - half < free or middle + half > timing.total:
            continue
        free = middle + half
        top = ("data", "axes fraction")
        note(axes, text, (middle, 1), (0, 4), theme.faint, STEP_SIZE, top, ha="center")


def _line(axes: Axes, data: SpaceTime, node: int, theme: Theme) -> None:
    """A node's line: a full bar while it is busy, a hatched one while it is not."""
    full = {"color": _color(data, node, theme), "linewidth": 0}
    hatched = {"facecolor": theme.background, "edgecolor": theme.faint, "hatch": "////"}
    for gid, spans, look in (("busy", data.busy[node], full), ("idle", data.idle(node), hatched)):
        start, end = np.array(spans).reshape(-1, 2).T
        axes.barh(node, end - start, 0.2, start, zorder=3, gid=f"{gid}-{node}", **look)
    share = f"{round(100 * data.idle_share(node), 6):.0f} %"  # the same for equal ones
    note(axes, share, (1, node), (12, 0), theme.ink, TICK, ("axes fraction", "data"), va="center")


def _arrows(axes: Axes, data: SpaceTime, theme: Theme) -> None:
    """Each message: from its start on the sender's line to its end on the receiver's."""
    messages = data.timing.messages
    width, head = (2.2, 14) if len(messages) <= 200 else (1.2, 9)
    for row in range(len(messages)):
        src, dst = int(messages.src[row]), int(messages.dst[row])
        away = 0.1 if dst > src else -0.1
        axes.annotate(
            "",
            (float(messages.end[row]), dst - away),
            (float(messages.start[row]), src + away),
            arrowprops={
                "arrowstyle": "-|>,head_width=0.28,head_length=0.55",
                "color": _color(data, src, theme),
                "linewidth": width,
                "shrinkA": 0,
                "shrinkB": 0,
                "mutation_scale": head,
            },
            zorder=4,
            gid=f"message-{row}",
        )


def _color(data: SpaceTime, node: int, theme: Theme) -> str:
    return theme.rank(node) if node < data.timing.recording.ranks else theme.ink


def _title(data: SpaceTime) -> str:
    timing = data.timing
    subject = f"{small_print.heading(timing.recording)} takes {time_text(timing.total)}"
    ranks = range(timing.recording.ranks)
    mean = sum(data.idle_share(rank) for rank in ranks) / len(ranks)
    if mean < 0.005:
        return f"{subject}: no rank is ever idle"
    return f"{subject}: ranks idle {percent(mean)} of the time on average"


def _small(data: SpaceTime) -> str:
    recording, topology = data.timing.recording, data.timing.topology
    model = capital(small_print.model(topology, data.setup))
    return (
        "Each arrow is a message, from departure to arrival. Hatched: idle. "
        f"{model}. {capital(small_print.arguments(recording))}."
    )
