"""How much each node has received and sent, in vectors, for bars that grow with the steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animations.phrases import Phrases
from animations.stages.given import Given
from animations.stages.scenery import Gauge, Tone
from animations.story.drawing import Box

TEXT = 30.0  # pixels of the height of a line of text above a bar
TONES: dict[str, Tone] = {"received": "local", "sent": "phase 1"}


@dataclass(frozen=True)
class Amounts:
    """For each direction and node the amount after each state: [state, node], in vectors.

    chunks: how many a vector has.
    """

    chunks: int
    say: Phrases
    received: np.ndarray[tuple[int, int], np.dtype[np.float64]]
    sent: np.ndarray[tuple[int, int], np.dtype[np.float64]]

    def most(self, nodes: list[int] | slice = slice(None)) -> float:
        """The largest amount of any of these nodes in either direction."""
        both = self.received[:, nodes], self.sent[:, nodes]
        return float(max(each.max(initial=0) for each in both))

    def gauges(self, node: int, box: Box, unit: float, labeled: bool) -> list[Gauge]:
        """A bar for each direction that the node uses, one below the other, of so many pixels
        a vector from the left edge of the box."""
        found = []
        used = [name for name in TONES if getattr(self, name)[-1, node]]
        pitch = box.height / max(1, len(used))
        for i, name in enumerate(used):
            after = getattr(self, name)[:, node].tolist()
            wide = unit * after[-1]
            high = min(20.0, pitch - TEXT) if labeled else 0.7 * pitch
            y = box.top + (i + 1) * pitch - (high / 2 + 1 if labeled else pitch / 2)
            bar = Box(box.left + wide / 2, y, wide, high)
            shares = tuple(now / after[-1] for now in after)
            texts = tuple(self._text(now, after[-1]) if labeled else "" for now in after)
            found.append(
                Gauge(bar, self.say(f"stage.{name}") * labeled, shares, texts, TONES[name])
            )
        return found

    def _text(self, now: float, total: float) -> str:
        """So many vectors, of how many; chunks where these are no whole vectors."""
        noun, unit = ("vector", 1) if total.is_integer() else ("chunk", self.chunks)
        now, total = now * unit, total * unit
        word = self.say.several(noun) if total > 1 else self.say.noun(noun)
        return self.say("stage.amount", now=f"{now:.3g}", total=f"{total:.3g}", noun=word)


def amounts(given: Given) -> Amounts:
    """What all nodes have received and sent in all states."""
    recording = given.recording
    shape = (len(given.steps) + 1, given.nodes)
    received, sent = np.zeros(shape), np.zeros(shape)
    for number, hops in enumerate(given.steps, 1):
        size = recording.sizes(number - 1) / max(1, recording.count)
        for hop in hops:
            amount = float(size[hop.src, list(dict.fromkeys(hop.chunks))].sum())
            received[number, hop.dst] += amount
            sent[number, hop.src] += amount
    return Amounts(
        recording.chunk_count, given.labels.say, received.cumsum(axis=0), sent.cumsum(axis=0)
    )
