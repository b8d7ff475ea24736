"""Questions about a changed line: the change is executed, and judged by the promise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from collectives.questions.facts import Facts
from collectives.questions.outcomes import OUTCOMES, STOPS, Outcome, outcome_of
from collectives.questions.question import MOST_OPTIONS, Option, Question, asked, choice
from collectives.schedule import Step
from collectives.schedule.columns import Booleans, frozen
from collectives.schedule.provenance import SourceFrame, Stamp
from collectives.words import Quoted, Worded

MOST_ROWS = 1 << 14  # of a recording whose changes are executed
LOST = 0.2  # of the questions whose answer may be missing data, the usual outcome
MOST_TRIED = 12  # changes
ChangedStep = Callable[[Step, Booleans, Facts], Step | None]


@dataclass(frozen=True)
class Change:
    """How the step looks after a change of some of its rows, None where it says nothing.

    effect: what follows from it where something breaks; harmless: why nothing does.
    """

    changed: ChangedStep
    effect: str
    harmless: str = "other transfers bring the same data"


def changed_line(facts: Facts, random: Random) -> Question | None:
    """What breaks if the transfers of one line are changed; none where two things break at once."""
    if not facts.is_small or facts.recording.counters.rows > MOST_ROWS:
        return None
    if any(step.needs is not None for step in facts.steps):
        return None  # what a change of such a line would mean is not in its transfers
    stamps = [stamp for step in facts.steps for stamp in step.stamps if stamp]
    turned = {_line(stamp) for stamp in stamps if stamp[-1].reversed}
    lines = [line for line in dict.fromkeys(map(_line, stamps)) if line and line not in turned]
    tries = [(line, change) for line in lines for change in CHANGES]
    random.shuffle(tries)
    by_outcome: dict[str, list[tuple[SourceFrame, str, Outcome]]] = {}
    for line, change in tries[:MOST_TRIED]:
        steps = _changed(facts, line, CHANGES[change])
        if steps is not None and (outcome := outcome_of(facts, steps)):
            by_outcome.setdefault(outcome.name, []).append((line, change, outcome))
    if not by_outcome:
        return None
    rare = [name for name in by_outcome if name != "lost" or random.random() < LOST]
    name = random.choice(rare or [*by_outcome])
    return _question(facts, *random.choice(by_outcome[name]), [*by_outcome], random)


def _question(
    facts: Facts,
    line: SourceFrame,
    change: str,
    outcome: Outcome,
    possible: list[str],
    random: Random,
) -> Question:
    """The question; the outcomes that other changes have are offered first.

    possible: the outcomes that some change of this recording has.
    """
    right = Option(OUTCOMES[outcome.name], outcome.name, marks=outcome.marks)
    others = [name for name in OUTCOMES if name != outcome.name]
    random.shuffle(others)
    others.sort(key=lambda name: name not in possible)
    wrong = [
        Option(OUTCOMES[name], name, name, outcome.believed(name), outcome.instead(name))
        for name in others[: MOST_OPTIONS - 1]
    ]
    options = choice(right, wrong, random)
    taken = [option.misconception for option in options]
    believed = [n for n in taken if not (n == "lost" and outcome.also_lost)]
    if outcome.name in STOPS:  # what slots would end with is not known
        believed = ["harmless", *(name for name in STOPS if name != outcome.name)]
    return asked(
        kind="line",
        step=facts.last + 1,
        form="choice",
        prompt=Worded(f"What breaks if the transfers of this line {change}?"),
        detail=_place(line),
        options=options,
        because=_effect(facts, change, outcome),
        random=random,
        believed=believed,
        hint="Follow one chunk through the steps after the change.",
        explanation=outcome.evidence,
    )


def _effect(facts: Facts, change: str, outcome: Outcome) -> str:
    """Why the changed transfers have this outcome."""
    known = CHANGES[change]
    if outcome.name == "conflict":
        return "several transfers of a step have one destination"
    if outcome.name != "harmless":
        return known.effect
    if known.changed is not _adding:
        return known.harmless
    if not facts.recording.collective.exactly_once:
        return "to hear of a rank twice is to hear of it"
    return "what was there before adds nothing to what is needed"


def _place(line: SourceFrame) -> str:
    """The function of a line and its text, or its number where the text is not of one line."""
    number = line.line - line.source.first
    lines = [text.strip() for text in line.source.lines] if line.source.text else []
    if not lines or lines.count(lines[number]) > 1:
        name = Quoted(line.source.function)
        return Worded("line {number} of {function}", number=number + 1, function=name)
    names = {"function": Quoted(line.source.function), "code": Quoted(lines[number])}
    return Worded("in {function}: {code}", **names)


def _line(stamp: Stamp) -> SourceFrame | None:
    """The line of the source that made a transfer."""
    return replace(stamp[-1], locals=(), reversed=False) if stamp else None


def _changed(facts: Facts, line: SourceFrame, change: Change) -> list[Step] | None:
    """The steps with the transfers of a line changed; None where the change says nothing."""
    steps, touched = [], False
    for step in facts.steps:
        own = np.array([_line(stamp) == line for stamp in step.stamps])[step.origin]
        if own.any():
            touched = True
            changed = change.changed(step, own, facts)
            if changed is None:
                return None
            step = changed
        if len(step):
            steps.append(step)
    return steps if touched else None


def _swapped(step: Step, own: Booleans, facts: Facts) -> Step | None:
    """Sends that add, or reduces that overwrite; None where the line has both."""
    return replace(step, reduces=frozen(step.reduces ^ own))


def _next_chunk(step: Step, own: Booleans, facts: Facts) -> Step | None:
    """The chunk with the next number, read and written."""
    chunks = facts.recording.chunk_count
    plain = (step.chunk == step.into) & (step.chunk < chunks)
    if chunks < 2 or step.needs is not None or not plain[own].all():
        return None
    moved = frozen(np.where(own, (step.chunk + 1) % chunks, step.chunk))
    into = frozen(np.where(own, moved, step.into))
    return replace(step, chunk=moved, into=into)


def _next_rank(step: Step, own: Booleans, facts: Facts) -> Step | None:
    """The rank after the one that was meant."""
    ranks = facts.recording.ranks
    if not (step.dst[own] < ranks).all():
        return None
    return replace(step, dst=frozen(np.where(own, (step.dst + 1) % ranks, step.dst)))


def _left_out(step: Step, own: Booleans, facts: Facts) -> Step | None:
    return step.select(np.flatnonzero(~own))


def _overwriting(step: Step, own: Booleans, facts: Facts) -> Step | None:
    return _swapped(step, own, facts) if step.reduces[own].all() else None


def _adding(step: Step, own: Booleans, facts: Facts) -> Step | None:
    return None if step.reduces[own].any() else _swapped(step, own, facts)


CHANGES = {
    "overwrite instead of adding": Change(_overwriting, "what the slot held before is gone"),
    "add instead of overwriting": Change(_adding, "what the slot held before stays in the sum"),
    "carry the next chunk (the first one after the last)": Change(
        _next_chunk, "the chunk that was meant stays behind"
    ),
    "go to the next rank (rank 0 after the last)": Change(
        _next_rank, "the rank that was meant gets nothing from them"
    ),
    "are left out": Change(_left_out, "no other transfer brings this data in time"),
}
