"""Draws a modeled training step as an SVG: timeline, numbers, efficiency against ranks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from math import log2

from animations.drawing.drawing import in_theme
from animations.drawing.render.svg import svg
from animations.drawing.shapes import Box, ColoredBox, Point, Shape, Stroke, TextLine
from animations.drawing.theme import DARK, Theme
from animations.drawing.time_lanes import hatched, span
from animations.figures.label_placement import spread
from animations.figures.line_styles import LineStyle, line_styles
from animations.notebook.training_step import MACHINES, RANKS, TrainingSetup, TrainingStep
from collectives import units
from collectives.words import plural

WIDTH, HEIGHT = 980, 520
LEFT, RIGHT = 110, 960  # of the timeline
COMPUTE, LINK, BAR = 88, 136, 28  # tops of the bars, and their height
PLOT = Box.between(560, 240, 800, 466)  # of the efficiencies
ALGORITHMS = {
    "ring": "ring",
    "tree": "tree",
    "rabenseifner": "halving, doubling",
    "hierarchical": "hierarchical",
}
MOST_BARS = 300  # above, neighboring buckets share a bar

time_text = partial(units.time_text, digits=3)
rate_text = partial(units.rate_text, digits=3)


def draw(model: TrainingStep, theme: Theme = DARK) -> str:
    """The picture as an SVG element."""
    title = summary(model)
    shapes = [
        TextLine(title, 20, 34, 19, "ink", "bold"),
        TextLine(given(model.setup), 20, 60, 14, "faint"),
        *_timeline(model, theme),
        *_table(model),
        *_plot(model, theme),
    ]
    return svg(in_theme(shapes, theme), (WIDTH, HEIGHT), title, theme.background)


def summary(model: TrainingStep) -> str:
    """The result in a sentence."""
    share, exposed = _percent(model.efficiency), model.overlap.exposed
    waits = f"ranks wait {time_text(exposed)}" if exposed else "no rank waits"
    return f"A step takes {time_text(model.step)}: {share} of it is compute, {waits}"


def given(setup: TrainingSetup) -> str:
    """The setup in words."""
    parts = [
        f"{units.parameters_text(setup.parameters)} parameters in {setup.dtype}",
        plural(setup.ranks, "rank"),
        MACHINES[setup.machine].label,
        ALGORITHMS[setup.algorithm],
        f"link {rate_text(setup.bandwidth)}, {time_text(setup.latency)}",
    ]
    return " · ".join(parts)


def numbers(model: TrainingStep) -> list[tuple[str, str]]:
    """The rows of the table: name and value."""
    setup, overlap, both = model.setup, model.overlap, model.bandwidths
    sync = f"{time_text(model.sync)}, of which latency {time_text(model.latency)}"
    rates = f"{rate_text(both.algbw)}, {rate_text(both.busbw)}" if both else "nothing is sent"
    return [
        ("gradients", str(model.gradient)),
        ("busiest rank sends", units.size_text(model.sent, 3, binary=False)),
        ("all-reduce, all at once", sync),
        ("algbw and busbw", rates),
        ("link, one direction", rate_text(setup.bandwidth)),
        (f"all-reduce, {plural(setup.buckets, 'bucket')}", time_text(overlap.busy)),
        ("hidden by backward pass", time_text(overlap.hidden)),
        ("not hidden", time_text(overlap.exposed)),
    ]


def _timeline(model: TrainingStep, theme: Theme) -> Iterator[Shape]:
    """Compute above, messages on the link below; hatched: the time that lengthens the step."""
    scale = (RIGHT - LEFT) / model.step
    begin = LEFT + model.forward * scale  # of the backward pass
    done = LEFT + model.setup.compute * scale
    yield TextLine("compute", 20, 107, 15, "faint")
    yield TextLine("link", 20, 155, 15, "faint")
    yield from _bar(LEFT, begin, COMPUTE, "phase 0", "forward")
    yield from _bar(begin, done, COMPUTE, "phase 1", "backward")
    yield Stroke(((LEFT, 174), (RIGHT, 174)), "edge", 1)
    yield TextLine("0", LEFT, 193, 13, "faint", align="center")
    yield TextLine(time_text(model.step), RIGHT, 193, 13, "faint", align="right")
    if done < RIGHT - 1:
        waits = Box.between(done, COMPUTE, RIGHT, COMPUTE + BAR)
        yield from hatched(waits, "now", 2, 10)
        yield ColoredBox(waits, "", name="exposed")
    if RIGHT - done > 90:
        yield TextLine("ranks wait", RIGHT, 81, 13, "now", align="right")
    if RIGHT - done > 70 and done - LEFT > 50:
        yield TextLine(time_text(model.setup.compute), done, 193, 13, "faint", align="center")
    overlap, ink = model.overlap, _styles(model, theme)[model.setup.algorithm].color
    spans = list(zip(overlap.start, overlap.end, strict=True))
    together = -(-len(spans) // MOST_BARS)
    for first in range(0, len(spans), together):
        start, end = spans[first][0], spans[first : first + together][-1][1]
        if end > start:
            yield from _bar(begin + start * scale, begin + end * scale, LINK, ink)


def _table(model: TrainingStep) -> Iterator[Shape]:
    for row, (name, value) in enumerate(numbers(model)):
        yield TextLine(name, 20, 246 + 33.5 * row, 15, "faint")
        yield TextLine(value, 220, 246 + 33.5 * row, 15, "ink")


def _plot(model: TrainingStep, theme: Theme) -> Iterator[Shape]:
    """The efficiency of each algorithm, and a mark at the setup."""

    def at(ranks: float, share: float) -> Point:
        x = PLOT.left + PLOT.width * log2(ranks) / log2(RANKS[-1])
        return x, PLOT.bottom - PLOT.height * share

    yield TextLine("compute, share of the step", PLOT.left, PLOT.top - 14, 13, "faint")
    yield TextLine("ranks", PLOT.x, PLOT.bottom + 42, 13, "faint", align="center")
    for share in (0, 0.25, 0.5, 0.75, 1):
        start, (_, y) = at(1, share), at(RANKS[-1], share)
        yield Stroke((start, (PLOT.right, y)), "line", 1)
        yield TextLine(f"{100 * share:.0f} %", PLOT.left - 8, y + 5, 13, "faint", align="right")
    for ranks in RANKS[::2]:
        x, y = at(ranks, 0)
        yield TextLine(str(ranks), x, y + 20, 13, "faint", align="center")
    chosen, styles = model.setup.algorithm, _styles(model, theme)
    for name in sorted(styles, key=lambda name: name != chosen):  # the thick one below
        points = [at(*point) for point in zip(RANKS, model.curves[name], strict=True)]
        style, width = styles[name], 5 if name == chosen else 2
        dashes = tuple(part / width for part in style.dashes)
        for ends in pairwise(points):
            yield Stroke(ends, style.color, width, dashes=dashes)
    wanted = [at(1, model.curves[name][-1])[1] for name in styles]
    middles = spread(wanted, [19.0] * len(wanted), PLOT.top - 10, PLOT.bottom + 10)
    for name, middle in zip(styles, middles, strict=True):
        face = "bold" if name == chosen else "sans"
        label, color = ALGORITHMS[name], styles[name].color
        yield TextLine(label, PLOT.right + 10, middle + 5, 15, color, face)
    x, y = at(model.setup.ranks, model.efficiency)
    yield Stroke(((x, y), (x, PLOT.bottom)), "now", 1, dashes=(3, 3))
    yield ColoredBox(Box(x, y, 13, 13), "background", 6.5, "now", 3, name="here")


def _styles(model: TrainingStep, theme: Theme) -> dict[str, LineStyle]:
    """The style of each algorithm of the machine."""
    styles = dict(zip(ALGORITHMS, line_styles(len(ALGORITHMS), theme), strict=True))
    return {name: styles[name] for name in model.curves}


def _bar(start: float, end: float, top: float, ink: str, text: str = "") -> Iterator[Shape]:
    """A bar, with a text in its middle if it fits."""
    yield ColoredBox(span(start, end, top + BAR / 2, BAR, 0.4, 0.8), ink)
    if text and end - start >= 9 * len(text):
        yield TextLine(text, (start + end) / 2, top + 19, 15, "background", "bold", "center")


def _percent(part: float) -> str:
    """A part of a whole: 100 % only if it is all of it."""
    if part > 0.9995 and part < 1:
        return "nearly 100 %"
    return f"{100 * part:.3g} %"
