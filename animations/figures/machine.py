"""Draws a machine: its nodes, its links, and how fast these are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Any

from animations.drawing.render.letters import families
from animations.drawing.shapes import Box
from animations.drawing.theme import DARK, Theme
from animations.figures.slide import (
    LABEL,
    PIXELS,
    add_axes,
    extent,
    facts,
    rounded,
    slide,
    write,
)
from animations.figures.topology_layout import HEIGHT, WIDTH, TopologyLayout, lay_out
from collectives.cost.machines import MACHINES
from collectives.cost.machines.topology import Topology
from collectives.units import rate_text, time_text
from collectives.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FACTS = 0.728  # where the words on the right begin
LEVEL_NAMES = 222.0  # pixels to the left of the drawing, for the names of its levels
BOTTOM_EDGE = 150.0  # pixels below the drawing
NUMBER_SIZES = (17.0, 14.0, 12.0, 11.0)  # of what is written on nodes, as far as they fit
INWARDS = 46.0  # pixels from a node too small for its number to that number
MOST_KINDS = 6


@dataclass(frozen=True)
class LinkKind:
    """Links of the same figures between nodes of the same kinds."""

    ends: tuple[str, str]
    bandwidth: float
    latency: float
    lanes: int
    both: bool
    number: int

    @property
    def name(self) -> str:
        """What they join: 8 x rank ↔ switch."""
        arrow = "↔" if self.both else "→"
        return f"{self.number:,} × {self.ends[0]} {arrow} {self.ends[1]}"


def link_kinds(topology: Topology) -> tuple[LinkKind, ...]:
    """The links of a topology by what they join and their figures; both directions are one."""
    kinds = [topology.kind_of(node) for node in range(topology.nodes)]
    columns = (topology.src, topology.dst, topology.bandwidth, topology.latency, topology.lanes)
    count = Counter(zip(*(column.tolist() for column in columns), strict=True))
    found: Counter[tuple[tuple[str, str], float, float, int, bool]] = Counter()
    for (src, dst, bandwidth, latency, lanes), number in count.items():
        both = count[dst, src, bandwidth, latency, lanes] == number
        if both and src > dst:
            continue
        found[(kinds[src], kinds[dst]), bandwidth, latency, int(lanes), both] += number
    return tuple(LinkKind(*key, number) for key, number in found.items())


def draw(topology: Topology, theme: Theme = DARK) -> Figure:
    """The machine with its links, the figures of these beside it."""
    layout = lay_out(topology)
    page = slide(_title(topology), _small(topology), theme)
    axes = canvas(page, topology, layout, theme)
    for pair in sorted({(min(ends), max(ends)) for ends in _links(topology)}):
        bent = pair in layout.curved
        color, width = (theme.link, 2.0) if bent else (theme.faint, 2.5)
        gid = f"link-{pair[0]}-{pair[1]}"
        draw_link(axes, layout, pair, color, width, zorder=1 if bent else 2, gid=gid)
    draw_nodes(axes, topology, layout, theme)
    facts(page, FACTS, _link_facts(topology), theme)
    return page


def _title(topology: Topology) -> str:
    parts = [plural(number, kind) for kind, number in topology.kinds if number]
    return f"{topology.name}: {listed(parts)}"


def _small(topology: Topology) -> str:
    about = MACHINES[topology.name].about if topology.name in MACHINES else "Your own machine."
    half_duplex = "Some links share their capacity, such as both directions of a half-duplex cable."
    shared = f" {half_duplex}" if topology.shared else ""
    if "NVSwitches" in about:
        about += " They are modeled as one switch."
    model = "Bandwidths are of one direction; latencies of links add up."
    curved = lay_out(topology).curved.intersection(_links(topology))
    round_ends = " Pale: links round the ends." if curved else ""
    return f"{about} {model}{round_ends}{shared}"


def _links(topology: Topology) -> Iterable[tuple[int, int]]:
    """Sender and receiver of each link."""
    return zip(topology.src.tolist(), topology.dst.tolist(), strict=True)


def _link_facts(topology: Topology) -> list[tuple[str, str]]:
    """Bandwidth and latency of each kind of link, the fastest first."""
    kinds = sorted(link_kinds(topology), key=lambda kind: -kind.bandwidth)
    lines = []
    for kind in kinds[:MOST_KINDS]:
        lanes = f" × {kind.lanes}" if kind.lanes > 1 else ""
        rate = rate_text(kind.bandwidth) + lanes if kind.bandwidth else "dead"
        each = "each way, " if kind.both else ""
        lines.append((rate, f"{each}latency {time_text(kind.latency)}\n{kind.name}"))
    if len(kinds) > MOST_KINDS:
        lines.append((f"and {len(kinds) - MOST_KINDS}", "more kinds of links"))
    return lines


def canvas(page: Figure, topology: Topology, layout: TopologyLayout, theme: Theme) -> Axes:
    """Axes in pixels of the page, with the names of levels on their left."""
    left = LEVEL_NAMES if layout.levels else 50.0
    box = (
        left / PIXELS[0],
        BOTTOM_EDGE / PIXELS[1],
        (left + WIDTH) / PIXELS[0],
        (BOTTOM_EDGE + HEIGHT) / PIXELS[1],
    )
    axes = add_axes(page, theme, box=box)
    axes.set_axis_off()
    axes.set(xlim=(0, WIDTH), ylim=(0, HEIGHT))
    sizes = _number_sizes(page, topology, layout)
    for level in layout.levels:
        y = (BOTTOM_EDGE + level.height) / PIXELS[1]
        text = level.name.replace(" ", "\n")
        if not all(sizes[topology.kind_of(node)] for node in level.nodes):
            last = _number(topology, level.nodes[-1])
            text += f"\n{_number(topology, level.nodes[0])} to {last}"
        write(page, 0.028, y, text, theme.faint, LABEL, va="center", linespacing=1.1)
    return axes


def draw_nodes(axes: Axes, topology: Topology, layout: TopologyLayout, theme: Theme) -> None:
    """A box for each node, round for ranks, with its number where all of its kind have room."""
    page: Any = axes.get_figure(root=True)
    sizes = _number_sizes(page, topology, layout)
    for node, box in enumerate(layout.boxes):
        rank = node < topology.ranks
        radius = min(box.width, box.height) * (0.28 if rank else 0.12)
        colors = {"facecolor": theme.panel, "edgecolor": theme.rank(0 if rank else 1)}
        seat = rounded(box, radius, linewidth=2, gid=f"node-{node}", clip_on=False, **colors)
        axes.add_artist(seat).set_zorder(4)
        size, (x, y) = sizes[topology.kind_of(node)], (box.x, box.y)
        if not size and not layout.levels and node % -(-topology.ranks // 16) == 0:
            size, x, y = LABEL, *_inwards(box)
        if size:
            look: dict[str, Any] = {
                "family": families(),
                "ha": "center",
                "va": "center",
                "zorder": 5,
            }
            axes.text(x, y, _number(topology, node), color=theme.ink, fontsize=size, **look)


def _number_sizes(page: Figure, topology: Topology, layout: TopologyLayout) -> dict[str, float]:
    """In which size the numbers of each kind of nodes fit on all of them, 0 where they do not."""
    found: dict[str, float] = {}
    for node, box in enumerate(layout.boxes):
        kind, number = topology.kind_of(node), _number(topology, node)
        sizes = (size for size in NUMBER_SIZES if _fits(page, number, size, box))
        found[kind] = min(found.get(kind, NUMBER_SIZES[0]), next(sizes, 0.0))
    return found


def _number(topology: Topology, node: int) -> str:
    return topology.label(node).rpartition(" ")[2]


def _inwards(box: Box) -> tuple[float, float]:
    """A place beside a seat, towards the middle of the layout."""
    x, y = WIDTH / 2 - box.x, HEIGHT / 2 - box.y
    length = hypot(x, y) or 1.0
    return box.x + x / length * INWARDS, box.y + y / length * INWARDS


def _fits(page: Any, text: str, size: float, box: Box) -> bool:
    width, height = extent(page, text, size)
    return width < 0.9 * box.width and height < 0.8 * box.height


def _ends(one: Box, other: Box, shift: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where a link between two seats begins and ends: upright where one is above the other.

    shift: to the right of its way, in pixels, so that two directions lie beside each other.
    """
    x0, x1 = one.x, other.x
    if abs(one.y - other.y) > 1:  # a wide node is met above or below the narrow one
        if one.width <= other.width:
            x1 = _within(one.x, other)
        else:
            x0 = _within(other.x, one)
    length = hypot(x1 - x0, other.y - one.y) or 1.0
    across, up = (other.y - one.y) / length * shift, (x0 - x1) / length * shift
    return (x0 + across, one.y + up), (x1 + across, other.y + up)


def _within(x: float, box: Box) -> float:
    room = max(0.0, box.width / 2 - 4)
    return min(max(x, box.x - room), box.x + room)


def draw_link(
    axes: Axes,
    layout: TopologyLayout,
    pair: tuple[int, int],
    color: Any,
    width: float,
    shift: float = 0.0,
    **more: Any,
) -> None:
    """A line from one node to another, round the others where they lie between."""
    from matplotlib.patches import FancyArrowPatch

    start, end = _ends(layout.boxes[pair[0]], layout.boxes[pair[1]], shift)
    bend = 0.0
    if pair in layout.curved:
        length = hypot(end[0] - start[0], end[1] - start[1])
        size = layout.boxes[pair[0]].width
        way = 1 if shift or start < end else -1  # both directions bend to the same side
        bend = way * min(0.35, 0.75 * size * 2 / max(length, 1.0))
    axes.add_artist(
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
