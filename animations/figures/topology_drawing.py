"""Draws the nodes of a topology at their seats, and the links between them."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, Any

from animations.figures.slide import FACE, LABEL, PIXELS, bare, extent, write
from animations.figures.topology_layout import HEIGHT, WIDTH, Plan, Seat
from animations.story.theme import Theme
from collectives.cost.machines.topology import Topology

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAMES = 222.0  # pixels to the left of the drawing, for the names of its levels
BOTTOM_EDGE = 150.0  # pixels below the drawing
NUMBERS = (17.0, 14.0, 12.0, 11.0)  # sizes of what is written on nodes, as far as they fit
INWARDS = 46.0  # pixels from a node too small for its number to that number


def canvas(page: Figure, topology: Topology, drawing: Plan, theme: Theme) -> Axes:
    """Axes in pixels of the page, with the names of levels on their left."""
    left = NAMES if drawing.levels else 50.0
    box = (
        left / PIXELS[0],
        BOTTOM_EDGE / PIXELS[1],
        (left + WIDTH) / PIXELS[0],
        (BOTTOM_EDGE + HEIGHT) / PIXELS[1],
    )
    made = bare(page, theme, box)
    made.set_xlim(0, WIDTH)
    made.set_ylim(0, HEIGHT)
    sizes = numbers(page, topology, drawing)
    for level in drawing.levels:
        y = (BOTTOM_EDGE + level.height) / PIXELS[1]
        text = level.name.replace(" ", "\n")
        if not all(sizes[topology.kind_of(node)] for node in level.nodes):
            last = _number(topology, level.nodes[-1])
            text += f"\n{_number(topology, level.nodes[0])} to {last}"
        write(page, 0.028, y, text, theme.faint, LABEL, va="center", linespacing=1.1)
    return made


def nodes(made: Axes, topology: Topology, drawing: Plan, theme: Theme) -> None:
    """A box for each node, round for ranks, with its number where all of its kind have room."""
    from matplotlib.patches import FancyBboxPatch

    page: Any = made.get_figure(root=True)
    sizes = numbers(page, topology, drawing)
    for node, seat in enumerate(drawing.seats):
        rank = node < topology.ranks
        radius = min(seat.width, seat.height) * (0.28 if rank else 0.12)
        made.add_patch(
            FancyBboxPatch(
                (seat.x - seat.width / 2, seat.y - seat.height / 2),
                seat.width,
                seat.height,
                boxstyle=f"round,pad=0,rounding_size={radius:.2f}",
                facecolor=theme.panel,
                edgecolor=theme.rank(0) if rank else theme.rank(1),
                linewidth=2,
                gid=f"node-{node}",
                clip_on=False,
                zorder=4,
            )
        )
        size, (x, y) = sizes[topology.kind_of(node)], (seat.x, seat.y)
        if not size and not drawing.levels and node % -(-topology.ranks // 16) == 0:
            size, x, y = LABEL, *_inwards(seat)
        if size:
            made.text(
                x,
                y,
                _number(topology, node),
                color=theme.ink,
                fontsize=size,
                family=FACE,
                ha="center",
                va="center",
                zorder=5,
            )


def numbers(page: Figure, topology: Topology, drawing: Plan) -> dict[str, float]:
    """In which size the numbers of each kind of nodes fit on all of them, 0 where they do not."""
    found: dict[str, float] = {}
    for node, seat in enumerate(drawing.seats):
        kind, number = topology.kind_of(node), _number(topology, node)
        sizes = (size for size in NUMBERS if _fits(page, number, size, seat))
        found[kind] = min(found.get(kind, NUMBERS[0]), next(sizes, 0.0))
    return found


def _number(topology: Topology, node: int) -> str:
    return topology.label(node).rpartition(" ")[2]


def _inwards(seat: Seat) -> tuple[float, float]:
    """A place beside a seat, towards the middle of the drawing."""
    x, y = WIDTH / 2 - seat.x, HEIGHT / 2 - seat.y
    far = hypot(x, y) or 1.0
    return seat.x + x / far * INWARDS, seat.y + y / far * INWARDS


def _fits(page: Any, text: str, size: float, seat: Seat) -> bool:
    width, height = extent(page, text, size)
    return width < 0.9 * seat.width and height < 0.8 * seat.height


def ends(one: Seat, other: Seat, shift: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where a link between two seats begins and ends: upright where one is above the other.

    shift: to the right of its way, in pixels, so that two directions lie beside each other.
    """
    x0, x1 = one.x, other.x
    if abs(one.y - other.y) > 1:  # a wide node is met above or below the narrow one
        if one.width <= other.width:
            x1 = _within(one.x, other)
        else:
            x0 = _within(other.x, one)
    far = hypot(x1 - x0, other.y - one.y) or 1.0
    across, up = (other.y - one.y) / far * shift, (x0 - x1) / far * shift
    return (x0 + across, one.y + up), (x1 + across, other.y + up)


def _within(x: float, seat: Seat) -> float:
    room = max(0.0, seat.width / 2 - 4)
    return min(max(x, seat.x - room), seat.x + room)


def link(
    made: Axes,
    drawing: Plan,
    pair: tuple[int, int],
    color: Any,
    width: float,
    shift: float = 0.0,
    **more: Any,
) -> None:
    """A line from one node to another, round the others where they lie between."""
    from matplotlib.patches import FancyArrowPatch

    start, end = ends(drawing.seats[pair[0]], drawing.seats[pair[1]], shift)
    bend = 0.0
    if pair in drawing.curved:
        far = hypot(end[0] - start[0], end[1] - start[1])
        size = drawing.seats[pair[0]].width
        bend = min(0.35, 0.75 * size * 2 / max(far, 1.0)) * (1 if shift else _way(start, end))
    made.add_patch(
        FancyArrowPatch(
            start,
            end,
            arrowstyle="-",
            connectionstyle=f"arc3,rad={bend:.3f}",
            shrinkA=0,
            shrinkB=0,
            color=color,
            linewidth=width,
            capstyle="butt",
            clip_on=False,
            **more,
        )
    )


def _way(start: tuple[float, float], end: tuple[float, float]) -> int:
    """Both directions of a link bend to the same side."""
    return 1 if start < end else -1
