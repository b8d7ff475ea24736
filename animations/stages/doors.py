"""Names of cards beside the doors of their data: where nothing that leaves or lands covers them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from animations.drawing.card_shapes import BOLD, UNDER, name_line
from animations.drawing.scenery import Card, CardShape, Scenery, Word
from animations.drawing.shapes import Align, Box

NEARLY = 20.0  # pixels of a name that may be covered where it moves to


def beside_doors(scenery: Scenery, name: Callable[[int], str]) -> Scenery:
    """The same with names on the right where they would be covered on the left.

    Where some are on both sides, and none below the cells, all that stand beside each other are
    there. name: of a node.
    """
    if scenery.table or any(card.shape.parts for card in scenery.cards):
        return scenery
    rows: dict[int, list[int]] = {}
    for node, card in enumerate(scenery.cards):
        rows.setdefault(round(2 * card.y / card.shape.height), []).append(node)
    cards = dict[int, Card]()
    for nodes in rows.values():
        cards |= zip(nodes, _freest_row(scenery, nodes, name), strict=True)
    return replace(scenery, cards=tuple(cards[node] for node in range(len(cards))))


def _freest_row(
    scenery: Scenery, nodes: Sequence[int], name: Callable[[int], str]
) -> tuple[Card, ...]:
    """Cards beside each other, all with their names above the cells, or all below."""
    cards, names = [scenery.cards[node] for node in nodes], [*map(name, nodes)]
    under = [replace(card, shape=name_under(card.shape)) for card in cards]
    (covered, above), (hidden, below) = (
        _freest(row, names, [[*_doors(scenery, *at)] for at in zip(nodes, row, strict=True)])
        for row in (cards, under)
    )
    bears = (word for word in scenery.words for card in cards if _bears(card, word))
    return below if 2 * hidden < covered and next(bears, None) is None else above


def _bears(card: Card, word: Word) -> bool:
    """Whether a word stands on a card."""
    return card.box.overlaps(Box(word.x, word.baseline, 0, 0))


def _doors(scenery: Scenery, node: int, card: Card) -> Iterator[Box]:
    """Where parcels are between the ends of their ways and the cells of a card of a node."""
    wide, high = scenery.parcel
    cells = [card.cell(well) for well in range(len(card.shape.cells))]
    highest, lowest = min(cell.top for cell in cells), max(cell.bottom for cell in cells)
    streams = ((ends[:2], way) for ends, way in scenery.stream_ways.items())
    for link, way in chain(scenery.ways.items(), scenery.fork_ways.items(), streams):
        for end, (x, y) in zip(link, (way[0], way[-1]), strict=True):
            if end == node:
                top, bottom = min(y - high / 2, highest), max(y + high / 2, lowest)
                yield Box.between(x - wide / 2, top, x + wide / 2, bottom)


def _freest(
    cards: Sequence[Card], names: Sequence[str], doors: Sequence[Sequence[Box]]
) -> tuple[float, tuple[Card, ...]]:
    """How much of names is in doors, and cards with names on the sides where this is least."""
    covered, freest = 0.0, list[Card]()
    for card, name, own in zip(cards, names, doors, strict=True):
        sides: tuple[Align, ...] = (card.shape.name_at,)
        if sides == ("left",) and not _is_beside(card.shape):
            sides = "left", "right"
        moved = [replace(card, shape=replace(card.shape, name_at=side)) for side in sides]
        hidden = [_hidden(card, name, own) for card in moved]
        side = int(hidden[-1] < min(hidden[0], NEARLY))
        covered += hidden[side]
        freest.append(moved[side])
    return covered, tuple(freest)


def _hidden(card: Card, name: str, doors: Sequence[Box]) -> float:
    """How much of the name of a card its doors cover together, in pixels of its line."""
    line = name_line(card, name, lambda text: BOLD * len(text))
    if line is None:
        return 0.0
    width = BOLD * len(line.text) * line.size
    x = line.x + {"left": 0.5, "center": 0.0, "right": -0.5}[line.align] * width
    place = Box(x, line.baseline - 0.36 * line.size, width, line.size)
    over = (door for door in doors if place.overlaps(door))
    return sum(min(place.right, d.right) - max(place.left, d.left) for d in over)


def _is_beside(shape: CardShape) -> bool:
    """Whether the cells of a card stand right of its name, not in the middle."""
    ends = min(cell.left for cell in shape.cells), max(cell.right for cell in shape.cells)
    return sum(ends) > shape.width + 2


def name_under(shape: CardShape) -> CardShape:
    """The shape of a card with its name under the cells."""
    high = 0.0 if _is_beside(shape) or shape.name_top else shape.header

    def up(box: Box) -> Box:
        return replace(box, y=box.y - high)

    return replace(
        shape,
        cells=tuple(map(up, shape.cells)),
        groups=tuple(map(up, shape.groups)),
        labels=tuple(base - high for base in shape.labels),
        name_top=shape.height - shape.header - UNDER,
    )
