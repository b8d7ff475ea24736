"""A mixture of experts: a card of tokens for each rank, and its experts with a place for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from animations.drawing.scenery import Card, Chip, Ground, Scenery, StageLine, Way, Word
from animations.drawing.shapes import Box
from animations.stages.staged import Staged
from animations.stages.tables import LARGEST_PARCEL, crossing_ways, reach
from collectives.routing import NOWHERE, Routing
from collectives.structure import RoutedGroups, Structure

HEAD = 64.0  # height of the titles and numbers above the rows
LOWEST = 62.0  # height of a row, that there is room for a name and cells
TALLEST = 150.0
CARDS, SPACE = 0.44, 0.2  # of the width, the cards and the space that tokens cross
NARROWEST = 9.0  # pixels of a place of an expert
WIDEST = 72.0
NODE_GAP = 44.0  # between the rows of two nodes, with the name of the lower one
SMALL = 18.0
PAD = 8.0


@dataclass(frozen=True)
class ExpertRows:
    """Where the cards and the experts of each rank are; capacity: places of an expert."""

    box: Box
    rows: tuple[float, ...]
    high: float
    capacity: int
    experts: int  # of each rank

    @property
    def start(self) -> float:
        """The right edge of the cards."""
        return self.box.left + CARDS * self.box.width

    @property
    def end(self) -> float:
        """The left edge of the experts."""
        return self.start + SPACE * self.box.width

    @property
    def pitch(self) -> float:
        """From one expert of a rank to the next."""
        return (self.box.right - self.end) / self.experts

    @property
    def wide(self) -> float:
        """The width of a place."""
        return min(WIDEST, (self.pitch - 2 * PAD) / self.capacity)

    def expert(self, number: int) -> Box:
        """The box of an expert."""
        rank, place = divmod(number, self.experts)
        x = self.end + (place + 0.5) * self.pitch
        return Box(x, self.rows[rank], self.pitch - PAD, self.high)

    def place(self, expert: int, number: int) -> Box:
        """A place in the box of an expert."""
        box, tall = self.expert(expert), min(1.2 * self.wide, self.high - 34)
        x = box.left + PAD / 2 + (number + 0.5) * self.wide
        return Box(x, box.bottom - 5 - tall / 2, self.wide - min(4.0, 0.15 * self.wide), tall)


def experts(staged: Staged, box: Box, structure: Structure) -> Scenery | None:
    """Tokens cross from cards to experts, or what experts made of them comes back."""
    routing = staged.recording.setting.routing
    plan = _plan(staged, box, structure, routing)
    if plan is None:
        return None
    width = plan.start - plan.box.left
    shape = replace(staged.shape(width, plan.high), shows_sent=False)
    x = plan.box.left + width / 2
    cards = tuple(staged.card(rank, x, y, shape) for rank, y in enumerate(plan.rows))
    gap = plan.end - plan.start
    wide = min(LARGEST_PARCEL / 2, 0.4 * gap / reach(staged))
    ways, _ = crossing_ways(staged, plan.start, gap, plan.rows, wide)
    if staged.recording.collective.reduces:
        ways = {link: _mirrored(way, plan.start + plan.end) for link, way in ways.items()}
    return Scenery(
        "experts",
        box,
        cards,
        staged.fold,
        grounds=(*_nodes(plan, structure), *_boxes(plan, routing)),
        lines=tuple(_lines(staged, ways, structure)),
        words=tuple(_words(staged, plan, cards, structure, routing)),
        chips=tuple(_chips(staged, plan, routing)),
        ways=ways,
        parcel=(wide, min(46.0, 0.5 * plan.high)),
    )


def _plan(staged: Staged, box: Box, structure: Structure, routing: Routing) -> ExpertRows | None:
    """The rows, those of each node together; None where they would be too small."""
    node = _node_of(structure)
    gaps = NODE_GAP * (max(node.values(), default=-1) + 1)
    pitch = (box.height - HEAD - gaps) / staged.ranks
    pitch = min(pitch, TALLEST)
    high = pitch - 10
    top = box.y - (staged.ranks * pitch + gaps - HEAD) / 2
    rows = tuple(
        top + (rank + 0.5) * pitch + NODE_GAP * (node.get(rank, -1) + 1)
        for rank in range(staged.ranks)
    )
    inner = Box(box.x, box.y, box.width - 16, box.height)
    capacity = max(staged.recording.parameters.get("capacity", 0), int(routing.load.max()), 1)
    plan = ExpertRows(inner, rows, high, capacity, routing.experts // routing.ranks)
    return plan if high >= LOWEST and plan.wide >= NARROWEST else None


def _node_of(structure: Structure) -> dict[int, int]:
    """The node of each rank, where the machine's nodes matter."""
    members = structure.members if isinstance(structure, RoutedGroups) else ()
    return {rank: number for number, ranks in enumerate(members) for rank in ranks}


def _mirrored(way: Way, edges: float) -> Way:
    """The same way from right to left; `edges`: the sum of both sides of the space."""
    return tuple((edges - x, y) for x, y in way)


