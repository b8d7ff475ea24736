"""Draws a modeled training step as an SVG: timeline, numbers, efficiency against ranks."""

from __future__ import annotations

from html import escape
from math import log2

from animations.notebook.training_step import RANKS, Modeled, Setup
from animations.story.theme import DARK, Theme
from collectives.units import number_text, rate_text, size_text, time_text
from collectives.words import plural

WIDTH, HEIGHT = 980, 520
LEFT, RIGHT = 110, 960  # of the timeline
PLOT = (560, 240, 800, 466)  # left, top, right, bottom of the efficiencies
NAMES = {
    "ring": "ring",
    "tree": "tree",
    "rabenseifner": "halving, doubling",
    "hierarchical": "hierarchical",
}
INKS = {"ring": 0, "tree": 1, "rabenseifner": 2, "hierarchical": 3}
DASHES = {"ring": "", "tree": "7 4", "rabenseifner": "2 4", "hierarchical": "10 3 2 3"}
MACHINES = {"crossbar": "all ranks at one switch", "cluster": "nodes of 8 GPUs"}
KINDS = ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K"), (1, ""))
MOST_BARS = 300  # above, neighboring buckets share a bar


def draw(model: Modeled, theme: Theme = DARK) -> str:
    """The picture as an SVG element."""
    said = summary(model)
    body = _timeline(model, theme) + _numbers(model, theme) + _plot(model, theme)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(said)}" font-family="system-ui, sans-serif" font-size="15" '
        f'style="display: block; width: 100%; max-width: {WIDTH}px; '
        f'background: {theme.background}; border-radius: 8px">'
        '<defs><pattern id="bare" width="7" height="7" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><path d="M0 0V7" stroke="{theme.now}" stroke-width="4"/>'
        f"</pattern></defs>{_text(20, 34, said, theme.ink, size=19, weight=600)}"
        f"{_text(20, 60, given(model.setup), theme.faint, size=14)}{body}</svg>"
    )


def summary(model: Modeled) -> str:
    """The result in a sentence."""
    part, exposed = _percent(model.efficiency), model.overlap.exposed
    waits = f"ranks wait {time_text(exposed, 3)}" if exposed else "no rank waits"
    return f"A step takes {time_text(model.step, 3)}: {part} of it is compute, {waits}"


def given(setup: Setup) -> str:
    """The setup in words."""
    link = f"link {rate_text(setup.bandwidth, 3)}, {time_text(setup.latency, 3)}"
    parts = [
        f"{parameters_text(setup.parameters)} parameters in {setup.dtype}",
        plural(setup.ranks, "rank"),
        MACHINES[setup.machine],
        NAMES[setup.algorithm],
        link,
    ]
    return " · ".join(parts)


def parameters_text(number: int) -> str:
    """A number of parameters as people say it, 7B; without a space, as 7 B are bytes."""
    scale, kind = next(pair for pair in KINDS if number >= pair[0] or pair[0] == 1)
    return f"{number_text(number / scale, 3)}{kind}"


def numbers(model: Modeled) -> list[tuple[str, str]]:
    """The rows of the table: name and value."""
    gradient, both = model.gradient, model.bandwidths
    hidden = model.overlap.hidden
    return [
        ("gradients", str(gradient)),
        ("busiest rank sends", size_text(model.sent, 3, binary=False)),
        (
            "all-reduce, all at once",
            f"{time_text(model.sync, 3)}, of which latency {time_text(model.latency, 3)}",
        ),
        (
            "algbw and busbw",
            f"{rate_text(both.algbw, 3)}, {rate_text(both.busbw, 3)}"
            if both
            else "nothing is sent",
        ),
        ("link, one direction", rate_text(model.setup.bandwidth, 3)),
        (f"all-reduce, {plural(model.setup.buckets, 'bucket')}", time_text(model.overlap.busy, 3)),
        ("hidden by backward pass", time_text(hidden, 3)),
        ("not hidden", time_text(model.overlap.exposed, 3)),
    ]


