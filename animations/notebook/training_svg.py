"""Draws a modeled training step as an SVG: timeline, numbers, efficiency against ranks."""

from __future__ import annotations

from functools import partial
from html import escape
from math import log2

from animations.drawing.theme import DARK, Theme
from animations.figures.label_placement import spread
from animations.figures.line_styles import LineStyle, line_styles
from animations.notebook.training_step import MACHINES, RANKS, TrainingSetup, TrainingStep
from collectives import units
from collectives.words import plural

WIDTH, HEIGHT = 980, 520
LEFT, RIGHT = 110, 960  # of the timeline
COMPUTE, LINK, BAR = 88, 136, 28  # tops of the bars, and their height
PLOT = (560, 240, 800, 466)  # left, top, right, bottom of the efficiencies
ALGORITHMS = {
    "ring": "ring",
    "tree": "tree",
    "rabenseifner": "halving, doubling",
    "hierarchical": "hierarchical",
}
THOUSANDS = ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K"), (1, ""))
MOST_BARS = 300  # above, neighboring buckets share a bar

time_text = partial(units.time_text, digits=3)
rate_text = partial(units.rate_text, digits=3)


def draw(model: TrainingStep, theme: Theme = DARK) -> str:
    """The picture as an SVG element."""
    title = summary(model)
    look = f"display: block; width: 100%; max-width: {WIDTH}px; background: {theme.background}"
    hatch = _tag("path", d="M0 0V7", stroke=theme.now, stroke_width=4)
    turned = {"patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    body = (
        _tag("defs", _tag("pattern", hatch, id="bare", width=7, height=7, **turned))
        + _text(20, 34, title, theme.ink, size=19, weight=600)
        + _text(20, 60, given(model.setup), theme.faint, size=14)
        + _timeline(model, theme)
        + _table(model, theme)
        + _plot(model, theme)
    )
    return _tag(
        "svg",
        body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=escape(title),
        font_family="system-ui, sans-serif",
        font_size=15,
        style=f"{look}; border-radius: 8px",
    )


def summary(model: TrainingStep) -> str:
    """The result in a sentence."""
    share, exposed = _percent(model.efficiency), model.overlap.exposed
    waits = f"ranks wait {time_text(exposed)}" if exposed else "no rank waits"
    return f"A step takes {time_text(model.step)}: {share} of it is compute, {waits}"


def given(setup: TrainingSetup) -> str:
    """The setup in words."""
    parts = [
        f"{parameters_text(setup.parameters)} parameters in {setup.dtype}",
        plural(setup.ranks, "rank"),
        MACHINES[setup.machine].label,
        ALGORITHMS[setup.algorithm],
        f"link {rate_text(setup.bandwidth)}, {time_text(setup.latency)}",
    ]
    return " · ".join(parts)


def parameters_text(number: int) -> str:
    """A number of parameters as people say it, 7B; without a space, as 7 B are bytes."""
    scale, letter = next(pair for pair in THOUSANDS if number >= pair[0] or pair[0] == 1)
    return f"{units.number_text(number / scale, 3)}{letter}"


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


