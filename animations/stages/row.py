"""Distances that double or halve: arcs over a row of ranks; few that swing stand round a ring."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from animations.drawing.scenery import Card, Chip, Ground, Scenery, StageLine, Way, Word
from animations.drawing.shapes import Box
from animations.drawing.ways import arc
from animations.stages.staged import MOST_PLAIN, Staged
from animations.stages.swinging import MOST_ON_RING, swinging
from animations.stages.under_row import TALL, Halves, halves, has_switches
from collectives.structure import Cube

Link = tuple[int, int]
Links = frozenset[Link]
Shares = tuple[float, float]  # of a card's width, from the middles of both ends of a link
SPREAD = 0.88  # of the pitch of the cards that a card fills
LOWER = 34.0  # pixels that a rank which is folded away stands below the others
LANE, BELOW = 66.0, 0.36  # pixels, or share of the height, that the way back runs lower
LETTER = 11.0  # pixels of a letter of the title, on the average
LOWEST = 118.0  # pixels, the height of an arc at least
TALLEST, NARROW = 300.0, 100.0  # height of a card; width of one that is taller, as it is thin
CLEAR = 8  # ranks of which arcs do not hide each other
GAP, RIM, NODE = 0.5, 10.0, 24.0  # of a pitch between nodes; pixels round them, of their names
NAMED, NUMBERED = 15.0, 26.0  # pixels, height of a header and width of a card that bear a number


def row(staged: Staged, box: Box, structure: Cube) -> Scenery | None:
    """Cards side by side, an arc for each link as high as it is long; few that swing, on a ring."""
    chips, swings = distances(staged, box), structure.circular and not _shifts(staged)
    if swings and chips and staged.nodes <= MOST_ON_RING and staged.on_ring:
        return swinging(staged, box, chips)
    low = {node: LOWER for node, _ in structure.folded}
    gpus, boxed = staged.node_size, staged.node_size < staged.nodes
    pitch = box.width / (staged.nodes + GAP * ((staged.nodes - 1) // gpus))
    width = min(SPREAD * pitch, 230.0)
    few = staged.fold.is_plain and staged.fold.wells <= 4
    share = 0.38 if width > NARROW else 0.45
    tall = min(TALLEST, share * box.height, 2.6 * width if few else TALLEST)
    below = TALL if (switched := has_switches(staged)) else 58.0  # also room for brackets
    floor = box.bottom - max(low.values(), default=0.0) - below - NODE * boxed
    y = floor - tall / 2
    at = [box.left + (node + 0.5 + GAP * (node // gpus)) * pitch for node in range(staged.nodes)]
    cards = staged.cards(Box(x, y + low.get(k, 0.0), width, tall) for k, x in enumerate(at))
    aside = _beside(staged)  # parcels that leave a card together are smaller
    parcel = (min(46.0, (0.3 if aside else 0.4) * pitch), 44.0 - 14.0 * bool(aside))
    longest = max((abs(dst - src) for src, dst in staged.link_steps), default=1)
    top = box.top + 48 + parcel[1] / 2
    over = _round_ends(staged) if structure.circular else frozenset()
    ways = {k: _way(cards, k, top, longest, over, aside.get(k)) for k in staged.link_steps}
    under = halves(staged, cards) if switched else Halves()
    nodes = list(_nodes(staged, cards, box.bottom)) if boxed else []
    plain = staged.ranks <= MOST_PLAIN and not switched
    brackets = list(_brackets(staged, cards)) if plain else []
    grounds = *under.grounds, *(ground for ground, _ in nodes)
    lines = *_arcs(staged, ways), *(line for line, _ in brackets), *under.lines
    names = *(word for _, word in (*brackets, *nodes)), *_numbers(cards)
    words = *names, *_title(staged, chips, box.left), *under.words
    drawn = grounds, lines, words, chips
    return Scenery("row", box, cards, staged.fold, *drawn, ways=ways, parcel=parcel)


def _round_ends(staged: Staged) -> Links:
    """Links that lead round the end of the row, where all ranks send equally far on a circle."""
    return frozenset(
        (message.src, message.dst)
        for messages, way in zip(staged.steps, _shifts(staged), strict=False)
        for message in messages
        if (message.dst < message.src) == (way >= 0)
    )


def _shifts(staged: Staged) -> list[int]:
    """How far each step sends on the circle, backwards below 0; nothing where ranks differ.

    All steps the same way round where the distances then only grow, or only shrink.
    """
    n = staged.ranks
    every = [{(m.dst - m.src) % n for m in messages} for messages in staged.steps]
    if any(len(shift) > 1 for shift in every):
        return []
    ahead = [max(shift, default=0) for shift in every]
    back = [-(-shift % n) for shift in ahead]
    way = min(ahead, back, key=lambda shifts: abs(sum(shifts)))
    if way in (sorted(way), sorted(way)[::-1]):
        return way
    return [min(both, key=abs) for both in zip(ahead, back, strict=True)]


def _beside(staged: Staged) -> dict[Link, Shares]:
    """Where links begin and end above their cards, in steps with several of them at a card.

    From left to right: the shorter ones that lead to the left, the longer ones, the longer ones
    that lead to the right, the shorter ones; so they do not cross.
    """
    beside: dict[Link, Shares] = {}
    for messages in staged.steps:
        links = {(message.src, message.dst) for message in messages}
        begins, ends = (_shares(links, at, staged.nodes) for at in (0, 1))
        if max(map(abs, (*begins.values(), *ends.values())), default=0):
            beside = {link: (begins[link], ends[link]) for link in links} | beside
    return beside


def _shares(links: set[Link], at: int, nodes: int) -> dict[Link, float]:
    """Of each link, how far from the middle of the card at one end it is."""
    shares = {}
    for _, group in groupby(sorted(links, key=itemgetter(at)), itemgetter(at)):
        ways = [(link[1 - at] - link[at], link) for link in group]
        ways.sort(key=lambda way: (way[0] > 0, -way[0] % nodes))
        for place, (_, link) in enumerate(ways):
            shares[link] = SPREAD * ((place + 0.5) / len(ways) - 0.5)
    return shares


def _way(
    cards: tuple[Card, ...], link: Link, top: float, longest: int, over: Links, aside: Shares | None
) -> Way:
    """Above the cards from the middle of one to that of the other, in the lane of its direction.

    aside: how far from the middles it begins and ends, as shares of a card's width, if not near.
    """
    here, there = (cards[node].box for node in link)
    right = 1 if there.x > here.x else -1
    leaves, arrives = aside or (0.1 * right, -0.1 * right)
    start = here.x + leaves * here.width, here.top - 8
    end = there.x + arrives * there.width, there.top - 8
    room = min(here.top, there.top) - 8 - top
    share = abs(link[1] - link[0]) / longest
    if link in over:  # round the end of the row, over all others
        return arc(start, end, (0.8 + 0.2 * share) * room, lean=0)
    height = max(LOWEST, share * room * (0.5 if over else 1))
    height = LOWEST + share * (room - LOWEST) if aside else height
    return arc(start, end, height - (0 if right > 0 else max(LANE, BELOW * height)))


def _arcs(staged: Staged, ways: dict[Link, Way]) -> tuple[StageLine, ...]:
    arrow, tone = staged.nodes <= MOST_PLAIN, "now_faint" if staged.nodes > CLEAR else "now"
    width = 3.4 if staged.nodes <= CLEAR else 2.0
    return staged.lines(ways, hidden=True, brief=True, width=width, arrow=arrow, tone=tone)


def distances(staged: Staged, box: Box) -> tuple[Chip, ...]:
    """The distance that each step's data travels, a chip for each step."""
    steps = [{abs(message.dst - message.src) for message in messages} for messages in staged.steps]
    if len(steps) > 14:
        return ()
    texts = [str(abs(shift)) for shift in _shifts(staged)]
    texts = texts or [_distance(step, staged.ranks) for step in steps]
    wide = min(64.0, (box.width - 150) / max(1, len(texts)) - 8)
    left = box.right - len(texts) * (wide + 8)
    boxes = [Box(left + (i + 0.5) * (wide + 8), box.top + 17, wide, 30) for i in range(len(texts))]
    return tuple(Chip(boxes[i], text, (i + 1,)) for i, text in enumerate(texts))


