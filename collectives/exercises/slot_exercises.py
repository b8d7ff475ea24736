"""Exercises about what slots hold: a lost transfer, a wrong step, the order of additions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from random import Random

import numpy as np

from collectives.exercises.cases import LEGEND, ExerciseCase, transfers
from collectives.exercises.exercise import Draft, choices
from collectives.proof.addition_order import addition_order
from collectives.proof.prove import wrong_cells
from collectives.questions.misconceptions import KNOWN
from collectives.recording.memory import EmptySlot
from collectives.recording.recording import Recording
from collectives.recording.replay import Steps
from collectives.schedule import Step
from collectives.words import listed

MOST_TRIED = 12


def lost_transfer(case: ExerciseCase, random: Random) -> Draft | None:
    """How many ranks end with something wrong if one transfer is lost."""
    if not case.is_printable:
        return None
    for _ in range(MOST_TRIED):
        number = random.randrange(1, case.facts.last + 1)
        step = case.facts.steps[number - 1]
        row = random.randrange(len(step.src))
        if step.src[row] == step.dst[row]:
            continue
        ranks = wrong_ranks(case, number, np.delete(np.arange(len(step.src)), row))
        if ranks is None:
            continue
        source, target, chunk = int(step.src[row]), int(step.dst[row]), int(step.chunk[row])
        return Draft(
            case.title,
            f"In step {number} the transfer of chunk {chunk} from rank {source} to rank {target} "
            "is lost; all others are made as planned. How many ranks end without what they are "
            f"promised? {LEGEND}",
            f"at the end {_ranks(ranks)} not what is promised"
            if ranks
            else "other transfers bring the same data",
            case.printed(),
            value=len(ranks),
        )
    return None


def wrong_ranks(case: ExerciseCase, number: int, kept: np.ndarray) -> list[int] | None:
    """The ranks that end wrong if a step has only these rows; None where a step reads nothing."""
    steps = [*case.facts.steps]
    if len(kept):
        steps[number - 1] = steps[number - 1].select(kept)
    else:
        del steps[number - 1]
    try:
        wrong = wrong_cells(_with(case.recording, steps))
    except EmptySlot:
        return None
    return np.flatnonzero(wrong.any(axis=1)).tolist()


def wrong_transfer(case: ExerciseCase, random: Random) -> Draft | None:
    """Which step of a printed schedule has been changed so that the result is wrong.

    Only where putting one transfer of a step right is a way to mend the schedule in this step and
    in no other: every other step is tried with every other chunk.
    """
    if not case.is_printable or case.facts.last < 3:
        return None
    chunks = case.recording.chunk_count
    for _ in range(MOST_TRIED if chunks > 1 else 0):
        number = random.randrange(1, case.facts.last + 1)
        step = case.facts.steps[number - 1]
        row = random.randrange(len(step.src))
        right = int(step.chunk[row])
        wrong = random.choice([chunk for chunk in range(chunks) if chunk != right])
        steps = [*case.facts.steps]
        steps[number - 1] = _moved(step, row, wrong)
        if is_right(case.recording, steps) is not False or _mendable_in(case, steps) != [number]:
            continue
        printed = [f"step {k}:  {transfers(slot_rows(step))}" for k, step in enumerate(steps, 1)]
        others = [
            (f"step {k}", "No change of one chunk there mends it.")
            for k in range(1, case.facts.last + 1)
            if k != number
        ]
        return Draft(
            case.title,
            "One transfer names the wrong chunk, so that the result is wrong. In which step? "
            f"{LEGEND}",
            f"in step {number} rank {int(step.src[row])} must send chunk {right} to rank "
            f"{int(step.dst[row])}, not chunk {wrong}",
            printed,
            choices(f"step {number}", others, random),
        )
    return None


def order_of_additions(case: ExerciseCase, random: Random) -> Draft | None:
    """In which order the data of the ranks is added in a chunk."""
    recording = case.recording
    if not recording.collective.reduces or recording.ranks > 6 or not case.is_printable:
        return None
    sums = addition_order(recording)
    if len(sums) < 3 or any(len(entry.chunks) != 1 for entry in sums):
        return None
    entry = random.choice(sums)
    others = [
        (term.expression, f"That is the order in chunk {term.chunks[0]}.")
        for term in sums
        if term is not entry
    ]
    mistakes = dict.fromkeys((text for text, _ in others), "same in every chunk")
    for text, name in (
        (added_by_number(recording.ranks), "rank order"),
        (added_in_pairs(range(recording.ranks)), "in pairs"),
    ):
        if mistakes.setdefault(text, name) == name:  # else it is the order of another chunk
            others.append((text, KNOWN[name].feedback))
    answers = choices(entry.expression, others, random, mistakes)
    if not answers:
        return None
    return Draft(
        case.title,
        f"Floating-point addition is not associative. In which order is chunk {entry.chunks[0]} "
        f"added up? xk is the data of rank k. {LEGEND}",
        f"chunk {entry.chunks[0]} is {entry.expression}",
        case.printed(),
        answers,
    )


def added_by_number(ranks: int) -> str:
    """The sum of the data of all ranks, added in the order of their numbers.

    >>> added_by_number(4)
    '((x0 + x1) + x2) + x3'
    """
    return reduce(lambda text, rank: f"({text}) + x{rank}", range(2, ranks), "x0 + x1")


def added_in_pairs(ranks: Sequence[int]) -> str:
    """The sum of the data of ranks, halves added first.

    >>> added_in_pairs(range(4))
    '(x0 + x1) + (x2 + x3)'
    """
    if len(ranks) < 3:
        return " + ".join(f"x{rank}" for rank in ranks)
    middle = (len(ranks) + 1) // 2
    halves = (added_in_pairs(half) for half in (ranks[:middle], ranks[middle:]))
    return " + ".join(f"({half})" if "+" in half else half for half in halves)


def _mendable_in(case: ExerciseCase, steps: list[Step]) -> list[int]:
    """The steps in which another chunk of one transfer makes the whole right."""
    mended = []
    for number, step in enumerate(steps, 1):
        tries = (
            [*steps[: number - 1], _moved(step, row, chunk), *steps[number:]]
            for row in range(len(step.src))
            for chunk in range(case.recording.chunk_count)
            if chunk != step.chunk[row]
        )
        if any(is_right(case.recording, mended) for mended in tries):
            mended.append(number)
    return mended


def is_right(recording: Recording, steps: list[Step]) -> bool | None:
    """Whether these steps keep the promise; None where one cannot be executed."""
    try:
        return not wrong_cells(_with(recording, steps)).any()
    except EmptySlot:
        return None


def _with(recording: Recording, steps: list[Step]) -> Recording:
    return replace(recording, steps=Steps(lambda: iter(steps), len(steps), steps))


def _moved(step: Step, row: int, chunk: int) -> Step:
    """The step with another chunk in one of its transfers, at both ends."""
    columns = np.array(step.chunk)
    columns[row] = chunk
    return replace(step, chunk=columns, into=columns)


def slot_rows(step: Step) -> Iterator[tuple[int, int, int, int, bool]]:
    """The transfers of a step: source, destination, slots at both ends, whether it adds."""
    columns = (step.src, step.dst, step.chunk, step.into, step.reduces)
    return zip(*(column.tolist() for column in columns), strict=True)


def _ranks(ranks: list[int]) -> str:
    several = len(ranks) > 1
    names = listed([str(rank) for rank in ranks])
    return f"rank{'s' * several} {names} {'have' if several else 'has'}"
