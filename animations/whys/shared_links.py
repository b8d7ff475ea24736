"""Why chunks share a message: each has a tree of its own, and several trees need the same link."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, Point, Stroke, TextLine
from animations.whys.sends import WhyFacts
from animations.whys.spread import MOST_DRAWN
from animations.whys.teller import Teller
from animations.whys.why import Why

TREES, LINK, MESSAGE = range(1, 4)  # the sentences
BAND, DOT, CHUNK = 190.0, 14.0, 46.0  # pixels of the message's band, of a rank, and of a chunk
PROMISED = ("all_gather", "reduce_scatter")
TreeLink = tuple[int, int, int]  # source, destination, step


@dataclass(frozen=True, eq=False)
class SharedLink:
    """A tree for each chunk of a message, a column a rank, a row a step; then the message itself.

    trees: by chunk its links. shared: the link that they share.
    """

    ranks: int
    steps: int
    trees: tuple[tuple[int, tuple[TreeLink, ...]], ...]
    shared: TreeLink
    message: str

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        at = min(1.0, time / 0.85) * self.steps if item == TREES else float(self.steps)
        drawing = Drawing()
        for number in range(len(self.trees)):
            drawing += self._tree(room, number, at, item, time)
        if item < MESSAGE:
            return drawing
        part = MOTION.eased(min(1.0, time / 0.8))
        wide, y = CHUNK * len(self.trees), room.bottom - BAND / 2
        boxes = [ColoredBox(Box(room.x, y, wide + 24, CHUNK + 24), "panel", 10, "now", 3)]
        for number, (chunk, _) in enumerate(self.trees):
            start, goal = self._place(room, number), room.x - wide / 2 + (number + 0.5) * CHUNK
            x, down = start.x + part * (goal - start.x), part * (y - start.bottom)
            box = Box(x, start.bottom + down, CHUNK - 6, CHUNK)
            boxes.append(ColoredBox(box, f"rank {chunk}", 4, "now", 2))
        text = TextLine(self.message, room.x, y + CHUNK + 34, 34, "now", "bold", "center")
        return drawing + Drawing(tuple(boxes), (), (text,))

    def _place(self, room: Box, number: int) -> Box:
        """The room of a tree."""
        wide = room.width / len(self.trees)
        left = room.left + number * wide
        return Box.between(left + 14, room.top + 70, left + wide - 14, room.bottom - BAND - 30)

    def _tree(self, room: Box, number: int, at: float, item: int, time: float) -> Drawing:
        chunk, links = self.trees[number]
        place, tone = self._place(room, number), f"rank {chunk}"
        pitch, row = place.width / self.ranks, place.height / self.steps

        def point(rank: float, step: float) -> Point:
            return place.left + (rank + 0.5) * pitch, place.top + step * row

        rows = (place.top + step * row for step in range(self.steps + 1))
        strokes = [Stroke(((place.left, y), (place.right, y)), "edge", 2) for y in rows]
        boxes = list[ColoredBox]()
        for src, dst, step in links:
            part = min(1.0, max(0.0, at - step))
            if not part:
                continue
            start, end = point(src, step), point(src + part * (dst - src), step + part)
            flash = item == MESSAGE or (item == LINK and int(6 * time) % 2 == 0)
            lit = flash and (src, dst, step) == self.shared
            wide = 9.0 if lit else 3.5
            strokes.append(Stroke((start, end), "now" if lit else tone, wide, arrow=lit))
            boxes += [ColoredBox(Box(*spot, DOT, DOT), tone, DOT / 2) for spot in (start, end)]
        name = TextLine(str(chunk), place.x, room.top + 34, 32, tone, "bold", "center")
        return Drawing(tuple(boxes), tuple(strokes), (name,))


def shared_link_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of messages of chunks that are no neighbors, where each chunk has a tree of its own."""
    recording, n = facts.recording, facts.ranks
    if recording.collective.name not in PROMISED or n > MOST_DRAWN or recording.nodes > n:
        return
    sends = [sent for sent in facts.sends[0] if sent]
    largest = max(sends, key=lambda sent: len(sent.numbers), default=None)
    if largest is None or len(largest.to) > 1 or len(largest.numbers) < 3 or recording.slots != n:
        return
    if min(b - a for a, b in pairwise(largest.numbers)) < 2:
        return
    links: dict[int, list[TreeLink]] = {chunk: [] for chunk in largest.numbers}
    for *link, sent in facts.hops:
        for chunk in links.keys() & {*sent.numbers}:
            links[chunk].append((link[0], link[1], link[2]))
    if any(len(tree) != n - 1 for tree in links.values()):
        return
    step, count = facts.sends[0].index(largest), len(largest.numbers)
    trees = tuple((chunk, tuple(tree)) for chunk, tree in links.items())
    message = tell("shared_text", chunks=tell.say.plural(count, "chunk"))
    picture = SharedLink(n, facts.steps, trees, (0, largest.to[0], step), message)
    fields = {"number": tell.count(count), "step": step + 1, "target": largest.to[0]}
    sentences = [tell(f"shared_{part}", **fields) for part in ("trees", "link", "message")]
    yield tell.why("shared", sentences, picture, tell("shared_aside", ranks=tell.ranks(n)))
