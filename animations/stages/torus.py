"""A torus: a grid of cards, links to the neighbors in each dimension, and round the back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import prod

from animations.drawing.card_shapes import card_shape, in_shares
from animations.drawing.scenery import Card, Chip, Fold, Ground, Scenery, StageLine, Way, Word
from animations.drawing.shapes import CARD_RADIUS, Box
from animations.drawing.ways import beside, crossings, straight
from animations.stages.staged import BARS, MOST_PLAIN, Staged
from animations.stages.torus_grid import CardGrid, grid
from collectives.structure import Torus

CHIP = (172.0, 34.0)  # width and height
CROSSING = 0.65  # of the size of parcels, where they travel across each other
SMALLEST = 18.0  # pixels of text
STRIP = 44.0  # pixels above the grid for the names of dimensions
SLOW = 0.25  # of a link round the back of a column: unlike those of rows, which it crosses
NEAR = 2.0  # pixels between a card and the end of a line
NAMES = ("along_rows", "along_columns", "between_planes")  # from the last dimension on


def torus(staged: Staged, box: Box, structure: Torus) -> Scenery | None:
    """Rows and columns of cards; three dimensions are planes of them."""
    shape = tuple(size for size in structure.shape if size > 1) or (1,)
    if len(shape) > len(NAMES) or prod(shape) != staged.nodes:
        return None
    staged = _folded(staged, shape)
    layout = grid(shape, Box(box.x, box.y + STRIP / 2, box.width, box.height - STRIP))
    if any(
        len({_dimension(shape, m.src, m.dst) for m in messages}) > 1 for messages in staged.steps
    ):
        layout = replace(layout, scale=CROSSING * layout.scale)
    cards = tuple(_card(staged, node, place, shape) for node, place in enumerate(layout.boxes))
    routes = TorusRoutes(staged, layout, shape)
    return Scenery(
        "torus",
        box,
        cards,
        staged.fold,
        grounds=tuple(Ground(plane, "background", "edge") for plane in layout.planes),
        lines=(*_outlines(layout), *routes.lines()),
        words=(*_names(staged, layout), *_numbers(cards, layout)),
        chips=tuple(_dimensions(staged, shape, box)),
        ways={link: routes.way(link, layout.rest) for link in staged.link_steps},
        parcel=layout.parcel,
    )


def _folded(staged: Staged, shape: tuple[int, ...]) -> Staged:
    """With a bar for each row or plane of many ranks."""
    for dimensions, noun in ((1, "row"), (2, "plane")):
        size = prod(shape[-dimensions:])
        bars = staged.ranks // size
        if staged.ranks > MOST_PLAIN and size > 1 and 1 < bars <= BARS:
            bar = tuple(rank // size for rank in range(staged.ranks))
            return replace(staged, fold=Fold(bar, staged.fold.well, noun))
    return staged


def _card(staged: Staged, node: int, place: Box, shape: tuple[int, ...]) -> Card:
    """The card of a rank, in the color of its bar."""
    shares = shape[-1] * (2 if staged.recording.chunk_count > staged.ranks else 1)
    lanes = in_shares(staged.lanes, shares, place.width, place.height)
    wraps = lanes == staged.lanes and staged.fold.noun == "group"  # bars need height
    inside = card_shape(place.width, place.height, lanes, CARD_RADIUS, wraps)
    card = staged.card(node, place.x, place.y, replace(inside, shows_sent=False))
    if staged.fold.noun == "group":
        return card
    return replace(card, tone=f"rank {staged.fold.bar[node]}")


def _outlines(layout: CardGrid) -> Iterator[StageLine]:
    for corners in layout.outlines:
        for corner, after in pairwise((*corners, corners[0])):
            yield StageLine((corner, after), tone="edge", width=2.4, arrow=False, fixed=True)


def _names(staged: Staged, layout: CardGrid) -> Iterator[Word]:
    for number, (x, base) in enumerate(layout.names):
        yield Word(staged.say("stage.plane", number=number), x, base, 21, "faint", bold=True)


def _numbers(cards: tuple[Card, ...], layout: CardGrid) -> Iterator[Word]:
    """The numbers of ranks above cards that have no line for a name."""
    if cards[0].shape.header < SMALLEST <= layout.gaps[1] - 4 and not layout.planes:
        for rank, card in enumerate(cards):
            yield Word(f"{rank}", card.box.left + 2, card.box.top - 5, SMALLEST)


def _dimensions(staged: Staged, shape: tuple[int, ...], box: Box) -> Iterator[Chip]:
    """A chip for each dimension, lit while data travels along it."""
    used: dict[int, list[int]] = {}
    for number, messages in enumerate(staged.steps, 1):
        for dimension in {_dimension(shape, message.src, message.dst) for message in messages}:
            used.setdefault(dimension, []).append(number)
    wide, high = CHIP
    for dimension, name in enumerate(NAMES[: len(shape)]):
        x = box.left + wide / 2 + dimension * (wide + 10)
        steps = tuple(used.get(dimension, ()))
        yield Chip(Box(x, box.top + high / 2 + 2, wide, high), staged.say(f"stage.{name}"), steps)


def _dimension(shape: tuple[int, ...], src: int, dst: int) -> int:
    """The dimension, 0 for the last one, in which two ranks differ."""
    for dimension, size in enumerate(reversed(shape)):
        if src % size != dst % size:
            return dimension
        src, dst = src // size, dst // size
    return 0


class TorusRoutes:
    """Straight to a neighbor, and round what lies between the ends of a line of cards."""

    def __init__(self, staged: Staged, layout: CardGrid, shape: tuple[int, ...]) -> None:
        self._staged, self._layout, self._shape = staged, layout, shape

    def lines(self) -> Iterator[StageLine]:
        """A line for each link, faint from the start."""
        wide = 4.5 if self._staged.ranks <= 16 else 2.6
        for link, steps in self._staged.link_steps.items():
            yield StageLine(self.way(link, (NEAR, NEAR)), steps, width=wide, link=link)

    def way(self, link: tuple[int, int], rest: tuple[float, float]) -> Way:
        """From card to card, which end so far (across, down) from their borders."""
        boxes, (wide, high) = self._layout.boxes, rest
        ends = [boxes[node] for node in link]
        start, end = (Box(b.x, b.y, b.width + 2 * wide, b.height + 2 * high) for b in ends)
        level, upright = abs(start.y - end.y) < 1, abs(start.x - end.x) < 1
        both = link[::-1] in self._staged.link_steps
        across, down = self._layout.rest
        lane = self._layout.lane or (across if upright else down) + 1.0
        ways = [straight(start, end, 0, lane if both else 0.0)]
        if level:
            sides = (
                ("top", "bottom") if end.x > start.x or not self._layout.in_line else ("bottom",)
            )
            ways += [beside(start, end, side, down + 3 - high) for side in sides]
        elif upright:
            ways += [
                beside(start, end, side, across + 3 - wide, SLOW) for side in ("left", "right")
            ]
        else:
            ways += list(_bows(start, end, self._layout.pitch))
        third = [box for node, box in enumerate(boxes) if node not in link]
        return min(ways, key=lambda way: crossings(way, third))


def _bows(here: Box, there: Box, pitch: float) -> Iterator[Way]:
    """Curves that pass on the left or on the right of what lies between two boxes."""
    down = there.y > here.y
    start = (here.x, here.bottom if down else here.top)
    end = (there.x, there.top if down else there.bottom)
    for share in (-0.66, 0.66, -1.0, 1.0):
        bend = share * pitch
        yield (start, (start[0] + bend, start[1]), (end[0] + bend, end[1]), end)
