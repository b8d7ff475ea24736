"""Why a ring wastes nothing: every port works in every step, and never sends the same twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from animations.whys.bound import BoundTables
from animations.whys.port_queue import queue_whys
from animations.whys.ports import Growth, Strips, laps_of
from animations.whys.sends import Sent, WhyFacts, repeats
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.structure import Ring
from collectives.units import number_text

FEWEST = 3  # ranks: of two there is no way round
MOST_IN_TABLE = 16  # ranks
MOST_SENDS = 100  # of a port, of which there are words for a part


def ring_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of a ring that sends one N-th of the vector in each step: its strips, and the bound."""
    structure, recording = facts.recording.structure, facts.recording
    if not isinstance(structure, Ring) or structure.parent or facts.ranks < FEWEST:
        return
    if not wastes_nothing(facts):
        return
    laps = laps_of(facts.sends, facts.ranks)
    n, steps = facts.ranks, facts.steps
    name = recording.collective.name
    whole = 2 * (n - 1) if name == "all_reduce" else n - 1
    if steps != whole or (len(laps) == 1) != (steps > n - 1):
        return
    grows = all(
        len(held) == step + 1
        for port in facts.sends
        for step, sent in enumerate(port[: n - 1])
        if sent
        for _, held in sent.chunks
    )
    gathers = name == "all_gather"
    first = "sums_grow" if grows else "chunks_come" if gathers else "chunks_pass"
    finished = "finished_sums" if recording.collective.reduces else ""
    if laps and not (grows and finished):
        return
    count = tell.count(n - 1)
    sentences = [tell(f"ring_{first}", steps=count)]
    growths = [Growth(n - 1, (1,), str(n - 1))]
    if laps:
        sentences.append(tell("ring_finished", steps=count))
        growths.append(Growth(steps, (2,), "2"))
    last = {"all_gather": "lacks", "reduce_scatter": "elsewhere"}.get(name, "never_twice")
    sentences.append(tell(f"ring_{last}", count=count))
    growths.append(Growth(steps, (3,), f"1/{n}", True))
    fraction = "frac(«1|N - 1», «3|N») «3|S»"
    order = structure.orders[0] if len(structure.orders) == 1 else ()
    passed, names = _received(facts) if gathers else facts.sends, map(tell.rank, range(n))
    counted = tell("of", number="{number}", total="{total}")
    formula = f"frac(1, {n}) S", f"«2|2» {fraction}" if laps else fraction
    strips = Strips(tuple(names), passed, laps, order, *formula, tuple(growths), counted)
    aside = tell(f"ring_aside{'_in' * gathers}", ranks=tell.ranks(n))
    why = tell.why("ring", sentences, strips, aside)
    yield from queue_whys(facts, tell)
    is_cut = bool(laps) and recording.chunk_count == n
    part = tell.say.plural(2, "vector").replace("2", number_text(2 * (n - 1) / n, 3))
    key = f"ring_brief{'_parts' * (is_cut and steps < MOST_SENDS)}"
    yield replace(why, brief=tell(key, n=n, steps=steps, part=part))
    if is_cut and n <= MOST_IN_TABLE:
        yield bound_why(facts, tell)


def _received(facts: WhyFacts) -> tuple[tuple[Sent | None, ...], ...]:
    """By rank what comes in, in each step of a ring."""
    came = {(dst, step): sent for _, dst, step, sent in facts.hops}
    ranks, steps = range(facts.ranks), range(facts.steps)
    return tuple(tuple(came.get((rank, step)) for step in steps) for rank in ranks)


def wastes_nothing(facts: WhyFacts) -> bool:
    """Whether each rank sends an N-th of the vector in each step, and the same data never twice."""
    every = [sent for port in facts.sends for sent in port]
    alike = all(sent is not None and sent.bytes * facts.ranks == facts.size for sent in every)
    return facts.even and alike and not any(map(repeats, facts.sends))


def bound_why(facts: WhyFacts, tell: Teller) -> Why:
    """That nobody sends less: counted for each chunk, with the ranks where its sum is made."""
    n = facts.ranks
    summed = sums_made(facts)
    share = n - 1
    counted = {"all": 2 * n * share, "ports": n, "each": 2 * share}
    total = tell("bound_total", one=n * share, unit=f"1/{n}", **counted)
    texts = tell("bound_out"), tell("bound_in"), total, tell("bound_dashed")
    picture = BoundTables(tuple(map(tell.rank, range(n))), summed, *texts)
    sentences = [tell(f"bound_{part}") for part in ("look", "leaves", "comes")]
    sentences.append(tell("bound_all", **counted))
    vectors = tell.say.plural(2, "vector").replace("2", number_text(2 * share / n, 3))
    return replace(tell.why("bound", sentences, picture), brief=tell("bound_brief", part=vectors))


def sums_made(facts: WhyFacts) -> tuple[int, ...]:
    """By chunk the rank on which its sum is complete first."""
    recording, first = facts.recording, dict[int, int]()
    for step in range(len(recording.steps) + 1):
        held = recording.contributors(step)[: facts.ranks, : recording.chunk_count]
        for rank, chunk in np.argwhere(np.all(held, axis=2)).tolist():
            first.setdefault(chunk, rank)
    return tuple(first[chunk] for chunk in range(recording.chunk_count))
