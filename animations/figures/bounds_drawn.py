"""Draws the algorithms of a collective as points beside its lower bounds, log-log."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from animations.figures import captions
from animations.figures.axis_ticks import digits, fine_marks
from animations.figures.bounds import PLAIN, PORTS, SWITCHES, Bounds, Point
from animations.figures.label_candidates import Box
from animations.figures.label_placement import PER_POINT, Label, along, around, lifted
from animations.figures.slide import (
    FACE,
    LABEL,
    NAME,
    PIXELS,
    RIGHT,
    axes,
    extent,
    room,
    slide,
    ticks,
    write,
)
from animations.story.theme import DARK, Theme
from collectives.words import capital, listed, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_NAMES = 10  # at one point
MARKERS = {PLAIN: "o", PORTS: "^", SWITCHES: "s"}
SIGNS = {PLAIN: "●", PORTS: "△", SWITCHES: "□"}  # the same in text


def draw(data: Bounds, theme: Theme = DARK) -> Figure:
    """A point for each algorithm, log-log, and the bounds as lines."""
    page = slide(_title(data), _small(data), theme)
    made = axes(page, theme, "sent by the busiest rank, in vectors", "steps")
    made.set_xscale("log")
    made.set_yscale("log")
    across = [p.steps for p in data.points] + [data.steps]
    up = [float(p.sent) for p in data.points] + [float(data.sent)]
    made.set_xlim(min(across) / 1.5, max(across) * 2.2)
    made.set_ylim(min(up) / 1.6, max(up) * 1.6)
    whole = [x for x in fine_marks(*made.get_xlim()) if x >= 1]
    ticks(made, "x", [(x, f"{x:,.0f}") for x in whole])
    ticks(made, "y", [(y, digits(y)) for y in fine_marks(*made.get_ylim())])
    taken = _lines(made, data, theme)
    labels = []
    for (steps, sent), here in sorted(_places(data).items()):
        there = [kind for kind in MARKERS if any(point.kind == kind for point in here)]
        for place, kind in enumerate(there):
            made.plot(
                [steps],
                [float(sent)],
                color=_color(kind, theme),
                gid=f"point-{kind}",
                zorder=5 + place,
                **_mark(kind, theme, place),
            )
            sign = f" ({SIGNS[kind]})" if len(there) > 1 else ""
            names = _names([point for point in here if point.kind == kind]) + sign
            labels.append(Label(steps, float(sent), names, _color(kind, theme), NAME - 2))
    labels.sort(key=lambda label: -len(label.text))
    around(made, labels, theme, taken, point=15)
    kinds = [kind for kind in MARKERS if any(point.kind == kind for point in data.points)]
    _key(page, kinds, theme)
    return page


def _key(page: Figure, kinds: list[str], theme: Theme) -> None:
    """Which marker means what, above the axes."""
    from matplotlib.lines import Line2D

    x, y = RIGHT, room(page)[1] + 0.045
    for kind in reversed(kinds):
        x -= extent(page, kind, LABEL)[0] / PIXELS[0]
        write(page, x, y, kind, theme.ink, LABEL, va="center")
        x -= 0.012
        marker = Line2D([x], [y], color=_color(kind, theme), gid="key", **_mark(kind, theme))
        page.add_artist(marker)
        x -= 0.025


def _mark(kind: str, theme: Theme, place: int = 0) -> dict[str, Any]:
    """How a point of a kind is drawn: only those of one port are filled.

    place: how many others are at the same point, round which it goes.
    """
    filled = _color(kind, theme) if kind == PLAIN else "none" if place else theme.background
    return {
        "marker": MARKERS[kind],
        "markersize": 13 + 11 * place,
        "markerfacecolor": filled,
        "markeredgewidth": 2.5,
        "linestyle": "none",
    }


def _places(data: Bounds) -> dict[tuple[int, Fraction], list[Point]]:
    """The algorithms at each point."""
    found: dict[tuple[int, Fraction], list[Point]] = {}
    for point in data.points:
        found.setdefault((point.steps, point.sent), []).append(point)
    return found


def _names(points: list[Point]) -> str:
    """The names at one point, some to a line; of very many the first and how many more."""
    names = [point.name for point in points]
    if len(names) > MOST_NAMES:
        names[MOST_NAMES - 1 :] = [f"and {len(names) - MOST_NAMES + 1} more"]
    lines = [""]
    for name in names:
        longer = f"{lines[-1]}, {name}" if lines[-1] else name
        if len(longer) > 26 and lines[-1]:
            lines[-1] += ","
            lines.append(name)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def _color(kind: str, theme: Theme) -> str:
    return {PLAIN: theme.rank(0), PORTS: theme.rank(1), SWITCHES: theme.rank(3)}[kind]


def _lines(made: Axes, data: Bounds, theme: Theme) -> list[Box]:
    """The two bounds, hatched on the side where nothing can be; the boxes of their names."""
    (left, right), (low, high) = made.get_xlim(), made.get_ylim()
    least = float(data.sent)
    style: dict[str, Any] = {
        "facecolor": "none",
        "edgecolor": theme.line,
        "hatch": "//",
        "linewidth": 0,
    }
    made.axvspan(left, data.steps, **style)
    made.axhspan(low, least, **style)
    made.axvline(data.steps, color=theme.now, linewidth=3, gid="bound-steps")
    made.axhline(least, color=theme.now, linewidth=3, dashes=(5, 2), gid="bound-sent")
    boxes = along(made, [data.steps, data.steps], [low, high])
    boxes += along(made, [left, right], [least, least])
    steps = f"one port: {plural(data.steps, 'step')} or more"
    sent = f"{digits(least)} {'vector' if least == 1 else 'vectors'} or more"
    near_steps = [
        (data.steps, y, 12 * way, up) for y, up in ((high, -10), (low, 10)) for way in (1, -1)
    ]
    near_sent = [
        (x, least, 12 * way, up) for x, way in ((left, 1), (right, -1)) for up in (-10, 10)
    ]
    boxes.append(_name(made, steps, near_steps, data, boxes, theme))
    boxes.append(_name(made, sent, near_sent, data, boxes, theme))
    return boxes


def _name(
    made: Axes,
    text: str,
    places: Sequence[tuple[float, float, int, int]],
    data: Bounds,
    boxes: list[Box],
    theme: Theme,
) -> Box:
    """Write the name of a bound at that place where it hides the fewest points; its box."""
    page = made.get_figure(root=True)
    width, height = extent(page, text, LABEL)  # type: ignore[arg-type]
    where = [(point.steps, float(point.sent)) for point in data.points]
    points = made.transData.transform(where)

    def box(place: tuple[float, float, int, int]) -> Box:
        x, y = made.transData.transform(place[:2]) + np.array(place[2:])
        x -= width if place[2] < 0 else 0
        y -= height if place[3] < 0 else 0
        return float(x), float(y), float(x + width), float(y + height)

    def hidden(place: tuple[float, float, int, int]) -> int:
        left, low, right, high = box(place)
        inside = (points > (left - 25, low - 25)) & (points < (right + 25, high + 25))
        room = made.get_window_extent()
        out = left < room.x0 or right > room.x1
        crossed = sum(b[0] < right and left < b[2] and b[1] < high and low < b[3] for b in boxes)
        return int(inside.all(axis=1).sum()) + 100 * (out or crossed > 0)

    best = min(places, key=hidden)
    x, y, across, up = best
    note = made.annotate(
        text,
        (x, y),
        (across / PER_POINT, up / PER_POINT),
        textcoords="offset points",
        ha="left" if across > 0 else "right",
        va="top" if up < 0 else "bottom",
        color=theme.now,
        fontsize=LABEL,
        family=FACE,
        zorder=6,
    )
    lifted(note, theme)
    return box(best)


def _title(data: Bounds) -> str:
    told_of = f"{capital(data.collective.title)} on {plural(data.ranks, 'rank')}"
    reached = [captions.short(point.row) for point in data.reached]
    if not reached:
        return f"{told_of}: no algorithm has both the fewest steps and the fewest bytes"
    if len(reached) > 3:
        return f"{told_of}: {len(reached)} algorithms have the fewest steps and the fewest bytes"
    verb = "has" if len(reached) == 1 else "have"
    return f"{told_of}: {listed(reached)} {verb} the fewest steps and the fewest bytes"


def _small(data: Bounds) -> str:
    chunks = ", ".join(captions.short(p.row) for p in data.points if "chunks" in p.row.parameters)
    pipelined = f" Pipelined with {data.chunks} chunks: {chunks}." if chunks else ""
    about = " The bounds are those of messages between ranks; that of the steps for one port."
    return f"Counted in executed recordings.{about}{pipelined}"
