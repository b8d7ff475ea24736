"""The traffic matrix: how many bytes each node sends to each other node in all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from animations.figures import captions
from animations.figures.axis_ticks import byte_unit, bytes_text, digits, even_marks
from animations.figures.line_styles import ink_on, seen
from animations.figures.slide import LABEL, NAME, PIXELS, TICK, axes, extent, slide, ticks, write
from animations.story.theme import DARK, Theme
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_NODES = 256
SOMETHING = 0.5  # bytes: from here on a cell has the shade of more than nothing
BETWEEN = 16.0  # pixels from one number below the matrix to the next
NUMBER_SIZES = (17.0, 15.0, 13.0, 11.0)  # of the numbers in cells, as far as they fit
BOX = (0.075, 0.155, 0.075 + 0.64 * PIXELS[1] / PIXELS[0], 0.795)


@dataclass(frozen=True, eq=False)
class Traffic:
    """Bytes from each node (row) to each node (column), counted by a recording."""

    recording: Recording
    sent: npt.NDArray[np.int64]

    @property
    def partners(self) -> npt.NDArray[np.intp]:
        """To how many others each node sends."""
        found: npt.NDArray[np.intp] = (self.sent > 0).sum(axis=1)
        return found


def traffic(recording: Recording) -> Traffic:
    """The matrix of a recording; raises BadInput for more nodes than can be seen."""
    nodes = recording.nodes
    if nodes > MOST_NODES:
        raise BadInput(f"{nodes} nodes: a matrix shows at most {MOST_NODES}; nearest: -n 256")
    sent = np.zeros((nodes, nodes), np.int64)
    links = recording.counters.links
    sent[links[:, 0], links[:, 1]] = recording.counters.bytes_by_link
    return Traffic(recording, sent)


def draw(data: Traffic, theme: Theme = DARK) -> Figure:
    """The matrix as shades, with numbers where there is room."""
    recording = data.recording
    page = slide(_title(data), f"Counted, not modeled: {captions.given(recording)}.", theme)
    made = axes(page, theme, "from", "to", BOX)
    made.grid(False)
    nodes, most = len(data.sent), int(data.sent.max(initial=0))
    low, high = SOMETHING, max(1, most)
    made.imshow(data.sent, cmap=seen(theme), vmin=low, vmax=high, interpolation="nearest")
    made.set_aspect("auto")
    cell = made.get_window_extent().width / nodes
    widest = max(extent(page, _name(recording, k), TICK)[0] for k in {nodes - 1, nodes // 2})
    apart = next(2**k for k in range(16) if 2**k * cell >= widest + BETWEEN)
    marks = [(float(k), _name(recording, k)) for k in range(0, nodes, apart)]
    for side in ("x", "y"):
        ticks(made, side, marks)
    scale, unit = byte_unit(most)
    _numbers(made, data, scale, theme)
    _bar(page, most, scale, unit, theme)
    _facts(page, data, theme)
    return page


def _title(data: Traffic) -> str:
    ranks = data.partners[: data.recording.ranks]
    low, high = int(ranks.min()), int(ranks.max())
    if not high:
        return f"{captions.heading(data.recording)}: no bytes are sent"
    many = f"{high}" if low == high else f"{low} to {high}"
    other = "other" if low == high == 1 else "others"
    return f"{captions.heading(data.recording)}: each rank sends to {many} {other}"


def _name(recording: Recording, node: int) -> str:
    return str(node) if node < recording.ranks else f"s{node - recording.ranks}"


def _numbers(made: Axes, data: Traffic, scale: float, theme: Theme) -> None:
    """Bytes in their cells, as large as fits; none where that would be too small to read."""
    from matplotlib.colors import to_hex

    page: Any = made.get_figure()
    texts = {(int(i), int(j)): digits(data.sent[i, j] / scale) for i, j in np.argwhere(data.sent)}
    cell = made.get_window_extent().width / len(data.sent)
    longest = max(texts.values(), key=len, default="")
    fits = [size for size in NUMBER_SIZES if extent(page, longest, size)[0] < 0.86 * cell]
    fits = [size for size in fits if extent(page, longest, size)[1] < 0.7 * cell]
    if not fits:
        return
    colors, most = seen(theme), data.sent.max()
    for (row, column), text in texts.items():
        ground = to_hex(colors(data.sent[row, column] / most))
        color = ink_on(ground, theme)
        made.text(column, row, text, color=color, fontsize=fits[0], ha="center", va="center")


def _bar(page: Figure, most: int, scale: float, unit: str, theme: Theme) -> None:
    """What shade means how much."""
    left = BOX[2] + 0.035
    made = axes(page, theme, box=(left, BOX[1], left + 0.018, BOX[3]))
    made.grid(False)
    made.imshow(
        np.linspace(0, 1, 256)[:, None],
        cmap=seen(theme),
        vmin=SOMETHING / max(most, 1),
        origin="lower",
        extent=(0, 1, 0, max(most, 1) / scale),
        aspect="auto",
    )
    made.set_xticks([])
    made.yaxis.tick_right()
    made.spines["left"].set_visible(False)
    made.spines["bottom"].set_visible(False)
    ticks(made, "y", [(value, digits(value)) for value in even_marks(max(most, 1) / scale)])
    write(page, left, BOX[3] + 0.025, f"{unit} sent", theme.faint, LABEL, va="bottom")


def _facts(page: Figure, data: Traffic, theme: Theme) -> None:
    """What the matrix adds up to, in words beside it."""
    counters, ranks = data.recording.counters, data.recording.ranks
    pairs = len(counters.links)
    each = counters.bytes_sent[:ranks]
    low, high = int(each.min()), int(each.max())
    span = bytes_text(high) if low == high else f"{bytes_text(low)} to {bytes_text(high)}"
    lines = [
        ("sent by each rank", span),
        ("sent in all", bytes_text(counters.total_bytes)),
        ("pairs that talk", f"{pairs:,} of {len(data.sent) * (len(data.sent) - 1):,}"),
        ("messages", f"{counters.messages:,} in {plural(counters.steps, 'step')}"),
    ]
    x, y = 0.6, BOX[3] - 0.06
    for name, value in lines:
        write(page, x, y, value, theme.ink, NAME + 4, va="bottom", weight="bold")
        write(page, x, y - 0.01, name, theme.faint, LABEL, va="top")
        y -= 0.15
