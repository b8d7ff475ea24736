"""The heat map of links: how much each link of a machine carries, drawn on the machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from animations.drawing.shapes import Stroke
from animations.drawing.theme import DARK, Theme
from animations.figures import small_print
from animations.figures.axis_ticks import ticks
from animations.figures.line_styles import shades
from animations.figures.machine import FACTS, pairs, picture_of
from animations.figures.slide import LABEL, add_axes, facts, put, slide, write
from animations.pictures.machine_layout import lay_out
from collectives.cost.choose.setup import Setup, emptied
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.paths import Floats
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.units import size_text, time_text
from collectives.words import capital, listed, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

THIN, THICK, SHIFT = 3.0, 16.0, 4.5  # pixels: widths; between the two directions
SMALL_SHARE = 0.005  # of the time: less is not worth a word
SAME_USE = 1e-6  # of a share of the time: less apart is the same
PALEST = 0.2  # of the shades, 0 to 1: that of a link that is hardly used


@dataclass(frozen=True, eq=False)
class LinkLoad:
    """A timing, and for each link the share of the time in which it carries bytes, 0 to 1.

    use: [link]. latency: the share of the time that the same messages take without bytes.
    """

    timing: Timing
    setup: Setup
    use: Floats
    latency: float

    @property
    def busiest(self) -> list[int]:
        """The links that are busy for the largest share of the time."""
        links: list[int] = np.flatnonzero(self.use >= self.use.max() * (1 - SAME_USE)).tolist()
        return links


def load(recording: Recording, setup: Setup) -> LinkLoad:
    """The load of the links while a recording runs there; raises BadInput for too large ones."""
    lay_out(setup.machine(recording))
    timing = setup.time(recording)
    if not np.isfinite(timing.total):
        raise BadInput(f"{recording.title} never ends on {timing.topology.name}: a link is dead")
    latency = setup.time(emptied(recording)).total / (timing.total or 1.0)
    return LinkLoad(timing, setup, timing.link_use, latency)


def draw(data: LinkLoad, theme: Theme = DARK) -> Figure:
    """Each direction of a link is a line: the busier, the brighter (dark: darker) and wider."""
    page = slide(_title(data), _small(data), theme)
    nodes = picture_of(data.timing.topology).nodes()
    put(page, (*strokes(data, theme), *nodes.shapes), theme)
    facts(page, FACTS, _facts(data), theme)
    if data.use.any():
        _bar(page, float(data.use.max()), theme)
    return page


def strokes(data: LinkLoad, theme: Theme) -> Iterator[Stroke]:
    """The links, the busiest last."""
    from matplotlib.colors import to_hex

    topology = data.timing.topology
    picture, every = picture_of(topology), pairs(topology)
    colors, largest = shades(theme), float(data.use.max(initial=0)) or 1.0
    scale = 0.6 if topology.links > 300 else 1.0
    for row in np.argsort(data.use, kind="stable").tolist():
        (src, dst), share = every[row], float(data.use[row]) / largest
        color = to_hex(colors(PALEST + (1 - PALEST) * share)) if share else "line"
        width = (THIN + (THICK - THIN) * share) * scale if share else THIN
        yield from picture.link(src, dst, color, width, SHIFT * scale)


def _title(data: LinkLoad) -> str:
    timing = data.timing
    subject = f"{small_print.heading(timing.recording)} on {timing.topology.name}"
    if not data.use.any():
        return f"{subject}: no link carries anything"
    busiest, links = len(data.busiest), timing.topology.links
    share = f"busy {percent(float(data.use.max()))} of the time{_rest(data)}"
    if busiest == links:
        return f"{subject}: every link is {share}"
    if busiest == np.count_nonzero(data.use):
        return f"{subject} uses {busiest} of {links} links, {'each ' * (busiest > 1)}{share}"
    if busiest == 1:
        return f"{subject}: the busiest link is {share}"
    return f"{subject}: the {busiest} busiest of {links} links are {share}"


def _rest(data: LinkLoad) -> str:
    """What the busiest links wait for while they carry nothing."""
    idle = 1 - float(data.use.max())
    reasons = ["latency"] * (data.latency >= SMALL_SHARE)
    reasons += ["the turn of other links"] * (idle - data.latency >= SMALL_SHARE)
    return f"; the rest is {listed(reasons)}" if idle >= SMALL_SHARE and reasons else ""


def _small(data: LinkLoad) -> str:
    recording, topology = data.timing.recording, data.timing.topology
    shared = "Links that share a capacity are filled by the bytes of all. "
    return (
        "Each direction of a link is a line, on the right of its way. "
        f"Busy: share of the time in which the link carries data. {shared * topology.shared}"
        "Bytes are counted, the time is a "
        f"{small_print.model(topology, data.setup)}. {capital(small_print.arguments(recording))}."
    )


def _facts(data: LinkLoad) -> list[tuple[str, str]]:
    """The busiest link, what it carries, the time, and how many links carry nothing."""
    timing = data.timing
    used = np.count_nonzero(timing.link_bytes)
    lines = [
        (time_text(timing.total), f"time in all, {percent(data.latency)} of it latency"),
        (f"{used} of {timing.topology.links}", "links carry something"),
    ]
    if used:
        link, number = data.busiest[0], len(data.busiest)
        which = "the busiest" if number == 1 else f"one of the {number} busiest"
        over = f"over {timing.topology.cable_label(link)}, {which}"
        lines.insert(0, (size_text(int(timing.shared_bytes[link])), over))
    return lines


def _bar(page: Figure, largest: float, theme: Theme) -> None:
    """Which color and width mean how busy."""
    left, low = FACTS, 0.265
    axes = add_axes(page, theme, box=(left, low, left + 0.22, low + 0.035))
    axes.grid(False)
    axes.spines[:].set_visible(False)
    share = np.linspace(0, 1, 200)
    half = (THIN + (THICK - THIN) * share) / THICK / 2
    for k in range(len(share) - 1):
        color = shades(theme)(PALEST + (1 - PALEST) * share[k])
        axes.fill_between(share[k : k + 2] * largest, -half[k], half[k], color=color)
    axes.set(xlim=(0, largest), ylim=(-0.55, 0.55), yticks=[])
    ticks(axes.xaxis, [0, largest / 2, largest], percent)
    write(page, left, low + 0.05, "busy, of the time", theme.faint, LABEL - 1.5, va="bottom")
