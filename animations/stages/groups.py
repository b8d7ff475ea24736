"""Groups: nodes of a machine as boxes in a slow network, with rails between ranks of one place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, chain

from animations.drawing.card_shapes import card_shape, in_shares
from animations.drawing.scenery import Card, Fold, Gauge, Ground, Scenery, Tone, Word
from animations.drawing.shapes import CARD_RADIUS, Box
from animations.stages.group_plan import RIM, GroupPlan, Racks, plans, split
from animations.stages.group_routes import GroupRoutes
from animations.stages.staged import MOST_PLAIN, SWITCH_RADIUS, Staged
from collectives.structure import Groups
from collectives.units import rate_text, size_text

ROOM_FOR_RATE = 240.0  # width of a box from which it says how fast its links are
ROOM_FOR_PLACE = 180.0  # width of a card from which it says which GPU of its node a rank is
NARROWEST = 5.0  # pixels of a cell, below which several slots share one
LETTER = 11.3  # pixels, the width of a letter of a gauge
SMALLEST = 18.0  # pixels of text


def groups(staged: Staged, box: Box, structure: Groups) -> Scenery | None:
    """A box for each node, the network between them, and a gauge for what has crossed it."""
    if sorted(chain.from_iterable(structure.members)) != list(range(staged.nodes)):
        return None
    racks, nested = _racks(structure)
    levels = _levels(staged, racks)
    staged = _folded(staged, structure)
    switched = len(structure.members[0]) > 1 and structure.members[0][-1] >= staged.ranks
    choices = [
        _scenery(staged, plan, levels)
        for plan in plans(box, racks, nested, switched, any(map(any, levels)))
    ]
    return max(choices, key=_legibility)


def _racks(structure: Groups) -> tuple[Racks, bool]:
    """The nodes of the machine by rack, and whether racks are more than one node."""
    if isinstance(structure.between, Groups):
        parts = structure.between.members
        if len(parts) < len(structure.members):
            return tuple(tuple(structure.members[node] for node in part) for part in parts), True
    return tuple((members,) for members in structure.members), False


def _folded(staged: Staged, structure: Groups) -> Staged:
    """With a bar for each node where there are many ranks, else for each rank."""
    node = {rank: number for number, ranks in enumerate(structure.members) for rank in ranks}
    bar = tuple(node[rank] for rank in range(staged.ranks))
    if staged.ranks <= MOST_PLAIN or not 1 < len(structure.members) < staged.ranks:
        return staged
    return replace(staged, fold=Fold(bar, staged.fold.well, "node"))


def _levels(staged: Staged, racks: Racks) -> list[list[int]]:
    """Bytes that cross from rack to rack, and from node to node of a rack, in each step."""
    where = _seats(racks)
    moved_in: list[list[int]] = [[], []]
    for number, messages in enumerate(staged.steps):
        size = staged.recording.sizes(number)
        between_racks = in_rack = 0
        for message in messages:
            start, end = where[message.src], where[message.dst]
            moved = sum(int(size[message.src, chunk]) for chunk in message.chunks)
            between_racks += moved * (start[0] != end[0])
            in_rack += moved * (start[0] == end[0] and start != end)
        moved_in[0].append(between_racks)
        moved_in[1].append(in_rack)
    return moved_in


def _seats(racks: Racks) -> dict[int, tuple[int, int]]:
    """The rack and the node of each card."""
    return {
        member: (rack, node)
        for rack, nodes in enumerate(racks)
        for node, members in enumerate(nodes)
        for member in members
    }


def _legibility(scenery: Scenery) -> float:
    """How far the narrowest things are from what can be read easily, at most 1."""
    card = scenery.cards[0]
    cell = card.cell(0)
    ratios = (cell.width / 9, cell.height / 60, card.shape.width / 70, card.shape.height / 80)
    return min(1.0, *ratios) * (1.0 if card.shape.header >= SMALLEST else 0.4)


def _scenery(staged: Staged, plan: GroupPlan, levels: list[list[int]]) -> Scenery:
    share = len(plan.racks[0][0]) - plan.switched
    boxes = {
        member: box
        for rack, nodes in enumerate(plan.racks)
        for node, members in enumerate(nodes)
        for member, box in zip(members, plan.cards(rack, node), strict=True)
    }
    staged = _narrowed(staged, boxes[0].width)
    cards = tuple(_card(staged, node, boxes[node], share) for node in range(staged.nodes))
    routes = GroupRoutes(staged, plan, boxes)
    return Scenery(
        "groups",
        plan.box,
        cards,
        staged.fold,
        grounds=tuple(_grounds(staged, plan)),
        lines=routes.lines,
        words=tuple(_words(staged, plan, cards)),
        gauges=tuple(_gauges(staged, plan, levels)),
        ways=routes.ways,
        fork_ways=routes.forks,
        parcel=routes.parcel,
    )


def _narrowed(staged: Staged, width: float) -> Staged:
    """With fewer cells in each card, where they would be too narrow."""
    slots, wells = staged.recording.slots, staged.fold.wells
    fitting = 1
    while 2 * fitting * NARROWEST <= width - 4:
        fitting *= 2
    if len(staged.lanes) > 1 or wells <= fitting or staged.fold.noun != "node":
        return staged
    size = -(-slots // fitting)
    well = tuple(slot // size for slot in range(slots))
    return replace(staged, fold=replace(staged.fold, well=well), lanes=((well[-1] + 1,),))


def _card(staged: Staged, node: int, box: Box, share: int) -> Card:
    """The card of a node, in the color of its bar."""
    radius = CARD_RADIUS if node < staged.ranks else SWITCH_RADIUS
    lanes = in_shares(staged.lanes, share if node < staged.ranks else 1, box.width, box.height)
    shape = card_shape(box.width, box.height, lanes, radius, wraps=lanes == staged.lanes)
    shape = replace(shape, shows_sent=False)
    card = staged.card(node, box.x, box.y, shape)
    if staged.fold.noun != "node" or node >= staged.ranks:
        return card
    return replace(card, tone=f"rank {staged.fold.bar[node]}")


def _grounds(staged: Staged, plan: GroupPlan) -> Iterator[Ground]:
    """The network, then boxes of racks, then boxes of nodes."""
    if plan.busy:
        yield Ground(plan.box, "now_band", "now_faint", 16, dashed=True)
    for rack in range(len(plan.racks)):
        if plan.nested:
            yield Ground(plan.rack_box(rack), "line", "edge", 14)
        for number, box in zip(plan.numbers(rack), plan.node_boxes(rack), strict=True):
            yield Ground(box, "background", _tone(staged, number, "edge"), 14)


def _tone(staged: Staged, node: int, plain: Tone) -> Tone:
    return f"rank {node}" if staged.fold.noun == "node" else plain


def _words(staged: Staged, plan: GroupPlan, cards: tuple[Card, ...]) -> Iterator[Word]:
    """The names of racks and nodes, and which GPU of its node each rank is."""
    say, rate = staged.say, _rates(staged, plan)[0]
    for rack, nodes in enumerate(plan.racks):
        if plan.nested:
            yield _title(plan, rack, say("stage.rack", number=rack), plan.rack_box(rack), "faint")
        boxes = zip(plan.numbers(rack), plan.node_boxes(rack), strict=True)
        for (number, box), members in zip(boxes, nodes, strict=True):
            named = say("labels.node", noun=say.noun("node"), number=number)
            title = _title(plan, rack, named, box, _tone(staged, number, "ink"))
            yield title
            if rate and not plan.beside and box.width > ROOM_FOR_RATE:
                yield Word(rate, box.right - 14, title.baseline, 20, align="right")
            for place, member in enumerate(members):
                card = cards[member]
                if member < staged.ranks and card.shape.width >= ROOM_FOR_PLACE:
                    base = card.box.top + 0.78 * card.shape.header + 1
                    text = say("stage.place", number=place)
                    yield Word(text, card.box.right - 12, base, 19, align="right")


def _title(plan: GroupPlan, rack: int, text: str, box: Box, tone: Tone) -> Word:
    """The name of a box in its upper or lower corner, or beside its cards."""
    size = max(SMALLEST, min(26.0, 0.68 * plan.head))
    if 0.64 * size * len(text) > box.width - 20:
        text = text.split()[-1]
    if plan.beside:
        return Word(text, box.left + 9, box.y + 0.36 * SMALLEST, 19, tone, bold=True)
    base = box.bottom - 0.5 * size if plan.is_low(rack) else box.top + 4 + size
    return Word(text, box.left + 14, base, size, tone, bold=True)


def _rates(staged: Staged, plan: GroupPlan) -> tuple[str, str, str]:
    """The rate in a node, between nodes of a rack, between racks; nothing where all are equal."""
    where = _seats(plan.racks)
    links: tuple[list[tuple[int, int]], ...] = ([], [], [])
    for src, dst in staged.link_steps:
        start, end = where[src], where[dst]
        links[2 if start[0] != end[0] else int(start != end)].append((src, dst))
    rates = [staged.rate(link) for link in links]
    if len({rate for rate in rates if rate}) < 2:
        return "", "", ""
    inside, near, racks = (rate_text(rate) if rate else "" for rate in rates)
    return inside, near, racks


def _gauges(staged: Staged, plan: GroupPlan, levels: list[list[int]]) -> Iterator[Gauge]:
    """The bytes that have crossed the network after each step, and those that will have."""
    say = staged.say
    names = ["racks", "nodes"] if plan.nested else ["network"]
    rates = _rates(staged, plan)[:0:-1]  # of the widest network first
    used = [level for level in zip(names, levels, rates, strict=False) if any(level[1])]
    base = plan.box.bottom - 20
    row = Box(plan.box.x, base, plan.box.width - 4 * RIM, 14)
    for (name, level, rate), box in zip(used, split(row, len(used), 40, False), strict=True):
        total, item = sum(level), staged.recording.dtype.itemsize
        crossed = [0, *accumulate(level)]
        texts = tuple(
            say("stage.crossed", now=size_text(now * item), total=size_text(total * item))
            for now in crossed
        )
        long, short = say(f"stage.over_{name}"), say(f"stage.short_{name}")
        labels = (f"{long}, {rate}:" if rate else f"{long}:", f"{long}:", f"{short}:", "")
        room = box.width / LETTER - max(map(len, texts)) - 1
        label = next(label for label in labels if len(label) <= room or not label)
        yield Gauge(box, label, tuple(now / total for now in crossed), texts)
