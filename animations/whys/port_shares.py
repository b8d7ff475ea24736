"""What each port sends of a schedule that is of no known family, beside the least that it could."""

from __future__ import annotations

from collections.abc import Iterator

from animations.whys.loads import port_loads
from animations.whys.ports import MOST_DRAWN, Growth, Strips
from animations.whys.sends import WhyFacts
from animations.whys.teller import Teller
from animations.whys.why import Why

STEPS = range(2, 33)  # that have a bar each


def port_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of any schedule without switches: who sends in how many steps, who sends most, and why."""
    n, recording = facts.ranks, facts.recording
    if not 1 < n <= MOST_DRAWN or recording.nodes > n or facts.steps not in STEPS or not facts.size:
        return
    sent = [sum(facts.port_bytes(rank)) for rank in range(n)]
    busiest = max(range(n), key=sent.__getitem__)
    vectors = tell.figure(sent[busiest] / facts.size)
    alike = len({*sent}) == 1
    sentences = [tell("ports_left", steps=facts.steps), _activity(facts, tell)]
    key = f"{'same' if alike else 'most'}{'_one' * (vectors == '1')}"
    sentences.append(tell(f"ports_{key}", rank=tell.rank(busiest), part=vectors))
    half = (facts.steps + 1) // 2
    growths = [Growth(half), Growth(facts.steps), Growth(facts.steps, flash=alike)]
    bound = recording.bound
    if bound.holds and bound.sent:
        fewest = bound.sent / facts.size
        noun = tell.say.noun("vector") if fewest == 1 else tell.say.several("vector")
        key = "least" if bound.sent >= sent[busiest] else "more"
        sentences.append(tell(f"ports_{key}", part=f"{tell.figure(fewest)} {noun}"))
        growths.append(Growth(facts.steps))
    together = sum(map(max, zip(*port_loads(recording), strict=True)))
    if together > 1.000001 * sent[busiest] / facts.size:
        waits = tell.figure(together)
        sentences.append(tell(f"ports_waits{'_one' * (waits == '1')}", part=waits))
        growths.append(Growth(facts.steps))
    names = tuple(map(tell.rank, range(n)))
    counted = tell("of", number="{number}", total="{total}")
    strips = Strips(names, facts.sends, (), (), "", "", tuple(growths), counted)
    yield tell.why("ports", sentences, strips, tell("ring_aside", ranks=tell.ranks(n)))


def _activity(facts: WhyFacts, tell: Teller) -> str:
    """In how many steps every rank sends, or the one that sends in the fewest."""
    active = [sum(step is not None for step in facts.sends[rank]) for rank in range(facts.ranks)]
    if len({*active}) == 1:
        return tell("ports_all", number=active[0], total=facts.steps)
    idlest = min(range(facts.ranks), key=active.__getitem__)
    fields = {"rank": tell.rank(idlest), "number": active[idlest], "total": facts.steps}
    return tell(f"ports_idle{'_never' * (not active[idlest])}", **fields)
