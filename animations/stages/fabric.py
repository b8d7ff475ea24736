"""Switches: a wide card above the row of its ranks, one lane up and one down for each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from animations.drawing.card_shapes import Lanes, card_shape
from animations.drawing.scenery import Card, CardShape, Scenery, StageLine, Way, Word, plain_fold
from animations.drawing.shapes import CARD_RADIUS, Box
from animations.stages.staged import MOST_PLAIN, SWITCH_RADIUS, Message, Staged
from animations.stages.tower import SPREAD, Tower
from collectives.structure import Switches

BESIDE = 4.0  # pixels between two parcels of one lane
AWAY = 7.0  # pixels between a parcel and the card that it leaves or reaches
ROOMY = 22.0  # pixels between two lanes, from which they have arrows
MOST_STRIPES = 256  # ranks times slots, up to which every slot has a cell
WAVE = 26.0  # height of the line that names the waves of a switch
SEVERAL = 1.6  # times as wide as of one chunk, a parcel of several
LETTER = 11.0  # pixels of a letter of what a switch does, about


def fabric(staged: Staged, box: Box, structure: Switches) -> Scenery | None:
    """Ranks below their switches, level by level; copies of a parcel go down side by side."""
    slots = staged.recording.slots
    roomy = staged.ranks <= MOST_PLAIN and staged.ranks * slots <= MOST_STRIPES
    if roomy and len(staged.lanes) == 1:  # waves have room for all
        staged = replace(staged, fold=plain_fold(staged.ranks, slots), lanes=((slots,),))
    tower = Tower(structure.parent)
    boxes = tower.boxes(box)
    if boxes is None:
        return None
    shapes = _shapes(staged, boxes)
    cards = tuple(
        _card(staged, node, place, shapes[place.width, place.height, node < staged.ranks])
        for node, place in sorted(boxes.items())
    )
    lanes = Verticals(staged, tower, boxes)
    return Scenery(
        "fabric",
        box,
        cards,
        staged.fold,
        lines=tuple(lanes.lines()),
        words=tuple(_words(staged, cards)),
        ways=lanes.ways,
        fork_ways=lanes.fork_ways,
        parcel=lanes.parcel,
    )


def _card(staged: Staged, node: int, place: Box, shape: CardShape) -> Card:
    """A card, its border in the color of its rank where ranks have bars of their own."""
    card = staged.card(node, place.x, place.y, shape)
    ranked = staged.ranks == staged.fold.bars and not staged.by_chunk
    own = f"rank {node}" if ranked and node < staged.ranks else ""
    return replace(card, tone=own or card.tone, name_tone=own or card.name_tone)


class Verticals:
    """The lanes between each node and its switch: up on the left, down on the right."""

    def __init__(self, staged: Staged, tower: Tower, boxes: dict[int, Box]) -> None:
        self._staged, self._parent, self._boxes = staged, tower.parent, boxes
        self._links = [link for link in staged.link_steps if self._is_upright(link)]
        leaf = min(place.width for place in boxes.values()) / SPREAD
        self._pitch = min(leaf / 2, 120.0)  # between the two lanes
        widest, self._both = _widths(staged)
        wide = min(44.0, (self._pitch - BESIDE) / widest)
        lanes = [self._ends(*link, 0, 0) for link in self._links]
        room = min((abs(low[1] - high[1]) for low, high in lanes), default=200.0)
        self.parcel = wide, min(64.0, room / 3.4)
        first = AWAY + self.parcel[1] / 2
        below = self.parcel[1] + BESIDE if self._both else 0.0  # the copies set out first
        aside = wide / 2 if self._both else 0.0
        self.ways = {
            (src, dst): self._ends(
                src,
                dst,
                first,
                first + (below if self._down(src, dst) else 0),
                -SEVERAL * aside * self._down(src, dst),
            )
            for src, dst in self._links
        }
        down = [link for link in self._links if self._down(*link)]
        self.fork_ways = {link: self._ends(*link, first, first, aside) for link in down}

    def _is_upright(self, link: tuple[int, int]) -> bool:
        return self._down(*link) or self._down(*link[::-1])

    def _down(self, src: int, dst: int) -> bool:
        """Whether a link leaves a switch for a node of its own."""
        return self._parent[dst] == src

    def _ends(self, src: int, dst: int, lower: float, upper: float, aside: float = 0.0) -> Way:
        """From the border of one card to that of the other, so far before both.

        lower: the node below; upper: its switch.
        """
        down = self._down(src, dst)
        child, above = self._boxes[dst if down else src], self._boxes[src if down else dst]
        x = child.x + (self._pitch / 2 + aside if down else -self._pitch / 2)
        side = 1 if above.y < child.y else -1
        ends = (
            (x, child.y - side * (child.height / 2 + lower)),
            (x, above.y + side * (above.height / 2 + upper)),
        )
        return ends[::-1] if down else ends

    def lines(self) -> Iterator[StageLine]:
        """A line for each lane, up in the tone of its rank."""
        plain = self._staged.fold.bars == self._staged.ranks and not self._staged.by_chunk
        for src, dst in self._links:
            down, steps = self._down(src, dst), self._staged.link_steps[src, dst]
            own = f"rank {src}" if plain and src < self._staged.ranks else "ink"
            tone, ends = "now" if down else own, self._ends(src, dst, 2, 2)
            roomy = self._pitch >= ROOMY
            yield StageLine(ends, steps, tone, 4.0 if roomy else 2.0, roomy, link=(src, dst))


def copies(
    staged: Staged, messages: Sequence[Message]
) -> dict[tuple[int, int], list[tuple[int, bool]]]:
    """The parcels on each link in a step: their numbers of chunks, and whether they fork.

    A switch sends what several nodes receive as one parcel of copies.
    """
    copies: dict[tuple[int, int], list[tuple[int, bool]]] = {}
    takers: dict[tuple[int, int], set[int]] = {}
    for message in messages:
        for chunk in message.chunks:
            takers.setdefault((message.src, chunk), set()).add(message.dst)
    for message in messages:
        kinds: dict[frozenset[int], int] = {}
        for chunk in message.chunks:
            forks = frozenset(
                takers[message.src, chunk] if message.src >= staged.ranks else {message.dst}
            )
            kinds[forks] = kinds.get(forks, 0) + 1
        copies.setdefault((message.src, message.dst), []).extend(
            (count, len(dsts) > 1) for dsts, count in kinds.items()
        )
    return copies


def _widths(staged: Staged) -> tuple[float, bool]:
    """Room for the parcels of one lane, in chunks, and whether copies and others share a step."""
    widest, both = 1.0, False
    for messages in staged.steps:
        for parcels in copies(staged, messages).values():
            widest = max(widest, sum(SEVERAL if chunks > 1 else 1 for chunks, _ in parcels) + 0.1)
            both = both or len({forks for _, forks in parcels}) > 1
    return widest, both


def waves(staged: Staged) -> list[list[int]]:
    """The wells whose slots set out in the same step, in the order of their steps."""
    first: dict[int, int] = {}
    for number, messages in enumerate(staged.steps):
        for slot in (slot for message in messages for slot in message.chunks):
            first.setdefault(staged.fold.well[slot], number)
    by_step: dict[int, list[int]] = {}
    for well in range(staged.fold.wells):
        by_step.setdefault(first.get(well, -1), []).append(well)
    return list(by_step.values())


def _shapes(staged: Staged, boxes: dict[int, Box]) -> dict[tuple[float, float, bool], CardShape]:
    """The shape of each size of card: a switch has its waves side by side, a rank in rows."""
    shapes, parts = {}, waves(staged)
    sizes = tuple(len(wave) for wave in parts)
    pipelined = staged.recording.slots == staged.recording.chunk_count  # without scratch
    in_waves = pipelined and 1 < len(sizes) < sum(sizes) and len(staged.lanes) == 1
    in_waves = in_waves and [well for wave in parts for well in wave] == list(range(sum(sizes)))
    for node, place in boxes.items():
        key = place.width, place.height, node < staged.ranks
        if key in shapes:
            continue
        radius = CARD_RADIUS if key[2] else SWITCH_RADIUS
        if in_waves:
            lanes = _rows(sizes, place.width) if key[2] else (sizes,)
            shape = card_shape(*key[:2], lanes, radius, wraps=False)
            if not key[2] and not shape.labels:  # room for a line with the names of the waves
                shape = card_shape(key[0], key[1] - WAVE, lanes, radius, wraps=False)
            shape = replace(shape, height=key[1], labels=())
        else:
            shape = staged.shape(*key[:2], radius)
        shapes[key] = shape
    return shapes


def _rows(sizes: Iterable[int], width: float) -> Lanes:
    """A row of cells for each wave, two where it would be too narrow."""
    rows = tuple((size,) for size in sizes)
    if (width - 18) / max(map(sum, rows)) >= 4.4:
        return rows
    halves = ((-(-size // 2), size // 2) for (size,) in rows)
    return tuple((part,) for pair in halves for part in pair if part)


def _words(staged: Staged, cards: Sequence[Card]) -> Iterator[Word]:
    """What a switch does, in its header, and the number of each wave below its cells."""
    say = staged.say
    adds = {message.dst for messages in staged.steps for message in messages if message.adds}
    forks = {
        link[0]
        for messages in staged.steps
        for link, parcels in copies(staged, messages).items()
        if any(fork for _, fork in parcels)
    }
    for node in range(staged.ranks, len(cards)):
        box, shape = cards[node].box, cards[node].shape
        parts = [say("stage.adds_here")] * (node in adds)
        parts += [say("stage.copies_here")] * (node in forks)
        text = ", ".join(parts)
        free = box.width - 28 - max((group.right for group in shape.groups), default=box.width)
        if parts and free > LETTER * max(map(len, parts)) and box.height > 34 * len(parts):
            base = box.y + 7 - 13 * (len(parts) - 1)  # beside its cells, a line a part
            for line, part in enumerate(parts):
                yield Word(part, box.right - 14, base + 26 * line, 21, "faint", "right")
        elif parts and box.width > 300 + LETTER * len(text) and shape.header >= 26:
            yield Word(text, box.x, box.top + 0.78 * shape.header + 2, 21, "faint", "center")
        scratch = staged.recording.slots > staged.recording.chunk_count
        if not shape.labels and not scratch and 1 < len(shape.groups) < len(shape.cells):
            for number, group in enumerate(shape.groups):
                base = box.top + group.bottom + 22
                text = say("stage.wave", number=number)
                yield Word(text, box.left + group.x, base, 19, "faint", "center")
