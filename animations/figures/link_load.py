"""The heat map of links: how much each link of a machine carries, drawn on the machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from animations.figures import captions, topology_drawing
from animations.figures.axis_ticks import bytes_text, time_text
from animations.figures.line_styles import shades
from animations.figures.slide import LABEL, NAME, axes, slide, ticks, wrapped, write
from animations.figures.topology_layout import plan
from animations.story.theme import DARK, Theme
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.paths import Floats
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.words import capital

if TYPE_CHECKING:
    from matplotlib.figure import Figure

THIN, THICK, SHIFT = 1.5, 8.0, 4.5  # widths in points; between the two directions, in pixels
FACTS, ROOM = 0.728, 0.245
ALIKE = 1e-6


@dataclass(frozen=True, eq=False)
class Load:
    """A timing, and for each link the share of the time in which it carries bytes, 0 to 1."""

    timing: Timing
    setup: Setup
    use: Floats

    @property
    def busiest(self) -> list[int]:
        """The links that are busy for the largest share of the time."""
        found: list[int] = np.flatnonzero(self.use >= self.use.max() * (1 - ALIKE)).tolist()
        return found


def load(recording: Recording, setup: Setup) -> Load:
    """The load of the links while a recording runs there; raises BadInput for too large ones."""
    plan(setup.machine(recording))
    timing = setup.time(recording)
    if not np.isfinite(timing.total):
        raise BadInput(f"{recording.title} never ends on {timing.topology.name}: a link is dead")
    return Load(timing, setup, timing.link_use)


def draw(data: Load, theme: Theme = DARK) -> Figure:
    """Each direction of a link is a line: the busier, the brighter (dark: darker) and wider."""
    topology = data.timing.topology
    drawing = plan(topology)
    page = slide(_title(data), _small(data), theme)
    made = topology_drawing.canvas(page, topology, drawing, theme)
    colors, most = shades(theme), max(float(data.use.max(initial=0)), 1e-300)
    crowd = topology.links > 300
    for row in np.argsort(data.use, kind="stable").tolist():
        pair = int(topology.src[row]), int(topology.dst[row])
        share = float(data.use[row]) / most
        color = colors(0.2 + 0.8 * share) if share else theme.line
        width = (THIN + (THICK - THIN) * share) * (0.6 if crowd else 1) if share else THIN
        topology_drawing.link(
            made,
            drawing,
            pair,
            color,
            width,
            SHIFT * (0.6 if crowd else 1),
            zorder=2 + share,
            gid=f"link-{pair[0]}-{pair[1]}",
        )
    topology_drawing.nodes(made, topology, drawing, theme)
    _facts(page, data, theme)
    if data.use.any():
        _bar(page, most, theme)
    return page


def _title(data: Load) -> str:
    timing = data.timing
    what = f"{captions.heading(timing.recording)} on {timing.topology.name}"
    if not data.use.max(initial=0) > 0:
        return f"{what}: no link carries anything"
    alike = len(data.busiest)
    share = _percent(float(data.use.max()))
    if alike == timing.topology.links:
        return f"{what}: every link is busy {share} of the time"
    links = "one link is" if alike == 1 else f"{alike} of {timing.topology.links} links are"
    return f"{what}: {links} the busiest, {share} of the time"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.0995 or not share else f"{100 * share:.2g} %"


def _small(data: Load) -> str:
    recording, topology = data.timing.recording, data.timing.topology
    machine = captions.timed(topology, data.setup)
    return (
        "Each direction of a link is a line, on the right of its way. "
        "Busy: bytes of a link over its bandwidth, of the time. Bytes are counted, "
        f"the time is a {machine}. {capital(captions.given(recording))}."
    )


def _facts(page: Figure, data: Load, theme: Theme) -> None:
    """The busiest link, what it carries, the time, and how many links carry nothing."""
    timing = data.timing
    used = int((timing.link_bytes > 0).sum())
    lines = [
        (time_text(timing.total), "time in all"),
        (f"{used} of {timing.topology.links}", "links carry something"),
    ]
    if used:
        lines.insert(0, (bytes_text(int(timing.link_bytes[data.busiest[0]])), _busiest(data)))
    y = 0.74
    for value, name in lines:
        text = wrapped(page, name, ROOM, LABEL - 1.5)
        write(page, FACTS, y, value, theme.ink, NAME + 4, va="bottom", weight="bold")
        write(page, FACTS, y - 0.006, text, theme.faint, LABEL - 1.5, va="top", linespacing=1.2)
        y -= 0.095 + 0.036 * (text.count("\n") + 1)


def _busiest(data: Load) -> str:
    alike = len(data.busiest)
    which = "the busiest" if alike == 1 else f"one of the {alike} busiest"
    return f"over {data.timing.topology.link_label(data.busiest[0])}, {which}"


def _bar(page: Figure, most: float, theme: Theme) -> None:
    """What color and width mean how busy."""
    left, right, low = FACTS, FACTS + 0.22, 0.265
    made = axes(page, theme, box=(left, low, right, low + 0.035))
    made.grid(False)
    for side in made.spines.values():
        side.set_visible(False)
    share = np.linspace(0, 1, 200)
    widths = THIN + (THICK - THIN) * share
    colors = shades(theme)
    for k in range(len(share) - 1):
        height = widths[k] / THICK / 2
        made.fill_between(
            share[k : k + 2] * most * 100, -height, height, color=colors(0.2 + 0.8 * share[k])
        )
    made.set_xlim(0, most * 100)
    made.set_ylim(-0.55, 0.55)
    made.set_yticks([])
    ticks(made, "x", [(most * 100 * k / 2, _percent(most * k / 2)) for k in range(3)])
    write(page, left, low + 0.05, "busy, of the time", theme.faint, LABEL - 1.5, va="bottom")
