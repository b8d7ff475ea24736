"""Questions whose answer is a number: what the busiest rank has sent, steps on twice the ranks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

import numpy as np

from collectives.errors import CollectivesError
from collectives.questions.facts import Facts
from collectives.questions.names import Names
from collectives.questions.question import Mark, Option, Question, asked
from collectives.recording.phases import phases
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.structure import Ring
from collectives.units import parse_size, size_text
from collectives.words import Quoted, Worded, linked, listed, plural

TOLERANCE = 0.01  # of a number of bytes, as it is typed rounded
MOST_STEPS = 4096  # of the algorithm on twice the ranks

SIMPLE = ("scale-free", "twice as many", "one more", "N for N - 1")  # reasons of wrong steps
NAMES = re.compile(r"[A-Za-z_]\w*")  # in a formula
Again = Callable[[int], Recording]


def amount_sent(facts: Facts, step: int, random: Random) -> Question | None:
    """What the busiest rank has sent by the end of a step: bytes, or messages of a barrier."""
    recording = facts.recording
    moves = recording.collective.moves_data
    sent = facts.sent[:, : recording.ranks]
    right = int(sent[step].max())
    if not right:
        return None
    counted = {"": sent[step] == right, "total for busiest": sent[step] > 0}
    whose = {name: tuple(np.flatnonzero(which).tolist()) for name, which in counted.items()}

    def option(amount: float, misconception: str = "") -> Option:
        ranks = whose.get(misconception, ())
        marks = (Mark("ranks", ranks),) if ranks else ()
        instead = _not_sent(facts, step, misconception) if misconception else ""
        return Option(_amount(amount, moves), amount, misconception, marks, instead)

    options = [option(right)]
    for amount, name in _wrong_amounts(facts, step, right):
        if amount and all(_differ(amount, known.value, moves) for known in options):
            options.append(option(amount, name))
    if len(options) == 1:
        return None
    unit = option(right).text.split()[1] if moves else "messages"
    detail = "in {unit}; the whole vector is {size}" if moves else "in {unit}"
    what = f"How {'much' if moves else 'many messages'} has the busiest rank sent"
    return asked(
        kind="bytes",
        step=step,
        form="number",
        prompt=Worded(f"{what} after step {{step}}?", step=step),
        detail=Worded(detail, unit=unit, size=size_text(_whole(recording)) if moves else ""),
        options=options,
        because="what one rank sends adds up, step by step",
        random=random,
        hint="Add up what one rank sends in each step so far; all chunks together are the vector."
        if moves
        else "Count the messages that one rank sends, step by step.",
        explanation=added_up(facts, step),
        unit=unit,
    )


def _wrong_amounts(facts: Facts, step: int, right: int) -> Iterator[tuple[float, str]]:
    """Amounts that a learner may take for that of the busiest rank, and the misconception."""
    recording = facts.recording
    sent, received = (amounts[:, : recording.ranks] for amounts in (facts.sent, facts.received))
    yield int(sent[step].sum()), "total for busiest"
    yield int(sent[step - 1].max()), "one step too few"
    yield int(sent[min(step + 1, facts.last)].max()), "one step too many"
    yield int((sent + received)[step].max()), "sent and received"
    if not recording.collective.moves_data:
        return
    yield step * _whole(recording), "whole vector each step"
    per_chunk = int(recording.size.max()) * recording.dtype.itemsize
    if per_chunk and right % per_chunk == 0:
        yield right // per_chunk * _bytes(size_text(right).split()[1]), "chunks for bytes"


def _not_sent(facts: Facts, step: int, misconception: str) -> str:
    """What a wrong amount counts, where that has numbers of its own; else nothing."""
    moves, rank = facts.recording.collective.moves_data, facts.busiest(step)
    name, by = facts.names.node(rank), facts.sent[:, rank]
    patterns = {
        "total for busiest": "That is what all ranks send in steps 1 to {step}; {rank} alone \
sends {amount}.",
        "one step too few": "That is what had been sent after step {before}; in step {step} {rank} \
sends {more} more.",
        "one step too many": "Step {next} is not taken yet: after step {step} {rank} has sent \
{amount}.",
        "sent and received": "That adds what {rank} receives in steps 1 to {step}; it sends \
{amount}.",
    }
    if misconception == "one step too few" and by[step] == by[step - 1]:
        return ""
    return Worded(
        patterns.get(misconception, ""),
        before=step - 1,
        step=step,
        next=step + 1,
        rank=name,
        amount=_amount(int(by[step]), moves),
        more=_amount(int(by[step] - by[step - 1]), moves),
    )


def _amount(amount: float, moves: bool) -> str:
    return size_text(amount) if moves else plural(int(amount), "message")


def _whole(recording: Recording) -> int:
    """The bytes of the vector."""
    return recording.count * recording.dtype.itemsize


def added_up(facts: Facts, step: int) -> str:
    """What the busiest rank sent in each step, and the sum: 6 steps × S/4 = 1.5 S."""
    moves, rank = facts.recording.collective.moves_data, facts.busiest(step)
    amounts = np.diff(facts.sent[: step + 1, rank]).tolist()
    times = Counter(amount for amount in amounts if amount)

    def text(amount: int) -> str:
        part = part_of(amount, _whole(facts.recording)) if moves else ""
        pattern = "{amount} ({part})" if moves else "{amount}"
        return Worded(pattern, amount=_amount(amount, moves), part=part)

    parts = [
        Worded("{steps} × {amount}", steps=plural(number, "step"), amount=text(amount))
        for amount, number in times.items()
    ]
    node, total = facts.names.node(rank), text(sum(amounts))
    return Worded("{node}: {sum} = {total}", node=node, sum=linked(parts, " + "), total=total)


def part_of(amount: int, whole: int) -> str:
    """Bytes as a part of the vector: S, S/4, 1.5 S."""
    part = Fraction(amount, whole)
    if part.numerator == 1:
        return "S" if part == 1 else f"S/{part.denominator}"
    return f"{float(part):.4g} S"


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
    options = [Option(plural(right, "step"), right)]
    for number, name in _wrong_steps(recording, now, right):
        if number > 0 and all(number != known.value for known in options):
            instead = _not_in(larger, number)
            options.append(Option(plural(number, "step"), number, name, (), instead))
    return asked(
        kind="steps",
        step=facts.last + 1,
        form="number",
        prompt=_asks_for_steps(larger),
        detail=Worded(
            "on {ranks} it took {steps}",
            ranks=plural(recording.ranks, "rank"),
            steps=plural(now, "step"),
        ),
        options=options,
        because=_growth(now, right),
        random=random,
        believed=[option.misconception for option in options if option.misconception in SIMPLE],
        hint="What has to happen once more for each additional rank, and what happens in parallel?",
        explanation=_computed(larger),
        unit="steps",
    )


def _not_in(larger: Recording, number: int) -> str:
    """What is sent after so many steps of the algorithm on twice the ranks, or in its last step."""
    moved = [step for step in larger.steps if (step.src != step.dst).any()]
    last, names = len(moved), Names(larger)
    at = min(number + 1, last)
    step = moved[at - 1]
    row = int(np.flatnonzero(step.src != step.dst)[0])
    sent = names.sends(int(step.src[row]), int(step.chunk[row]), int(step.dst[row]))
    if isinstance(sent, Worded) and step.reduces[row]:
        sent = Worded("{src} adds {slot} into {dst}", **sent.fields)
    pattern = "On {ranks} ranks, in step {step}, {sent}."
    if number >= last:
        pattern = "On {ranks} ranks step {step} is the last: {sent}, and the promise is kept."
    return Worded(pattern, ranks=larger.ranks, step=at if number < last else last, sent=sent)


def _wrong_steps(recording: Recording, now: int, right: int) -> Iterator[tuple[int, str]]:
    """Steps that a learner may expect on twice the ranks, and the misconception."""
    yield now, "scale-free"
    yield 2 * now, "twice as many"
    yield now + 1, "one more"
    if isinstance(recording.structure, Ring):
        yield right + max(1, round(now / max(1, recording.ranks - 1))), "N for N - 1"
    yield right + 1, "one step too many"
    yield right - 1, "one step too few"


def _asks_for_steps(recording: Recording) -> str:
    """Asks for its steps, with the parameters of the algorithm, which decide on these, too."""
    parts = [Quoted(f"{name} {value}") for name, value in recording.parameters.items()]
    given = " with {parameters}" * bool(parts)
    pattern = f"How many steps does it take on {{ranks}} ranks{given}?"
    return Worded(pattern, ranks=recording.ranks, parameters=listed(parts))


def _growth(now: int, right: int) -> str:
    """Why it takes so many steps on twice the ranks."""
    if right <= now:
        return "on more ranks more transfers happen at the same time"
    if right >= 2 * now:
        return "there are more ranks to pass or to serve, one after another"
    return "more ranks take part, but many of their transfers happen at the same time"


def _computed(larger: Recording) -> str:
    """The steps as their closed form gives them, or as those of the phases add up to them."""
    right, row = larger.counters.steps, larger.row
    parts = [phase.end - phase.first for phase in phases(larger)]
    if row is None:
        counted = {"steps": plural(right, "step"), "ranks": plural(larger.ranks, "rank")}
        pattern = "it was run: {sum} = {steps} on {ranks}"
        if len(parts) == 1:
            pattern = "it was run: {steps} on {ranks}"
        return Worded(pattern, sum=" + ".join(map(str, parts)), **counted)
    form, case = row.form.steps, larger.case
    values = {letter.symbol: letter.value(case) for letter in row.form.letters(form)}
    values |= larger.parameters
    filled = NAMES.sub(lambda name: str(values.get(name[0], name[0])), form)
    for letter in row.form.letters(form):
        if form == letter.symbol:
            pattern = "{meaning} = {steps} for N = {ranks}"
            return Worded(pattern, meaning=letter.meaning, steps=right, ranks=larger.ranks)
    meanings = [
        Worded("{symbol}: {meaning}", symbol=letter.symbol, meaning=letter.meaning)
        for letter in row.form.letters(form)
    ]
    equation = " = ".join(dict.fromkeys([form, filled, str(right)]))
    signs = equation.replace("**", "^")
    for sign, spaced in (("*", " × "), ("-", " - "), ("+", " + "), (",", ", ")):
        signs = signs.replace(sign, spaced)
    if not meanings:
        return Worded("{formula} on any number of ranks", formula=Quoted(signs))
    return Worded("{formula} ({meanings})", formula=Quoted(signs), meanings=linked(meanings, "; "))


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


def _differ(amount: float, answer: object, rounded: bool) -> bool:
    """Whether no typed number is near both."""
    assert isinstance(answer, int | float)
    return abs(amount - answer) > (3 * TOLERANCE * max(amount, answer) if rounded else 0)


def _bytes(unit: str) -> int:
    """The bytes of a unit."""
    return parse_size(f"1{unit}")
