"""Questions whose answer is a number: what the busiest rank has sent, steps on twice the ranks."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import numpy as np

from collectives.errors import CollectivesError
from collectives.questions.facts import Facts
from collectives.questions.misconceptions import MISCONCEPTIONS
from collectives.questions.question import Mark, Option, Question, asked
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.units import parse_size, size_text
from collectives.words import listed, plural

TOLERANCE = 0.01  # of a number of bytes, as it is typed rounded
MOST_STEPS = 4096  # of the algorithm on twice the ranks

NAMES = re.compile(r"[A-Za-z_]\w*")  # in a formula
Again = Callable[[int], Recording]


def amount_sent(facts: Facts, step: int, random: Random) -> Question | None:
    """What the busiest rank has sent by the end of a step: bytes, or messages of a barrier."""
    recording = facts.recording
    ranks, moves = recording.ranks, recording.collective.moves_data
    sent = facts.sent[:, :ranks]
    busiest, right = int(sent[step].argmax()), int(sent[step].max())
    if not right:
        return None
    counted = {"": sent[step] == right, "total for busiest": sent[step] > 0}
    whose = {name: tuple(np.flatnonzero(which).tolist()) for name, which in counted.items()}

    def option(amount: float, misconception: str = "") -> Option:
        text = size_text(amount) if moves else plural(int(amount), "message")
        ranks = whose.get(misconception, ())
        return Option(text, amount, misconception, (Mark("ranks", ranks),) if ranks else ())

    whole, both = recording.count * recording.dtype.itemsize, facts.sent + facts.received
    unit = option(right).text.split()[1] if moves else "messages"
    wrong: list[tuple[float, str]] = [
        (int(sent[step].sum()), "total for busiest"),
        (int(sent[step - 1].max()), "one step too few"),
        (int(sent[min(step + 1, facts.last)].max()), "one step too many"),
        (int(both[step, :ranks].max()), "sent and received"),
    ]
    if moves:
        wrong.append((step * whole, "whole vector each step"))
        each = int(recording.size.max()) * recording.dtype.itemsize
        if each and right % each == 0:
            wrong.append((right // each * _bytes(unit), "chunks for bytes"))
    options = [option(right)]
    for amount, name in wrong:
        if amount and all(_differ(amount, known.value, moves) for known in options):
            options.append(option(amount, name))
    if len(options) == 1:
        return None
    size = f"; the whole vector is {size_text(whole)}" if moves else ""
    what = f"How {'much' if moves else 'many messages'} has the busiest rank sent"
    return asked(
        kind="bytes",
        step=step,
        form="number",
        prompt=f"{what} after step {step}?",
        detail=f"in {unit}{size}",
        options=options,
        because="what one rank sends adds up, step by step",
        random=random,
        hint="Add up what one rank sends in each step so far; all chunks together are the vector."
        if moves
        else "Count the messages that one rank sends, step by step.",
        explanation=_because(facts, busiest, step),
        unit=unit,
    )


def _because(facts: Facts, rank: int, step: int) -> str:
    """What the busiest rank sent in each step."""
    moves, names = facts.recording.collective.moves_data, facts.names
    each = [int(b - a) for a, b in zip(facts.sent[:step, rank], facts.sent[1:, rank], strict=False)]
    busy = [amount for amount in each if amount]
    text = size_text(busy[0]) if moves else plural(busy[0], "message")
    if len(set(busy)) == 1:
        times = f"in each of {len(busy)} steps" if len(busy) > 1 else "in one step"
        return f"{names.node(rank)} sends {text} {times}"
    return f"{names.node(rank)} sends different amounts in its {len(busy)} steps"


def steps_of_twice(facts: Facts, random: Random, again: Again | None) -> Question | None:
    """How many steps the algorithm takes on twice the ranks, found by running it on them."""
    recording = facts.recording
    double = 2 * recording.ranks
    try:
        larger = again(double) if again else _on(recording, double)
    except CollectivesError:
        return None
    if larger is None:
        return None
    now, right = recording.counters.steps, larger.counters.steps
    if not now or not right:
        return None
    laps = max(1, round(now / max(1, recording.ranks - 1)))
    wrong = [
        (now, "scale-free"),
        (2 * now, "twice as many"),
        (now + 1, "one more"),
        (right + laps, "N for N - 1"),
    ]
    options = [Option(plural(right, "step"), right)]
    for number, name in wrong:
        if all(number != known.value for known in options):
            options.append(Option(plural(number, "step"), number, name))
    return asked(
        kind="steps",
        step=facts.last + 1,
        form="number",
        prompt=f"How many steps does it take on {double} ranks{_with(larger)}?",
        detail=f"on {plural(recording.ranks, 'rank')} it took {plural(now, 'step')}",
        options=options,
        because=_growth(recording, larger),
        random=random,
        hint="What has to happen once more for each additional rank, and what happens in parallel?",
        unit="steps",
    )


def _with(recording: Recording) -> str:
    """The parameters of an algorithm, which decide on its steps, too: " with rows 2"."""
    parts = [f"{name} {value}" for name, value in recording.parameters.items()]
    return f" with {listed(parts)}" if parts else ""


def _growth(recording: Recording, larger: Recording) -> str:
    """Why it takes so many steps on twice the ranks."""
    row, more = recording.row, larger.counters.steps - recording.counters.steps
    form = row.form.text[0] if row else ""
    names = set(NAMES.findall(form))
    if "N" in names and names <= {"N", *recording.parameters}:
        return f"N ranks take {form} steps"
    known = {0: "scale-free", 1: "one more"}
    if more in known and not (names and recording.parameters):
        return MISCONCEPTIONS[known[more]].because
    change = f"{plural(abs(more), 'step')} {'more' if more > 0 else 'fewer'} than"
    return f"{larger.ranks} ranks take {change if more else 'as many steps as'} {recording.ranks}"


def _on(recording: Recording, ranks: int) -> Recording | None:
    """The same algorithm of the catalog on other ranks; None for own steps, and for too many.

    Parameters that somebody gave are kept, the others follow from the number of ranks.
    """
    row = recording.row
    if row is None or len(recording.steps) > MOST_STEPS:
        return None
    return record(
        recording.collective.name,
        row.algorithm,
        ranks=ranks,
        root=recording.root,
        chunks=recording.chunks,
        parameters=recording.given,
    )


def _differ(one: float, other: object, rounded: bool) -> bool:
    """Whether no typed number is near both."""
    assert isinstance(other, int | float)
    return abs(one - other) > (3 * TOLERANCE * max(one, other) if rounded else 0)


def _bytes(unit: str) -> int:
    """The bytes of a unit."""
    return parse_size(f"1{unit}")
