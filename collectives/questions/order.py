"""Questions about who works when: who is idle in a step, and when a rank has all its data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from collectives.questions.facts import Facts
from collectives.questions.question import Mark, Option, Question, asked, choice
from collectives.words import Worded, capital, listed, plural

MOST_MOVES = 4  # that an explanation names
LATER = "their first transfer comes in a later step"


def idle(facts: Facts, step: int, random: Random) -> Question | None:
    """Which ranks neither send nor receive in a step, where some do and some do not."""
    resting = _idle(facts, step)
    if not resting or not facts.rows(step):
        return None

    def option(ranks: Sequence[int], misconception: str = "") -> Option:
        marks = (Mark("ranks", tuple(ranks)),)
        instead = _not_idle(facts, step, ranks) if misconception else ""
        return Option(facts.names.nodes(ranks), tuple(ranks), misconception, marks, instead)

    wrong = [
        option(ranks, name) for ranks, name in _taken_for(facts, step) if ranks not in ([], resting)
    ]
    options = choice(option(resting), wrong, random)
    if not options:
        return None
    because, names = _why_idle(facts, step, resting), [option.misconception for option in options]
    return asked(
        kind="idle",
        step=step,
        form="choice",
        prompt="Which ranks are idle in the next step?",
        detail=Worded("in step {step}; an idle rank neither sends nor receives", step=step),
        options=options,
        because=because,
        random=random,
        believed=[n for n in names if n != "idle for good" or because == LATER],
        hint="Which ranks have something that another rank still lacks? Both are busy.",
        explanation=Worded(
            "in step {step} {moves}; no others take part", step=step, moves=_moves(facts, step)
        ),
    )


def _why_idle(facts: Facts, step: int, ranks: Sequence[int]) -> str:
    """What these ranks have done before a step, or do after it."""
    before, after = (
        {node for at in steps for row in facts.rows(at) for node in row[:2]}
        for steps in (range(1, step), range(step + 1, facts.last + 1))
    )
    if before.isdisjoint(ranks):
        return LATER if after.issuperset(ranks) else "no transfer of any step so far concerns them"
    if after.isdisjoint(ranks):
        return "all of their transfers lie behind them"
    return "their other transfers come in other steps"


def _idle(facts: Facts, step: int) -> list[int]:
    """The ranks that neither send nor receive in a step; nobody where there is no such step."""
    rows = facts.rows(step) if 1 <= step <= facts.last else []
    return _others(facts, {node for row in rows for node in row[:2]}) if rows else []


def _others(facts: Facts, busy: set[int]) -> list[int]:
    return [rank for rank in range(facts.recording.ranks) if rank not in busy]


def _moves(facts: Facts, step: int) -> str:
    """Who sends to whom in a step."""
    pairs = dict.fromkeys((row[0], row[1]) for row in facts.rows(step))
    name = facts.names.node
    moves = (Worded("{src} sends to {dst}", src=name(src), dst=name(dst)) for src, dst in pairs)
    return listed([*moves], MOST_MOVES)


def _not_idle(facts: Facts, step: int, ranks: Sequence[int]) -> str:
    """What one of these ranks does in the step, or which rank does nothing beside them."""
    names = facts.names
    for src, dst, chunk, _, _ in facts.rows(step):
        if src in ranks or dst in ranks:
            return Worded("In step {step} {way}.", step=step, way=names.sends(src, chunk, dst))
    more = names.nodes([rank for rank in _idle(facts, step) if rank not in ranks])
    return Worded("In step {step} no data goes to or from {more} either.", step=step, more=more)


def _taken_for(facts: Facts, step: int) -> Iterator[tuple[list[int], str]]:
    """Ranks that a learner may take for idle, and the misconception."""
    rows = facts.rows(step)
    sending, receiving = {row[0] for row in rows}, {row[1] for row in rows}
    ranks = range(facts.recording.ranks)
    before, resting, after = (_idle(facts, at) for at in (step - 1, step, step + 1))
    yield before, "as in the step before"
    yield after, "one step too many"
    yield [rank for rank in resting if rank in after], "idle for good"
    yield [rank for rank in resting if rank in before], "as in the step before"
    yield [rank for rank in ranks if rank in sending | receiving], "busy for idle"
    yield _others(facts, sending), "receivers rest"
    yield _others(facts, receiving), "senders rest"
    yield _others(facts, set(rows[0][:2])), "one pair at a time"
    yield from ((part, "at most one") for part in (resting[:1], resting[1:], resting[:-1]))
    rests = Counter(rank for at in range(1, facts.last + 1) for rank in _idle(facts, at))
    if {rests[rank] for rank in ranks} != {1}:
        yield from (
            (sorted((rank + by) % len(ranks) for rank in resting), "in turn") for by in (1, -1)
        )
    turns = [list(ranks[first::2]) for first in (1, 0)]
    if resting not in turns:
        yield from ((turn, "turns") for turn in turns)


def done(facts: Facts, step: int, random: Random) -> Question | None:
    """After how many steps a rank has what it is promised."""
    times = facts.done if facts.is_small else []
    ranks = [rank for rank, number in enumerate(times) if number > step]
    if not ranks or max(times) < 3:
        return None
    rank = random.choice(ranks)
    last, because = times[rank], _why_then(facts, rank)
    if not because:
        return None

    def option(number: int) -> Option:
        marks, name = (Mark("ranks", (rank,)),), ""
        if number != last:
            name = "one step too few" if number < last else "one step too many"
        instead = _not_done(facts, rank, number) if name else ""
        return Option(plural(number, "step"), number, name, marks, instead)

    return asked(
        kind="done",
        step=step,
        form="number",
        prompt=Worded(
            "After how many steps does {rank} have all its data?", rank=facts.names.node(rank)
        ),
        detail=Worded(
            "all that it is promised; there are {steps}", steps=plural(facts.last, "step")
        ),
        options=tuple(map(option, range(1, facts.last + 1))),
        because=because,
        random=random,
        believed=_false_orders(facts),
        hint="Which data reaches this rank last, and which ranks does it pass before?",
        explanation=_brings(facts, rank),
        unit="steps",
    )


def _false_orders(facts: Facts) -> list[str]:
    """What is believed of the order in which ranks are done, and is not so here."""
    times = facts.done
    latest = [rank for rank, number in enumerate(times) if number == max(times)]
    beginners = {row[0] for row in facts.rows(1)}
    true = {
        "all at once": len(latest) == len(times),
        "highest number": latest == [len(times) - 1],
        "first is last": beginners <= set(latest),
    }
    return [*(name for name, so in true.items() if not so), "one step too few"]


def _last_row(facts: Facts, rank: int) -> tuple[int, int, int, int, bool] | None:
    """The transfer that completes what a rank is promised; None where it is a local move."""
    step, promised = facts.done[rank], facts.recording.postcondition
    rows = [row for row in facts.rows(step) if row[1] == rank and promised[rank, row[3]]]
    changed = (
        row
        for row in rows
        if facts.content((rank, row[3]), step - 1) != facts.content((rank, row[3]), step)
    )
    return next(changed, None)


def _why_then(facts: Facts, rank: int) -> str:
    """Why the last of a rank's data comes so late, if it is plain."""
    if (row := _last_row(facts, rank)) is None:
        return ""
    src, _, chunk, _, _ = row
    sent = facts.content((src, chunk), facts.done[rank] - 1)
    if any(owner != src for owner, _, _ in sent):
        way = "another rank" if src < facts.recording.ranks else f"a {facts.recording.helpers}"
        return Worded("the last of its data passes through {way} on its way", way=way)
    earlier = any(src in row[:2] for k in range(1, facts.done[rank]) for row in facts.rows(k))
    return "its last sender has other transfers to do first" if earlier else ""


def _brings(facts: Facts, rank: int) -> str:
    """What the last step that counts brings to a rank, and from whom."""
    row, names = _last_row(facts, rank), facts.names
    assert row is not None
    src, _, _, into, _ = row
    return Worded(
        "in step {step} {src} sends {rank} the last of its data: {slot}",
        step=facts.done[rank],
        src=names.node(src),
        rank=names.node(rank),
        slot=names.slot(into),
    )


def _not_done(facts: Facts, rank: int, step: int) -> str:
    """What a rank still lacks after a step, or since when it lacks nothing."""
    names, last = facts.names, facts.done[rank]
    if step > last:
        return capital(
            Worded("{brings}; later steps bring it nothing.", brings=_brings(facts, rank))
        )
    slots = np.flatnonzero(facts.recording.postcondition[rank]).tolist()
    ends = ((slot, facts.content((rank, slot), facts.last)) for slot in slots)
    slot = next(slot for slot, end in ends if facts.content((rank, slot), step) != end)
    lacks, node = names.slot(slot), names.node(rank)
    pattern = "After step {step} {node} still lacks data in {slot}."
    return Worded(pattern, step=step, node=node, slot=lacks)
