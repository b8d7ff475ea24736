"""Bus bandwidth to be expected against size, as a line in a band, with a measurement over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from animations.drawing.theme import DARK, Theme
from animations.figures.axis_ticks import even_locator, size_ticks, ticks
from animations.figures.label_placement import Label, at_ends
from animations.figures.slide import NAME, add_axes, make_room_for_ticks, slide
from animations.figures.sweep import sizes_between
from collectives.comparison.measured_file import runs_of
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.evidence.expect import expected
from collectives.evidence.expectation import ALONE, Expectation, ExpectedSize
from collectives.formats.nccl_tests import read
from collectives.units import rate_text, size_text
from collectives.words import capital, plural, quoted, shown_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PER_OCTAVE = 2
BAND = 0.28  # opacity


@dataclass(frozen=True)
class OverlaidExpectation:
    """What is expected over sizes, and the sizes and busbw that a file has, where one is given."""

    expectation: Expectation
    path: str = ""
    measured: Sequence[tuple[int, float]] = ()


def overlaid(
    collective: str,
    where: Where,
    size: tuple[int, int],
    ranks: int | None = None,
    like: str | None = None,
    measured: str | None = None,
) -> OverlaidExpectation:
    """The expectation between two sizes, and a file of nccl-tests over it; raises BadInput."""
    report = expected(collective, where, ranks, sizes_between(*size, PER_OCTAVE), like)
    if measured is None:
        return OverlaidExpectation(report)
    file = quoted(measured)
    table = runs_of(read(measured), report.collective, report.ranks, file)
    if table.ranks not in (0, report.ranks):
        near = f"-n {table.ranks}"
        raise BadInput(f"{file}: measures {plural(table.ranks, 'rank')}; try: {near}")
    share = report.sizes[0].share
    rows = [row for row in table.rows if size[0] <= row.size <= size[1] and row.timed is not None]
    if not rows:
        raise BadInput(
            f"{file}: has no times between {size_text(size[0])} and {size_text(size[1])}"
        )
    points = [(row.size, row.size / row.seconds * share) for row in rows]
    return OverlaidExpectation(report, measured, points)


def draw(data: OverlaidExpectation, theme: Theme = DARK) -> Figure:
    """The band of measured rows, the model's line in it, and the markers of a file."""
    report = data.expectation
    page = slide(_title(report), _small(data), theme)
    axes = add_axes(page, theme, "bus bandwidth", "size as nccl-tests counts it")
    sizes = [size.size for size in report.sizes]
    every = [size.busbw for size in report.sizes] + [rate for _, rate in data.measured]
    every += [size.busbw_of(size.bounds[0]) for size in report.sizes if size.bounds]
    axes.set(xscale="log", xlim=(sizes[0], sizes[-1]), ylim=(0, max(every) * 1.08))
    size_ticks(axes.xaxis)
    ticks(axes.yaxis, even_locator(), lambda rate: rate_text(rate) if rate else "0")
    make_room_for_ticks(axes)
    color, mark = theme.ranks[0], theme.now
    _band(axes, report.sizes, color)
    axes.plot(sizes, [size.busbw for size in report.sizes], color=color, linewidth=3, gid="model")
    labels = [Label(sizes[-1], report.sizes[-1].busbw, "expected", color, NAME)]
    if data.measured:
        over, rates = zip(*data.measured, strict=True)
        hollow: dict[str, Any] = {"markerfacecolor": theme.background, "markersize": 11}
        hollow |= {"markeredgewidth": 3, "clip_on": False, "zorder": 5}
        axes.plot(over, rates, "o", color=mark, gid="measured", **hollow)
        labels.append(Label(over[-1], rates[-1], "measured", mark, NAME))
    at_ends(axes, labels, theme)
    return page


def _band(axes: Axes, sizes: Sequence[ExpectedSize], color: str) -> None:
    """The range of each size that has one, filled."""
    for ranged, alike in groupby(sizes, lambda size: size.bounds is not None):
        several = list(alike)
        if ranged:
            bounds = [size.bounds or (0.0, 0.0) for size in several]
            ends = zip(several, bounds, strict=True)
            low, high = zip(
                *(
                    [size.busbw_of(seconds) for seconds in reversed(ends_of)]
                    for size, ends_of in ends
                ),
                strict=True,
            )
            at = [size.size for size in several]
            axes.fill_between(at, low, high, color=color, alpha=BAND, linewidth=0, gid="range")


def _title(report: Expectation) -> str:
    last = report.sizes[-1]
    subject = f"{capital(report.collective.replace('_', '-'))} on {plural(report.ranks, 'rank')}"
    subject += f", {report.machine}"
    if last.bounds is None:
        return f"{subject}: {rate_text(last.busbw, 3)} at {size_text(last.size)}, {ALONE}"
    low, high = (rate_text(last.busbw_of(bound), 3) for bound in reversed(last.bounds))
    return f"{subject}: {low} to {high} at {size_text(last.size)}"


def _small(data: OverlaidExpectation) -> str:
    report = data.expectation
    ranges = [size.range for size in report.sizes if size.range is not None]
    sources = sorted({source for posted in ranges for source in posted.sources})
    band = "There is no band: nobody posted rows of this kind."
    if ranges:
        band = f"Band: how far measurements posted by {', '.join(sources)} lie from it."
    marks = f" Hollow markers: {shown_name(Path(data.path).name)}." if data.measured else ""
    return f"Line: {report.how.removeprefix('time: ')}. {band}{marks}"
