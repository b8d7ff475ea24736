"""The machine of a page as its map: the drawing of it, its figures, and the cut that limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from animations.drawing.shapes import Box, ColoredBox, Point
from animations.phrases import Phrases
from animations.pictures.machine_boxes import in_boxes
from animations.pictures.machine_layout import HEIGHT, WIDTH, lay_out
from animations.pictures.machine_picture import MachinePicture, link_kinds
from animations.player.pack.setup_data import has_clock, kind_name
from animations.player.pack.touch_data import has_programs
from animations.story.storyboard import Storyboard
from collectives.cost.bounds.cut import Cut
from collectives.cost.bounds.narrowest import narrowest_cut
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.links import LINKS, GpuMemory, memory_beside
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput, TooLarge
from collectives.recording.recording import Recording
from collectives.values import instance

NARROW = 560.0, 720.0  # width and height of the picture for phones
NARROWEST = 24.0  # pixels, width of a node of that picture
SHIFT = 5.0  # pixels between the middle of a cable and each of its directions
LEAST_GPU = 13.0  # pixels, width of a GPU; a map that is narrower is scrolled
LADDER = ("nvlink4", "pcie5", "ib-ndr", "ethernet-100")  # a link of each level
LEVELS = (("nvlink", "c2c", "xgmi"), ("pcie",), ("ib", "roce", "efa"), ("ethernet",))


def can_be_explored(board: Storyboard) -> bool:
    """Whether a page has a clock of its own, no programs, and a machine that can be drawn."""
    timing = board.counted
    if timing is None or not has_clock(board, timing) or has_programs(board):
        return False
    try:
        lay_out(timing.topology)
    except TooLarge:
        return False
    return True


def map_data(board: Storyboard, opened: bool = False) -> dict[str, Any]:
    """`MachineMap` in setup.d.ts, of a board that can be explored.

    pictures: for wide pages and, of a machine in boxes, for narrow ones. sources: of each link.
    stairs: levels of bandwidth, whether this machine has them, and who says so. makeup: what is
    drawn that the model counts as one. opened: whether the page begins with it.
    """
    timing = instance("timing", board.counted, Timing, "that of a board with a clock")
    run, machine = timing.recording, timing.topology
    cut = _cut(run, machine)
    say = board.say
    pictures = [_picture(machine, cut, say, WIDTH, HEIGHT)]
    narrow = in_boxes(machine, *NARROW)
    if narrow is not None and min(box.width for box in narrow.boxes) >= NARROWEST:
        pictures.append(_picture(machine, cut, say, *NARROW))
    return {
        "pictures": pictures,
        "sources": _sources(machine),
        "stairs": _stairs(machine, say),
        "memory": _memory_fields(machine),
        "makeup": machine.makeup.source,
        "open": opened,
        "cut": None if cut is None else _cut_fields(cut, say),
    }


def _picture(
    machine: Topology, cut: Cut | None, say: Phrases, width: float, height: float
) -> dict[str, Any]:
    """One drawing of the machine: its boxes by name, a path for each link, its words."""
    room = Box.between(0, 0, width, height)
    fitted = (width, height) != (WIDTH, HEIGHT)
    picture = MachinePicture(machine, room, partial(kind_name, say), fitted=fitted)
    drawing = picture.nodes()
    ends = zip(machine.src.tolist(), machine.dst.tolist(), strict=True)
    gpus = picture.boxes[: machine.ranks]
    return {
        "size": [width, height],
        "least": round(width * LEAST_GPU / min(box.width for box in gpus)),
        "boxes": [[_called(shape), *_edges(shape.box)] for shape in drawing.boxes],
        "lines": [paths_of(line.points for line in picture.link(*p, "", 1.0, SHIFT)) for p in ends],
        "texts": [
            [
                line.text,
                *(round(number) for number in (line.x, line.baseline, line.size)),
                line.align,
            ]
            for line in drawing.lines
            if line.align != "right" and not _names_a_gpu(machine, picture, line.x, line.baseline)
        ],
        "cut": [_edges(box) for box in _outlines(picture, cut)] if cut else [],
    }


def _called(shape: ColoredBox) -> str:
    """The name of a box; of a switch whose chips are seen in it it is that of a group."""
    return shape.name if shape.color else shape.name.replace("node", "group")


def _edges(box: Box) -> list[int]:
    """Left, top, width and height in whole pixels."""
    left, top = round(box.left), round(box.top)
    return [left, top, round(box.right) - left, round(box.bottom) - top]


def paths_of(ways: Iterable[Sequence[Point]], digits: int | None = None) -> str:
    """Lines and quadratic curves as SVG writes them; in whole pixels if no digits are asked for."""
    text = ""
    for way in ways:
        (x, y), *others = [(round(x, digits), round(y, digits)) for x, y in way]
        rest = " ".join(f"{x} {y}" for x, y in others)
        text += f"M{x} {y}{'Q' if len(others) == 2 else 'L'}{rest}"
    return text


def _names_a_gpu(machine: Topology, picture: MachinePicture, x: float, y: float) -> bool:
    """Whether a text is in the box of a GPU, whose rank the reader may change."""
    return any(
        box.left < x < box.right and box.top < y < box.bottom + 1
        for box in picture.boxes[: machine.ranks]
    )


def _outlines(picture: MachinePicture, cut: Cut) -> list[Box]:
    """A box round each part of a cut that no other node is in; none where a part has no such."""
    outlines = []
    for part in cut.parts:
        inside = [picture.boxes[node] for node in part]
        pad = 6.0
        around = Box.between(
            min(box.left for box in inside) - pad,
            min(box.top for box in inside) - pad,
            max(box.right for box in inside) + pad,
            max(box.bottom for box in inside) + pad,
        )
        others = (box for node, box in enumerate(picture.boxes) if node not in part)
        if any(around.overlaps(box, -1) for box in others):
            return []
        outlines.append(around)
    return outlines


def _cut(run: Recording, machine: Topology) -> Cut | None:
    """The cut that limits the collective; None where nothing must cross, or none is known."""
    helped = run.nodes > run.ranks
    try:
        return narrowest_cut(run.collective, machine, root=run.root, in_network=helped)
    except BadInput:
        return None


def _cut_fields(cut: Cut, say: Phrases) -> dict[str, Any]:
    """Its links, how many vectors must pass, and between which parts."""
    return {
        "links": list(cut.links),
        "vectors": float(cut.vectors),
        "passes": say.translation(cut.passes),
        "narrowest": cut.narrowest,
    }


def _sources(machine: Topology) -> list[str]:
    """Of each link what it is and who says so; nothing of one without a kind."""
    sources = []
    for src, dst in zip(machine.src.tolist(), machine.dst.tolist(), strict=True):
        name = machine.makeup.wire(machine.kind_of(src), machine.kind_of(dst))
        sources.append(f"{name}: {LINKS[name].source}" if name else "")
    return sources


def _memory(machine: Topology) -> GpuMemory | None:
    """The memory of its GPUs, where their links say which they are."""
    known = (memory_beside(name) for *_, name in machine.makeup.wires)
    return next((memory for memory in known if memory), None)


def _memory_fields(machine: Topology) -> list[Any] | None:
    memory = _memory(machine)
    return [memory.gpu, memory.bandwidth, memory.source] if memory else None


def _stairs(machine: Topology, say: Phrases) -> list[list[Any]]:
    """Name, bytes per second one way, whether it is here, and who says so, level by level."""
    here = _memory(machine)
    memory = here or memory_beside(LADDER[0])
    stairs: list[list[Any]] = []
    if memory:
        name = say("map.memory_name", gpu=memory.gpu)
        stairs.append([name, memory.bandwidth, int(here is not None), memory.source])
    rates: dict[str, float] = {}
    for kind in link_kinds(machine):
        wire = machine.makeup.wire(*kind.ends)
        if wire:
            rates[wire] = max(rates.get(wire, 0.0), kind.bandwidth)
    for beginnings, step in zip(LEVELS, LADDER, strict=True):
        own = [name for name in rates if name.startswith(beginnings)]
        for name in own or [step]:
            rate = rates.get(name, LINKS[name].bandwidth)
            stairs.append([name, rate, int(name in rates), LINKS[name].source])
    if not rates:
        kinds = ((map(partial(kind_name, say), k.ends), k.bandwidth) for k in link_kinds(machine))
        own_links = {" – ".join(ends): bandwidth for ends, bandwidth in kinds}
        stairs += [[name, rate, 1, ""] for name, rate in own_links.items()]
    return stairs
