"""Why a switch adds: what the ranks send meets once, so each port carries less."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, Point, Stroke, TextLine
from animations.whys.sends import WhyFacts
from animations.whys.spread import MOST_DRAWN
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.structure import Switches
from collectives.structure.trees import depths
from collectives.units import number_text

UP, DOWN, PORT = range(1, 4)  # the sentences
DOT = 26.0  # pixels of what is on its way
RELAYED = 0.55  # of a sentence, in which a sum goes to a rank and up again
SIDE = 560.0  # pixels for the bars at the right


@dataclass(frozen=True, eq=False)
class NetworkSum:
    """The ranks below, the switches above in levels; one chunk goes up, is added, and comes down.

    parent: of each node, ranks first. relay: whether a rank gets the sum first, and sends it up
    again to be copied. bars: names, vectors through one port, and these as text.
    """

    parent: tuple[int, ...]
    ranks: int
    switch: str
    relay: bool
    bars: tuple[tuple[str, float, str], ...]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        part = MOTION.eased(min(1.0, time / 0.85))
        bare = room.width < SIDE + 700
        tree = room if bare else Box.between(room.left, room.top, room.right - SIDE, room.bottom)
        rise = {UP: part}.get(item, 1.0)
        fall = {UP: 0.0, DOWN: part}.get(item, 1.0)
        if self.relay and item == DOWN:
            fall = MOTION.eased(min(1.0, max(0.0, (time - RELAYED) / (0.95 - RELAYED))))
        drawing = self._tree(tree, rise, fall)
        if self.relay and item == DOWN and time < RELAYED:
            drawing += self._relay(tree, time / RELAYED)
        if item == PORT:
            where = Box.between(room.right - SIDE + 40, room.top, room.right, room.bottom)
            drawing += self._bars(tree if bare else where, part)
        return drawing

    def _levels(self) -> tuple[tuple[int, ...], int]:
        depth = depths(self.parent)
        return depth, max(depth)

    def at(self, room: Box, node: int) -> Point:
        """Where a node stands: ranks in a row, a switch above the middle of what it joins."""
        depth, deepest = self._levels()
        if node < self.ranks:
            pitch = room.width / self.ranks
            return room.left + (node + 0.5) * pitch, room.bottom - 60
        below = [self.at(room, child)[0] for child, up in enumerate(self.parent) if up == node]
        y = room.top + 80 + depth[node] * (room.height - 240) / max(deepest, 1)
        return (min(below) + max(below)) / 2, y

    def _leaves(self, node: int) -> list[int]:
        if node < self.ranks:
            return [node]
        children = [child for child, up in enumerate(self.parent) if up == node]
        return [leaf for child in children for leaf in self._leaves(child)]

    def _tree(self, room: Box, rise: float, fall: float) -> Drawing:
        depth, deepest = self._levels()
        boxes, strokes, lines = list[ColoredBox](), list[Stroke](), list[TextLine]()
        level, within = divmod(rise * deepest, 1.0)
        lowered, on_way = divmod(fall * deepest, 1.0)
        dots = list[ColoredBox]()
        for node, above in enumerate(self.parent):
            start = self.at(room, node)
            if above < 0:
                continue
            end = self.at(room, above)
            strokes.append(Stroke((start, end), "link", 4))
            if depth[node] == deepest - level and within:
                x, y = (a + within * (b - a) for a, b in zip(start, end, strict=True))
                dots += self._chunk(Box(x, y, DOT, DOT), self._leaves(node))
            if fall and depth[above] == lowered and on_way:
                x, y = (b + on_way * (a - b) for a, b in zip(start, end, strict=True))
                dots.append(ColoredBox(Box(x, y, DOT, DOT), "complete", 4))
        pitch = room.width / self.ranks
        for node in range(len(self.parent)):
            x, y = self.at(room, node)
            is_rank = node < self.ranks
            wide = 0.8 * pitch if is_rank else min(340.0, 0.92 * pitch * len(self._leaves(node)))
            box = Box(x, y, wide, 84 if is_rank else 96)
            tone = f"rank {node}" if is_rank else "ink"
            boxes.append(ColoredBox(box, "panel", 12, tone, 3))
            name = str(node) if is_rank else self.switch
            lines.append(TextLine(name, x, box.top + 34, 28, tone, "bold", "center"))
            here = Box(x, box.bottom - 26, wide - 24, 34)
            reached = fall and depth[node] <= fall * deepest
            held = self._leaves(node) if depth[node] >= deepest - rise * deepest else []
            if reached:
                boxes.append(ColoredBox(here, "complete", 4))
            elif held:
                boxes += self._chunk(here, held)
        return Drawing(tuple(boxes), tuple(strokes), tuple(lines)) + Drawing(tuple(dots))

    def _relay(self, room: Box, part: float) -> Drawing:
        """The finished sum on its way to the rank whose chunk it is, and up again."""
        top, rank = self.parent.index(-1), self.ranks // 2
        start, end = self.at(room, top), self.at(room, rank)
        way = 1 - abs(1 - 2 * MOTION.eased(part))
        x, y = (a + way * (b - a) for a, b in zip(start, end, strict=True))
        return Drawing((ColoredBox(Box(x, y, DOT, DOT), "complete", 4),))

    def _chunk(self, box: Box, held: list[int]) -> list[ColoredBox]:
        """A chunk with a stripe for each rank in it."""
        high = box.height / self.ranks
        well = ColoredBox(box, "well", 3)
        stripes = [
            ColoredBox(Box(box.x, box.top + (rank + 0.5) * high, box.width, high), f"rank {rank}")
            for rank in held
        ]
        return [well, *stripes]

    def _bars(self, room: Box, part: float) -> Drawing:
        """What passes one port, beside what a port must pass where no switch adds."""
        boxes, lines = list[ColoredBox](), list[TextLine]()
        longest = max(value for _, value, _ in self.bars)
        for number, (name, value, text) in enumerate(self.bars):
            y = room.top + 190 + 230 * number
            tone = "faint" if number else "now"
            wide = part * (room.width - 150) * value / longest
            lines.append(TextLine(name, room.left, y - 46, 34, tone))
            bar = Box.between(room.left, y - 22, room.left + wide, y + 34)
            boxes.append(ColoredBox(bar, tone, 5))
            lines.append(TextLine(text, room.left + wide + 14, y + 22, 44, tone, "bold"))
        return Drawing(tuple(boxes), (), tuple(lines))


def network_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of an all-reduce whose sums are made in switches, where that is less for each port."""
    switches, recording = facts.recording.structure, facts.recording
    n = facts.ranks
    if not isinstance(switches, Switches) or recording.collective.name != "all_reduce":
        return
    if not 3 <= n <= MOST_DRAWN or not sums_in_switches(facts):
        return
    relay = any(
        len(held) == n
        for sends in facts.sends[:n]
        for sent in sends
        if sent
        for _, held in sent.chunks
    )
    port = recording.bytes_busiest_port / facts.size
    alone = 2 * (n - 1) / n
    tops = switches.parent.count(-1)
    if port >= alone or tops != 1:
        return
    levels = max(depths(switches.parent))
    texts = number_text(port), number_text(alone)
    picture = NetworkSum(
        tuple(switches.parent),
        n,
        tell.say.noun("switch"),
        relay,
        (
            (tell("network_port"), port, tell.figure(port)),
            (tell("network_alone"), alone, tell.figure(alone)),
        ),
    )
    sentences = [
        tell("network_up" if levels == 1 else "network_up_levels", ranks=n, levels=levels),
        tell("network_relay" if relay else "network_down"),
        tell("network_less" if port != 1 else "network_less_one", port=texts[0], alone=texts[1]),
    ]
    yield tell.why("network", sentences, picture, tell("network_aside", ranks=tell.ranks(n)))


def sums_in_switches(facts: WhyFacts) -> bool:
    """Whether ranks only send their own data, or finished sums, and only get finished sums."""
    own = all(
        held == (rank,) or len(held) == facts.ranks
        for rank in range(facts.ranks)
        for sent in facts.sends[rank]
        if sent
        for _, held in sent.chunks
    )
    returned = all(
        len(held) == facts.ranks
        for switch in range(facts.ranks, facts.recording.nodes)
        for sent in facts.sends[switch]
        if sent and not sent.adds and min(sent.to) < facts.ranks
        for _, held in sent.chunks
    )
    return own and returned
