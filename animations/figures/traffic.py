"""The traffic matrix: how many bytes each node sends to each other node in all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from animations.drawing.theme import DARK, Theme
from animations.figures import small_print
from animations.figures.axis_ticks import even_locator, ticks
from animations.figures.line_styles import shades_above_zero, text_color
from animations.figures.slide import LABEL, PIXELS, TICK, add_axes, extent, facts, slide, write
from collectives.errors import TooLarge
from collectives.recording.recording import Recording
from collectives.units import number_text, parse_size, size_text
from collectives.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_NODES = 256
SMALLEST = 0.5  # bytes: from here on a cell has a shade of more than nothing
BETWEEN = 16.0  # pixels from one number below the matrix to the next
NUMBER_SIZES = (17.0, 15.0, 13.0, 11.0)  # of the numbers in cells, as far as they fit
BOX = (0.075, 0.155, 0.075 + 0.64 * PIXELS[1] / PIXELS[0], 0.795)


@dataclass(frozen=True, eq=False)
class TrafficMatrix:
    """Bytes from each node (row) to each node (column), counted by a recording."""

    recording: Recording
    sent: npt.NDArray[np.int64]


def traffic(recording: Recording) -> TrafficMatrix:
    """The matrix of a recording; raises BadInput for more nodes than can be seen."""
    nodes = recording.nodes
    if nodes > MOST_NODES:
        raise TooLarge(f"{nodes} nodes: a matrix shows at most {MOST_NODES}", "-n 256")
    sent = np.zeros((nodes, nodes), np.int64)
    links = recording.counters.links
    sent[links[:, 0], links[:, 1]] = recording.counters.bytes_by_link
    return TrafficMatrix(recording, sent)


def draw(data: TrafficMatrix, theme: Theme = DARK) -> Figure:
    """The matrix as shades, with numbers where there is room."""
    recording = data.recording
    page = slide(_title(data), f"Counted, not modeled: {small_print.arguments(recording)}.", theme)
    axes = add_axes(page, theme, "from", "to", BOX)
    axes.grid(False)
    nodes, largest = len(data.sent), max(1, int(data.sent.max(initial=0)))
    axes.imshow(
        data.sent,
        cmap=shades_above_zero(theme),
        vmin=SMALLEST,
        vmax=largest,
        interpolation="nearest",
        aspect="auto",
    )
    cell = axes.get_window_extent().width / nodes
    widest = max(extent(page, _name(recording, k), TICK)[0] for k in {nodes - 1, nodes // 2})
    stride = next(2**k for k in range(16) if 2**k * cell >= widest + BETWEEN)
    for axis in (axes.xaxis, axes.yaxis):
        ticks(axis, range(0, nodes, stride), lambda node: _name(recording, int(node)))
    unit = size_text(largest, binary=True).partition(" ")[2]
    scale = parse_size(f"1{unit}")
    _numbers(axes, data, scale, theme)
    _color_bar(page, largest / scale, SMALLEST / scale, unit, theme)
    facts(page, 0.6, _facts(data), theme)
    return page


def _title(data: TrafficMatrix) -> str:
    partners = np.count_nonzero(data.sent[: data.recording.ranks], axis=1)
    low, high = int(partners.min()), int(partners.max())
    if not high:
        return f"{small_print.heading(data.recording)}: no bytes are sent"
    number = f"{high}" if low == high else f"{low} to {high}"
    noun = "other" if low == high == 1 else "others"
    return f"{small_print.heading(data.recording)}: each rank sends to {number} {noun}"


def _name(recording: Recording, node: int) -> str:
    return str(node) if node < recording.ranks else f"s{node - recording.ranks}"


def _numbers(axes: Axes, data: TrafficMatrix, scale: int, theme: Theme) -> None:
    """Bytes in their cells, as large as fits; none where that would be too small to read."""
    from matplotlib.colors import to_hex

    page: Any = axes.get_figure()
    sent = data.sent
    texts = {(i, j): number_text(sent[i, j] / scale, 3) for i, j in np.argwhere(sent).tolist()}
    cell = axes.get_window_extent().width / len(sent)
    longest = max(texts.values(), key=len, default="")
    for size in NUMBER_SIZES:
        width, height = extent(page, longest, size)
        if width < 0.86 * cell and height < 0.7 * cell:
            break
    else:
        return
    for (row, column), text in texts.items():
        ground = to_hex(shades_above_zero(theme)(sent[row, column] / sent.max()))
        color = text_color(ground, theme)
        axes.text(column, row, text, color=color, fontsize=size, ha="center", va="center")


def _color_bar(page: Figure, largest: float, smallest: float, unit: str, theme: Theme) -> None:
    """Which shade means how many bytes."""
    left = BOX[2] + 0.035
    axes = add_axes(page, theme, box=(left, BOX[1], left + 0.018, BOX[3]))
    axes.grid(False)
    axes.imshow(
        np.linspace(0, largest, 256)[:, None],
        cmap=shades_above_zero(theme),
        vmin=smallest,
        origin="lower",
        extent=(0, 1, 0, largest),
        aspect="auto",
    )
    axes.set_xticks([])
    axes.yaxis.tick_right()
    axes.spines[["left", "bottom"]].set_visible(False)
    ticks(axes.yaxis, even_locator(), number_text)
    write(page, left, BOX[3] + 0.025, f"{unit} sent", theme.faint, LABEL, va="bottom")


def _facts(data: TrafficMatrix) -> list[tuple[str, str]]:
    """What the matrix adds up to."""
    counters, nodes = data.recording.counters, len(data.sent)
    by_rank = counters.bytes_sent[: data.recording.ranks]
    span = dict.fromkeys(size_text(int(size)) for size in (by_rank.min(), by_rank.max()))
    return [
        (" to ".join(span), "sent by each rank"),
        (size_text(counters.total_bytes), "sent in all"),
        (f"{len(counters.links):,} of {nodes * (nodes - 1):,}", "pairs that talk"),
        (f"{counters.messages:,} in {plural(counters.steps, 'step')}", "messages"),
    ]
