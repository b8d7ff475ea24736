"""What chunks of unequal sizes cost: in each step the largest sets how long it takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, TextLine
from animations.whys.loads import FEWEST, MOST_PORTS
from animations.whys.sends import Sent, WhyFacts, again
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.cost.machines.usual import USUAL_SIZE
from collectives.units import number_text, size_text, time_text

SENT, LARGEST, SUMMED = range(1, 4)  # the sentences; one more tells times
MOST_STEPS, DIGITS = 16, 2  # steps that are drawn; digits of a time
TALLEST = 420.0  # pixels of the largest bar, at most
LETTERS, NUMBER = 30.0, 54.0  # pixels
ROWS, NAMES, BELOW, BESIDE = 230.0, 230.0, 110.0, 210.0  # pixels for sums, names, and numbers


@dataclass(frozen=True, eq=False)
class UnevenSteps:
    """By step what each port sends, in vectors; the largest of each step go into a sum.

    chunks: which one each port sends in each step, by which bars are colored. words: below a step,
    beside the sum and beside that of equal chunks; totals: both as text, in vectors and in time;
    parts: how long the bar of equal chunks then is beside the other one.
    """

    sent: tuple[tuple[float, ...], ...]
    chunks: tuple[tuple[int, ...], ...]
    words: tuple[str, str, str]
    totals: tuple[tuple[str, str], ...]
    parts: tuple[float, ...]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        part = MOTION.eased(min(1.0, time / 0.8)) if item <= SUMMED else 1.0
        count, tallest = len(self.sent), [*map(max, self.sent)]
        comes, marked = {SENT: (part, 0.0), LARGEST: (1.0, part)}.get(item, (1.0, 1.0))
        wide = (room.width - NAMES - BESIDE) / sum(tallest)
        left = room.left + NAMES
        drawing = self._sums(room, item - SUMMED, part) if item >= SUMMED else Drawing()
        for step, largest in enumerate(tallest):
            bars = self._step(room, step)
            drawing += bars if comes * count > step else Drawing(lines=bars.lines[:1])
            gold = replace(bars.boxes[self.sent[step].index(largest)], edge="now", width=5)
            drawing += Drawing((gold,) * (marked * count > step))
            if item >= SUMMED:
                way = wide * largest * min(1.0, max(0.0, count * part - step))  # one after another
                box = Box.between(left, room.top + 20, left + max(way - 3, 0), room.top + 80)
                drawing += Drawing((replace(gold, box=box, width=3),) * (way > 3))
            left += wide * largest
        return drawing

    def _step(self, room: Box, step: int) -> Drawing:
        """The bars of a step on its name, each on that of its rank where there is room."""
        pitch, sizes, base = room.width / len(self.sent), self.sent[step], room.bottom - BELOW
        unit = min(TALLEST, room.height - ROWS - BELOW) / max(map(max, self.sent))
        thin, x = 0.8 * pitch / len(sizes), room.left + (step + 0.1) * pitch
        name = f"{self.words[0]} {step + 1}" if pitch > 130 else str(step + 1)
        place = x + 0.4 * pitch, room.bottom - 16, LETTERS
        boxes, lines = [], [TextLine(name, *place, "faint", align="center")]
        for port, (size, chunk) in enumerate(zip(sizes, self.chunks[step], strict=True)):
            middle = x + (port + 0.5) * thin
            bar = Box(middle, base - unit * size / 2, 0.84 * thin, unit * size)
            boxes.append(ColoredBox(bar, f"rank {chunk}", 3))
            if thin > LETTERS:
                lines.append(TextLine(f"{port}", middle, base + 36, LETTERS, "ink", align="center"))
            if not size:
                lines.append(TextLine("∅", middle, base - 8, LETTERS, "faint", align="center"))
        return Drawing(tuple(boxes), (), tuple(lines))

    def _sums(self, room: Box, place: int, part: float) -> Drawing:
        """The names of both sums, and then that of equal chunks; in the end both as numbers."""
        left, then, lines = room.left + NAMES, max(0.0, 2 * part - 1), list[TextLine]()
        whole = room.width - NAMES - BESIDE
        lengths = whole, whole * self.parts[place]
        bar = Box.between(left, room.top + 130, left + then * lengths[1], room.top + 190)
        for row, (tone, length) in enumerate(zip(("now", "faint"), lengths, strict=True)):
            y, word, total = room.top + 62 + 110 * row, self.words[1 + row], self.totals[place][row]
            lines += [TextLine(word, room.left, y, LETTERS, tone)] * (part > 0.5 * row)
            end = left + length + 16, y + 8, NUMBER
            lines += [TextLine(total, *end, tone, "bold")] * (part == 1)
        return Drawing((ColoredBox(bar, "faint", 3),), (), tuple(lines))


def uneven_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of chunks whose sizes were given, where the largest of each step together are more."""
    recording, n = facts.recording, facts.ranks
    if recording.counts is None or facts.even or not FEWEST <= n <= MOST_PORTS:
        return
    if len({(target, step) for _, target, step, _ in facts.hops}) < len(facts.hops):
        return  # where several come to one port, what arrives sets how long it takes
    more = 1 << max(1, USUAL_SIZE // max(facts.size, 1)).bit_length() - 1  # a round number
    chunks, count = recording.chunk_count, more * recording.count
    against = again(recording, recording.algorithm, n, -(-count // chunks) * chunks)
    if against is None or facts.steps > MOST_STEPS:
        return
    sent = _by_step(facts)
    total, even = (sum(map(max, steps)) for steps in (sent, _by_step(WhyFacts(against))))
    if total <= even + 1e-9:
        return
    empty = [number for number, size in enumerate(recording.size.tolist()) if not size]
    idle = empty and all(min(sizes) == 0 for sizes in sent)
    first = tell("uneven_empty", number=empty[0]) if idle else tell("uneven_differ")
    counts = tuple(more * size for size in recording.counts)
    own = replace(recording, count=count, counts=counts, data=None)
    seconds, numbers = facts.timed(own, against), [number_text(total), number_text(even)]
    times = [time_text(time, DIGITS) for time in seconds]
    timed = len({*times}) > 1 and seconds[0] > seconds[1]
    fields = {"steps": facts.steps, "size": size_text(more * facts.size, binary=True)}
    keys = (("summed", numbers), ("timed", times))[: 1 + timed]
    sums = [tell(f"uneven_{key}", number=a, equal=b, **fields) for key, (a, b) in keys]
    sentences = [first, tell("uneven_largest"), *sums]
    words = tell.say.noun("step"), tell.say("why.rival_here"), tell.say("why.rival_equal")
    colors = tuple(tuple(map(_chunk, range(n), step)) for step in zip(*facts.sends, strict=True))
    totals = tuple((tell.decimal(a), tell.decimal(b)) for _, (a, b) in keys)
    parts = tuple(b / a for a, b in ((total, even), seconds)[: 1 + timed])
    picture = UnevenSteps(sent, colors, words, totals, parts)
    why = tell.why("uneven", sentences, picture, tell("uneven_aside", ranks=tell.ranks(n)))
    yield replace(why, timed=timed)


def _by_step(facts: WhyFacts) -> tuple[tuple[float, ...], ...]:
    """By step what each port sends, in vectors."""
    sends = [facts.port_bytes(rank) for rank in range(facts.ranks)]
    return tuple(tuple(size / facts.size for size in step) for step in zip(*sends, strict=True))


def _chunk(rank: int, sent: Sent | None) -> int:
    """The chunk that a rank sends; the rank itself where it sends none, or several."""
    return sent.numbers[0] if sent and len(sent.numbers) == 1 else rank
