"""A map of a vector: each order of additions in a color; of two setups, where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from animations.drawing.theme import DARK, Theme
from animations.figures.axis_ticks import even_locator, ticks
from animations.figures.slide import (
    EDGE,
    NAME,
    SMALL,
    TICK,
    add_axes,
    note,
    room,
    slide,
    wrapped,
    write,
)
from collectives.bitwise.addition_map import AdditionMap, shown
from collectives.bitwise.map_comparison import DIFFERENT, UNKNOWN, MapComparison
from collectives.errors import BadInput
from collectives.words import capital, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_NAMED = 8  # orders that have a color of their own below the map
LONGEST = 58  # letters of an order
MOST_RUNS = 1 << 13  # that are drawn
THICK = 0.5  # of a bar, in parts of the way to the next
COLUMNS, LINE = 2, 0.038  # of the orders below the map; a line, in parts of the page
ABOVE_PRINT, BELOW_AXIS = 0.04, 0.115  # room for an order, and below the axes


@dataclass(frozen=True)
class DrawnMap:
    """One map, or two and where they differ; orders: those with a color, in turn."""

    maps: tuple[AdditionMap, ...]
    comparison: MapComparison | None
    orders: tuple[str, ...]


def drawn_map(answer: AdditionMap | MapComparison) -> DrawnMap:
    """What is drawn of what was asked for; raises BadInput where no order is known."""
    pair = (answer.first, answer.second) if isinstance(answer, MapComparison) else (answer,)
    unknown = [side.unknown for side in pair if side.unknown]
    if len(unknown) == len(pair):
        raise BadInput(f"no order to draw: {unknown[0]}")
    if max(len(side.runs) for side in pair) > MOST_RUNS:
        raise BadInput(f"a figure has at most {MOST_RUNS:,} runs of one order; try: a smaller size")
    if not all(side.setup.count for side in pair):
        raise BadInput("size 0 B: there is no element to draw; try: --size 64KiB")
    orders = dict.fromkeys(order for side in pair for order in side.orders if order)
    return DrawnMap(pair, answer if isinstance(answer, MapComparison) else None, tuple(orders))


def draw(data: DrawnMap, theme: Theme = DARK) -> Figure:
    """A bar for each map, its elements from left to right in the colors of their orders."""
    page = slide(_title(data), _small(data), theme)
    shown_orders = data.orders[:MOST_NAMED]
    lines = -(-len(shown_orders) // COLUMNS)
    bottom, top = room(page)
    low = bottom - ABOVE_PRINT
    box = (EDGE, low + LINE * lines + BELOW_AXIS, 1 - EDGE, top + 0.03)
    axes = add_axes(page, theme, "", "element of the vector", box)
    rows = len(data.maps) + (data.comparison is not None)
    axes.set(xlim=(0, max(side.setup.count for side in data.maps)), ylim=(rows - 0.35, -0.75))
    axes.grid(False)
    axes.spines["left"].set_visible(False)
    axes.set_yticks([])
    ticks(axes.xaxis, even_locator(8), lambda element: f"{element:,.0f}")
    colors = {order: theme.rank(number) for number, order in enumerate(data.orders)}
    for row, side in enumerate(data.maps):
        name = f"{side.title} {side.algorithm}: {side.setup}"
        spans = [(run.start, run.stop) for run in side.runs]
        hues = [colors.get(run.order, theme.line) for run in side.runs]
        _bar(axes, row, spans, hues, name if not side.unknown else f"{name}; order unknown", theme)
    if data.comparison is not None:
        spans = [(run.start, run.stop) for run in data.comparison.differing]
        known = "not known" if data.comparison.verdict == UNKNOWN else "none"
        name = "added in another order" if spans else f"added in another order: {known}"
        _bar(axes, len(data.maps), spans, [theme.now] * len(spans), name, theme)
    for number, order in enumerate(shown_orders):
        column, at = divmod(number, lines)
        x, y = EDGE + column * (0.5 - EDGE), low + LINE * (lines - at - 1)
        write(page, x, y, "\N{BLACK SQUARE}", colors[order], NAME, va="center")
        write(page, x + 0.024, y, shown(order, LONGEST), theme.ink, SMALL, va="center")
    return page


def _bar(
    axes: Axes,
    row: int,
    spans: Sequence[tuple[int, int]],
    colors: Sequence[str],
    name: str,
    theme: Theme,
) -> None:
    """Spans of one row in their colors, with its name above them."""
    at = (row - THICK / 2, THICK)
    widths = [(start, stop - start) for start, stop in spans]
    axes.broken_barh(widths, at, facecolors=list(colors), linewidth=0, gid=f"row {row}")
    page = axes.get_figure(root=True)
    line = wrapped(page, name, 1 - 2 * EDGE, TICK).partition("\n")[0].rstrip(",") if page else name
    note(axes, line, (0, at[0]), (0, 5), theme.ink, TICK, va="bottom")


def _title(data: DrawnMap) -> str:
    setup, comparison = data.maps[0].setup, data.comparison
    kind = capital(setup.collective.replace("_", "-"))
    if comparison is None:
        orders = plural(len(data.orders), "order")
        return f"{kind} on {plural(setup.ranks, 'rank')}: {data.maps[0].title} adds in {orders}"
    if comparison.verdict != DIFFERENT:
        return f"{kind}: {comparison.verdict}"
    if not comparison.differing:
        return f"{kind}: the sums have other terms"
    number = sum(run.stop - run.start for run in comparison.differing)
    some = f"{number:,} of {comparison.common:,} elements"
    return f"{kind}: {some} in another order"


def _small(data: DrawnMap) -> str:
    left = len(data.orders) - MOST_NAMED
    further = f"{plural(left, 'order')} more are not named. " if left > 0 else ""
    bases = " ".join(f"{capital(basis)}." for basis in dict.fromkeys(m.basis for m in data.maps))
    return f"x0: what rank 0 has. {further}{bases}"