def _title(staged: Staged, chips: tuple[Chip, ...], left: float) -> Iterator[Word]:
    """What chips are, from there on: in one word where there is no room for more."""
    if chips:
        first = chips[0].box
        lengths = [{abs(m.dst - m.src) for m in messages} for messages in staged.steps]
        wraps = any(len(step) > 1 and 2 * max(step) > staged.ranks for step in lengths)
        way = "_back" if max(_shifts(staged), default=0) < 0 else "_round"
        long = staged.say(f"stage.distance{way * wraps}", last=staged.ranks - 1)
        fits = LETTER * len(long) <= first.left - 12 - left
        text = long if fits else staged.say("stage.distance")
        yield Word(text, first.left - 12, first.y + 7, 21, align="right")


def _distance(lengths: set[int], ranks: int) -> str:
    """One distance, on a ring where the step goes round it, or the range of several."""
    reach = sorted(lengths if len(lengths) == 1 else {min(d, ranks - d) for d in lengths}) or [0]
    return "–".join(map(str, dict.fromkeys((reach[0], reach[-1]))))


def _nodes(staged: Staged, cards: tuple[Card, ...], floor: float) -> Iterator[tuple[Ground, Word]]:
    """A box round the ranks of each node of the machine, and its name below them."""
    for number, first in enumerate(range(0, len(cards), staged.node_size)):
        boxes = [card.box for card in cards[first : first + staged.node_size]]
        top, (left, right) = min(box.top for box in boxes), (boxes[0].left, boxes[-1].right)
        room = Box.between(left - RIM, top - RIM, right + RIM, floor)
        named = staged.say("labels.node", noun=staged.say.noun("node"), number=number)
        text = named if LETTER * len(named) <= room.width - 28 else f"{number}"
        yield Ground(room, "", "edge"), Word(text, room.left + 14, floor - 9, 22, "ink", bold=True)


