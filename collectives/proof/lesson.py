"""Grades a right schedule: its counts beside the least, and beside an algorithm of the catalog."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from collectives.catalog import Row, find_row
from collectives.errors import BadInput
from collectives.proof.own_algorithm import OwnAlgorithm
from collectives.proof.prove import in_setting
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.structure import Ring
from collectives.words import listed, plural, quoted, runs

SHOWN = 8  # ranks on which a missed lesson is shown, where it is missed there
MOST_ENTRIES = 1 << 20  # of the contents of all slots, up to which idle steps are looked for


def counts_text(recording: Recording) -> str:
    """What a right schedule takes beside the lower bounds.

    >>> from collectives.algorithms.ring import ring_all_reduce
    >>> counts_text(record(ring_all_reduce(4), collective="all_reduce", ranks=4))
    'On 4 ranks: 6 steps (at least 2), 24 messages, 1.5 S sent by the busiest rank \
(at least 1.5 S)'
    """
    counted, bound = recording.counters, recording.bound
    where = in_setting(recording.ranks, recording.root, recording.collective)
    ports = f" with {bound.ports} ports a rank" if bound.ports > 1 else ""
    fewest = f" (at least {bound.steps}{ports})" if bound.holds else ""
    text = f"On {where}: {plural(counted.steps, 'step')}{fewest}, "
    text += plural(counted.messages, "message")
    if not recording.collective.moves_data:
        return text
    needed = f" (at least {_vectors(recording, bound.sent)})" if bound.holds else ""
    return f"{text}, {_vectors(recording, _busiest(recording))} sent by the busiest rank{needed}"


def missed_lesson(own: OwnAlgorithm, like: str, cases: Iterable[tuple[int, int]]) -> str:
    """How a right schedule falls short of an algorithm of the catalog; nothing if it does not.

    cases: numbers of ranks, from the smallest on, each with its roots. Of the numbers on which it
    falls short, the first from 8 on is named, else the largest, with the first such root. Raises
    BadInput for an algorithm that is not in the catalog, or takes none of these numbers of ranks.
    """
    lesson, named, compared = "", 0, False
    for n, root in cases:
        row = find_row(own.promise(n).name, like)
        if row.accepts(n) and n != named:
            compared = True
            mine = own.record(n, root)
            if short := "; ".join(_shortcomings(mine, _taught(row, mine))):
                lesson = (
                    f"{own.name} on {in_setting(n, mine.root, mine.collective)}: right, {short}"
                )
                named = n
                if n >= SHOWN:
                    break
    if not compared:
        raise BadInput(f"like {quoted(like)}: it takes none of these numbers of ranks; try: 1-33")
    return lesson


def _taught(row: Row, mine: Recording) -> Recording:
    """The algorithm of the catalog in the setting of somebody's own."""
    chunks = mine.chunks if "chunks" in row.parameters else None
    return record(row.collective, row.algorithm, ranks=mine.ranks, root=mine.root, chunks=chunks)


def _shortcomings(mine: Recording, taught: Recording) -> Iterator[str]:
    """What is more than it need be, with its reason where there is a plain one; no ring."""
    own, enough = mine.counters, taught.counters
    if own.steps > enough.steps:
        yield f"in {plural(own.steps, 'step')} where {_are(enough.steps)} possible"
        yield from filter(None, [_why_so_many(mine)])
    elif own.ports > enough.ports:
        yield f"but a rank has {own.ports} messages in one step, not {enough.ports} at a time"
    elif own.messages > enough.messages:
        yield f"with {own.messages} messages where {_are(enough.messages)} enough"
    sent, needed = (Fraction(_busiest(run), int(run.case.S) or 1) for run in (mine, taught))
    if mine.collective.moves_data and sent > needed:
        rank = own.bytes_sent[: mine.ranks].argmax()
        texts = _vectors(mine, _busiest(mine)), _vectors(taught, _busiest(taught))
        yield f"rank {rank} sends {texts[0]} where {texts[1]} is enough"
    if _reduces(mine) and not _reduces(taught):
        yield "but it adds where nothing is summed: send is enough, reduce reads each slot first"
    ring = isinstance(taught.structure, Ring)
    if ring and mine.ranks > 3 and not isinstance(mine.structure, Ring):
        yield f"but it is no ring: {_most_partners(mine)}"


def _reduces(recording: Recording) -> bool:
    return any(step.reduces.any() for step in recording.steps)


def _why_so_many(recording: Recording) -> str:
    """Which ranks send at all, where these are few; or which steps change nothing."""
    senders = np.flatnonzero(recording.counters.messages_sent).tolist()
    if len(senders) == 1:
        return f"only rank {senders[0]} sends"
    if idle := _idle_steps(recording):
        verb = "changes" if len(idle) == 1 else "change"
        return f"step{'s' * (len(idle) > 1)} {listed(runs(idle))} {verb} nothing"
    if recording.counters.messages == recording.counters.steps:
        return "each step has one message only"
    return ""


def _are(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'}"


def _node(recording: Recording, node: int) -> str:
    """The name of a rank, or of a node beside the ranks: switch 0."""
    beside = node - recording.ranks
    return f"rank {node}" if beside < 0 else f"{recording.helpers} {beside}"


def _idle_steps(recording: Recording) -> list[int]:
    """The steps after which every slot holds what it held before."""
    if recording.nodes * recording.slots * recording.precondition.size > MOST_ENTRIES:
        return []
    idle, before = [], recording.state(0).times.copy()
    for number in range(1, len(recording.steps) + 1):
        after = recording.state(number).times.copy()
        idle += [number] if (after == before).all() else []
        before = after
    return idle


def _most_partners(recording: Recording) -> str:
    """To whom the rank sends that sends to the most."""
    links = recording.counters.links
    sender = int(np.bincount(links[:, 0]).argmax())
    others = links[links[:, 0] == sender, 1]
    ranks = others[others < recording.ranks].tolist()
    named = [f"rank{'s' * (len(ranks) > 1)} {listed(runs(ranks))}"] if ranks else []
    named += [_node(recording, node) for node in others.tolist() if node >= recording.ranks]
    return f"{_node(recording, sender)} sends to {listed(named)}"


def _busiest(recording: Recording) -> int:
    return int(recording.counters.bytes_sent[: recording.ranks].max())


def _vectors(recording: Recording, sent: int) -> str:
    """Bytes in units of the vector: 1.5 S, S."""
    multiple = sent / (int(recording.case.S) or 1)
    return "S" if multiple == 1 else f"{multiple:.4g} S"
