"""What it takes: the steps fold into a bar of latencies and bytes, beside those of rivals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, groupby, pairwise
from math import log
from operator import itemgetter

from animations.drawing.drawing import Drawing
from animations.drawing.formula import formula
from animations.drawing.glyphs import line_within, text_width
from animations.drawing.pointer import framed
from animations.drawing.shapes import MOTION, Box, ColoredBox, TextLine
from animations.whys.why import GrowingPicture
from collectives.units import number_text

STARTS, BYTES, RIVAL, VERDICT, TURN = range(1, 6)  # kinds of sentences
BAR, STRIP, GAP = 84.0, 14.0, 0.1  # pixels of a bar and of a step of the strip; part between two
LANE = 90.0  # pixels from a half of cables to the other
NAMED = 48.0  # pixels above and below the lanes of a pipeline's chunks, for names
FLIGHT, LAST = 0.3, 0.72  # parts of a sentence: a flight, and until all arrive
TONES = ("now", "rank 0", "rank 1")  # of starts, of bytes, and of those over longer links
FORMULA, TIME, NAME, LABEL = 56.0, 42.0, 34.0, 28.0  # pixels of letters
ABOVE, RAISED = 24.0, 12.0  # pixels from a bar up to its name, and to its formula
PARTED = 6.0  # pixels between starts that are drawn one by one
BELOW = 44.0  # pixels for the place below the trees of a verdict
BESIDE = 190.0  # pixels for a time at the end of its bar
SAME, ABOUT = 0.005, 0.05  # of a time: less apart is as long, or about as long
TURNED = 0.6  # of a sentence, until bars are as long as elsewhere
HALT, ON = 0.35, 0.65  # parts of that time: from when to when both are equally long


@dataclass(frozen=True)
class Cost:
    """What an algorithm takes: by step seconds of latency, and those of its bytes.

    steps: how often a latency is paid. time: all of it as text. source: the formula in Typst, with
    numbered terms, if there is one. vectors: how many of these pass the busiest port, or link, as
    `place` says; 0 where links differ. idle: for how many more its links idle. hops: the cables
    passed one after another, where ranks are linked straight. returns: whether its second half of
    steps goes back down what went up. kinds: the parts of the time of its
    bytes in which those within nodes and between them are under way, where they are so at once.
    """

    name: str
    starts: tuple[float, ...]
    bytes: tuple[float, ...]
    steps: int
    time: str
    source: str = ""
    vectors: float = 0.0
    idle: float = 0.0
    place: str = ""
    hops: int = 0
    returns: bool = False
    kinds: tuple[float, float] = (1.0, 1.0)

    @property
    def latency(self) -> float:
        """Seconds of all latencies."""
        return sum(self.starts)

    @property
    def moved(self) -> float:
        """Seconds of all bytes."""
        return sum(self.bytes)

    @property
    def long_starts(self) -> list[bool]:
        """Of each step whether it starts later than others, over more or longer links."""
        return self.long_beside(self)

    def long_beside(self, rival: Cost) -> list[bool]:
        """The same beside another algorithm, whose starts count as others, too."""
        soonest = min(*self.starts, *rival.starts)
        return [start > soonest + SAME * self.latency for start in self.starts]

    def moved_by_links(self, rival: Cost) -> tuple[float, float]:
        """Seconds of the bytes of the other steps, and of those."""
        steps = zip(self.bytes, self.long_beside(rival), strict=True)
        short = sum(part for part, long in steps if not long)
        return short, self.moved - short

    @property
    def seconds(self) -> float:
        """Both together."""
        return self.latency + self.moved

    def crosses_always(self, rival: Cost) -> bool:
        """Whether each step starts over the longer of the two kinds of links of a rival."""
        return all(self.long_beside(rival)) and not any(self.long_starts)

    def links(self, latency: float) -> str:
        """How many times such a latency each of its starts takes, as a factor."""
        return factor(self.latency / self.steps / latency)

    def summed(self, links: str, vectors: float) -> Cost:
        """With its formula in Typst: starts of so many links, and the bytes of so many vectors."""
        starts = factor(self.steps) if links == " " else f"{self.steps} dot {links}"
        moved = f" + «2|{factor(vectors)} frac(S, B)»" * (vectors > 0)
        return replace(self, source=f"«1|{starts} alpha»{moved}")

    def toward(self, goal: Cost, way: float) -> Cost:
        """Itself on its way to another: step by step, if these are as many."""
        pairs = (self.starts, goal.starts), (self.bytes, goal.bytes)
        if len(self.starts) != len(goal.starts):
            pairs = ((self.latency,), (goal.latency,)), ((self.moved,), (goal.moved,))
        starts, moved = (
            tuple(_toward(a, b, way) for a, b in zip(*pair, strict=True)) for pair in pairs
        )
        return replace(goal, starts=starts, bytes=moved)


@dataclass(frozen=True)
class CostsElsewhere:
    """Where the first row and rivals are compared once more: a size or a machine, and all there.

    before: the same where the bars are first. trees: where that is a tree of switches, both on it,
    instead of bars. labels: of the parts of each bar. sizes: from the one to the other,
    `named` says such a size.
    """

    place: str
    costs: tuple[Cost, ...]
    before: tuple[Cost, ...]
    trees: GrowingPicture | None = None
    labels: tuple[tuple[str, ...], ...] = ()
    sizes: tuple[int, int] = (0, 0)
    named: Callable[[float], str] = str

    @cached_property
    def grows(self) -> bool:
        """Whether only bytes grow, as the size does, so that bars are right on their way."""
        first, last = self.sizes
        pairs = [*zip(self.before, self.costs, strict=True)]
        waits = all(abs(a.latency - b.latency) <= SAME * b.latency for a, b in pairs)
        bytes_grow = (
            abs(b.moved * first - a.moved * last) <= SAME * b.moved * first for a, b in pairs
        )
        return 0 < first != last and waits and all(bytes_grow)

    @cached_property
    def winner(self) -> int:
        """The row of the fastest rival there."""
        return min(range(1, len(self.costs)), key=lambda row: self.costs[row].seconds)

    @cached_property
    def border(self) -> float:
        """The part of the way at which the first and that are equally long; 0 if there is none."""
        if not self.grows:
            return 0.0
        own, rival = self.before[0], self.before[self.winner]
        more, (first, last) = own.moved - rival.moved, self.sizes
        times = (rival.latency - own.latency) / more if more else 0.0  # as many bytes
        way = log(times) / log(last / first) if times > 0 else 0.0
        return way if 0 < way < 1 else 0.0

    def at(self, way: float) -> tuple[Cost, ...]:
        """All on their way from where the bars are first."""
        return tuple(
            goal if way == 1 else replace(cost.toward(goal, way), time="", source="")
            for cost, goal in zip(self.before, self.costs, strict=True)
        )

    def way(self, time: float) -> float:
        """How far they are at a time of the sentence; they halt where they are equally long."""
        part = min(1.0, time / TURNED)
        if not self.border:
            return MOTION.eased(part)
        first, last = min(1.0, part / HALT), max(0.0, (part - ON) / (1 - ON))
        return MOTION.eased(first) * self.border + MOTION.eased(last) * (1 - self.border)

    def place_at(self, time: float) -> str:
        """Where that is; on the way the size."""
        way, (first, last) = self.way(time), self.sizes
        if way == 1 or not self.grows:
            return self.place
        return self.named(first * (last / first) ** way)

    @property
    def deciding(self) -> list[str]:
        """The labels of what makes one of the two faster: of their starts, or of their bytes."""
        rows = 0, self.winner
        first, then = sorted((self.costs[row] for row in rows), key=lambda cost: cost.seconds)
        if then.seconds - first.seconds < ABOUT * then.seconds:
            return []
        starts = then.latency - first.latency > then.moved - first.moved
        parts = slice(1) if starts else slice(1, None)
        return [text for row in rows for text in self.labels[row][parts] if text]


@dataclass(frozen=True, eq=False)
class PriceBars:
    """A row for the algorithm, then one for each rival, which comes with its sentence.

    Latencies, then bytes rise from the strip of steps, as below the stage, into the bar.

    items: of each sentence its kind. labels: of the parts of each bar, whose bytes are two
    where links are of two kinds. spans: of a pipeline's chunks the first and last step, from 0, in
    order; ends: the names of the first and the last, then of links of two kinds, if `crossings`
    says which the steps of a wave pass. elsewhere: where the first is compared with a rival once
    more, if said. halves: of cables of which half wait in each step, the names of both, and by step
    which of them is busy. place: the size, where it is not that of the film.
    """

    costs: tuple[Cost, ...]
    items: tuple[int, ...]
    labels: tuple[tuple[str, ...], ...]
    spans: tuple[tuple[int, int], ...] = ()
    ends: tuple[str, ...] = ()
    elsewhere: CostsElsewhere | None = None
    halves: tuple[str, str, tuple[int, ...]] | None = None
    place: str = ""
    crossings: tuple[bool, ...] = ()

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        there = self.elsewhere if self.items[item - 1] == TURN else None
        place = there.place_at(time) if there else self.place
        line = TextLine(place, room.x, room.bottom - 6, TIME, "now", "bold", "center")
        if self.place or (there and there.trees):
            room = Box.between(room.left, room.top, room.right, room.bottom - BELOW)
        return self._bars(room, item, time) + Drawing(lines=(line,))

    def _bars(self, room: Box, item: int, time: float) -> Drawing:
        """The picture without where it holds."""
        kind = self.items[item - 1]
        if kind < RIVAL:
            parts = 1.0 if kind > STARTS else time, time if kind == BYTES else 0.0
            return self._rising(room, parts) + self._words(room, 0, parts)
        if kind == TURN and self.elsewhere:
            if trees := self.elsewhere.trees:
                return trees.drawn(room, 1, time)
            return self._turning(self.elsewhere, room, time)
        drawing = self._row(room, 0, (1.0, 1.0))
        named = self.items[:item].count(RIVAL)  # those that are not come with the last
        rows = named if RIVAL in self.items[item:] else len(self.costs) - 1
        for row in range(1, rows + 1):
            grown = time / LAST if row >= named and kind == RIVAL else 1.0
            halves = min(1.0, 2 * grown), min(1.0, max(0.0, 2 * grown - 1))
            drawing += self._row(room, row, halves)
        return drawing

    @property
    def _rows(self) -> int:
        return max(2, len(self.costs))

    def _tones(self, row: int) -> list[str]:
        """Of the bytes of each step, by links where labels tell these apart."""
        tell_apart = len(self.labels[0]) == len(TONES)
        longer = self.costs[row].long_beside(self.costs[0])
        return [TONES[1 + (tell_apart and long)] for long in longer]

    def _turning(self, there: CostsElsewhere, room: Box, time: float) -> Drawing:
        """The bars on their way to how long they are elsewhere.

        The longer bar is always as wide. At last what decides is framed.
        """
        way = there.way(time)
        costs = there.at(way)
        blank = (("",) * len(self.labels[0]),) * len(costs)  # as many, which tell tones apart
        bars = replace(self, costs=costs, labels=there.labels if way == 1 else blank)
        drawing = sum((bars._row(room, row, (1.0, 1.0)) for row in range(len(costs))), Drawing())
        return framed(drawing, there.deciding, (time - TURNED) / (1 - TURNED))

    def _unit(self, room: Box) -> float:
        """Pixels of a second."""
        return (room.width - BESIDE) / max(cost.seconds for cost in self.costs)

    def _bar(self, room: Box, row: int, left: float, wide: float) -> Box:
        """Part of the bar of a row."""
        pitch = room.height / self._rows
        high, middle = min(BAR, 0.34 * pitch), room.top + (row + 0.48) * pitch
        return Box(room.left + left + wide / 2, middle, wide, high)

    def _row(self, room: Box, row: int, grown: tuple[float, float]) -> Drawing:
        """A bar whose two parts have grown so far."""
        cost, unit = self.costs[row], self._unit(room)
        always = len(self.labels[0]) == len(TONES) and cost.crosses_always(self.costs[0])
        tones = [TONES[1:] if always else (tone,) for tone in self._tones(row)]  # both at once
        runs = groupby(zip(tones, cost.bytes, strict=True), key=itemgetter(0))
        sums = [(tone, grown[1] * unit * sum(part for _, part in run)) for tone, run in runs]
        firsts = (cost.latency,) if cost.moved else cost.starts  # one by one, if these are all
        pieces = [*((("now",), grown[0] * unit * start) for start in firsts), *sums]
        lefts = accumulate((wide for _, wide in pieces), initial=0.0)
        seam = PARTED * (not cost.moved)
        boxes = list[ColoredBox]()
        for left, (lanes, wide) in zip(lefts, pieces, strict=False):
            rows = self._bar(room, row, left, wide - seam).rows(len(lanes))
            if len(lanes) > 1:
                parts = zip(rows, cost.kinds, strict=True)
                rows = [Box(b.left + p * b.width / 2, b.y, p * b.width, b.height) for b, p in parts]
            pairs = zip(lanes, rows, strict=True)
            boxes += [ColoredBox(box, tone, 3) for tone, box in pairs if wide - seam > 0.5]
        half, arrows = len(boxes) // 2, list[TextLine]()
        for number, box in enumerate(boxes if cost.returns and seam and grown[0] == 1 else ()):
            arrow, place = "↑↓"[number >= half], (box.box.x, box.box.y + 15)
            arrows.append(TextLine(arrow, *place, TIME, "now_ink", "bold", "center"))
        return Drawing(tuple(boxes), (), tuple(arrows)) + self._words(room, row, grown)

    def _rising(self, room: Box, parts: tuple[float, float]) -> Drawing:
        """The strip of steps, and pieces on their way from it into the bar."""
        cost, unit, boxes, lanes = self.costs[0], self._unit(room), list[ColoredBox](), Drawing()
        pitch, lower = room.width / (count := len(cost.starts)), room.bottom - STRIP
        middles = (room.left + (step + 0.5) * pitch for step in range(count))
        strip = [Box(x, lower, (1 - GAP) * pitch, STRIP) for x in middles]
        if self.halves:
            strip, lanes = self._lanes(strip, parts[1])
        elif self.spans:
            lanes = self._waves(strip, self._bar(room, 0, 0.0, 0.0).bottom + NAMED, parts[0])
        boxes += [ColoredBox(box, "line", 4) for box in strip if not self.halves]
        lefts = [*accumulate((*cost.starts, *cost.bytes), initial=0.0)]
        ways = (cost.starts, parts[0], ["now"] * count), (cost.bytes, parts[1], self._tones(0))
        for lengths, part, tones in ways:
            for step, (seconds, tone) in enumerate(zip(lengths, tones, strict=True)):
                begin = (LAST - FLIGHT) * step / count
                way = MOTION.eased(min(1.0, max(0.0, (part - begin) / FLIGHT)))
                left = lefts[step + count * (lengths is cost.bytes)] * unit
                if way > 0 and seconds > 0:
                    goal = self._bar(room, 0, left, seconds * unit)
                    boxes.append(ColoredBox(strip[step].toward(goal, way), tone, 3))
        return lanes + Drawing(tuple(boxes))

    def _waves(self, strip: Sequence[Box], top: float, part: float) -> Drawing:
        """Chunks that follow each other, each a step later, as far as steps have come."""
        left, right, boxes = strip[0].left, strip[-1].right, list[ColoredBox]()
        now = left + min(1.0, part / (LAST - FLIGHT)) * (right - left)
        high = (strip[0].top - 2 * NAMED - top) / len(self.spans)
        for row, (first, last) in enumerate(self.spans):
            upper = top + NAMED + row * high
            for step in range(first, last + 1):
                begin, end = strip[step].left, strip[step].right
                busy = TONES[1 + self.crossings[step - first]] if self.crossings else "faint"
                for tone, come in (("line", end), (busy, max(begin, min(now, end)))):
                    place = Box.between(begin, upper, come, upper + 0.8 * high)
                    boxes.append(ColoredBox(place, tone, 2))
        base = top + NAMED - 12
        lines = [TextLine(self.ends[0], left, base, LABEL, "faint")]
        rights = strip[0].top - 16, base, base + NAMED
        for text, y, tone in zip(self.ends[1:], rights, ("faint", *TONES[1:]), strict=False):
            lines.append(TextLine(text, right, y, LABEL, tone, align="right"))
        return Drawing(tuple(boxes), (), tuple(lines))

    def _lanes(self, strip: Sequence[Box], part: float) -> tuple[list[Box], Drawing]:
        """Of halves of the cables that take turns, the busy one of each step; both, lit in turn."""
        boxes, lines, busy = list[ColoredBox](), list[TextLine](), list[Box]()
        names, halves = (self.halves[:2], self.halves[2]) if self.halves else ((), ())
        for step, box in enumerate(strip):
            lit = part > (LAST - FLIGHT) * step / len(strip)
            for half, name in enumerate(names):
                lane = Box(box.x, box.y - LANE * (2 - half), box.width, 2 * STRIP)
                is_busy = halves[step] == half
                busy += [lane] * is_busy
                boxes.append(ColoredBox(lane, "now" if is_busy and lit else "well", 4, "edge", 2))
                if step == len(strip) - 1:  # below the way of what rises
                    at = lane.right, lane.bottom + LABEL
                    lines.append(TextLine(name, *at, LABEL, "faint", align="right"))
        return busy, Drawing(tuple(boxes), (), tuple(lines))

    def _words(self, room: Box, row: int, parts: Sequence[float]) -> Drawing:
        """The name of a row, its formula term by term, and its time at the end."""
        cost, unit = self.costs[row], self._unit(room)
        lit = [k for k, part in enumerate(parts, 1) if part >= LAST and (k == 1 or cost.moved)]
        whole = len(lit) == 1 + bool(cost.moved)
        bar = self._bar(room, row, 0.0, cost.seconds * unit)
        drawing, above, free = Drawing(), bar.top - ABOVE, room.width
        if cost.source:
            typeset = formula(cost.source)
            size = min(FORMULA, 0.55 * room.width / typeset.width, 0.2 * room.height / self._rows)
            place = (
                room.right - size * typeset.width,
                bar.top - RAISED - 0.5 * size * typeset.height,
            )
            free = place[0] - room.left - NAME
            begun = [k for k, part in enumerate(parts, 1) if part > 0]  # while it is counted
            tones = {0: "now" if whole else "line", **dict.fromkeys(begun, "now")}
            drawing = typeset.drawn(*place, size, lambda term: tones.get(term, "line"))
        lines = [line_within(free, (NAME, 26.0), cost.name, room.left, above, "ink", "bold")]
        said = lit if whole or not (row or parts[1]) else []
        left, below = room.left, bar.bottom + 36
        labels = self.labels[row][: None if len(said) > 1 else len(said)]
        for tone, text in zip(TONES, labels, strict=False):
            if not text:
                continue
            if left + text_width(text, LABEL) > room.right:  # in a row of its own
                left, below = room.left, below + 38
            lines.append(TextLine(text, left, below, LABEL, tone))
            left += text_width(text, LABEL) + 36
        if whole and cost.time and (not row or min(parts) >= 1):
            lines.append(TextLine(cost.time, bar.right + 18, bar.y + 15, TIME, "now", "bold"))
        return Drawing(lines=tuple(lines)) + drawing


def _toward(value: float, goal: float, way: float) -> float:
    """A number on its way to another: by equal factors, if none is 0."""
    if min(value, goal) > 0:
        return float(value * (goal / value) ** way)
    return value + way * (goal - value)


def cost_of(
    name: str, times: Sequence[float], waits: Sequence[float], steps: int, time: str
) -> Cost:
    """A cost from the times of its states with bytes and without; a local step takes none."""
    durations = [[b - a for a, b in pairwise(states)] for states in (waits, times)]
    pairs = [(wait, whole) for wait, whole in zip(*durations, strict=True) if whole > 0]
    starts = tuple(wait for wait, _ in pairs)
    return Cost(name, starts, tuple(max(0.0, whole - wait) for wait, whole in pairs), steps, time)


def factor(number: float) -> str:
    """A number as a factor: 1 is left out."""
    return " " if abs(number - 1) < SAME else figure(number)


def figure(number: float) -> str:
    """A number with three digits, or as many as it has, if these are few."""
    exact = round(number, 6)
    return number_text(exact, 4 if round(exact, 3) == exact else 3)
