"""Bus bandwidth against size: what others measured, as points, beside the model, as lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from animations.drawing.theme import DARK, Theme
from animations.figures.axis_ticks import even_locator, size_ticks, ticks
from animations.figures.label_placement import Label, at_ends
from animations.figures.line_styles import line_styles
from animations.figures.slide import NAME, add_axes, make_room_for_ticks, slide
from animations.figures.sweep import sizes_between
from collectives.cost.busbw import bandwidths, factor, operation
from collectives.errors import BadInput
from collectives.evidence.measured import CLOSE, ModelComparison, compare, read
from collectives.evidence.measured_model import model
from collectives.units import rate_text
from collectives.words import capital, listed, percent, quoted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_CURVES = 5
PER_OCTAVE = 2
NAMES = {"alltoall": "all-to-all"}  # of operations, where nccl-tests write them otherwise
BEYOND = 4  # times below the smallest and above the largest measured size


@dataclass(frozen=True)
class MachineCurve:
    """Measurements of a machine beside the model's bus bandwidth, bytes per second, over sizes."""

    rows: tuple[ModelComparison, ...]
    sizes: tuple[int, ...]
    model: tuple[float, ...]

    @property
    def name(self) -> str:
        """Which machine it is: 8 × H100."""
        first = self.rows[0].row
        gpu = first.gpu.removesuffix(" 80GB").removesuffix("-SXM4-40GB")
        return f"{first.ranks} × {gpu}"

    @property
    def measured(self) -> list[float]:
        """The measured bus bandwidths."""
        return [row.row.busbw_GBps * 1e9 for row in self.rows]


@dataclass(frozen=True)
class BusBandwidth:
    """The curves of one operation, and how many setups of the table are left out.

    measured_once: measured at one size only. like_shown: with the GPU and the number of ranks of a
    setup that is shown, at as many sizes or fewer. further: beyond the largest number of curves.
    """

    op: str
    curves: tuple[MachineCurve, ...]
    measured_once: int
    like_shown: int
    further: int


def bus_bandwidth(
    collective: str, gpu: str | None = None, ranks: int | None = None
) -> BusBandwidth:
    """The rows of an operation that were measured, those of some GPU or number of ranks.

    Raises BadInput where there are none.
    """
    op = operation(collective)
    table = read()
    of_op = [row for row in table if row.op == op]
    if not of_op:
        there = listed(sorted({row.op.replace("_", "-") for row in table}))
        raise BadInput(f"{collective}: the table has no measurements of it; it has {there}")
    wanted = [
        row
        for row in of_op
        if (gpu is None or gpu.lower() in row.gpu.lower()) and ranks in (None, row.ranks)
    ]
    if not wanted:
        there = listed(sorted({f"{row.ranks} × {row.gpu}" for row in of_op}))
        asked = f"--gpu {quoted(gpu)}" if gpu is not None else f"-n {ranks}"
        raise BadInput(f"{asked}: not measured; there are {there}")
    settings: dict[tuple[str, ...], list[ModelComparison]] = {}
    for compared in compare(wanted):
        if "NCCL_ALGO" not in compared.row.note:
            settings.setdefault(compared.row.setting, []).append(compared)
    several = [
        setting for setting in settings.values() if len({c.row.size_bytes for c in setting}) > 1
    ]
    candidates = several or list(settings.values())
    different = _different(candidates)
    drawn = different[:MOST_CURVES]
    high = BEYOND * max(row.row.size_bytes for rows in drawn for row in rows)
    curves = tuple(_curve(rows, high) for rows in drawn)
    measured_once, like_shown = len(settings) - len(candidates), len(candidates) - len(different)
    return BusBandwidth(op, curves, measured_once, like_shown, len(different) - len(drawn))


def _different(settings: list[list[ModelComparison]]) -> list[list[ModelComparison]]:
    """Machines of different names first, the one with most sizes of each name."""
    order = sorted(settings, key=lambda setting: -len(setting))
    first: dict[tuple[str, int], list[ModelComparison]] = {}
    for rows in order:
        first.setdefault((rows[0].row.gpu.split("-")[0].split()[0], rows[0].row.ranks), rows)
    return sorted(first.values(), key=lambda rows: (rows[0].row.ranks, rows[0].row.gpu))


