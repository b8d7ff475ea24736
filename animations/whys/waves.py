"""Why waves of chunks follow each other: they fill trees once, then every step ends one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, Stroke, TextLine
from animations.whys.sends import WhyFacts, again, spans_of
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology
from collectives.cost.machines.usual import usual_machine
from collectives.recording.recording import Recording

WHOLE, CUT, FILL = range(1, 4)  # the sentences
WAVES = 6  # in which the data is sent, besides a single one
LAST, LETTER = 0.75, 34.0  # of a sentence, in which waves come; pixels of letters


@dataclass(frozen=True)
class WaveSteps:
    """The data in some waves.

    spans: of each wave its first and last step, from 0. ends: when each step ends, and 0 before, in
    times of a vector at a port, without latency.
    """

    spans: tuple[tuple[int, int], ...]
    ends: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class WaveLanes:
    """The data in one wave, and below it in several: a step is as wide as its bytes take.

    texts: above each of these, and below its brackets.
    """

    cuts: tuple[WaveSteps, ...]
    texts: tuple[str, ...]
    brackets: tuple[str, str]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        half = room.top + 0.26 * room.height
        part = min(1.0, time / LAST)
        drawing = self._lanes(room, room.top, half, 0, part if item == WHOLE else 1.0)
        if item == WHOLE:
            return drawing
        top, bottom = half + 60, room.bottom - 110
        drawing += self._lanes(room, top, bottom, 1, part if item == CUT else 1.0)
        if item == CUT:
            return drawing
        return drawing + self._brackets(room, bottom + 16, part)

    def _lefts(self, room: Box, cut: int) -> list[float]:
        """Where each step begins, and where the last one ends, at the scale of all."""
        longest = max(way.ends[-1] for way in self.cuts)
        return [room.left + end / longest * room.width for end in self.cuts[cut].ends]

    def _lanes(self, room: Box, top: float, bottom: float, cut: int, part: float) -> Drawing:
        """A lane for each wave, as far as time has come."""
        spans, lefts = self.cuts[cut].spans, self._lefts(room, cut)
        high, now = (bottom - top - 50) / len(spans), room.left + part * (lefts[-1] - room.left)
        line = TextLine(self.texts[cut], room.left, top + 30, LETTER, "ink")
        boxes = list[ColoredBox]()
        for row, (first, last) in enumerate(spans):
            y = top + 50 + (row + 0.5) * high
            for step in range(first, last + 1):
                left, wide = lefts[step], lefts[step + 1] - lefts[step]
                full, come = 0.94 * wide, min(1.0, max(0.0, (now - left) / wide))
                tones = ("well", 1.0), ("now" if step == last else "rank 0", come)
                for tone, share in tones[: 1 + (come > 0)]:
                    box = Box(left + share * full / 2, y, share * full, 0.8 * high)
                    boxes.append(ColoredBox(box, tone, 3))
        return Drawing(tuple(boxes), lines=(line,))

    def _brackets(self, room: Box, y: float, part: float) -> Drawing:
        """Which steps fill the trees, and then in which a wave ends."""
        lefts = self._lefts(room, 1)
        middle, end = lefts[self.cuts[1].spans[0][1]], lefts[-1]
        strokes, lines = list[Stroke](), list[TextLine]()
        ends = (room.left, middle - 8, "faint", 46.0), (middle, end, "now", 92.0)
        spans = list(zip(ends, self.brackets, strict=True))[: 1 + (part > 0.5)]
        for turn, ((left, right, tone, low), text) in enumerate(spans):
            right = left + MOTION.eased(min(1.0, 2 * part - turn)) * (right - left)
            strokes.append(Stroke(((left, y), (right, y)), tone, 6))
            lines.append(TextLine(text, left, y + low, LETTER, tone, "bold"))
        return Drawing((), tuple(strokes), tuple(lines))


def wave_whys(facts: WhyFacts, tell: Teller, trees: int = 2) -> Iterator[Why]:
    """Of chunks that follow each other, one or more in each of so many trees, each a step later."""
    recording, spans = facts.recording, spans_of(facts.recording)
    seen = len({first for first, _ in spans.values()})
    kind = "" if trees > 1 else "_one" if seen == len(spans) else "_links"
    ran, seen = seen, seen if seen < WAVES else 1  # else too many for a beginning
    waves = seen, WAVES
    tried = [waves_of(recording, number, trees) for number in waves]
    cuts = tuple(cut for cut in tried if cut)
    if len(cuts) < len(tried) or cuts[0].spans[0][1] < 2:  # it is filled in one step
        return
    steps, fill = [cut.spans[-1][1] + 1 for cut in cuts], cuts[0].spans[0][1]
    fields = {"few": WAVES, "fill": fill, "seen": seen, "part": Fraction(seen, WAVES)}
    fields |= zip(("first", "steps"), steps, strict=True)
    first = f"whole{kind}" if seen == 1 else "seen"
    if first == "whole_links":
        sides = ({src < facts.ranks for src in step.src} for step in recording.steps)
        by_turns = all(len(side) == 1 for side in sides)
        first = "whole_alone" if ran > 1 else "whole_turns" if by_turns else first
    sentences = [tell(f"waves_{key}", **fields) for key in (first, "cut", f"fill{kind}")]
    counts = zip(waves, steps, strict=True)
    texts = tuple(tell("waves_title", waves=number, steps=count) for number, count in counts)
    labels = tell(f"waves_fills{kind}", number=fill), tell("waves_ends", number=WAVES)
    aside = tell("waves_aside", ranks=tell.ranks(facts.ranks))
    yield tell.why("waves", sentences, WaveLanes(cuts, texts, labels), aside)


def waves_of(recording: Recording, waves: int, trees: int) -> WaveSteps | None:
    """The data in so many waves, if each is a step later than the one before."""
    chunks, n = trees * waves, recording.ranks
    played = again(recording, recording.algorithm, n, chunks * n, chunks, **recording.parameters)
    if played is None:
        return None
    spans = spans_of(played)
    length = {last - first for first, last in spans.values()}
    starts = sorted(first for first, _ in spans.values())
    alike = starts == [wave for wave in range(waves) for _ in range(len(spans) // waves)]
    adds = played.nodes > played.ranks  # in switches, which its own machine has
    machine = usual_machine(played) if adds else topology("crossbar", played.ranks)
    timing = lockstep(played, replace(machine, latency=0 * machine.latency))
    vector = played.case.S / machine.bandwidth[0]
    ends = 0.0, *(float(end / vector) for end in timing.step_end)
    return WaveSteps(tuple(sorted({*spans.values()})), ends) if alike and len(length) == 1 else None
