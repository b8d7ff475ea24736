"""Draws time against the size of the vector, with crossovers, and against the number of ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from animations.figures import captions
from animations.figures.axis_ticks import bytes_text, rank_marks, size_marks, time_marks
from animations.figures.curves import Change, Curve, OverRanks, OverSizes, fastest_at, shared
from animations.figures.label_placement import Label, along, around, at_ends
from animations.figures.line_styles import Ink, inks
from animations.figures.slide import NAME, axes, slide, ticks
from animations.story.theme import DARK, Theme
from collectives.catalog import Row
from collectives.words import capital, listed, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ACROSS = 8  # times as bad as over a curve: words across the line of another crossover


def draw_sizes(data: OverSizes, theme: Theme = DARK, binary: bool = True) -> Figure:
    """Curves over sizes; a dot with its size where the fastest changes."""
    page = slide(_title_of_sizes(data, binary), _small(data, binary), theme)
    made = axes(page, theme, "time", "size of the vector")
    ends = min(curve.at[0] for curve in data.curves), data.curves[0].at[-1]
    made.set_xlim(*ends)
    _scales(made, data.curves)
    ticks(made, "x", size_marks(*ends, binary))
    colors = inks(len(data.curves), theme)
    for curve, ink in zip(data.curves, colors, strict=True):
        apart = max(1, len(curve.at) // 10)
        first = colors.index(ink) * apart // len(colors)  # so that no marker hides another
        _line(made, curve, ink, (first, apart))
    at_ends(made, _ends(data.curves, colors), theme)
    _crossovers(made, data, theme, binary)
    return page


def draw_ranks(data: OverRanks, theme: Theme = DARK, binary: bool = True) -> Figure:
    """Curves over ranks, a mark on each number."""
    page = slide(_title_of_ranks(data, binary), _small(data, binary), theme)
    made = axes(page, theme, "time", "ranks")
    every = sorted({n for curve in data.curves for n in curve.at})
    made.set_xlim(every[0] / 1.08, every[-1] * 1.08)
    _scales(made, data.curves)
    ticks(made, "x", rank_marks(every))
    colors = inks(len(data.curves), theme)
    for curve, ink in zip(data.curves, colors, strict=True):
        _line(made, curve, ink, _marked(curve))
    at_ends(made, _ends(data.curves, colors), theme)
    return page


def _scales(made: Axes, curves: Sequence[Curve]) -> None:
    """Logarithmic axes that all curves fit into."""
    made.set_xscale("log")
    made.set_yscale("log")
    every = [value for curve in curves for value in curve.seconds if value > 0] or [1e-9]
    low, high = min(every) / 1.6, max(every) * 1.25
    made.set_ylim(low, high)
    ticks(made, "y", time_marks(low, high), shift=True)


def _marked(curve: Curve) -> list[int]:
    """Which points get a marker: all where they are few, else powers of two and the last."""
    last = len(curve.at) - 1
    return [k for k, n in enumerate(curve.at) if last < 24 or not n & (n - 1) or k == last]


def _line(made: Axes, curve: Curve, ink: Ink, every: tuple[int, int] | list[int]) -> None:
    """A curve; dashes lie on full lines, so that both are seen where they take the same time."""
    made.plot(
        curve.at,
        curve.seconds,
        color=ink.color,
        marker=ink.marker,
        dashes=ink.dashes or (None, None),
        markevery=every,
        markersize=9,
        linewidth=3,
        clip_on=False,
        gid=f"curve-{curve.row.algorithm}",
        zorder=3.5 if ink.dashes else 3,
    )


def _ends(curves: Sequence[Curve], colors: Sequence[Ink]) -> list[Label]:
    """Each algorithm's name at the end of its curve."""
    return [
        Label(curve.at[-1], curve.seconds[-1], captions.short(curve.row), ink.color, ink=ink)
        for curve, ink in zip(curves, colors, strict=True)
    ]


def _crossovers(made: Axes, data: OverSizes, theme: Theme, binary: bool) -> None:
    """A dot, a line down to the axis, and in words which algorithm is faster from there on."""
    low = made.get_ylim()[0]
    boxes = [box for curve in data.curves for box in along(made, curve.at, curve.seconds, 9)]
    labels = []
    for change in data.changes:
        down = [change.size] * 2, [change.seconds, low]
        made.plot(*down, color=theme.now, linewidth=2, dashes=(3, 3), zorder=2)
        made.plot(
            [change.size],
            [change.seconds],
            "o",
            color=theme.now,
            markerfacecolor=theme.background,
            markersize=15,
            markeredgewidth=3,
            gid="crossover",
            zorder=5,
        )
        boxes += ACROSS * along(made, *down)
        labels.append(Label(change.size, change.seconds, _words(change, binary), theme.now, NAME))
    around(made, labels, theme, boxes, point=15)