def _brackets(staged: Staged, cards: tuple[Card, ...]) -> Iterator[tuple[StageLine, Word]]:
    """A bracket under neighbors of which each holds data of all of them, in each state."""
    states = range(len(staged.steps) + 1)
    groups = [_alike(staged.contributors(state)) for state in states]
    kind = "data" if staged.recording.collective.moves_data else "news"
    for blocks, run in groupby(states, key=lambda state: groups[state]):
        first, *rest = list(run)
        span = (first, rest[-1] if rest else first)
        for low, high, size in blocks:
            left, right = cards[low].box.left + 4, cards[high].box.right - 4
            y = max(cards[rank].box.bottom for rank in range(low, high + 1)) + 14
            line = StageLine(((left, y), (right, y)), (), "local", 3, fixed=True, states=span)
            inside = cards[min(high, low + staged.node_size - 1)].box.right - 4  # of one node
            text, x = staged.say(f"stage.{kind}_of", number=size), (left + inside) / 2
            yield line, Word(text, x, y + 27, 20, "local", "center", False, span)


def _numbers(cards: tuple[Card, ...]) -> Iterator[Word]:
    """Numbers of ranks below cards that are too narrow for them, some are left out."""
    pitch = cards[-1].x - cards[0].x
    every = -(-len(cards) * 34 // max(1, int(pitch)))
    if cards[0].shape.header >= NAMED and cards[0].shape.width >= NUMBERED:
        return
    for node in range(0, len(cards) * (every > 1), every):
        yield Word(f"{node}", cards[node].x, cards[node].box.bottom + 26, 20, align="center")


def _alike(held: tuple[frozenset[int], ...]) -> tuple[tuple[int, int, int], ...]:
    """Neighbors that hold one another's data: first, last, number; nothing unless all do."""
    runs = [(data, [k for k, _ in run]) for data, run in groupby(enumerate(held), itemgetter(1))]
    if any(len(run) < 2 or data != set(run) for data, run in runs):
        return ()
    return tuple((run[0], run[-1], len(run)) for _, run in runs)
