"""Why Swing goes left and right: what it sends far is little, so that cables carry less."""

from __future__ import annotations

from collections.abc import Iterator

from animations.whys.loads import PortColumns, PortPanel, again
from animations.whys.sends import WhyFacts
from animations.whys.teller import Teller
from animations.whys.why import Why

MOST_RANKS = 64


def swing_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of what sends a vector's parts less far, round a ring, than halving would."""
    recording, n = facts.recording, facts.ranks
    if (recording.algorithm, recording.collective.name) != ("swing", "all_reduce") or n & n - 1:
        return
    halving = again(recording, "rabenseifner", n) if n <= MOST_RANKS else None
    if halving is None:
        return
    sides = [_crossed(side) for side in (WhyFacts(halving), facts)]
    totals = [sum(length * part for length, part in side) for side in sides]
    if totals[1] >= totals[0]:
        return
    sentences, panels = [], []
    for key, side, total in zip(("halving", "own"), sides, totals, strict=True):
        lengths, number = ", ".join(str(length) for length, _ in side), tell.figure(total)
        sentences.append(tell(f"swing_{key}", distances=lengths, total=number))
        loads = (tuple(length * part for length, part in side),)
        panels.append(PortPanel(tell(f"swing_beside_{key}"), (lengths,), loads, number))
    picture = PortColumns(tuple(panels))
    yield tell.why("swing", sentences, picture, tell("swing_aside"))


def _crossed(facts: WhyFacts) -> list[tuple[int, float]]:
    """How far rank 0 sends in each step of the way there, and which part of the vector."""
    steps = [sent for sent in facts.sends[0][: facts.steps // 2] if sent]
    n = facts.ranks
    return [
        (max(min(to % n, -to % n) for to in sent.to), sent.bytes / facts.size) for sent in steps
    ]
