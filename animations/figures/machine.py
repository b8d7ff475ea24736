"""Draws a machine: its nodes, its links, and how fast these are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from animations.drawing.shapes import Box
from animations.drawing.theme import DARK, Theme
from animations.figures.slide import facts, put, slide
from animations.pictures.machine_layout import HEIGHT, WIDTH, lay_out
from animations.pictures.machine_picture import HUES, MachinePicture, link_kinds
from collectives.cost.bounds.cut import Cut
from collectives.cost.machines import MACHINES
from collectives.cost.machines.topology import Topology
from collectives.units import rate_text, time_text
from collectives.words import capital, listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FACTS = 0.728  # where the words on the right begin
NAMES, LEFT, TOP = 222.0, 50.0, 270.0  # pixels beside the drawing, with names or without; above it
MOST_KINDS = 6
GIB = 1 << 30
REACHED = "Latency apart, schedules free to take any path come as near to this time as one likes."
BOUND = "No schedule is faster; whether any is nearly as fast is not known."


def picture_of(topology: Topology, parts: tuple[frozenset[int], ...] = ()) -> MachinePicture:
    """The machine where figures draw it; nodes of some parts are full of color."""
    left = NAMES if lay_out(topology).in_rows else LEFT
    room = Box.between(left, TOP, left + WIDTH, TOP + HEIGHT)
    return MachinePicture(topology, room, parts=parts)


def draw(topology: Topology, theme: Theme = DARK, cut: Cut | None = None) -> Figure:
    """The machine with its links, the figures of these beside it, or those of a cut."""
    if cut is not None:
        return _draw_cut(cut, theme)
    picture = picture_of(topology)
    page = slide(_title(topology), _small(topology), theme)
    ends = sorted({(min(pair), max(pair)) for pair in pairs(topology)})
    curved = [
        line
        for pair in ends
        if pair in picture.layout.curved
        for line in picture.link(*pair, "link", 4.0)
    ]
    straight = [pair for pair in ends if pair not in picture.layout.curved]
    strokes = *curved, *(line for pair in straight for line in picture.link(*pair, "faint", 5.0))
    put(page, (*strokes, *picture.nodes().shapes), theme)
    facts(page, FACTS, _link_facts(topology), theme)
    return page


def _draw_cut(cut: Cut, theme: Theme) -> Figure:
    """The machine with the nodes of each part full of color, and the links of the cut lit."""
    topology, every = cut.topology, pairs(cut.topology)
    picture = picture_of(topology, cut.parts)
    inside = "A color for each part" if len(cut.parts) > 1 else "Full of color: inside"
    inside += ", in turn" * (len(cut.parts) > HUES)
    known = REACHED if cut.reachable else BOUND
    small = (
        f"{inside}. Bright: the links of the cut; others may be as narrow. S: the vector. {known}"
    )
    page = slide(_cut_title(cut), small, theme)
    across = {(min(every[link]), max(every[link])) for link in cut.links}
    ends = {(min(pair), max(pair)) for pair in every}
    pale = (line for pair in sorted(ends - across) for line in picture.link(*pair, "link", 4.0))
    lit = (line for pair in sorted(across) for line in picture.link(*pair, "now", 8.0))
    put(page, (*pale, *lit, *picture.nodes().shapes), theme)
    facts(page, FACTS, _cut_facts(cut), theme)
    return page


def _cut_title(cut: Cut) -> str:
    where = f"is around {cut.part_name(0)}"
    if len(cut.parts) > 1:
        where = f"lies between {len(cut.parts)} parts"
        if len(cut.parts) == cut.topology.ranks:
            where = "lies around every rank"
    which = "narrowest cut" if cut.narrowest else "narrowest cut found"
    return f"{capital(cut.collective.title)} on {cut.topology.name}: the {which} {where}"


def _cut_facts(cut: Cut) -> list[tuple[str, str]]:
    """Who is inside, how much the links of the cut carry a second, and how much they must carry."""
    topology, links, parts = cut.topology, cut.links, len(cut.parts)
    way, seconds = "leave" if cut.leaving else "enter", cut.seconds(GIB)
    such = "such as " if len(links) > 1 else ""
    over = f"{way} over {plural(len(links), 'link')},\n{such}{topology.link_label(links[0])}"
    must = f"must {way}" if parts == 1 else "must pass between them"
    takes = (
        f"{must};\n1 GiB: at least {time_text(seconds)},\nalgbw at most {rate_text(GIB / seconds)}"
    )
    inside = sum(node < topology.ranks for node in cut.parts[0])
    who = (f"{plural(inside, 'rank')} inside", f"of {topology.ranks}")
    if parts > 1:
        who = (f"{parts} parts", f"of {plural(topology.ranks, 'rank')} in all")
    return [who, (rate_text(float(cut.bandwidth)), over), (f"{float(cut.vectors):.4g} S", takes)]


def _title(topology: Topology) -> str:
    parts = [plural(number, kind) for kind, number in topology.kinds if number]
    return f"{topology.name}: {listed(parts)}"


def _small(topology: Topology) -> str:
    about = MACHINES[topology.name].about if topology.name in MACHINES else "Your own machine."
    half_duplex = "Some links share their capacity, such as both directions of a half-duplex cable."
    shared = f" {half_duplex}" if topology.shared else ""
    if "NVSwitches" in about:
        about += f" They are modeled as one switch. Drawn: {topology.makeup.source}."
    model = "Bandwidths are of one direction; latencies of links add up."
    curved = lay_out(topology).curved.intersection(pairs(topology))
    return f"{about} {model}{' Pale: links round the ends.' * bool(curved)}{shared}"


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
        both_ways = "each way, " if kind.both else ""
        lines.append((rate, f"{both_ways}latency {time_text(kind.latency)}\n{kind.name()}"))
    if len(kinds) > MOST_KINDS:
        lines.append((f"and {len(kinds) - MOST_KINDS}", "more kinds of links"))
    return lines
