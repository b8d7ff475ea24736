"""The bandwidth cliff: bus bandwidth inside a node and beyond it, against the number of ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from animations.figures import captions
from animations.figures.axis_ticks import bytes_text, fine_marks, rank_marks, rate_text
from animations.figures.label_placement import Label, at_ends, lifted
from animations.figures.line_styles import Ink, inks
from animations.figures.slide import LABEL, NAME, axes, slide, ticks
from animations.story.theme import DARK, Theme
from collectives.catalog import DEFAULT_CHUNKS, Row, find_row
from collectives.collective import find_collective
from collectives.cost.choose.amount import check_amount
from collectives.cost.choose.setup import Clock, Setup, sized
from collectives.cost.machines import topology
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.evidence.busbw import OTHER_NAMES, SIZES, bandwidths
from collectives.words import capital, listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_MESSAGES = 1 << 21
GPUS = 8
PAIR = "one message"


@dataclass(frozen=True)
class Curve:
    """An algorithm's bus bandwidth in bytes per second, over numbers of ranks."""

    row: Row
    ranks: tuple[int, ...]
    busbw: tuple[float, ...]


@dataclass(frozen=True)
class Cliff:
    """Bus bandwidths on nodes of `gpus`, and what one message gets inside and outside."""

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
    most: int,
    size: int,
    clock: Clock,
    parameters: Mapping[str, Any],
) -> Cliff:
    """Bus bandwidths from 2 ranks to `most` on a cluster of such parameters; raises BadInput.

    Up to `gpus` ranks share a node, then nodes are full and their number doubles.
    """
    promise = find_collective(collective)
    if promise.name not in {*SIZES, *OTHER_NAMES} or promise.paired:
        raise BadInput(f"{promise.title} has no bus bandwidth; nearest: all-reduce")
    gpus = int(parameters.get("gpus", GPUS))
    if most < 2 * gpus:
        raise BadInput(f"-n {most}: one node of {gpus} has no outside; nearest: {2 * gpus}")
    if not size:
        raise BadInput("--size 0B: no bandwidth without bytes; nearest: 1GiB")
    rows = [find_row(promise.name, name) for name in algorithms]
    rows = list({row.algorithm: row for row in rows}.values())
    _check_most(rows, gpus, most)
    places = {ranks: _place(ranks, gpus, parameters, clock) for ranks in _numbers(gpus, most)}
    curves = [_curve(row, size, places) for row in rows]
    last = places[max(places)]
    machine = last.machine(
        sized(rows[0], max(places), 0, None, 0, last.fill(rows[0], max(places), {}))
    )
    pairs = machine.paths([0, 0], [min(1, gpus - 1) or gpus, gpus]).least(machine.bandwidth)
    return Cliff(size, gpus, last, machine, tuple(curves), float(pairs[0]), float(pairs[1]))


def _check_most(rows: Sequence[Row], gpus: int, most: int) -> None:
    """Raise BadInput, before anything is built, where no curve would come to the last number."""
    numbers = _numbers(gpus, most)
    can = [n for n in numbers if any(_fits(row, n, gpus) for row in rows)]
    last = numbers[-1]
    if can and last not in can and any(row.accepts(last) for row in rows):
        names = " and ".join(row.title for row in rows[:3])
        raise BadInput(
            f"-n {most}: {names} on {last} ranks: more than {MOST_MESSAGES:,} messages or chunks, "
            f"too many for a curve; nearest: -n {can[-1]}"
        )


def _fits(row: Row, ranks: int, gpus: int) -> bool:
    """Whether an algorithm is few enough messages, with nodes of so many ranks."""
    inside = min(gpus, ranks)
    taken = {one.name: inside for one in row.takes if one.name == "gpus"}
    try:
        check_amount(row, ranks, 0, taken if row.accepts(ranks, taken) else {}, MOST_MESSAGES)
    except BadInput:
        return False
    return True


def _numbers(gpus: int, most: int) -> list[int]:
    """Numbers of ranks: in one node, then of full nodes."""
    found = [n for n in range(2, gpus + 1) if gpus % n == 0]
    nodes = 2
    while nodes * gpus <= most:
        found.append(nodes * gpus)
        nodes *= 2
    return found


def _place(ranks: int, gpus: int, parameters: Mapping[str, Any], clock: Clock) -> Setup:
    """A cluster with so many ranks; a node that is not full has the links of those it has."""
    inside = min(gpus, ranks)
    given = {**parameters, "gpus": inside}
    given["nics"] = min(int(parameters.get("nics", 0)) or gpus, inside)
    built = topology("cluster", ranks, **given)
    return Setup(lambda recording: built, clock, parameters={"gpus": inside})


