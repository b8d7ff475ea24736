"""What chunks of unequal sizes cost: in each step the largest sets how long it takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, TextLine
from animations.whys.loads import FEWEST, MOST_PORTS, again
from animations.whys.sends import WhyFacts
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.units import number_text

SENT, LARGEST, SUMMED = "sent", "largest", "summed"  # kinds of sentences
MOST_STEPS = 16
TALLEST = 420.0  # pixels of the largest bar, at most
LETTERS, NUMBER = 30.0, 54.0  # pixels
ROWS, BAR, NAMES = 260.0, 60.0, 230.0  # pixels for both sums above, of one, and for their names


@dataclass(frozen=True, eq=False)
class UnevenSteps:
    """By step what each port sends, in vectors; the largest of each step go into a sum.

    kinds: of each sentence. equal: what a port sends in each step where chunks are equal. words:
    below a step, beside the sum and beside that of equal chunks; totals: both as text.
    """

    kinds: tuple[str, ...]
    sent: tuple[tuple[float, ...], ...]
    equal: tuple[float, ...]
    words: tuple[str, str, str]
    totals: tuple[str, str]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        kind, part = self.kinds[item - 1], MOTION.eased(min(1.0, time / 0.8))
        base, high = room.bottom - 60, min(TALLEST, room.height - ROWS - 60)
        unit = high / max(map(max, self.sent))
        comes = part if item == 1 else 1.0
        boxes, lines, along = list[ColoredBox](), list[TextLine](), 0.0
        pitch = room.width / len(self.sent)
        thin, left = 0.8 * pitch / len(self.sent[0]), room.left + NAMES
        wide = (room.width - NAMES - 120) / max(sum(map(max, self.sent)), sum(self.equal))
        for step, sizes in enumerate(self.sent):
            x, largest = room.left + (step + 0.1) * pitch, max(sizes)
            name = f"{self.words[0]} {step + 1}" if pitch > 130 else str(step + 1)
            place = x + 0.4 * pitch, base + 44, LETTERS
            lines.append(TextLine(name, *place, "faint", align="center"))
            if comes * len(self.sent) <= step:
                continue
            for port, size in enumerate(sizes):
                is_marked = kind == SUMMED or (kind == LARGEST and part * len(self.sent) > step)
                gold = is_marked and port == sizes.index(largest)
                bar = Box(x + (port + 0.5) * thin, base - unit * size / 2, 0.84 * thin, unit * size)
                boxes.append(ColoredBox(bar, "now" if gold else f"rank {port}", 3))
                if not size:
                    lines.append(TextLine("0", bar.x, base - 8, LETTERS, "faint", align="center"))
            if kind == SUMMED:
                way = min(1.0, max(0.0, 2 * part - step / len(self.sent)))
                middle = x + (sizes.index(largest) + 0.5) * thin, base - unit * largest / 2
                start = Box(*middle, 0.84 * thin, unit * largest)
                end = left + wide * (along + largest / 2), room.top + 50
                goal = Box(*end, wide * largest - 3, BAR)
                boxes.append(ColoredBox(start.toward(goal, way), "now", 3))
            along += largest
        if kind == SUMMED:
            long = wide * sum(self.equal)
            bar = Box.between(left, room.top + 130, left + part * long, room.top + 130 + BAR)
            boxes.append(ColoredBox(bar, "faint", 3))
            rows = zip(
                ("now", "faint"), self.words[1:], self.totals, (wide * along, long), strict=True
            )
            for row, (tone, word, total, length) in enumerate(rows):
                y = room.top + 62 + 110 * row
                lines.append(TextLine(word, room.left, y, LETTERS, tone))
                if part == 1:
                    lines.append(TextLine(total, left + length + 16, y + 8, NUMBER, tone, "bold"))
        return Drawing(tuple(boxes), (), tuple(lines))


def uneven_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of chunks whose sizes were given, where the largest of each step together are more."""
    recording, n = facts.recording, facts.ranks
    if recording.counts is None or facts.even or not FEWEST <= n <= MOST_PORTS:
        return
    chunks = recording.chunk_count
    count = -(-recording.count // chunks) * chunks
    against = again(recording, recording.algorithm, n, count)
    if against is None or facts.steps > MOST_STEPS:
        return
    sent = _by_step(facts)
    equal = tuple(map(max, _by_step(WhyFacts(against))))
    total = sum(map(max, sent))
    if total <= sum(equal) + 1e-9:
        return
    empty = [number for number, size in enumerate(recording.size.tolist()) if not size]
    idle = empty and all(min(sizes) == 0 for sizes in sent)
    first = tell("uneven_empty", number=empty[0]) if idle else tell("uneven_differ")
    numbers = {"steps": facts.steps, "number": number_text(total)}
    items = (
        (SENT, first),
        (LARGEST, tell("uneven_largest")),
        (SUMMED, tell("uneven_summed", equal=number_text(sum(equal)), **numbers)),
    )
    kinds, sentences = zip(*items, strict=True)
    words = tell.say.noun("step"), tell.say("why.rival_here"), tell.say("why.rival_equal")
    totals = tell.figure(total), tell.figure(sum(equal))
    picture = UnevenSteps(kinds, sent, equal, words, totals)
    yield tell.why("uneven", sentences, picture, tell("uneven_aside", ranks=tell.ranks(n)))


def _by_step(facts: WhyFacts) -> tuple[tuple[float, ...], ...]:
    """By step what each port sends, in vectors."""
    sends = [facts.port_bytes(rank) for rank in range(facts.ranks)]
    return tuple(tuple(size / facts.size for size in step) for step in zip(*sends, strict=True))
