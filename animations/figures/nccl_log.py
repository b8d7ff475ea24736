"""Draws an NCCL log: nodes, their ranks, and how those that are next in a ring are connected."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import atan2, ceil, cos, hypot, pi, sin
from typing import TYPE_CHECKING, Any

from animations.drawing.render.letters import families
from animations.drawing.shapes import Box
from animations.drawing.theme import DARK, Theme
from animations.figures.line_styles import DASHES
from animations.figures.machine import FACTS
from animations.figures.slide import LABEL, NAME, PIXELS, add_axes, extent, rounded, slide, write
from animations.figures.slide import wrapped as in_room
from collectives.errors import BadInput
from collectives.formats.nccl_log import Communicator, Log, findings
from collectives.words import listed, plural, ranges, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_RANKS, MOST_NODES = 128, 16
WIDTH, HEIGHT, BOTTOM, LEFT = 1240.0, 740.0, 130.0, 54.0  # of the drawing, in pixels
GAP, NAME_ROOM, LARGEST = 40.0, 46.0, 62.0  # between nodes; for their names; a rank's side
NUMBERS = (19.0, 16.0, 13.0, 11.0)  # type sizes on ranks, as far as they fit
NAMES = (LABEL, 14.0, 12.0, 11.0)  # type sizes of the names of nodes
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
    width: float = 3.0

    @property
    def line(self) -> Any:
        """The dashes as matplotlib takes them."""
        return (0, self.dashes) if self.dashes else "-"


P2P = Way("P2P", "from GPU to GPU", "rank 0", DASHES[0], "from GPU to GPU")
DIRECT = Way("Network", "GPU Direct RDMA", "rank 2", DASHES[0], "over the network", 4.5)
SHARED = Way("SHM", "through host memory", "rank 1", DASHES[1], "through host memory")
STAGED = Way(
    "Network", "through host memory", "rank 4", DASHES[3], "over the network and host memory", 4.5
)
SOCKET = Way("TCP sockets", "the slowest", "wrong", DASHES[2], "over TCP sockets", 4.5)
UNKNOWN = Way("Not named", "no line in the log", "faint", (1, 3), "", 2.0)
WAYS = (P2P, DIRECT, SHARED, STAGED, SOCKET, UNKNOWN)  # the slowest last


def draw(log: Log, algorithm: str = "ring", theme: Theme = DARK) -> Figure:
    """The nodes of a log with their ranks, and arrows along its rings, or up its trees."""
    one = log.largest
    pairs = edges(one, algorithm)
    groups = _groups(one)
    _check(one, pairs, len(groups))
    ways = {pair: way_of(one, pair) for pair in pairs}
    page = slide(_title(one, algorithm, ways), _small(one, algorithm), theme)
    low, left = BOTTOM / PIXELS[1], LEFT / PIXELS[0]
    box = (left, low, left + WIDTH / PIXELS[0], low + HEIGHT / PIXELS[1])
    axes = add_axes(page, theme, box=box)
    axes.set_axis_off()
    axes.set(xlim=(0, WIDTH), ylim=(0, HEIGHT))
    seats = _draw_nodes(axes, one, groups, theme)
    for pair, way in sorted(ways.items(), key=lambda each: WAYS.index(each[1])):
        _draw_edge(axes, pair, way, seats, theme, back=pair[::-1] in ways)
    _legend(page, Counter(ways.values()), findings(log), theme)
    return page


def edges(one: Communicator, algorithm: str) -> list[Pair]:
    """Pairs of ranks: next in a ring, child and parent in a tree; else all that are connected."""
    if algorithm == "tree":
        found = {
            (child, parent)
            for parents in one.trees.values()
            for child, parent in enumerate(parents)
            if parent >= 0
        }
    else:
        found = {
            pair
            for order in one.rings.values()
            for pair in zip(order, (*order[1:], order[0]), strict=True)
        }
    return sorted(found or one.links)


def way_of(one: Communicator, pair: Pair) -> Way:
    """The slowest kind of connection of a pair, in either direction if only that is known."""
    known = one.links.get(pair) or one.links.get(pair[::-1]) or set()
    found = [UNKNOWN] if not known else []
    for each in known:
        if each.kind == "NET":
            found.append(SOCKET if each.socket else DIRECT if each.direct else STAGED)
        else:
            found.append(SHARED if each.kind == "SHM" else P2P)
    return max(found, key=WAYS.index)


def _groups(one: Communicator) -> list[tuple[str, list[int]]]:
    """The ranks of each node, in the order of the first ring; then those without a line."""
    order = next(iter(one.rings.values()), tuple(range(one.ranks)))
    hosts = [one.hosts.get(rank, "") for rank in order]
    entry = next((k for k, host in enumerate(hosts) if host != hosts[k - 1]), 0)
    found: dict[str, list[int]] = {}
    for rank in (*order[entry:], *order[:entry]):
        found.setdefault(one.hosts.get(rank, ""), []).append(rank)
    silent = found.pop("", [])
    groups = sorted(found.items(), key=lambda each: min(each[1]))
    return [*groups, (SILENT if groups else "", silent)] if silent else groups


def _check(one: Communicator, pairs: list[Pair], nodes: int) -> None:
    """Raise BadInput for a log of which there is nothing to draw, or too much."""
    if not pairs:
        raise BadInput(
            "the log has no whole ring and no connection to draw; try: "
            "NCCL_DEBUG_SUBSYS=INIT,GRAPH,P2P,NET"
        )
    if one.ranks > MOST_RANKS or nodes > MOST_NODES:
        raise BadInput(
            f"a log of {plural(one.ranks, 'rank')} on {plural(nodes, 'node')}: at most "
            f"{MOST_RANKS} on {MOST_NODES} can be drawn; try: the report, without -o"
        )


def _title(one: Communicator, algorithm: str, ways: dict[Pair, Way]) -> str:
    """What is seen, with the ways between ranks."""
    number = len(set((one.trees if algorithm == "tree" else one.rings).values()))
    what = "connections" if not number else algorithm if number == 1 else f"{number} {algorithm}s"
    counted = Counter(ways.values())
    parts = [f"{counted[way]:,} {way.in_title}" for way in WAYS if counted[way] and way.in_title]
    ends = f": {listed(parts)}" if parts else ""
    return f"NCCL's {what} of {one}{ends}"


def _small(one: Communicator, algorithm: str) -> str:
    if algorithm == "tree" and one.trees:
        arrows = "Arrows go from children to their parents, as sums do; results go back."
    elif algorithm == "ring" and one.rings:
        arrows = "Arrows go from each rank to the next one in a ring, of all channels."
    else:
        arrows = "Arrows are the connections that the log names."
    boxes = "nodes" if one.hosts_are_nodes else "names of hosts, which several nodes share"
    return f"{arrows} Boxes are {boxes}, with their ranks. Read from the output of NCCL_DEBUG=INFO."


Seats = dict[int, Box]


def _draw_nodes(
    axes: Axes, one: Communicator, groups: list[tuple[str, list[int]]], theme: Theme
) -> Seats:
    """A box for each node, its ranks on a circle; the seats of the ranks."""
    columns, wide, high = _grid(len(groups))
    side = min(LARGEST, *(_side(len(ranks), wide, high) for _, ranks in groups))
    page: Any = axes.get_figure(root=True)
    size = next((s for s in NUMBERS if extent(page, str(one.ranks - 1), s)[0] < 0.8 * side), 0)
    seats: Seats = {}
    for k, (name, ranks) in enumerate(groups):
        row, column = divmod(k, columns)
        column = columns - 1 - column if row % 2 else column  # the next node is beside, or below
        middle = column * (wide + GAP) + wide / 2, HEIGHT - row * (high + GAP) - high / 2
        shown = name if size else f"{name} · {ranges(sorted(ranks))}"
        _draw_box(axes, Box(*middle, wide, high), shown, name == SILENT, theme)
        for rank, (x, y) in zip(ranks, _circle(len(ranks), middle, wide, high, side), strict=True):
            seats[rank] = Box(x, y, side, side)
            look = {"facecolor": theme.panel, "edgecolor": theme.ink, "linewidth": 2, "zorder": 4}
            if rank not in one.seen:
                look |= {"edgecolor": theme.faint, "linestyle": "--"}
            axes.add_artist(rounded(seats[rank], 0.28 * side, gid=f"rank-{rank}", **look))
            if size:
                _text(axes, x, y, str(rank), theme.ink, size, va="center", ha="center")
    return seats


def _grid(nodes: int) -> tuple[int, float, float]:
    """In how many columns nodes have most room, and the width and height of each."""

    def cell(columns: int) -> tuple[float, float]:
        rows = ceil(nodes / columns)
        return (WIDTH + GAP) / columns - GAP, (HEIGHT + GAP) / rows - GAP

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


def _circle(
    ranks: int, middle: tuple[float, float], wide: float, high: float, side: float
) -> list[tuple[float, float]]:
    """Places on a circle: the first and last are nearest to the middle of the drawing."""
    x, y = middle[0], middle[1] - NAME_ROOM / 2
    if ranks == 1:
        return [(x, y)]
    radius = (min(wide, high - NAME_ROOM) - 30 - side) / 2
    across, up = WIDTH / 2 - x, HEIGHT / 2 - y
    inward = atan2(up, across) if abs(across) > 1 else pi / 2 if up >= -NAME_ROOM else -pi / 2
    turns = [inward - 2 * pi * (k + 0.5) / ranks for k in range(ranks)]
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def _draw_box(axes: Axes, box: Box, name: str, silent: bool, theme: Theme) -> None:
    """The ground of a node, with its name on top."""
    dashed = {"linestyle": "--"} if silent else {}
    look = {"facecolor": theme.well, "edgecolor": theme.edge, "linewidth": 1.5, "clip_on": False}
    axes.add_artist(rounded(box, 18, **look, **dashed)).set_zorder(0)
    page: Any = axes.get_figure(root=True)
    room = box.width - 24
    size = next((s for s in NAMES if extent(page, name, s)[0] <= room), NAMES[-1])
    shown = shortened(name, lambda line: extent(page, line, size)[0] <= room) if name else ""
    left, top = box.x - box.width / 2 + 14, box.y + box.height / 2 - 12
    ground = {"facecolor": theme.well, "edgecolor": "none", "pad": 2}
    _text(axes, left, top, shown, theme.faint, size, va="top", ha="left", bbox=ground)


def _text(axes: Axes, x: float, y: float, text: str, color: str, size: float, **more: Any) -> None:
    look = {"family": families(), "parse_math": False, "zorder": 5, **more}
    axes.text(x, y, text, color=color, fontsize=size, **look)


def _draw_edge(
    axes: Axes, pair: Pair, way: Way, seats: Seats, theme: Theme, back: bool = False
) -> None:
    """An arrow from a rank to another, bent where another one comes back."""
    from matplotlib.patches import FancyArrowPatch

    start, end = seats[pair[0]], seats[pair[1]]
    length = hypot(end.x - start.x, end.y - start.y) or 1.0
    away = 0.62 * start.width
    across, up = (end.x - start.x) / length * away, (end.y - start.y) / length * away
    scale = min(1.0, max(0.45, start.width / 50))
    ends = (start.x + across, start.y + up), (end.x - across, end.y - up)
    look: dict[str, Any] = {
        "connectionstyle": f"arc3,rad={0.14 if back else 0.0}",
        "mutation_scale": 24 * scale,
        "shrinkA": 0,
        "shrinkB": 0,
        "color": theme.tone(way.tone),
        "clip_on": False,
        "zorder": 2 + WAYS.index(way) / 10,
    }
    shaft = FancyArrowPatch(*ends, arrowstyle="-", linewidth=way.width * scale, **look)
    shaft.set(linestyle=way.line, capstyle="butt", gid=f"edge-{pair[0]}-{pair[1]}")
    axes.add_artist(shaft)
    axes.add_artist(FancyArrowPatch(*ends, arrowstyle="-|>", linewidth=0, **look))


def _legend(page: Figure, counted: Counter[Way], said: list[str], theme: Theme) -> None:
    """The ways that are drawn, with how often, and below what is slow or unusual, in short."""
    from matplotlib.lines import Line2D

    y, room = 0.8, 1 - FACTS - 0.03
    for way in WAYS:
        if not counted[way]:
            continue
        line = Line2D(
            [FACTS, FACTS + 0.035],
            [y + 0.008] * 2,
            color=theme.tone(way.tone),
            linewidth=way.width,
            linestyle=way.line,
        )
        page.add_artist(line)
        write(page, FACTS + 0.045, y, f"{way.name}: {counted[way]}", theme.ink, NAME)
        write(page, FACTS + 0.045, y - 0.031, way.about, theme.faint, LABEL - 2)
        y -= 0.085
    if not said:
        return
    y -= 0.01
    write(page, FACTS, y, "Slow or unusual", theme.wrong, NAME, weight="bold")
    for text in said[:MOST_FINDINGS]:
        short = in_room(page, text.partition(": ")[0], room, LABEL - 2)
        y -= 0.014
        write(page, FACTS, y, short, theme.ink, LABEL - 2, va="top", linespacing=1.2)
        y -= 0.028 * (short.count("\n") + 1) + 0.008
    if len(said) > MOST_FINDINGS:
        more = f"and {len(said) - MOST_FINDINGS} more"
        write(page, FACTS, y - 0.014, more, theme.faint, LABEL - 2, va="top")
