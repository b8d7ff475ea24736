"""What takes all of a time: the messages of its critical path, and what each of them waits for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from collectives.cost.clocks.critical_path import ROUNDED_OFF, critical_path, waits_for
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.topology import node_label
from collectives.units import size_text, time_text
from collectives.words import plural

KINDS = {  # what a message may wait for
    "data": "for data that the one before brings",
    "port": "for a port that the one before uses",
    "link": "for a link that the one before uses",
    "step": "for the slowest message of the step before",
}


@dataclass(frozen=True)
class CriticalPath:
    """Messages one after another that take all of a time.

    size: bytes of all of them. waits: of each kind of wait, how many messages wait for it.
    step, ends, longest, seconds: of the message that takes longest; its bytes and its time.
    """

    messages: int
    size: int
    waits: dict[str, int]
    step: int = 0
    ends: str = ""
    longest: int = 0
    seconds: float = 0.0

    @property
    def text(self) -> str:
        """Which step waits for what, in a sentence."""
        if not self.messages:
            return "no message ever arrives"
        kinds = [(number, KINDS[kind]) for kind, number in self.waits.items() if number]
        waits = [f"{number} {'waits' if number == 1 else 'wait'} {why}" for number, why in kinds]
        carried = f"{size_text(self.longest, 3)}, " if self.longest else ""
        text = f"{plural(self.messages, 'message')} one after another"
        text += f": {', '.join(waits)}" if waits else ""
        return (
            f"{text}; the longest, in step {self.step}, takes {time_text(self.seconds, 3)} "
            f"({carried}{self.ends})"
        )

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        longest = {"step": self.step, "link": self.ends, "bytes": self.longest}
        longest |= {"seconds": self.seconds}
        return {
            "messages": self.messages,
            "bytes": self.size,
            "waits": self.waits,
            "longest": longest,
        }


def path_of(timing: Timing) -> CriticalPath:
    """The critical path of a timing; one without messages where it never ends."""
    rows, messages = critical_path(timing), timing.messages
    if not len(rows):
        return CriticalPath(0, 0, {})
    if timing.clock == "lockstep":
        waits = Counter({"step": len(rows) - 1})
    else:
        pairs = zip(rows[:-1].tolist(), rows[1:].tolist(), strict=True)
        waits = Counter(waits_for(timing, before, row) for before, row in pairs)
    starts = messages.start[rows]
    took = np.append(starts[1:], timing.total) - starts
    slowest = int(np.flatnonzero(took >= took.max() * (1 - ROUNDED_OFF))[0])
    row, recording = rows[slowest], timing.recording
    kinds = [("rank", recording.ranks), (recording.helpers, recording.nodes - recording.ranks)]
    return CriticalPath(
        len(rows),
        int(messages.size[rows].sum()),
        {kind: waits[kind] for kind in KINDS},
        int(messages.step[row]) + 1,
        " → ".join(node_label(kinds, int(node)) for node in (messages.src[row], messages.dst[row])),
        int(messages.size[row]),
        float(took[slowest]),
    )
