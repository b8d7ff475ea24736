"""Draws an NCCL log: nodes, their ranks, and how those that are next in a ring are connected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import atan2, ceil, cos, hypot, pi, sin
from typing import TYPE_CHECKING

from animations.drawing.glyphs import line_within, text_width
from animations.drawing.shapes import Box, ColoredBox, Point, Shape, Stroke, TextLine
from animations.drawing.theme import DARK, Theme
from animations.figures.line_styles import DASHES
from animations.figures.machine import FACTS
from animations.figures.slide import LABEL, NAME, PIXELS, put, slide, write
from animations.figures.slide import wrapped as in_room
from collectives.errors import BadInput
from collectives.formats.nccl_log import Communicator, Log, findings
from collectives.words import listed, plural, ranges

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_RANKS, MOST_NODES = 128, 16
ROOM = Box.between(54, 210, 1294, 950)  # of the drawing, in pixels of the page
GAP, NAME_ROOM, LARGEST = 40.0, 46.0, 62.0  # between nodes; for their names; a rank's side
BEND = 0.14  # of its length, that an arrow bends aside
NUMBERS = (38.0, 32.0, 26.0, 22.0)  # pixels of letters on ranks, as far as they fit
LARGEST_NAME, SMALLEST_NAME = 34.0, 22.0  # pixels of letters of the names of nodes
BORDER, DASHED = 4.0, (2.5, 1.5)  # pixels of the border of a rank; its dashes, if it is silent
MOST_FINDINGS = 4
SILENT = "host not named"
Pair = tuple[int, int]


@dataclass(frozen=True)
class Way:
    """A kind of connection: its name, what it is, its color in a theme, its dashes and width."""

    name: str
    about: str
    tone: str
    dashes: tuple[float, ...]
    in_title: str
    width: float = 6.0


P2P = Way("P2P", "from GPU to GPU", "rank 0", DASHES[0], "from GPU to GPU")
DIRECT = Way("Network", "GPU Direct RDMA", "rank 2", DASHES[0], "over the network", 9.0)
SHARED = Way("SHM", "through host memory", "rank 1", DASHES[1], "through host memory")
STAGED = Way(
    "Network", "through host memory", "rank 4", DASHES[3], "over the network and host memory", 9.0
)
SOCKET = Way("TCP sockets", "the slowest", "wrong", DASHES[2], "over TCP sockets", 9.0)
UNKNOWN = Way("Not named", "no line in the log", "faint", (1, 3), "", 4.0)
WAYS = (P2P, DIRECT, SHARED, STAGED, SOCKET, UNKNOWN)  # the slowest last


def draw(log: Log, algorithm: str = "ring", theme: Theme = DARK) -> Figure:
    """The nodes of a log with their ranks, and arrows along its rings, or up its trees."""
    comm = log.largest
    pairs = edges(comm, algorithm)
    groups = _groups(comm)
    _check(comm, pairs, len(groups))
    ways = {pair: way_of(comm, pair) for pair in pairs}
    page = slide(_title(comm, algorithm, ways), _small(comm, algorithm), theme)
    seats, below, above = _layers(comm, groups)
    ordered = sorted(ways.items(), key=lambda pair: WAYS.index(pair[1]))
    arrows = [_edge(pair, way, seats, back=pair[::-1] in ways) for pair, way in ordered]
    put(page, (*below, *arrows, *above), theme)
    _legend(page, Counter(ways.values()), findings(log), theme)
    return page


def edges(comm: Communicator, algorithm: str) -> list[Pair]:
    """Pairs of ranks: next in a ring, child and parent in a tree; else all that are connected."""
    if algorithm == "tree":
        ways = {
            (child, parent)
            for parents in comm.trees.values()
            for child, parent in enumerate(parents)
            if parent >= 0
        }
    else:
        ways = {
            pair
            for order in comm.rings.values()
            for pair in zip(order, (*order[1:], order[0]), strict=True)
        }
    return sorted(ways or comm.links)


def way_of(comm: Communicator, pair: Pair) -> Way:
    """The slowest kind of connection of a pair, in either direction if only that is known."""
    known = comm.links.get(pair) or comm.links.get(pair[::-1]) or set()
    kinds = [UNKNOWN] if not known else []
    for way in known:
        if way.kind == "NET":
            kinds.append(SOCKET if way.socket else DIRECT if way.direct else STAGED)
        else:
            kinds.append(SHARED if way.kind == "SHM" else P2P)
    return max(kinds, key=WAYS.index)


def _groups(comm: Communicator) -> list[tuple[str, list[int]]]:
    """The ranks of each node, in the order of the first ring; then those without a line."""
    order = next(iter(comm.rings.values()), tuple(range(comm.ranks)))
    hosts = [comm.hosts.get(rank, "") for rank in order]
    entry = next((k for k, host in enumerate(hosts) if host != hosts[k - 1]), 0)
    by_host: dict[str, list[int]] = {}
    for rank in (*order[entry:], *order[:entry]):
        by_host.setdefault(comm.hosts.get(rank, ""), []).append(rank)
    silent = by_host.pop("", [])
    groups = sorted(by_host.items(), key=lambda pair: min(pair[1]))
    return [*groups, (SILENT if groups else "", silent)] if silent else groups


def _check(comm: Communicator, pairs: list[Pair], nodes: int) -> None:
    """Raise BadInput for a log of which there is nothing to draw, or too much."""
    if not pairs:
        raise BadInput(
            "the log has no whole ring and no connection to draw; try: "
            "NCCL_DEBUG_SUBSYS=INIT,GRAPH,P2P,NET"
        )
    if comm.ranks > MOST_RANKS or nodes > MOST_NODES:
        raise BadInput(
            f"a log of {plural(comm.ranks, 'rank')} on {plural(nodes, 'node')}: at most "
            f"{MOST_RANKS} on {MOST_NODES} can be drawn; try: the report, without -o"
        )


def _title(comm: Communicator, algorithm: str, ways: dict[Pair, Way]) -> str:
    """What is seen, with the ways between ranks."""
    number = len(set((comm.trees if algorithm == "tree" else comm.rings).values()))
    what = "connections" if not number else algorithm if number == 1 else f"{number} {algorithm}s"
    counted = Counter(ways.values())
    parts = [f"{counted[way]:,} {way.in_title}" for way in WAYS if counted[way] and way.in_title]
    ends = f": {listed(parts)}" if parts else ""
    return f"NCCL's {what} of {comm}{ends}"


def _small(comm: Communicator, algorithm: str) -> str:
    if algorithm == "tree" and comm.trees:
        arrows = "Arrows go from children to their parents, as sums do; results go back."
    elif algorithm == "ring" and comm.rings:
        arrows = "Arrows go from each rank to the next one in a ring, of all channels."
    else:
        arrows = "Arrows are the connections that the log names."
    boxes = "nodes" if comm.hosts_are_nodes else "names of hosts, which several nodes share"
    return f"{arrows} Boxes are {boxes}, with their ranks. Read from the output of NCCL_DEBUG=INFO."


def _layers(
    comm: Communicator, groups: list[tuple[str, list[int]]]
) -> tuple[dict[int, Box], list[Shape], list[Shape]]:
    """The seats of the ranks, on a circle in the box of their node; what is below arrows, above."""
    columns, wide, high = _grid(len(groups))
    side = min(LARGEST, *(_side(len(ranks), wide, high) for _, ranks in groups))
    widest = str(comm.ranks - 1)
    size = next((size for size in NUMBERS if text_width(widest, size) < 0.8 * side), 0.0)
    seats, below, above = dict[int, Box](), list[Shape](), list[Shape]()
    for k, (name, ranks) in enumerate(groups):
        row, column = divmod(k, columns)
        column = columns - 1 - column if row % 2 else column  # the next node is beside, or below
        x, y = ROOM.left + column * (wide + GAP), ROOM.top + row * (high + GAP)
        box = Box.between(x, y, x + wide, y + high)
        text = name if size else f"{name} · {ranges(sorted(ranks))}"
        below += _bordered(ColoredBox(box, "well", 18, "edge", 3), name == SILENT)
        above += _name(box, text)
        for rank, (x, y) in zip(ranks, _circle(len(ranks), box, side), strict=True):
            seat = seats[rank] = Box(x, y, side, side)
            silent = rank not in comm.seen
            edge, name = "faint" if silent else "ink", f"rank-{rank}"
            card = ColoredBox(seat, "panel", 0.28 * side, edge, BORDER, name=name)
            above += _bordered(card, silent)
            if size:
                base = y + 0.36 * size
                above.append(TextLine(f"{rank}", x, base, size, "ink", align="center"))
    return seats, below, above


def _bordered(card: ColoredBox, dashed: bool) -> Iterator[Shape]:
    """A box with its border, or with a dashed one."""
    if not dashed:
        yield card
        return
    yield replace(card, edge="", width=0.0)
    for side in card.box.sides:
        yield Stroke(side, card.edge, card.width, name=card.name, dashes=DASHED)


def _name(box: Box, name: str) -> Iterator[Shape]:
    """The name of a node in the upper corner of its box, over arrows."""
    line = line_within(
        box.width - 28, (LARGEST_NAME, SMALLEST_NAME), name, box.left + 14, box.top + 42, "faint"
    )
    wide, high = text_width(line.text, line.size), line.size
    ground = Box.between(line.x - 3, line.baseline - high, line.x + wide + 3, line.baseline + 9)
    if name:
        yield ColoredBox(ground, "well")
        yield line


def _grid(nodes: int) -> tuple[int, float, float]:
    """In how many columns nodes have most room, and the width and height of each."""

    def cell(columns: int) -> tuple[float, float]:
        rows = ceil(nodes / columns)
        return (ROOM.width + GAP) / columns - GAP, (ROOM.height + GAP) / rows - GAP

    def room(columns: int) -> tuple[float, int]:
        wide, high = cell(columns)
        return round(min(wide, high - NAME_ROOM)), -(-nodes % columns)

    best = max(range(1, nodes + 1), key=room)
    return best, *cell(best)


def _side(ranks: int, wide: float, high: float) -> float:
    """The side of ranks on the circle of a node, so that they do not touch."""
    radius = (min(wide, high - NAME_ROOM) - 20) / 2
    if ranks < 2:
        return min(LARGEST, radius)
    return min(radius * 0.55, 0.42 * 2 * pi * radius / ranks)


def _circle(ranks: int, box: Box, side: float) -> list[Point]:
    """Places on a circle: the first and last are nearest to the middle of the drawing."""
    x, y = box.x, box.y + NAME_ROOM / 2
    if ranks == 1:
        return [(x, y)]
    radius = (min(box.width, box.height - NAME_ROOM) - 30 - side) / 2
    across, down = ROOM.x - x, ROOM.y - y
    inward = atan2(down, across) if abs(across) > 1 else pi / 2 if down > NAME_ROOM else -pi / 2
    turns = [inward + 2 * pi * (k + 0.5) / ranks for k in range(ranks)]
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def _edge(pair: Pair, way: Way, seats: dict[int, Box], back: bool) -> Stroke:
    """An arrow from a rank to another, bent where another one comes back."""
    start, end = seats[pair[0]], seats[pair[1]]
    length = hypot(end.x - start.x, end.y - start.y) or 1.0
    away = 0.62 * start.width
    dx, dy = (end.x - start.x) / length, (end.y - start.y) / length
    start_at, end_at = (
        (start.x + dx * away, start.y + dy * away),
        (end.x - dx * away, end.y - dy * away),
    )
    bend = BEND * (length - 2 * away) if back else 0.0
    middle = (start_at[0] + end_at[0]) / 2 - bend * dy, (start_at[1] + end_at[1]) / 2 + bend * dx
    width, name = way.width * min(1.0, max(0.45, start.width / 50)), f"edge-{pair[0]}-{pair[1]}"
    return Stroke((start_at, middle, end_at), way.tone, width, True, name, way.dashes)


def _legend(page: Figure, counted: Counter[Way], texts: list[str], theme: Theme) -> None:
    """The ways that are drawn, with how often, and below what is slow or unusual, in short."""
    y, room = 0.8, 1 - FACTS - 0.03
    left, high = FACTS * PIXELS[0], PIXELS[1]
    for way in WAYS:
        if not counted[way]:
            continue
        ends = (left, (1 - y - 0.008) * high), (left + 67, (1 - y - 0.008) * high)
        put(page, [Stroke(ends, way.tone, way.width, dashes=way.dashes)], theme)
        write(page, FACTS + 0.045, y, f"{way.name}: {counted[way]}", theme.ink, NAME)
        write(page, FACTS + 0.045, y - 0.031, way.about, theme.faint, LABEL - 2)
        y -= 0.085
    if not texts:
        return
    y -= 0.01
    write(page, FACTS, y, "Slow or unusual", theme.wrong, NAME, weight="bold")
    for text in texts[:MOST_FINDINGS]:
        short = in_room(page, text.partition(": ")[0], room, LABEL - 2)
        y -= 0.014
        write(page, FACTS, y, short, theme.ink, LABEL - 2, va="top", linespacing=1.2)
        y -= 0.028 * (short.count("\n") + 1) + 0.008
    if len(texts) > MOST_FINDINGS:
        more = f"and {len(texts) - MOST_FINDINGS} more"
        write(page, FACTS, y - 0.014, more, theme.faint, LABEL - 2, va="top")
