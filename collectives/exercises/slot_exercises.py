"""Exercises about what slots hold: a lost transfer, a wrong step, a sum of floats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

from collectives.exercises.cases import LEGEND, ExerciseCase, transfers
from collectives.exercises.exercise import Draft, choices
from collectives.proof.prove import wrong_cells
from collectives.recording.memory import EmptySlot, Memory
from collectives.recording.recording import Recording
from collectives.recording.replay import Steps
from collectives.schedule import Step
from collectives.words import listed

MOST_TRIED = 12
HUGE = 2.0**30


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
            f"at the end {_ranks(ranks)} what is promised"
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
    return ranks_ending_wrong(case.recording, steps)


def ranks_ending_wrong(recording: Recording, steps: list[Step]) -> list[int] | None:
    """The ranks that end wrong after these steps; None where one reads nothing."""
    try:
        wrong = wrong_cells(_with(recording, steps))
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


def float_sum(case: ExerciseCase, random: Random) -> Draft | None:
    """What a chunk of floats holds at the end, where small numbers meet a huge one."""
    recording = case.recording
    if not recording.collective.reduces or recording.op != "sum" or not case.is_printable:
        return None
    cells = np.argwhere(recording.postcondition).tolist()
    rank, chunk = random.choice(cells)
    first, second = random.sample(range(recording.ranks), 2)
    data = np.ones((recording.nodes, recording.slots, 1), np.float32)
    data[first], data[second] = HUGE, -HUGE
    memory = Memory(data, recording.precondition)
    for number, step in enumerate(case.facts.steps, 1):
        memory.combine(step, np.add)
        added = [(row[1], row[3]) for row in case.facts.rows(number) if row[4]]
        if len(set(added)) < len(added):
            return None  # who of two is added first is not said
    held = float(memory.values[rank, chunk, 0])
    if abs(held) > recording.ranks:
        return None  # one of the two is not added there
    return Draft(
        case.title,
        "Chunks hold numbers of float32, so that 2³⁰ plus or minus a number below 64 is rounded "
        f"to 2³⁰ again. In chunk {chunk}, rank {first} has 2³⁰, rank {second} has −2³⁰, and every "
        f"other rank has 1. What does chunk {chunk} of rank {rank} hold at the end? {LEGEND}",
        f"executed in float32 it holds {held:.0f}: a 1 counts only where it is not added to 2³⁰ or "
        "−2³⁰ alone",
        case.printed(),
        value=held,
    )


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
    wrong = ranks_ending_wrong(recording, steps)
    return None if wrong is None else not wrong


def _with(recording: Recording, steps: list[Step]) -> Recording:
    return replace(recording, steps=Steps(lambda: iter(steps), len(steps), steps))


def _moved(step: Step, row: int, chunk: int) -> Step:
    """The step with another chunk in one of its transfers, at both ends."""
    src, dst, *_, adds = [*slot_rows(step)][row]
    return with_row(step, row, (src, dst, chunk, chunk, adds))


def with_row(step: Step, at: int, row: tuple[int, int, int, int, bool]) -> Step:
    """The step with another transfer in one of its rows."""
    rows = [*slot_rows(step)]
    rows[at] = row
    src, dst, chunk, into, adds = (np.array(column) for column in zip(*rows, strict=True))
    return replace(step, src=src, dst=dst, chunk=chunk, into=into, reduces=adds)


def slot_rows(step: Step) -> Iterator[tuple[int, int, int, int, bool]]:
    """The transfers of a step: source, destination, slots at both ends, whether it adds."""
    columns = (step.src, step.dst, step.chunk, step.into, step.reduces)
    return zip(*(column.tolist() for column in columns), strict=True)


def _ranks(ranks: list[int]) -> str:
    several = len(ranks) > 1
    names = listed([str(rank) for rank in ranks])
    return f"rank{'s' * several} {names} {'do' if several else 'does'} not have"
