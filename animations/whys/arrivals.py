"""Why nobody leaves a barrier early: one rank comes late, and who waits for its news."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, pi, sin

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, Stroke, TextLine
from animations.whys.doubling import doubling_whys
from animations.whys.rivals import rival_whys
from animations.whys.sends import WhyFacts
from animations.whys.spread import MOST_DRAWN
from animations.whys.teller import Teller
from animations.whys.why import Why

FEWEST = 3  # ranks
LABEL, BELOW = 130.0, 60.0  # pixels beside and below the lanes
LAST, AWAY, LIFTS = 0.85, 1.2, 0.6  # of a sentence; latencies in which ranks leave, bars lift
NAMED, LETTER = 320.0, 26.0  # pixels of a bar that names whom it waits for, and of its letters
Bar = tuple[int, float, float, int]  # rank, from when to when, for whom it waits; -1: for none


@dataclass(frozen=True, eq=False)
class LateLanes:
    """A lane in time for each rank: when it waits, sends or hears, and the bar that it leaves by.

    late_rank: the rank that comes late, and after how many latencies. ends: when each rank leaves.
    shown: up to when each sentence shows it. comes, leave, waits: what is said of the late rank's
    coming, of the first that leaves, and of who waits for a {rank}.
    """

    names: tuple[str, ...]
    late_rank: tuple[int, float]
    bars: tuple[Bar, ...]
    ends: tuple[float, ...]
    shown: tuple[float, ...]
    comes: str
    leave: str
    waits: str

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        before = self.shown[item - 2] if item > 1 else 0.0
        now = before + min(1.0, time / LAST) * (self.shown[item - 1] - before)
        unit = (room.width - LABEL) / self.shown[-1]
        left, (late_rank, comes), base = room.left + LABEL, self.late_rank, room.bottom - BELOW
        high = (base - room.top) / len(self.names)
        boxes, strokes, lines = list[ColoredBox](), list[Stroke](), list[TextLine]()
        for rank, (name, end) in enumerate(zip(self.names, self.ends, strict=True)):
            y, tone = room.top + (rank + 0.5) * high, f"rank {rank}"
            x, goes_on = left + unit * end, left + unit * max(end, now)
            named = "wrong" if rank == late_rank else tone
            lines.append(TextLine(name, left - 24, y + 10, 28, named, "bold", "right"))
            strokes.append(Stroke(((left, y), (x, y)), "edge", 2, dashes=(3, 3)))
            strokes += [Stroke(((x, y), (goes_on, y)), "now", 4, arrow=True)] * (now > end)
            lifted = 0.5 * pi * MOTION.eased(min(1.0, max(0.0, (now - end) / LIFTS)))
            top, long = y - 0.4 * high, 0.7 * high
            tip = x + long * sin(lifted), top + long * cos(lifted)
            strokes.append(Stroke(((x, top), tip), "now" if now > end else "wrong", 7))
            for start, until, awaited in (bar[1:] for bar in self.bars if bar[0] == rank):
                waits = awaited >= 0
                edge, part = (tone if start else named, 0.46) if waits else (tone, 0.66)
                wide, tall = unit * (min(until, now) - start) - 4, part * high
                box = Box(left + unit * start + 2 + wide / 2, y, wide, tall)
                boxes += [ColoredBox(box, "well" if waits else tone, 4, edge, 2)] * (now > start)
                if waits and awaited != rank and wide > NAMED and tall > LETTER:
                    text, ink = self.waits.format(rank=awaited), f"rank {awaited}"
                    lines.append(TextLine(text, box.left + 16, y + 9, LETTER, ink))
        for at, tone, text in ((comes, "wrong", self.comes), (min(self.ends), "now", self.leave)):
            if now >= at:
                x = left + unit * at
                strokes.append(Stroke(((x, room.top), (x, base)), tone, 5))
                lines.append(TextLine(text, x, base + 44, 32, tone, "bold", "center"))
        return Drawing(tuple(boxes), tuple(strokes), tuple(lines))


def barrier_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of a barrier: why it takes so few steps, or so many messages; then one rank comes late."""
    n, recording = facts.ranks, facts.recording
    if recording.collective.name != "barrier":
        return
    yield from tuple(doubling_whys(facts, tell)) or rival_whys(facts, tell)
    late_rank, comes = n // 2 + 1, facts.steps + 1.0
    bars, ends = lanes(facts, late_rank, comes)
    if FEWEST <= n <= MOST_DRAWN and recording.nodes == n and min(ends) >= comes:
        fields = {"rank": late_rank, "steps": tell.say.plural(int(max(ends) - comes), "step")}
        texts = tell("late_comes", **fields), tell("late_leave"), tell("late_for", rank="{rank}")
        names, shown = tuple(map(tell.rank, range(n))), (comes, max(ends), max(ends) + AWAY)
        picture = LateLanes(names, (late_rank, comes), bars, ends, shown, *texts)
        sentences = [tell(f"late_{key}", **fields) for key in ("waits", "news", "none")]
        yield tell.why("late", sentences, picture, tell("late_aside", ranks=tell.ranks(n)))


def lanes(
    facts: WhyFacts, late_rank: int, comes: float
) -> tuple[tuple[Bar, ...], tuple[float, ...]]:
    """By rank when it waits and when it sends or hears; when each leaves. A step is a latency."""
    ready = [comes if rank == late_rank else 0.0 for rank in range(facts.ranks)]
    bars: list[Bar] = [(late_rank, 0.0, comes, late_rank)]
    for step in range(facts.steps):
        sends = [(src, dst) for src, dst, at, _ in facts.hops if at == step]
        before = tuple(ready)
        for rank in {rank for pair in sends for rank in pair}:
            last = max([rank, *(src for src, dst in sends if dst == rank)], key=before.__getitem__)
            start = before[last]
            bars += [(rank, before[rank], start, last)] * (start > before[rank])
            bars.append((rank, start, start + 1, -1))
            ready[rank] = start + 1
    return tuple(bars), tuple(ready)
