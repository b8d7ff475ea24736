"""Questions about who works when: who is idle in a step, who is done last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from collectives.questions.facts import Facts
from collectives.questions.question import Mark, Option, Question, asked, choice
from collectives.words import plural


def idle(facts: Facts, step: int, random: Random) -> Question | None:
    """Which ranks neither send nor receive in a step."""
    rows = facts.rows(step)
    if not rows or facts.recording.ranks < 2:
        return None
    sending, receiving = {row[0] for row in rows}, {row[1] for row in rows}
    resting = _others(facts, sending | receiving)

    def option(ranks: Sequence[int], misconception: str = "") -> Option:
        text = facts.names.nodes(ranks) if ranks else "none: every rank sends or receives"
        return _ranks(text, ranks, misconception)

    right = option(resting)
    wrong = [option(ranks, name) for ranks, name in _taken_for(facts, rows, sending, receiving)]
    options = choice(right, wrong, random)
    if not options:
        return None
    because = "every rank is at one end of a transfer"
    if resting:
        because = "no transfer of this step begins or ends there"
    return asked(
        kind="idle",
        step=step,
        form="choice",
        prompt="Which ranks are idle in the next step?",
        detail=f"in step {step}; an idle rank neither sends nor receives",
        options=options,
        because="a rank is idle if no transfer begins or ends there",
        random=random,
        hint="Go through the transfers of the step: the ranks at both ends are busy.",
        explanation=because,
    )


def _ranks(text: str, ranks: Sequence[int], misconception: str) -> Option:
    """An answer that names some ranks, or none."""
    marks = (Mark("ranks", tuple(ranks)),) if ranks else ()
    return Option(text, tuple(ranks), misconception, marks)


def _others(facts: Facts, busy: set[int]) -> list[int]:
    return [rank for rank in range(facts.recording.ranks) if rank not in busy]


def _taken_for(
    facts: Facts,
    rows: Sequence[tuple[int, int, int, int, bool]],
    sending: set[int],
    receiving: set[int],
) -> Iterator[tuple[list[int], str]]:
    """Ranks that a learner may take for idle, and the misconception."""
    yield [], "all at work"
    yield _others(facts, sending), "receivers rest"
    yield _others(facts, receiving), "senders rest"
    yield _others(facts, set(rows[0][:2])), "one pair at a time"
    turns = [list(range(first, facts.recording.ranks, 2)) for first in (1, 0)]
    if _others(facts, sending | receiving) not in turns:
        yield from ((ranks, "turns") for ranks in turns)


def done_last(facts: Facts, step: int, random: Random) -> Question | None:
    """Which rank is the last to have what it is promised; where these are several, which ranks."""
    done = facts.done if facts.is_small else []
    latest = max(done, default=0)
    if len(done) < 3 or latest < max(step, 2):
        return None
    last = [rank for rank, number in enumerate(done) if number == latest]
    if sum(map(bool, done)) < 2:
        return None
    place = len(last) == 1
    options = _every_rank(facts, done) if place else _sets(facts, done, last, random)
    if not options:
        return None
    because = f"the last of its data arrives in step {latest}"
    if not place:
        because = f"the last of their data arrives in step {latest}"
    what = "rank is the last to have all the data that it is"
    if not place:
        what = "ranks are the last to have all the data that they are"
    return asked(
        kind="last",
        step=step,
        form="place" if place else "choice",
        prompt=f"Which {what} promised?",
        detail=f"in {plural(facts.last, 'step')}",
        options=options,
        because=because,
        random=random,
        hint="Follow the data from where it starts to the rank that it reaches last.",
    )


def _every_rank(facts: Facts, done: Sequence[int]) -> tuple[Option, ...]:
    """All ranks to choose from, of which one is done last."""
    waiting = sorted(number for number in done if number)

    def misconception(number: int) -> str:
        known = {waiting[0]: "first is last", waiting[-2]: "one before the last", waiting[-1]: ""}
        return known.get(number, "done earlier")

    return tuple(
        _ranks(facts.names.node(rank), (rank,), misconception(number))
        for rank, number in enumerate(done)
    )


def _sets(
    facts: Facts, done: Sequence[int], last: Sequence[int], random: Random
) -> tuple[Option, ...]:
    """Sets of ranks to choose from, of which one is done last."""
    every = list(range(len(done)))

    def option(ranks: Sequence[int], misconception: str = "") -> Option:
        text = (
            "all ranks, in the same step" if len(ranks) == len(done) else facts.names.nodes(ranks)
        )
        return _ranks(text, ranks, misconception)

    def at(number: int) -> list[int]:
        return [rank for rank, known in enumerate(done) if known == number]

    times = sorted(set(done))
    wrong = [option(every, "all at once")]
    if len(times) > 1:
        wrong += [
            option(at(times[0]), "first is last"),
            option(at(times[-2]), "one before the last"),
        ]
    wrong += [option(every[-1:], "highest number"), option(every[:1], "first is last")]
    return choice(option(last), wrong, random)
