"""A cube: ranks at its corners, so that each step runs along one of its dimensions."""

from __future__ import annotations

from animations.drawing.scenery import Card, Scenery, StageLine, Way
from animations.drawing.shapes import Box, Point
from animations.drawing.ways import arc, straight
from animations.stages.row import distances
from animations.stages.staged import Staged
from collectives.structure import Cube

CORNERS = {  # of the stage, by number of ranks: those of one face, then of the one behind it
    4: ((0.22, 0.26), (0.78, 0.26), (0.22, 0.78), (0.78, 0.78)),
    8: tuple((x + z, y - 0.92 * z) for z in (0, 0.27) for y in (0.41, 0.88) for x in (0.12, 0.61)),
}
SIZES = {4: (0.3, 0.3), 8: (0.21, 0.19), 16: (0.105, 0.15)}  # of a card, as shares of the stage
LANE = 24.0  # pixels between the middle of an edge and the data that goes one way
HEAD = 44.0  # pixels above the cube, for the distances
RISES = 0.064, 0.028  # of the stage, that edges from one cube to the other bend up: there, back


def cube(staged: Staged, box: Box, structure: Cube) -> Scenery | None:
    """Corners whose numbers differ in one bit are linked; 16 ranks are two cubes side by side."""
    ranks = staged.ranks
    links = staged.link_steps
    across = any((src ^ dst).bit_count() != 1 for src, dst in links)
    if ranks not in SIZES or staged.nodes != ranks or across:
        return None
    width, height = SIZES[ranks][0] * box.width, SIZES[ranks][1] * (box.height - HEAD)
    cards = staged.cards(Box(*_corner(rank, ranks, box), width, height) for rank in range(ranks))
    ways = {link: _way(cards, link, box) for link in links}
    return Scenery(
        "cube",
        box,
        cards,
        staged.fold,
        lines=tuple(
            StageLine(way, links[link], tone=_tone(link), link=link) for link, way in ways.items()
        ),
        chips=distances(staged, box),
        ways=ways,
        parcel=(min(40.0, 0.3 * width), min(44.0, (0.3 if ranks <= 8 else 0.2) * height)),
    )


def _corner(rank: int, ranks: int, box: Box) -> Point:
    """The middle of the card of a rank."""
    if ranks <= 8:
        x, y = CORNERS[ranks][rank]
    else:
        x, y = CORNERS[8][rank % 8]
        x = x / 2 + (rank // 8) / 2
    return box.left + x * box.width, box.top + HEAD + y * (box.height - HEAD)


def _way(cards: tuple[Card, ...], link: tuple[int, int], box: Box) -> Way:
    """Along an edge, in the lane of its direction; from one cube to the other in an arc."""
    here, there = (cards[rank].box for rank in link)
    if link[0] ^ link[1] < 8:
        return straight(here, there, 5, LANE)
    right = 1 if there.x > here.x else -1
    start, end = (here.x + 20 * right, here.top - 5), (there.x - 20 * right, there.top - 5)
    return arc(start, end, RISES[right < 0] * box.height)


def _tone(link: tuple[int, int]) -> str:
    """A tone for each dimension."""
    return ("local", "now", "rank 3", "rank 0")[(link[0] ^ link[1]).bit_length() - 1]
