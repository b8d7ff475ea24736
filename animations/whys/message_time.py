"""What a message costs: its latency, then its bytes; of three sizes beside each other in time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from animations.drawing.drawing import Drawing
from animations.drawing.formula import formula
from animations.drawing.shapes import Box, ColoredBox, TextLine
from animations.whys.counted import LETTERS
from animations.whys.sends import WhyFacts
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.structure import Loose
from collectives.units import size_text, time_text

LATENCY, BYTES, BACK = range(1, 4)  # the sentences
FACTORS = (0.25, 1.0, 4.0)  # of the size whose bytes take as long as its latency
BAND, LABEL, BAR, LAST = 170.0, 200.0, 74.0, 0.8  # pixels, and a part of a sentence


@dataclass(frozen=True, eq=False)
class MessageBars:
    """A row for each size: a bar of latency and one of bytes, there and back.

    bytes: seconds of the bytes of each row, beside a latency of 1.
    """

    sizes: tuple[str, ...]
    bytes: tuple[float, ...]
    times: tuple[str, ...]
    back: bool

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        part = min(1.0, time / LAST)
        laps = 1 + self.back
        unit = (room.width - LABEL - 150) / (laps * (1 + max(self.bytes)))
        pitch = (room.height - BAND) / len(self.sizes)
        boxes, lines = list[ColoredBox](), list[TextLine]()
        for row, size in enumerate(self.sizes):
            y, x = room.top + (row + 0.5) * pitch, room.left + LABEL
            lines.append(TextLine(size, x - 24, y + 12, 34, "ink", "bold", "right"))
            for lap in range(laps):
                for kind, lasts in enumerate((1.0, self.bytes[row]), LATENCY):
                    comes = BACK if lap else kind
                    shown = part if item == comes else float(item > comes)
                    if shown:
                        bar = Box.between(x, y - BAR / 2, x + shown * lasts * unit, y + BAR / 2)
                        tone = "faint" if kind == LATENCY else f"rank {lap}"
                        boxes.append(ColoredBox(bar, tone, 3))
                    x += lasts * unit * (shown > 0)
            if item == laps + 1 and part == 1:
                lines.append(TextLine(self.times[row], x + 20, y + 12, 34, "now", "bold"))
        sources = "«1|alpha» + «2|frac(n, B)»", "«3|2» («1|alpha» + «2|frac(n, B)»)"
        lit = range(1, item + (time >= LAST))
        typeset, y = formula(sources[self.back]), room.bottom - BAND / 2 + 30
        tones = dict.fromkeys(lit, "now") | {0: "now" if len(lit) > laps else "line"}
        left = room.x - typeset.width * LETTERS / 2
        drawing = typeset.drawn(left, y, LETTERS, lambda term: tones.get(term, "line"))
        return Drawing(tuple(boxes), (), tuple(lines)) + drawing


def message_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of a message, or one there and one back, on links of one latency and one bandwidth."""
    recording = facts.recording
    back = facts.steps == 2
    if not isinstance(recording.structure, Loose) or recording.collective.name != "send_recv":
        return
    senders = sorted(hop[0] for hop in facts.hops)
    if facts.steps > 2 or not facts.latency or senders != sorted({*senders}):
        return
    even = facts.latency * facts.bandwidth
    sizes = [factor * even for factor in FACTORS]
    times = [(1 + back) * (facts.latency + size / facts.bandwidth) for size in sizes]
    texts = [tuple(map(size_text, sizes)), tuple(map(time_text, times))]
    in_words = [tuple(map(tell.decimal, column)) for column in texts]
    picture = MessageBars(in_words[0], FACTORS, in_words[1], back)
    latency, size = time_text(facts.latency), size_text(even)
    sentences = [tell("message_latency", time=latency), tell("message_bytes", size=size)]
    sentences += [tell("message_back")] * back
    yield tell.why("message", sentences, picture, tell("message_aside"))