def _curve(row: Row, size: int, places: Mapping[int, Setup]) -> Curve:
    ranks, found = [], []
    why = ""
    for number, setup in places.items():
        try:
            given = setup.fill(row, number, {})
            check_amount(row, number, 0, given, MOST_MESSAGES)
            made = sized(row, number, size, None, 0, given)
            seconds = setup.time(made).total
        except BadInput as problem:
            why = str(problem)
            continue
        ranks.append(number)
        found.append(bandwidths(row.collective, number, size, seconds).busbw)
    if not ranks:
        raise BadInput(why)
    return Curve(row, tuple(ranks), tuple(found))


def draw(data: Cliff, theme: Theme = DARK) -> Figure:
    """Curves with marks, what one message gets as a step, and the edge of the node."""
    page = slide(_title(data), _small(data), theme)
    made = axes(page, theme, "bus bandwidth", "ranks")
    every = sorted({n for curve in data.curves for n in curve.ranks})
    rates = [rate for curve in data.curves for rate in curve.busbw]
    made.set_xscale("log")
    made.set_yscale("log")
    made.set_xlim(every[0] / 1.1, every[-1] * 1.1)
    made.set_ylim(min([*rates, data.outside]) / 1.6, max([*rates, data.inside]) * 1.7)
    ticks(made, "x", rank_marks(every))
    ticks(made, "y", [(rate, rate_text(rate)) for rate in fine_marks(*made.get_ylim())], shift=True)
    edge = data.gpus * 2**0.5
    made.plot(
        [every[0], edge, edge, every[-1]],
        [data.inside, data.inside, data.outside, data.outside],
        color=theme.faint,
        linewidth=2.5,
        dashes=(2, 2),
        gid="wires",
        zorder=2,
    )
    made.axvline(edge, color=theme.line, linewidth=2)
    for text, side, across in (("inside a node", "right", -10), ("several nodes", "left", 10)):
        note = made.annotate(
            text,
            (edge, 1),
            (across, -6),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            color=theme.faint,
            fontsize=LABEL,
            ha=side,
            va="top",
        )
        lifted(note, theme)
    dotted = Ink(theme.faint, "", (2, 2))
    labels = [Label(every[-1], data.outside, PAIR, theme.faint, NAME, dotted)]
    for curve, ink in zip(data.curves, inks(len(data.curves), theme), strict=True):
        made.plot(
            curve.ranks,
            curve.busbw,
            color=ink.color,
            marker=ink.marker,
            dashes=ink.dashes or (None, None),
            markersize=11,
            linewidth=3,
            gid=f"curve-{curve.row.algorithm}",
            zorder=3,
        )
        name = captions.short(curve.row)
        labels.append(Label(curve.ranks[-1], curve.busbw[-1], name, ink.color, NAME, ink))
    at_ends(made, labels, theme)
    return page


def _title(data: Cliff) -> str:
    """What is left of the bandwidth beyond a node, of the algorithm that keeps most."""
    kept = {
        captions.short(curve.row): curve.busbw[-1] / curve.busbw[curve.ranks.index(data.gpus)]
        for curve in data.curves
        if data.gpus in curve.ranks and curve.ranks[-1] > data.gpus
    }
    wires = f"from {rate_text(data.inside)} to {rate_text(data.outside)}"
    if not kept:
        return f"Beyond a node one message falls {wires}"
    best = max(kept, key=lambda name: kept[name])
    parts = [f"{name} keeps {100 * share:.0f} %" for name, share in kept.items()]
    if len(parts) > 2:
        parts = [f"{best} keeps most, {100 * kept[best]:.0f} %"]
    return f"Beyond a node one message falls {wires}; {listed(parts)} of its bandwidth"


def _small(data: Cliff) -> str:
    nics = sum(number for kind, number in data.machine.kinds if kind == "NIC")
    nodes = data.machine.ranks // data.gpus
    return (
        f"{capital(captions.clock(data.setup))}. Cluster whose nodes have "
        f"{plural(data.gpus, 'rank')} and {plural(nics // nodes, 'NIC')}; "
        f"vector of {bytes_text(data.size)}. "
        "Bus bandwidth: size over time, times nccl-tests' factor of the collective. "
        f"{_chunks(data)}Kept: on {data.machine.ranks} ranks, of that on {data.gpus}."
    )


def _chunks(data: Cliff) -> str:
    """What pipelines are cut into, if there are any."""
    names = [captions.short(c.row) for c in data.curves if "chunks" in c.row.parameters]
    return f"{DEFAULT_CHUNKS} chunks: {listed(names)}. " if names else ""
