"""Why a scan along a chain takes its time: each sum needs that of the rank before it."""

from __future__ import annotations

from collections.abc import Iterator

from animations.whys.doubling import numbers
from animations.whys.sends import WhyFacts
from animations.whys.spread import MOST_DRAWN, Spread, StepsReached
from animations.whys.teller import Teller
from animations.whys.why import Why

FEWEST = 3  # ranks


def prefix_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of a scan that passes a sum from each rank to the next, one rank a step."""
    n, name = facts.ranks, facts.recording.collective.name
    if name not in ("scan", "exscan") or not FEWEST <= n <= MOST_DRAWN or facts.steps != n - 1:
        return
    if [hop[:3] for hop in facts.hops] != [(rank, rank + 1, rank) for rank in range(n - 1)]:
        return
    held = tuple(tuple(tuple(sorted(ranks)) for ranks in state) for state in facts.known)
    passed = [len(sent.ranks) for *_, sent in facts.hops]
    picture = Spread(
        tuple(range(n)),
        held,
        tuple(((rank, rank + 1),) for rank in range(n - 1)),
        (*map(str, passed), ""),
        False,
        "«1|N - 1»",
        (StepsReached(n - 1), StepsReached(n - 1, 1)),
    )
    sentences = [
        tell("prefix_grows", numbers=numbers(passed)),
        tell("prefix_waits", steps=tell.say.plural(n - 1, "step")),
    ]
    yield tell.why("prefix", sentences, picture, tell("doubling_aside", ranks=tell.ranks(n)))
