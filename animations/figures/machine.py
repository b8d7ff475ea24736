"""Draws a machine: its nodes, its links, and how fast these are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from animations.drawing.shapes import Box
from animations.drawing.theme import DARK, Theme
from animations.figures.slide import facts, put, slide
from animations.pictures.machine_layout import HEIGHT, WIDTH, lay_out
from animations.pictures.machine_picture import MachinePicture, link_kinds
from collectives.cost.machines import MACHINES
from collectives.cost.machines.topology import Topology
from collectives.units import rate_text, time_text
from collectives.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FACTS = 0.728  # where the words on the right begin
NAMES, LEFT, TOP = 222.0, 50.0, 270.0  # pixels beside the drawing, with names or without; above it
MOST_KINDS = 6


def picture_of(topology: Topology) -> MachinePicture:
    """The machine where figures draw it."""
    left = NAMES if lay_out(topology).in_rows else LEFT
    return MachinePicture(topology, Box.between(left, TOP, left + WIDTH, TOP + HEIGHT))


def draw(topology: Topology, theme: Theme = DARK) -> Figure:
    """The machine with its links, the figures of these beside it."""
    picture = picture_of(topology)
    page = slide(_title(topology), _small(topology), theme)
    ends = sorted({(min(pair), max(pair)) for pair in pairs(topology)})
    curved = [picture.link(*pair, "link", 4.0) for pair in ends if pair in picture.layout.curved]
    straight = [pair for pair in ends if pair not in picture.layout.curved]
    strokes = *curved, *(picture.link(*pair, "faint", 5.0) for pair in straight)
    put(page, (*strokes, *picture.nodes().shapes), theme)
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
    curved = lay_out(topology).curved.intersection(pairs(topology))
    round_ends = " Pale: links round the ends." if curved else ""
    return f"{about} {model}{round_ends}{shared}"


def pairs(topology: Topology) -> list[tuple[int, int]]:
    """Sender and receiver of each link."""
    return list(zip(topology.src.tolist(), topology.dst.tolist(), strict=True))


def _link_facts(topology: Topology) -> list[tuple[str, str]]:
    """Bandwidth and latency of each kind of link, the fastest first."""
    kinds = sorted(link_kinds(topology), key=lambda kind: -kind.bandwidth)
    lines = []
    for kind in kinds[:MOST_KINDS]:
        lanes = f" × {kind.lanes}" if kind.lanes > 1 else ""
        rate = rate_text(kind.bandwidth) + lanes if kind.bandwidth else "dead"
        each = "each way, " if kind.both else ""
        lines.append((rate, f"{each}latency {time_text(kind.latency)}\n{kind.name()}"))
    if len(kinds) > MOST_KINDS:
        lines.append((f"and {len(kinds) - MOST_KINDS}", "more kinds of links"))
    return lines