def _timeline(model: TrainingStep, theme: Theme) -> str:
    """Compute above, messages on the link below; hatched: the time that lengthens the step."""
    scale = (RIGHT - LEFT) / model.step
    begin = LEFT + model.forward * scale  # of the backward pass
    done = LEFT + model.setup.compute * scale
    small = partial(_text, ink=theme.faint, size=13)
    parts = [
        _text(20, 107, "compute", theme.faint),
        _text(20, 155, "link", theme.faint),
        _bar(LEFT, begin, COMPUTE, theme.phases[0], "forward", theme),
        _bar(begin, done, COMPUTE, theme.phases[1], "backward", theme),
        _tag("path", d=f"M{LEFT} 174H{RIGHT}", stroke=theme.edge),
        small(LEFT, 193, "0", anchor="middle"),
        small(RIGHT, 193, time_text(model.step), anchor="end"),
    ]
    if done < RIGHT - 1:
        waits = {"data-part": "exposed", "fill": "url(#bare)", "opacity": "0.75"}
        parts.append(_tag("rect", x=done, y=COMPUTE, width=RIGHT - done, height=BAR, **waits))
    if RIGHT - done > 90:
        parts.append(_text(RIGHT, 81, "ranks wait", theme.now, "end", 13))
    if RIGHT - done > 70 and done - LEFT > 50:
        parts.append(small(done, 193, time_text(model.setup.compute), anchor="middle"))
    overlap, ink = model.overlap, _styles(model, theme)[model.setup.algorithm].color
    spans = list(zip(overlap.start, overlap.end, strict=True))
    together = -(-len(spans) // MOST_BARS)
    for first in range(0, len(spans), together):
        start, end = spans[first][0], spans[first : first + together][-1][1]
        if end > start:
            parts.append(_bar(begin + start * scale, begin + end * scale, LINK, ink))
    return "".join(parts)


def _table(model: TrainingStep, theme: Theme) -> str:
    return "".join(
        _text(20, 246 + 33.5 * row, name, theme.faint)
        + _text(220, 246 + 33.5 * row, value, theme.ink)
        for row, (name, value) in enumerate(numbers(model))
    )


def _plot(model: TrainingStep, theme: Theme) -> str:
    """The efficiency of each algorithm, and a mark at the setup."""
    left, top, right, bottom = PLOT

    def x(ranks: float) -> float:
        return left + (right - left) * log2(ranks) / log2(RANKS[-1])

    def y(share: float) -> float:
        return bottom - (bottom - top) * share

    small = partial(_text, ink=theme.faint, size=13)
    parts = [
        small(left, top - 14, "compute, share of the step"),
        small((left + right) / 2, bottom + 42, "ranks", anchor="middle"),
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        parts.append(_tag("path", d=f"M{left} {y(share):.1f}H{right}", stroke=theme.line))
        parts.append(small(left - 8, y(share) + 5, f"{100 * share:.0f} %", anchor="end"))
    parts += [small(x(ranks), bottom + 20, str(ranks), anchor="middle") for ranks in RANKS[::2]]
    chosen, styles = model.setup.algorithm, _styles(model, theme)
    for name in sorted(styles, key=lambda name: name != chosen):  # the thick one below
        ends = zip(RANKS, model.curves[name], strict=True)
        points = " ".join(f"{x(ranks):.1f},{y(share):.1f}" for ranks, share in ends)
        dashes = " ".join(map(str, styles[name].dashes))
        line = {"stroke": styles[name].color, "stroke-dasharray": dashes}
        line |= {"stroke-linejoin": "round", "data-curve": name, "fill": "none"}
        parts.append(
            _tag("polyline", points=points, stroke_width=5 if name == chosen else 2, **line)
        )
    wanted = [y(model.curves[name][-1]) for name in styles]
    middles = spread(wanted, [19.0] * len(wanted), top - 10, bottom + 10)
    for name, middle in zip(styles, middles, strict=True):
        weight = 700 if name == chosen else 400
        label = ALGORITHMS[name]
        parts.append(_text(right + 10, middle + 5, label, styles[name].color, weight=weight))
    at, height = x(model.setup.ranks), y(model.efficiency)
    down = f"M{at:.1f} {height:.1f}V{bottom}"
    parts.append(_tag("path", d=down, stroke=theme.now, stroke_dasharray="3 3"))
    here = {"data-part": "here", "fill": theme.background, "stroke": theme.now}
    parts.append(_tag("circle", cx=at, cy=height, r=6.5, stroke_width=3, **here))
    return "".join(parts)


def _styles(model: TrainingStep, theme: Theme) -> dict[str, LineStyle]:
    """The style of each algorithm of the machine."""
    styles = dict(zip(ALGORITHMS, line_styles(len(ALGORITHMS), theme), strict=True))
    return {name: styles[name] for name in model.curves}


def _bar(
    start: float, end: float, top: float, ink: str, text: str = "", theme: Theme = DARK
) -> str:
    """A bar, with a text in its middle if it fits."""
    gap = 0.8 if end - start > 3 else 0.0
    bar = _tag("rect", x=start, y=top, width=max(0.4, end - start - gap), height=BAR, fill=ink)
    if not text or end - start < 9 * len(text):
        return bar
    return bar + _text((start + end) / 2, top + 19, text, theme.background, "middle", weight=600)


def _text(
    x: float,
    y: float,
    text: str,
    ink: str,
    anchor: str = "start",
    size: int = 15,
    weight: int = 400,
) -> str:
    look = {"fill": ink, "text-anchor": anchor, "font-size": size, "font-weight": weight}
    return _tag("text", escape(text), x=x, y=y, **look)


def _tag(name: str, content: str = "", **attributes: object) -> str:
    """An element; numbers to two digits, and hyphens for the underscores of its attributes."""
    listed = "".join(
        f' {key.replace("_", "-")}="{round(value, 2) if isinstance(value, float) else value}"'
        for key, value in attributes.items()
    )
    return f"<{name}{listed}>{content}</{name}>"


def _percent(part: float) -> str:
    """A part of a whole: 100 % only if it is all of it."""
    if part > 0.9995 and part < 1:
        return "nearly 100 %"
    return f"{100 * part:.3g} %"
