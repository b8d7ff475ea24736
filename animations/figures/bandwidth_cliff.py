"""The bandwidth cliff: bus bandwidth inside a node and beyond it, against the number of ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from animations.drawing.theme import DARK, Theme
from animations.figures import small_print
from animations.figures.axis_ticks import log_locator, rank_ticks, ticks
from animations.figures.label_placement import Label, at_ends, outlined
from animations.figures.line_styles import LineStyle, line_styles
from animations.figures.slide import LABEL, NAME, add_axes, make_room_for_ticks, note, slide
from animations.figures.sweep import Curve, Sweep
from collectives.catalog import DEFAULT_CHUNKS, Row, find_row
from collectives.collective import find_collective
from collectives.cost.busbw import OTHER_NAMES, SIZES, bandwidths
from collectives.cost.choose.ranking import check_amount
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.clock import Clock
from collectives.cost.machines import topology
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.progress import counted
from collectives.units import rate_text, size_text
from collectives.words import capital, listed, percent, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_MESSAGES = 1 << 21
GPUS = 8
ONE_MESSAGE = "one message"


@dataclass(frozen=True)
class Cliff:
    """Bus bandwidths on nodes of `gpus`, and what one message gets inside and outside.

    setup, machine: of the largest number of ranks.
    """

    size: int
    gpus: int
    setup: Setup
    machine: Topology
    curves: tuple[Curve, ...]
    inside: float
    outside: float


def cliff(
    collective: str,
    algorithms: Sequence[str],
    max_ranks: int,
    size: int,
    clock: Clock,
    parameters: Mapping[str, Any],
) -> Cliff:
    """Bus bandwidths from 2 ranks to `max_ranks` on a cluster of such parameters; raises BadInput.

    Up to `gpus` ranks share a node, then nodes are full and their number doubles.
    """
    promise = find_collective(collective)
    if promise.name not in {*SIZES, *OTHER_NAMES} or promise.paired:
        raise BadInput(f"{promise.title} has no bus bandwidth; try: all-reduce")
    gpus = int(parameters.get("gpus", GPUS))
    if max_ranks < 2 * gpus:
        raise BadInput(f"-n {max_ranks}: one node of {gpus} has no outside; try: {2 * gpus}")
    if not size:
        raise BadInput("--size 0B: no bandwidth without bytes; try: 1GiB")
    rows = list(dict.fromkeys(find_row(promise.name, name) for name in algorithms))
    _check_max_ranks(rows, gpus, max_ranks)
    sweeps = {ranks: _sweep(ranks, gpus, parameters, clock) for ranks in _numbers(gpus, max_ranks)}
    walk = counted(rows, "timing on each number of ranks", len(rows), "algorithms")
    curves = tuple(_curve(row, size, sweeps) for row in walk)
    ranks, sweep = max(sweeps.items())
    machine = sweep.topology(rows[0], ranks)
    pairs = machine.paths([0, 0], [min(1, gpus - 1) or gpus, gpus]).minimum(machine.bandwidth)
    return Cliff(size, gpus, sweep.setup, machine, curves, float(pairs[0]), float(pairs[1]))


def _check_max_ranks(rows: Sequence[Row], gpus: int, limit: int) -> None:
    """Raise BadInput, before anything is built, where no curve would come to the last number."""
    numbers = _numbers(gpus, limit)
    can = [n for n in numbers if any(_fits(row, n, gpus) for row in rows)]
    last = numbers[-1]
    if can and last not in can and any(row.accepts(last) for row in rows):
        names = " and ".join(row.title for row in rows[:3])
        raise BadInput(
            f"-n {limit}: {names} on {last} ranks: more than {MOST_MESSAGES:,} messages or chunks, "
            f"too many for a curve; try: -n {can[-1]}"
        )


def _fits(row: Row, ranks: int, gpus: int) -> bool:
    """Whether an algorithm is few enough messages, with nodes of so many ranks."""
    inside = min(gpus, ranks)
    taken = {take.name: inside for take in row.takes if take.name == "gpus"}
    try:
        check_amount(row, ranks, 0, taken if row.accepts(ranks, taken) else {}, MOST_MESSAGES)
    except BadInput:
        return False
    return True


def _numbers(gpus: int, max_ranks: int) -> list[int]:
    """Numbers of ranks: in one node, then of full nodes."""
    inside = [n for n in range(2, gpus + 1) if gpus % n == 0]
    return inside + [gpus << k for k in range(1, (max_ranks // gpus).bit_length())]


def _sweep(ranks: int, gpus: int, parameters: Mapping[str, Any], clock: Clock) -> Sweep:
    """Times on a cluster with so many ranks; a node that is not full has the links of those."""
    inside = min(gpus, ranks)
    nics = min(int(parameters.get("nics", 0)) or gpus, inside)
    built = topology("cluster", ranks, **{**parameters, "gpus": inside, "nics": nics})
    setup = Setup(lambda recording: built, clock, parameters={"gpus": inside})
    return Sweep(setup, DEFAULT_CHUNKS)


def _curve(row: Row, size: int, sweeps: Mapping[int, Sweep]) -> Curve:
    """The bus bandwidth on each number of ranks that an algorithm takes."""
    curve: dict[int, float] = {}
    why = ""
    for ranks, sweep in sweeps.items():
        try:
            check_amount(row, ranks, 0, sweep.given(row, ranks), MOST_MESSAGES)
            seconds = sweep.seconds(row, ranks, size)
        except BadInput as problem:
            why = str(problem)
            continue
        curve[ranks] = bandwidths(row.collective, ranks, size, seconds).busbw
    if not curve:
        raise BadInput(why)
    return Curve(row, tuple(curve), tuple(curve.values()))


def draw(data: Cliff, theme: Theme = DARK) -> Figure:
    """Curves with marks, what one message gets as a step, and the edge of the node."""
    page = slide(_title(data), _small(data), theme)
    axes = add_axes(page, theme, "bus bandwidth", "ranks")
    every = sorted({n for curve in data.curves for n in curve.at})
    rates = [rate for curve in data.curves for rate in curve.values]
    low, high = min([*rates, data.outside]), max([*rates, data.inside])
    axes.set(xscale="log", xlim=(every[0] / 1.1, every[-1] * 1.1))
    axes.set(yscale="log", ylim=(low / 1.6, high * 1.7))
    rank_ticks(axes.xaxis, every)
    ticks(axes.yaxis, log_locator(axes.yaxis), rate_text)
    make_room_for_ticks(axes)
    dotted = LineStyle(theme.faint, "", (2, 2))
    labels = [Label(every[-1], data.outside, ONE_MESSAGE, theme.faint, NAME, dotted)]
    edge = data.gpus * 2**0.5
    axes.plot(
        [every[0], edge, edge, every[-1]],
        [data.inside, data.inside, data.outside, data.outside],
        **dotted.arguments,
        linewidth=2.5,
        gid="wires",
        zorder=2,
    )
    axes.axvline(edge, color=theme.line, linewidth=2)
    for text, side, across in (("inside a node", "right", -10), ("several nodes", "left", 10)):
        look = {"coordinates": ("data", "axes fraction"), "ha": side, "va": "top"}
        outlined(note(axes, text, (edge, 1), (across, -6), theme.faint, LABEL, **look), theme)
    for curve, style in zip(data.curves, line_styles(len(data.curves), theme), strict=True):
        gid = f"curve-{curve.row.algorithm}"
        line = {**style.arguments, "markersize": 11, "linewidth": 3}
        axes.plot(curve.at, curve.values, **line, gid=gid, zorder=3)
        end = curve.at[-1], curve.values[-1]
        labels.append(Label(*end, curve.row.label, style.color, NAME, style))
    at_ends(axes, labels, theme)
    return page


def _title(data: Cliff) -> str:
    """What is left of the bandwidth beyond a node."""
    kept = {
        curve.row.label: curve.values[-1] / curve.values[curve.at.index(data.gpus)]
        for curve in data.curves
        if data.gpus in curve.at and curve.at[-1] > data.gpus
    }
    wires = f"from {rate_text(data.inside)} to {rate_text(data.outside)}"
    if not kept:
        return f"Beyond a node one message falls {wires}"
    parts = [f"{name} keeps {percent(share)}" for name, share in kept.items()]
    if len(parts) > 2:
        best = max(kept, key=lambda name: kept[name])
        parts = [f"{best} keeps most, {percent(kept[best])}"]
    return f"Beyond a node one message falls {wires}; {listed(parts)} of its bandwidth"


def _small(data: Cliff) -> str:
    nics = sum(number for kind, number in data.machine.kinds if kind == "NIC")
    nodes = data.machine.ranks // data.gpus
    pipelined = [curve.row for curve in data.curves if "chunks" in curve.row.parameters]
    rings = small_print.channels([curve.row for curve in data.curves], data.machine)
    rings += " " * bool(rings)
    chunks = f"{DEFAULT_CHUNKS} chunks: {small_print.names(pipelined)}. " if pipelined else ""
    return (
        f"{capital(small_print.clock(data.setup))}. Cluster whose nodes have "
        f"{plural(data.gpus, 'rank')} and {plural(nics // nodes, 'NIC')}; "
        f"vector of {size_text(data.size)}. "
        "Bus bandwidth: size over time, times nccl-tests' factor of the collective. "
        f"{chunks}{rings}Kept: on {data.machine.ranks} ranks, of that on {data.gpus}."
    )
