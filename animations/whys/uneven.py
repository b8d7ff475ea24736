"""What chunks of unequal sizes cost: in each step the largest sets how long it takes."""

from __future__ import annotations

from collections.abc import Iterator

from animations.whys.loads import FEWEST, MOST_PORTS, Loads, PortColumns, PortPanel, again
from animations.whys.sends import WhyFacts
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.units import number_text


def uneven_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of chunks whose sizes were given, where the largest of each step together are more."""
    recording, n = facts.recording, facts.ranks
    if recording.counts is None or facts.even or not FEWEST <= n <= MOST_PORTS:
        return
    chunks = recording.chunk_count
    against = again(recording, recording.algorithm, n, -(-recording.count // chunks) * chunks)
    if against is None:
        return
    sent, equal = _sent(facts), _largest(_sent(WhyFacts(against)))
    largest = _largest(sent)
    totals = sum(largest), sum(equal)
    if totals[0] <= totals[1] + 1e-9:
        return
    empty = [number for number, size in enumerate(recording.size.tolist()) if not size]
    idle = empty and all(min(sizes) == 0 for sizes in zip(*sent, strict=True))
    first = tell("uneven_empty", number=empty[0]) if idle else tell("uneven_differ")
    numbers = dict(zip(("number", "equal"), map(number_text, totals), strict=True))
    sentences = first, tell("uneven_largest"), tell("uneven_summed", steps=facts.steps, **numbers)
    keys = "rival_here_sent", "uneven_most", "rival_equal"
    titles = [tell.say(f"why.{key}") for key in keys]
    names = tuple(map(str, range(n)))
    panels = (
        PortPanel(titles[0], names, sent, tell.figure(max(map(sum, sent)))),
        PortPanel(titles[1], ("",), (largest,), tell.figure(totals[0])),
        PortPanel(titles[2], ("",), (equal,), tell.figure(totals[1])),
    )
    aside = tell("rival_aside_vector", ranks=tell.ranks(n))
    yield tell.why("uneven", sentences, PortColumns(panels), aside)


def _sent(facts: WhyFacts) -> Loads:
    """By port and step what it sends, in vectors."""
    ports = map(facts.port_bytes, range(facts.ranks))
    return tuple(tuple(size / facts.size for size in port) for port in ports)


def _largest(sent: Loads) -> tuple[float, ...]:
    """The most that a port sends in each step."""
    return tuple(map(max, zip(*sent, strict=True)))