def _curve(measured: list[ModelComparison], high: int) -> MachineCurve:
    """The rows by size, and the model from a little below them up to `high` bytes."""
    rows = sorted(measured, key=lambda row: row.row.size_bytes)
    row = rows[0].row
    low = max(1, round(row.size_bytes / BEYOND))
    sizes = sorted({*sizes_between(low, high, PER_OCTAVE), *(row.row.size_bytes for row in rows)})
    modeled = []
    for size_bytes in sizes:
        seconds = model(replace(row, size_bytes=size_bytes)).time * 1e-6
        modeled.append(bandwidths(row.op, row.ranks, size_bytes, seconds).busbw)
    return MachineCurve(tuple(rows), tuple(sizes), tuple(modeled))


def draw(data: BusBandwidth, theme: Theme = DARK) -> Figure:
    """A line for the model and markers for what was measured, of each machine."""
    page = slide(_title(data), _small(data), theme)
    axes = add_axes(page, theme, _definition(data.op), "size as nccl-tests counts it")
    sizes = [size for curve in data.curves for size in curve.sizes]
    rates = [rate for curve in data.curves for rate in (*curve.model, *curve.measured)]
    axes.set(xscale="log", xlim=(min(sizes), max(sizes)), ylim=(0, max(rates) * 1.08))
    size_ticks(axes.xaxis)
    ticks(axes.yaxis, even_locator(), lambda rate: rate_text(rate) if rate else "0")
    make_room_for_ticks(axes)
    labels = []
    for curve, style in zip(data.curves, line_styles(len(data.curves), theme), strict=True):
        line = {**style.arguments, "marker": "", "linewidth": 3}
        axes.plot(curve.sizes, curve.model, **line, gid="model", zorder=3)
        axes.plot(
            [row.row.size_bytes for row in curve.rows],
            curve.measured,
            style.marker,
            color=style.color,
            markerfacecolor=theme.background,
            markersize=14,
            markeredgewidth=3,
            gid="measured",
            clip_on=False,
            zorder=5,
        )
        end = curve.sizes[-1], curve.model[-1]
        labels.append(Label(*end, curve.name, style.color, NAME, replace(style, hollow=True)))
    at_ends(axes, labels, theme)
    return page


def _definition(op: str) -> str:
    """The axis upwards: bus bandwidth, as size, time and ranks give it."""
    share = Fraction(2, 3)  # (n - 1)/n of three ranks
    words = {2 * share: " × 2(n − 1)/n", share: " × (n − 1)/n", Fraction(1): ""}
    return f"bus bandwidth = size / time{words[factor(op, 3)]}"


def _title(data: BusBandwidth) -> str:
    every = [row for curve in data.curves for row in curve.rows]
    met = sum(not row.missed for row in every)
    name = capital(NAMES.get(data.op, data.op.replace("_", "-")))
    return f"{name}: the model is within {percent(CLOSE)} of {met} of {len(every)} measurements"


def _small(data: BusBandwidth) -> str:
    how = sorted({row.model.how.partition(":")[0] for curve in data.curves for row in curve.rows})
    first = data.curves[0]
    fabrics = f" {first.name}: {first.rows[0].row.fabric}." if len(data.curves) == 1 else ""
    sources = sorted({row.row.repository for curve in data.curves for row in curve.rows})
    reasons = {
        "measured at one size only": data.measured_once,
        "like one that is shown, at as many sizes or fewer": data.like_shown,
        f"beyond {MOST_CURVES} curves": data.further,
    }
    left_out = [f"{number} {why}" for why, number in reasons.items() if number]
    rest = f" Setups of the table that are left out: {listed(left_out)}." if left_out else ""
    return (
        f"Lines: model ({', '.join(how)}). Hollow markers: measured, posted by "
        f"{', '.join(sources)}.{fabrics}{rest}"
    )