def _lines(
    staged: Staged, ways: dict[tuple[int, int], Way], structure: Structure
) -> Iterator[StageLine]:
    """The ways of a step's tokens while it is lit; rails between nodes are always there."""
    node = _node_of(structure)
    for link, steps in staged.link_steps.items():
        inside = node.get(link[0]) == node.get(link[1])
        yield StageLine(ways[link], steps, width=2.6, brief=inside, link=link)


def _nodes(plan: ExpertRows, structure: Structure) -> Iterator[Ground]:
    """A frame around the rows of each node."""
    members = structure.members if isinstance(structure, RoutedGroups) else ()
    for ranks in members:
        top = plan.rows[ranks[0]] - plan.high / 2 - NODE_GAP + 12
        bottom = plan.rows[ranks[-1]] + plan.high / 2 + 5
        box = Box(plan.box.x, (top + bottom) / 2, plan.box.width + 14, bottom - top)
        yield Ground(box, "", "edge")


def _boxes(plan: ExpertRows, routing: Routing) -> Iterator[Ground]:
    """Each expert, dashed where it is empty, and its places."""
    for expert, load in enumerate(routing.load.tolist()):
        yield Ground(plan.expert(expert), "panel", "edge", 9, dashed=not load)
        for number in range(load, plan.capacity):
            yield Ground(plan.place(expert, number), "well", "line", 7)


def _chips(staged: Staged, plan: ExpertRows, routing: Routing) -> Iterator[Chip]:
    """The tokens of each expert, filled when they have come, or when its output has left."""
    steps = _first_steps(staged)
    taken = [0] * routing.experts
    for token, place in zip(*(routing.choice != NOWHERE).nonzero(), strict=True):
        expert, owner = int(routing.choice[token, place]), int(token) // routing.tokens
        at = steps.get((expert // plan.experts, int(token)), 0)
        tone = f"rank {staged.fold.bar[owner]}"
        yield Chip(plan.place(expert, taken[expert]), f"{token}", (at,), tone, stays=True)
        taken[expert] += 1


def _first_steps(staged: Staged) -> dict[tuple[int, int], int]:
    """When each token first comes to a rank, or its sum first leaves it: by rank and token."""
    back = staged.recording.collective.reduces
    first_steps: dict[tuple[int, int], int] = {}
    for number, messages in enumerate(staged.steps, 1):
        for message in messages:
            rank, slots = (message.src, message.chunks) if back else (message.dst, message.into)
            for slot in slots:
                first_steps.setdefault((rank, slot), number)
    return first_steps


def _words(
    staged: Staged,
    plan: ExpertRows,
    cards: tuple[Card, ...],
    structure: Structure,
    routing: Routing,
) -> Iterator[Word]:
    """Titles, names of nodes and experts, and which tokens found no room."""
    say = staged.say
    top = plan.rows[0] - plan.high / 2 - NODE_GAP * bool(_node_of(structure)) - 8
    yield from _numbers(staged, cards[0], top)
    back = staged.recording.collective.reduces
    title = say("stage.expert_outputs" if back else "stage.expert_places")
    yield Word(say("stage.tokens_held"), plan.box.left, top - 26, 20, "ink")
    yield Word(title, plan.box.right, top - 26, 20, "ink", "right")
    members = structure.members if isinstance(structure, RoutedGroups) else ()
    for number, ranks in enumerate(members):
        base = plan.rows[ranks[0]] - plan.high / 2 - 9
        name = say("labels.node", noun=say.noun("node"), number=number)
        yield Word(name, plan.box.left, base, 21, "ink", bold=True)
    for expert, load in enumerate(routing.load.tolist()):
        box = plan.expert(expert)
        name = say("stage.expert", number=expert)
        name = f"{name}: {say('stage.empty')}" if not load else name
        name = name if 0.6 * SMALL * len(name) <= box.width else f"{expert}"
        yield Word(name, box.left + 8, box.top + 22, SMALL, "faint" if not load else "ink")
    for rank, card in enumerate(cards):
        first = rank * routing.tokens
        tokens = range(first, first + routing.tokens)
        lost = {t: int((routing.choice[t] == NOWHERE).sum()) for t in tokens}
        text = ", ".join(f"{t}" + f" ×{n}" * (n > 1) for t, n in lost.items() if n)
        if text:
            dropped = say("stage.dropped", tokens=text)
            base = card.box.top + 0.78 * card.shape.header + 1
            yield Word(dropped, card.box.right - 12, base, SMALL, "ink", "right")


def _numbers(staged: Staged, card: Card, base: float) -> Iterator[Word]:
    """The number of each token above its column, where each has one."""
    wells = range(staged.fold.wells if staged.fold.is_plain else 0)
    boxes = [card.cell(well) for well in wells]
    if boxes and len({box.y for box in boxes}) == 1 and boxes[0].width >= 16:
        for well, box in zip(wells, boxes, strict=True):
            yield Word(f"{well}", box.x, base, SMALL, "faint", "center")
