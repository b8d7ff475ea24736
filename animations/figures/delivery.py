"""One message in time, by each way to deliver it: the handshake against the write, and flags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from animations.drawing.theme import DARK, Theme
from animations.figures.axis_ticks import even_locator, ticks
from animations.figures.slide import LABEL, LEFT, NAME, add_axes, make_room_for_ticks, note, slide
from collectives.cost.machines.topology import Topology
from collectives.cost.machines.usual import neighbor_link
from collectives.cost.one_message import DELIVERIES, Delivery, delivery_seconds
from collectives.units import rate_text, size_text, time_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LANE_GAP = 0.45  # from the line of the sender to that of the receiver, of a row
RIGHT = 0.84  # of the axes
FITS = 0.2  # of their width, from which on a band has room for its name
FLAGGED = "data and flags"  # what a band of these is called, or its row
SEEN = 0.12  # of their width, from which on a message without data has room for its word


@dataclass(frozen=True)
class DeliveryTimes:
    """What each way takes for so many bytes on a machine."""

    size: int
    machine: Topology
    seconds: dict[str, float]


def delivery(size: int, machine: Topology) -> DeliveryTimes:
    """The times of a message between neighboring ranks of a machine."""
    return DeliveryTimes(size, machine, delivery_seconds(size, machine))


def draw(data: DeliveryTimes, theme: Theme = DARK) -> Figure:
    """A row for each way: the sender above, the receiver below, bands and arrows between them."""
    latency, bandwidth = neighbor_link(data.machine)
    first, last = (data.seconds[name] for name in ("handshake", "put with signal"))
    title = (
        f"{size_text(data.size)} from a rank to the next: a handshake takes {time_text(first)}, "
        f"a put with its signal {time_text(last)}"
    )
    small = (
        f"{data.machine.name}: {time_text(latency)}, {rate_text(bandwidth)}. Time on the wire, "
        "without the work of kernels. LL: 4 B of flag with 4 B of data; LL128: 8 B with 120 B."
    )
    page = slide(title, small, theme)
    axes = add_axes(page, theme, box=(LEFT, 0.2, RIGHT, 0.8))
    axes.grid(False)
    axes.set(xlim=(0, max(data.seconds.values())), ylim=(len(DELIVERIES) - 0.4, -0.3))
    ticks(axes.xaxis, even_locator(6), time_text)
    rows = range(len(DELIVERIES))
    heights = [row + line * LANE_GAP for row in rows for line in (0, 1)]
    ticks(axes.yaxis, heights, lambda height: f"rank {int(height % 1 > 0)}")
    axes.tick_params(axis="y", length=0)
    make_room_for_ticks(axes)
    has_words = latency >= SEEN * max(data.seconds.values())
    for row, (name, way) in enumerate(DELIVERIES.items()):
        title = name if has_words else f"{name}{_words(way, latency)}"
        if way.sent > 1 and not _has_room(axes, way.sent * data.size / bandwidth):
            title += f" · {FLAGGED}"
        note(axes, title, (0, row), (4, 5), theme.ink, LABEL, va="bottom")
        _row(axes, row, way, (latency, data.size / bandwidth), theme, has_words)
        look = {"va": "center", "annotation_clip": False}
        end = data.seconds[name], row + LANE_GAP / 2
        note(axes, time_text(data.seconds[name]), end, (12, 0), theme.ink, NAME, **look)
    return page


def _has_room(axes: Axes, seconds: float) -> bool:
    """Whether a band of so many seconds has room for its name."""
    return seconds > FITS * axes.get_xlim()[1]


def _words(way: Delivery, latency: float) -> str:
    """What goes to and fro before or after the data, and how long, where that is not seen."""
    before = f" · asks, told where: {time_text(way.before * latency)} before"
    after = f" · arrived, flag: {time_text(way.after * latency)} after"
    return before * bool(way.before) + after * bool(way.after)


def _row(
    axes: Axes, row: int, way: Delivery, wire: tuple[float, float], theme: Theme, has_words: bool
) -> None:
    """The lines of sender and receiver, what is asked and told, the data, the flag after it."""
    asks, answer, arrived, flag = (
        ("asks", "told where", "arrived", "flag") if has_words else ("",) * 4
    )
    latency, seconds = wire
    total = way.latencies * latency + way.sent * seconds
    for line in (row, row + LANE_GAP):
        axes.plot((0, total), (line, line), color=theme.edge, linewidth=2)
    start = way.before * latency
    if way.before:
        _arrow(axes, (0, row), (latency, row + LANE_GAP), asks, theme)
        _arrow(axes, (latency, row + LANE_GAP), (start, row), answer, theme)
    sent = way.sent * seconds
    corners: list[tuple[float, float]] = [(start, row), (start + sent, row)]
    corners += [(x + latency, row + LANE_GAP) for x, _ in reversed(corners)]
    axes.fill(*zip(*corners, strict=True), color=theme.hues[0], linewidth=2)
    text, middle = FLAGGED if way.sent > 1 else "data", start + (sent + latency) / 2
    if _has_room(axes, sent):
        look = {"ha": "center", "va": "center"}
        note(axes, text, (middle, row + LANE_GAP / 2), (0, 0), theme.now_ink, LABEL, **look)
    elif way.sent == 1:
        _beside(axes, (middle + sent / 2, row + LANE_GAP / 2), text, theme)
    if way.after:
        acknowledged = total - latency
        _arrow(axes, (acknowledged - latency, row + LANE_GAP), (acknowledged, row), arrived, theme)
        _arrow(axes, (acknowledged, row), (total, row + LANE_GAP), flag, theme)


def _arrow(
    axes: Axes, tail: tuple[float, float], head: tuple[float, float], text: str, theme: Theme
) -> None:
    """A short message, with what it says."""
    look = {"arrowstyle": "-|>", "color": theme.ink, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", head, tail, arrowprops=look)
    middle = (tail[0] + head[0]) / 2, (tail[1] + head[1]) / 2
    _beside(axes, middle, text, theme, falls=head[1] > tail[1])


def _beside(
    axes: Axes, middle: tuple[float, float], text: str, theme: Theme, falls: bool = True
) -> None:
    """What a message says, on its right: above it where it falls, else below it."""
    offset, side = ((6, 1), "bottom") if falls else ((6, -1), "top")
    note(axes, text, middle, offset, theme.ink, LABEL - 2, va=side)
