"""Draws time against the size of the vector, with crossovers, and against the number of ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from animations.drawing.theme import DARK, Theme
from animations.figures import small_print
from animations.figures.algorithm_times import (
    FastestChange,
    OverRanks,
    OverSizes,
    fastest_at,
    shared,
)
from animations.figures.axis_ticks import log_locator, rank_ticks, size_ticks, ticks
from animations.figures.label_placement import Label, along, around, at_ends
from animations.figures.line_styles import line_styles
from animations.figures.slide import NAME, add_axes, make_room_for_ticks, slide
from animations.figures.sweep import Curve
from collectives.catalog import Row
from collectives.units import size_text, time_text
from collectives.words import capital, listed, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DIGITS = 3  # of a crossover, which is found to 0.1 %
ACROSS = 8  # times as bad as over a curve: words across the line of another crossover


def draw_sizes(data: OverSizes, theme: Theme = DARK, binary: bool = True) -> Figure:
    """Curves over sizes; a dot with its size where the fastest changes."""
    page = slide(_title_of_sizes(data, binary), _small(data, binary), theme)
    axes = add_axes(page, theme, "time", "size of the vector")
    first = min(curve.at[0] for curve in data.curves)
    axes.set(xscale="log", xlim=(first, data.curves[0].at[-1]))
    size_ticks(axes.xaxis, binary)
    strides = [max(1, len(curve.at) // 10) for curve in data.curves]
    firsts = [k * stride // len(strides) for k, stride in enumerate(strides)]
    marked = list(zip(firsts, strides, strict=True))  # so that no marker hides another
    _curves(axes, data.curves, marked, theme)
    if data.changes:
        _crossovers(axes, data, theme, binary)
    return page


def draw_ranks(data: OverRanks, theme: Theme = DARK) -> Figure:
    """Curves over ranks, a mark on each number."""
    page = slide(_title_of_ranks(data), _small(data), theme)
    axes = add_axes(page, theme, "time", "ranks")
    every = sorted({n for curve in data.curves for n in curve.at})
    axes.set(xscale="log", xlim=(every[0] / 1.08, every[-1] * 1.08))
    rank_ticks(axes.xaxis, every)
    _curves(axes, data.curves, [_marked(curve) for curve in data.curves], theme)
    return page


def _curves(axes: Axes, curves: Sequence[Curve], marked: Sequence[Any], theme: Theme) -> None:
    """Curves with their names at their ends, over a logarithmic axis of times they fit into.

    Dashes lie on full lines, so that both are seen where they take the same time. marked: which
    points of each get a marker, as matplotlib's `markevery`.
    """
    every = [value for curve in curves for value in curve.values if value > 0] or [1e-9]
    axes.set(yscale="log", ylim=(min(every) / 1.6, max(every) * 1.25))
    ticks(axes.yaxis, log_locator(axes.yaxis), time_text)
    make_room_for_ticks(axes)
    labels = []
    styles = line_styles(len(curves), theme)
    for curve, style, points in zip(curves, styles, marked, strict=True):
        axes.plot(
            curve.at,
            curve.values,
            **style.arguments,
            markevery=points,
            markersize=9,
            linewidth=3,
            clip_on=False,
            gid=f"curve-{curve.row.algorithm}",
            zorder=3.5 if style.dashes else 3,
        )
        end = curve.at[-1], curve.values[-1]
        labels.append(Label(*end, curve.row.label, style.color, style=style))
    at_ends(axes, labels, theme)


def _marked(curve: Curve) -> list[int]:
    """Which points get a marker: all where they are few, else powers of two and the last."""
    last = len(curve.at) - 1
    return [k for k, n in enumerate(curve.at) if last < 24 or not n & (n - 1) or k == last]


def _crossovers(axes: Axes, data: OverSizes, theme: Theme, binary: bool) -> None:
    """A dot, a line down to the axis, and in words which algorithm is faster from there on."""
    low = axes.get_ylim()[0]
    taken = [along(axes, curve.at, curve.values, 9) for curve in data.curves]
    labels = []
    for change in data.changes:
        down = [change.size] * 2, [change.seconds, low]
        axes.plot(*down, color=theme.now, linewidth=2, dashes=(3, 3), zorder=2)
        axes.plot(
            change.size,
            change.seconds,
            "o",
            color=theme.now,
            markerfacecolor=theme.background,
            markersize=15,
            markeredgewidth=3,
            gid="crossover",
            zorder=5,
        )
        taken += ACROSS * [along(axes, *down)]
        text = f"{_size(change, binary)}:\n{small_print.names(change.after)} from here"
        labels.append(Label(change.size, change.seconds, text, theme.now, NAME))
    around(axes, labels, theme, np.vstack(taken))


def _size(change: FastestChange, binary: bool) -> str:
    return size_text(change.size, DIGITS, binary)


def _fastest(rows: Sequence[Row]) -> str:
    return f"{small_print.names(rows)} {'is' if len(rows) == 1 else 'are'} the fastest of these"


def _title_of_sizes(data: OverSizes, binary: bool) -> str:
    ranks = plural(data.ranks, "rank")
    subject = f"{capital(data.collective.title)} on {ranks}, {data.topology.name}"
    if len(data.changes) == 1:
        (change,) = data.changes
        first, then = small_print.names(change.before), small_print.names(change.after)
        return f"{subject}: {first} up to {_size(change, binary)}, then {then}"
    if data.changes:
        sizes = listed([_size(change, binary) for change in data.changes])
        return f"{subject}: the fastest algorithm changes at {sizes}"
    if len(data.curves) == 1:
        return f"{subject}: {data.curves[0].row.label} against the size of the vector"
    always = _everywhere(data.curves, shared(data.curves))
    if not always:
        return f"{subject}: which of these is the fastest depends on the size"
    return f"{subject}: {_fastest(always)} at every size"


def _title_of_ranks(data: OverRanks) -> str:
    subject = f"{capital(data.collective.title)} of {size_text(data.size)}"
    common = sorted(set.intersection(*(set(curve.at) for curve in data.curves)))
    if len(data.curves) == 1 or not common:
        return f"{subject}: {small_print.names([curve.row for curve in data.curves])} over ranks"
    always = _everywhere(data.curves, common)
    if always:
        return f"{subject}: {_fastest(always)} on every number of ranks"
    low, high = (fastest_at(data.curves, ranks) for ranks in (common[0], common[-1]))
    if set(low) & set(high):
        return f"{subject}: which of these is the fastest depends on the number of ranks"
    last = f"{small_print.names(high)} on {common[-1]}"
    return f"{subject}: {_fastest(low)} on {plural(common[0], 'rank')}, {last}"


def _everywhere(curves: Sequence[Curve], points: Sequence[int]) -> list[Row]:
    """Those that nothing beats at any of these sizes or numbers of ranks."""
    ahead = [fastest_at(curves, at) for at in points]
    return [row for row in ahead[0] if all(row in rows for rows in ahead)]


def _small(data: OverSizes | OverRanks, binary: bool = True) -> str:
    """The model and its parameters."""
    sweep = data.sweep
    text = f"{capital(small_print.model(data.topology, sweep.setup))}."
    if any("chunks" in curve.row.parameters for curve in data.curves):
        chunks = f"{sweep.chunks} chunks" if sweep.chunks else "the best number of chunks each time"
        text += f" Pipelines have {chunks}."
    parameters = [f"{name} = {value}" for name, value in sweep.parameters.items()]
    if data.collective.rooted:
        parameters.append(f"root {sweep.root}")
    if parameters:
        text += f" {capital(listed(parameters))}."
    if "channels" not in sweep.parameters:
        rings = small_print.channels([curve.row for curve in data.curves], data.topology)
        text += rings and f" {rings}"
    if isinstance(data, OverSizes) and data.changes:
        text += " Crossovers by bisection, to 0.1 %."
    if isinstance(data, OverSizes):
        for row, (start, messages) in data.starts.items():
            text += (
                f" {capital(row.label)} is shown from {size_text(start, binary=binary)} on: "
                f"below, it may lead only by ports that take {messages} messages at once."
            )
    if isinstance(data, OverRanks) and data.left_out:
        numbers = listed([str(number) for number in data.left_out], limit=6)
        text += f" Numbers of ranks that do not fit this machine: {numbers}."
    return text + _crowded(data.crowded)


def _crowded(left_out: Sequence[tuple[Row, int]]) -> str:
    """What is left out for its ports."""
    if not left_out:
        return ""
    largest = max(messages for _, messages in left_out)
    names = small_print.names([row for row, _ in left_out])
    verb = "needs" if len(left_out) == 1 else "need"
    upto = "" if len(left_out) == 1 else "up to "
    return f" Left out: {names}, which {verb} ports that take {upto}{largest} messages at once."