def _timeline(model: Modeled, theme: Theme) -> str:
    """Compute above, messages on the link below; hatched: the time that lengthens the step."""
    scale = (RIGHT - LEFT) / model.step
    begin = LEFT + model.forward * scale  # of the backward pass
    done = LEFT + model.setup.compute * scale
    parts = [
        _text(20, 107, "compute", theme.faint),
        _text(20, 155, "link", theme.faint),
        _bar(LEFT, begin, 88, theme.phases[0]),
        _bar(begin, done, 88, theme.phases[1]),
        _inside(LEFT, begin, 107, "forward", theme.background),
        _inside(begin, done, 107, "backward", theme.background),
    ]
    if done < RIGHT - 1:
        parts.append(
            f'<rect data-part="exposed" x="{done:.1f}" y="88" width="{RIGHT - done:.1f}" '
            f'height="28" fill="url(#bare)" opacity="0.75"/>'
        )
        if RIGHT - done > 90:
            parts.append(_text(RIGHT, 81, "ranks wait", theme.now, anchor="end", size=13))
    overlap = model.overlap
    spans = list(zip(overlap.start, overlap.end, strict=True))
    apart = -(-len(spans) // MOST_BARS)
    ink = theme.rank(INKS[model.setup.algorithm])
    for first in range(0, len(spans), apart):
        start, end = spans[first][0], spans[min(first + apart, len(spans)) - 1][1]
        if end > start:
            parts.append(_bar(begin + start * scale, begin + end * scale, 136, ink))
    parts.append(f'<path d="M{LEFT} 174H{RIGHT}" stroke="{theme.edge}"/>')
    parts.append(_text(LEFT, 193, "0", theme.faint, anchor="middle", size=13))
    if RIGHT - done > 70 and done - LEFT > 50:
        parts.append(
            _text(
                done, 193, time_text(model.setup.compute, 3), theme.faint, anchor="middle", size=13
            )
        )
    parts.append(_text(RIGHT, 193, time_text(model.step, 3), theme.faint, anchor="end", size=13))
    return "".join(parts)


def _numbers(model: Modeled, theme: Theme) -> str:
    parts = []
    for row, (name, value) in enumerate(numbers(model)):
        y = 246 + 33.5 * row
        parts.append(_text(20, y, name, theme.faint))
        parts.append(_text(220, y, value, theme.ink))
    return "".join(parts)


def _plot(model: Modeled, theme: Theme) -> str:
    """The efficiency of each algorithm, and a mark at the setup."""
    left, top, right, bottom = PLOT
    width, height = right - left, bottom - top

    def x(ranks: float) -> float:
        return left + width * log2(ranks) / log2(RANKS[-1])

    def y(part: float) -> float:
        return bottom - height * part

    parts = [_text(left, top - 14, "compute, share of the step", theme.faint, size=13)]
    for part in (0, 0.25, 0.5, 0.75, 1):
        parts.append(f'<path d="M{left} {y(part):.1f}H{right}" stroke="{theme.line}"/>')
        parts.append(_text(left - 8, y(part) + 5, f"{100 * part:.0f} %", theme.faint, "end", 13))
    for ranks in RANKS[::2]:
        parts.append(_text(x(ranks), bottom + 20, str(ranks), theme.faint, "middle", 13))
    parts.append(_text((left + right) / 2, bottom + 42, "ranks", theme.faint, "middle", 13))
    ends: list[tuple[float, str]] = []
    chosen = model.setup.algorithm
    for name in sorted(model.curves, key=lambda name: name != chosen):  # the thick one below
        curve = model.curves[name]
        points = " ".join(f"{x(n):.1f},{y(e):.1f}" for n, e in zip(RANKS, curve, strict=True))
        parts.append(
            f'<polyline data-curve="{name}" points="{points}" fill="none" '
            f'stroke="{theme.rank(INKS[name])}" stroke-width="{5 if name == chosen else 2}" '
            f'stroke-dasharray="{DASHES[name]}" stroke-linejoin="round"/>'
        )
        ends.append((y(curve[-1]), name))
    for height_of_name, name in _spread(ends, bottom):
        ink = theme.rank(INKS[name])
        weight = 700 if name == chosen else 400
        parts.append(_text(right + 10, height_of_name + 5, NAMES[name], ink, weight=weight))
    at = x(model.setup.ranks), y(model.efficiency)
    parts.append(
        f'<path d="M{at[0]:.1f} {at[1]:.1f}V{bottom}" stroke="{theme.now}" stroke-dasharray="3 3"/>'
        f'<circle data-part="here" cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="6.5" '
        f'fill="{theme.background}" stroke="{theme.now}" stroke-width="3"/>'
    )
    return "".join(parts)


def _spread(
    ends: list[tuple[float, str]], bottom: float, least: float = 19
) -> list[tuple[float, str]]:
    """Names at the ends of curves, moved up so that they do not overlap."""
    placed: list[tuple[float, str]] = []
    limit = bottom
    for wanted, name in sorted(ends, reverse=True):
        placed.append((min(wanted, limit), name))
        limit = placed[-1][0] - least
    return placed


def _bar(start: float, end: float, top: float, ink: str) -> str:
    gap = 0.8 if end - start > 3 else 0.0
    width = max(0.4, end - start - gap)
    return f'<rect x="{start:.2f}" y="{top}" width="{width:.2f}" height="28" fill="{ink}"/>'


def _inside(start: float, end: float, y: float, text: str, ink: str) -> str:
    """A text in the middle of a bar, if it fits."""
    if end - start < 9 * len(text):
        return ""
    return _text((start + end) / 2, y, text, ink, "middle", weight=600)


def _text(
    x: float,
    y: float,
    text: str,
    ink: str,
    anchor: str = "start",
    size: int = 15,
    weight: int = 400,
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{ink}" text-anchor="{anchor}" font-size="{size}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )


def _percent(part: float) -> str:
    """A part of a whole: 100 % only if it is all of it."""
    if part > 0.9995 and part < 1:
        return "nearly 100 %"
    return f"{100 * part:.3g} %"