def _words(change: Change, binary: bool) -> str:
    return f"{bytes_text(change.size, binary)}:\n{_names(change.after)} from here"


def _names(rows: Sequence[Row]) -> str:
    return listed([captions.short(row) for row in rows])


def _fastest(rows: Sequence[Row]) -> str:
    return f"{_names(rows)} {'is' if len(rows) == 1 else 'are'} the fastest of these"


def _title_of_sizes(data: OverSizes, binary: bool) -> str:
    what = f"{capital(data.collective.title)} on {plural(data.ranks, 'rank')}"
    if not data.changes:
        if len(data.curves) == 1:
            return f"{what}: {captions.short(data.curves[0].row)} against the size of the vector"
        always = _everywhere(data.curves, shared(data.curves))
        if not always:
            return f"{what}: which of these is the fastest depends on the size"
        return f"{what}: {_fastest(always)} at every size"
    if len(data.changes) == 1:
        one = data.changes[0]
        first, then = _names(one.before), _names(one.after)
        return f"{what}: {first} up to {bytes_text(one.size, binary)}, then {then}"
    sizes = listed([bytes_text(change.size, binary) for change in data.changes])
    return f"{what}: the fastest algorithm changes at {sizes}"


def _title_of_ranks(data: OverRanks, binary: bool) -> str:
    what = f"{capital(data.collective.title)} of {bytes_text(data.size, binary)}"
    common = sorted(set.intersection(*(set(curve.at) for curve in data.curves)))
    if len(data.curves) == 1 or not common:
        return f"{what}: {listed([captions.short(c.row) for c in data.curves])} over ranks"
    always = _everywhere(data.curves, common)
    if always:
        return f"{what}: {_fastest(always)} on every number of ranks"
    low, high = (fastest_at(data.curves, ranks) for ranks in (common[0], common[-1]))
    if set(low) & set(high):
        return f"{what}: which of these is the fastest depends on the number of ranks"
    return f"{what}: {_fastest(low)} on {plural(common[0], 'rank')}, {_names(high)} on {common[-1]}"


def _everywhere(curves: Sequence[Curve], points: Sequence[int]) -> list[Row]:
    """Those that nothing beats at any of these sizes or numbers of ranks."""
    ahead = [fastest_at(curves, at) for at in points]
    return [row for row in ahead[0] if all(row in rows for rows in ahead)]


def _small(data: OverSizes | OverRanks, binary: bool) -> str:
    """The model and its parameters."""
    question = data.question
    text = f"{capital(captions.timed(data.topology, question.setup))}."
    if any("chunks" in curve.row.parameters for curve in data.curves):
        number = f"{question.chunks}" if question.chunks else "the best number of"
        text += f" Pipelines have {number} chunks{'' if question.chunks else ' each time'}."
    given = [f"{name} = {value}" for name, value in question.parameters.items()]
    if data.collective.rooted:
        given.append(f"root {question.root}")
    if given:
        text += f" {capital(listed(given))}."
    if isinstance(data, OverSizes) and data.changes:
        text += " Crossovers by bisection, to 0.1 %."
    if isinstance(data, OverRanks) and data.left_out:
        text += f" Left out: {_ranges(data.left_out)} ranks, which do not fit this machine."
    if isinstance(data, OverSizes):
        for row, (start, messages) in data.starts.items():
            text += (
                f" {capital(captions.short(row))} is shown from {bytes_text(start, binary)} on: "
                f"below, it may lead only by ports that take {messages} messages at once."
            )
    return text + _crowded(data.crowded)


def _crowded(left_out: Sequence[tuple[Row, int]]) -> str:
    """What is left out for its ports."""
    if not left_out:
        return ""
    most = max(messages for _, messages in left_out)
    names = _names([row for row, _ in left_out])
    verb = "needs" if len(left_out) == 1 else "need"
    upto = "" if len(left_out) == 1 else "up to "
    return f" Left out: {names}, which {verb} ports that take {upto}{most} messages at once."


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers in brief: the first few and how many more."""
    shown = ", ".join(map(str, numbers[:6]))
    return shown + (f" and {len(numbers) - 6} other numbers of" if len(numbers) > 6 else "")
