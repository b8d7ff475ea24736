"""A row with arcs: distances that double or halve, each step's arcs over the ranks in order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from animations.stages.given import Given
from animations.stages.scenery import Card, Chip, Line, Scenery, Way, Word
from animations.stages.ways import arc
from animations.story.drawing import Box

SPREAD = 0.88  # of the pitch of the cards that a card fills
LOWER = 34.0  # pixels that a rank which is folded away stands below the others
LANE = 15.0  # half of the height between the two directions of an arc
TALLEST = 300.0  # of a card


def row(given: Given, box: Box, folded: tuple[int, ...] = ()) -> Scenery:
    """Cards side by side, an arc for each link as high as it is long."""
    pitch = box.width / given.nodes
    width = min(SPREAD * pitch, 230.0)
    tall = min(TALLEST, 0.42 * box.height, 2.6 * width)
    floor = box.bottom - 64  # room below for brackets
    shape = given.shape(width, tall)
    cards = []
    for node in range(given.nodes):
        drop = 0.0 if node in folded or not folded else -LOWER
        x = box.left + (node + 0.5) * pitch
        cards.append(given.card(node, x, floor - tall / 2 + drop, shape))
    parcel = (min(46.0, 0.5 * pitch), 52.0)
    ways = {
        link: _way(cards, link, box.top + 26 + parcel[1] / 2, box.width, parcel[1])
        for link in given.link_steps
    }
    brackets = list(_brackets(given, cards)) if given.ranks <= 16 else []
    return Scenery(
        "row",
        box,
        tuple(cards),
        given.fold,
        lines=(*_arcs(given, ways), *(line for line, _ in brackets)),
        words=tuple(word for _, word in brackets),
        chips=_distances(given, box),
        ways=ways,
        parcel=parcel,
        whole=given.whole,
    )


def _way(cards: list[Card], link: tuple[int, int], top: float, wide: float, high: float) -> Way:
    """Above the cards from the middle of one to that of the other, in the lane of its direction."""
    one, other = (cards[node].box for node in link)
    shift = 0.1 * one.width * (1 if other.x > one.x else -1)
    start, end = (one.x + shift, one.top - 8), (other.x - shift, other.top - 8)
    room = min(one.top, other.top) - 8 - top
    share = abs(end[0] - start[0]) / wide
    height = max(0.9 * high, min(1.0, 1.15 * share + 0.05) * room - LANE)
    return arc(start, end, height + (LANE if other.x > one.x else -LANE))


def _arcs(given: Given, ways: dict[tuple[int, int], Way]) -> tuple[Line, ...]:
    return tuple(
        Line(ways[link], steps, hidden=True, width=3.4) for link, steps in given.link_steps.items()
    )


def _distances(given: Given, box: Box) -> tuple[Chip, ...]:
    """The distance that each step's data travels, a chip for each step."""
    steps = [{abs(hop.dst - hop.src) for hop in hops} for hops in given.steps]
    if len(steps) > 14:
        return ()
    texts = [_distance(found, given.ranks) for found in steps]
    wide = min(64.0, (box.width - 150) / max(1, len(texts)) - 8)
    left = box.right - len(texts) * (wide + 8)
    return tuple(
        Chip(Box(left + (i + 0.5) * (wide + 8), box.top + 4, wide, 30), text, (i + 1,))
        for i, text in enumerate(texts)
    )


def _distance(found: set[int], ranks: int) -> str:
    """One distance, on a ring where the step goes round it, or the range of several."""
    around = {min(d, ranks - d) for d in found}
    shown = found if len(found) == 1 else around
    return f"{min(shown)}" if len(shown) == 1 else f"{min(shown)}–{max(shown)}"


def _brackets(given: Given, cards: list[Card]) -> Iterator[tuple[Line, Word]]:
    """A bracket under ranks that stand together and hold data of the same ranks, in each state."""
    states = range(len(given.steps) + 1)
    groups = [_alike(given.contributors(state)) for state in states]
    for found, run in groupby(states, key=lambda state: groups[state]):
        first, *rest = list(run)
        span = (first, rest[-1] if rest else first)
        for low, high, size in found:
            left, right = cards[low].box.left + 4, cards[high].box.right - 4
            y = max(cards[rank].box.bottom for rank in range(low, high + 1)) + 14
            yield (
                Line(((left, y), (right, y)), width=3, tone="local", fixed=True, states=span),
                Word(
                    f"{size} alike", (left + right) / 2, y + 27, 20, "local", "center", False, span
                ),
            )


def _alike(held: tuple[frozenset[int], ...]) -> tuple[tuple[int, int, int], ...]:
    """Neighbors that hold the same: first, last, number; nothing unless every rank has some."""
    runs = [
        (key, [rank for rank, _ in run]) for key, run in groupby(enumerate(held), itemgetter(1))
    ]
    if any(len(run) < 2 for _, run in runs):
        return ()
    return tuple((run[0], run[-1], len(run)) for _, run in runs)
