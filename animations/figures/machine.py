"""Draws a machine: its nodes, its links, and how fast these are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from animations.figures import topology_drawing
from animations.figures.axis_ticks import rate_text, time_text
from animations.figures.slide import LABEL, NAME, slide, wrapped, write
from animations.figures.topology_layout import plan
from animations.story.theme import DARK, Theme
from collectives.cost.machines import MACHINES
from collectives.cost.machines.topology import Topology
from collectives.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FACTS, ROOM = 0.728, 0.245  # where the words on the right begin, and their width
MOST_KINDS = 6
SAME_WORD = re.compile(r"`(\w+)` (?=\1)", re.IGNORECASE)  # a parameter named like what it counts


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
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    count: dict[tuple[int, int, float, float, int], int] = {}
    for row in rows:
        count[row] = count.get(row, 0) + 1
    found: dict[tuple[tuple[str, str], float, float, int, bool], int] = {}
    for (src, dst, *figures), number in count.items():
        bandwidth, latency, lanes = figures
        back = count.get((dst, src, bandwidth, latency, int(lanes)), 0)
        both = back == number
        if both and src > dst:
            continue
        key = ((kinds[src], kinds[dst]), bandwidth, latency, int(lanes), both)
        found[key] = found.get(key, 0) + number
    return tuple(LinkKind(*key, number) for key, number in found.items())


def draw(topology: Topology, theme: Theme = DARK) -> Figure:
    """The machine with its links, the figures of these beside it."""
    drawing = plan(topology)
    page = slide(_title(topology), _small(topology), theme)
    made = topology_drawing.canvas(page, topology, drawing, theme)
    pairs = {
        (min(pair), max(pair))
        for pair in zip(topology.src.tolist(), topology.dst.tolist(), strict=True)
    }
    for pair in sorted(pairs):
        far = pair in drawing.curved
        color, width = (theme.link, 2.0) if far else (theme.faint, 2.5)
        gid = f"link-{pair[0]}-{pair[1]}"
        topology_drawing.link(made, drawing, pair, color, width, zorder=1 if far else 2, gid=gid)
    topology_drawing.nodes(made, topology, drawing, theme)
    _figures(page, topology, theme)
    return page


def _title(topology: Topology) -> str:
    parts = [plural(number, kind) for kind, number in topology.kinds if number]
    return f"{topology.name}: {listed(parts)}"


def _small(topology: Topology) -> str:
    about = (
        MACHINES[topology.name].about if topology.name in MACHINES else "A machine of one's own."
    )
    shared = ""
    if topology.shared:
        shared = " Some links share their capacity, such as both directions of a half-duplex cable."
    about = SAME_WORD.sub("", about).replace("`", "")
    if "NVSwitches" in about:
        about += " They are modeled as one switch."
    model = "Bandwidths are of one direction; a message waits the latencies of its links."
    links = set(zip(topology.src.tolist(), topology.dst.tolist(), strict=True))
    round_ends = " Pale: links round the ends." if links & plan(topology).curved else ""
    return f"{about} {model}{round_ends}{shared}"


def _figures(page: Figure, topology: Topology, theme: Theme) -> None:
    """Bandwidth and latency of each kind of link, in words on the right."""
    kinds = sorted(link_kinds(topology), key=lambda kind: -kind.bandwidth)
    y = 0.74
    for kind in kinds[:MOST_KINDS]:
        lanes = f" × {kind.lanes}" if kind.lanes > 1 else ""
        rate = rate_text(kind.bandwidth) + lanes if kind.bandwidth else "dead"
        each = " each way" if kind.both else ""
        late = f"{each.strip()}, latency {time_text(kind.latency)}".lstrip(", ")
        write(page, FACTS, y, rate, theme.ink, NAME + 4, va="bottom", weight="bold")
        text = wrapped(page, f"{late}\n{kind.name}", ROOM, LABEL - 1.5)
        write(page, FACTS, y - 0.006, text, theme.faint, LABEL - 1.5, va="top", linespacing=1.3)
        y -= 0.085 + 0.04 * (text.count("\n") + 1)
    if len(kinds) > MOST_KINDS:
        more = f"and {len(kinds) - MOST_KINDS} more kinds of links"
        write(page, FACTS, y, more, theme.faint, LABEL, va="bottom")
