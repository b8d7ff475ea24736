"""Exercises about a run: numbers in slots, steps exchanged, a transfer to fill in, a late rank."""

from __future__ import annotations

from functools import cache
from random import Random
from string import ascii_lowercase

import numpy as np

from collectives.catalog import ROWS
from collectives.collective import COLLECTIVES
from collectives.exercises.cases import LEGEND, LONGEST, ExerciseCase, transfers
from collectives.exercises.exercise import Draft, choices
from collectives.exercises.inventory_items import offered
from collectives.exercises.name_exercises import CONFUSED
from collectives.exercises.slot_exercises import (
    is_right,
    ranks_ending_wrong,
    slot_rows,
    with_row,
    wrong_ranks,
)
from collectives.questions.facts import Facts
from collectives.recording.memory import Memory
from collectives.recording.recorder import record
from collectives.schedule import Step
from collectives.words import listed

MOST_TRIED = 12
NUMBERS = range(2, 10)  # that ranks start with
FEW = 3, 4  # ranks whose slots are printed
GAP = "____"


def held_number(case: ExerciseCase, random: Random) -> Draft | None:
    """What number a slot holds after a step, where every rank has brought a number."""
    recording = case.recording
    if not case.is_printable or not recording.collective.reduces or recording.op != "sum":
        return None
    own = random.sample(NUMBERS, recording.ranks)
    data = np.zeros((recording.nodes, recording.slots, 1), np.int64)
    data[: recording.ranks, :, 0] = np.array(own)[:, np.newaxis]
    memory, last = Memory(data, recording.precondition), random.randrange(1, case.facts.last + 1)
    for step in case.facts.steps[:last]:
        memory.combine(step, np.add)
    rank, chunk = random.choice([row[1:3] for row in case.facts.rows(last)])
    held, start = int(memory.values[rank, chunk, 0]), [f"rank {r}: {x}" for r, x in enumerate(own)]
    content = case.facts.content((rank, chunk), last)
    added = " + ".join(str(own[r]) for r, _, times in content for _ in range(times))
    return Draft(
        case.title,
        f"At the start, all chunks of a rank hold the same number ({', '.join(start)}). Which "
        f"number does chunk {chunk} of rank {rank} hold after step {last}? {LEGEND}",
        f"executed, it holds {held}: {added}",
        case.printed(1, last),
        value=held,
    )


def exchanged_steps(case: ExerciseCase, random: Random) -> Draft | None:
    """How many ranks end wrong if two steps that follow each other are exchanged."""
    steps, last = case.facts.steps, case.facts.last
    if not case.is_printable or last < 2:
        return None
    for first in random.sample(range(1, last), last - 1):
        changed = [*steps[: first - 1], steps[first], steps[first - 1], *steps[first + 1 :]]
        ranks = ranks_ending_wrong(case.recording, changed)
        if ranks is None:
            continue  # a step would send what is not there
        wrong = f"rank{'s' * (len(ranks) > 1)} {listed([*map(str, ranks)])} would" if ranks else ""
        return Draft(
            case.title,
            f"Steps {first} and {first + 1} are exchanged, all else stays. How many ranks end "
            f"without what they are promised? {LEGEND}",
            f"executed in this order, {wrong or 'none does: neither needs the other'}",
            case.printed(),
            value=len(ranks),
        )
    return None


def missing_transfer(case: ExerciseCase, random: Random) -> Draft | None:
    """Which transfer is missing in a step; each of the others is executed in its place."""
    for _ in range(MOST_TRIED if case.is_printable else 0):
        number = random.randrange(1, case.facts.last + 1)
        step, chunks = case.facts.steps[number - 1], case.recording.chunk_count
        at = random.randrange(len(step))
        rows = [*slot_rows(step)]
        src, dst, chunk, into, adds = rows.pop(at)
        near = (chunk + 1) % chunks
        others = (
            ((src, dst, chunk, into, not adds), "overwritten" if adds else "added"),
            ((dst, src, chunk, into, adds), "wrong neighbor"),
            ((src, dst, near, near, adds), "chunk beside it"),
        )
        wrong = [
            (transfers([row]), name)
            for row, name in others
            if row not in rows and not is_right(case.recording, _filled(case, number, at, row))
        ]
        answers = offered(transfers([(src, dst, chunk, into, adds)]), wrong, random)
        lost = wrong_ranks(case, number, np.delete(np.arange(len(step)), at))
        printed = case.printed()
        there = transfers(row for row in rows if row[0] != row[1])
        printed[number - 1] = f"step {number}:  {there}{'   ' * bool(there)}{GAP}"
        if src == dst or lost == [] or not answers or len(printed[number - 1]) > LONGEST:
            continue
        return Draft(
            case.title,
            f"One transfer of step {number} is missing. Which? {LEGEND}",
            "executed with any other of these, some rank ends without what it is promised",
            printed,
            answers,
        )
    return None


def _filled(
    case: ExerciseCase, number: int, at: int, row: tuple[int, int, int, int, bool]
) -> list[Step]:
    """The steps with another transfer in this row of a step."""
    steps = [*case.facts.steps]
    steps[number - 1] = with_row(steps[number - 1], at, row)
    return steps


def crossing_messages(case: ExerciseCase, random: Random) -> Draft | None:
    """How many messages cross between two nodes in the whole run."""
    if not case.is_printable:
        return None
    ranks, alternate = range(case.recording.ranks), random.choice((True, False))
    near = [r for r in ranks if (r % 2 == 0 if alternate else r < len(ranks) // 2)]
    steps = range(1, case.facts.last + 1)
    links = [{row[:2] for row in case.facts.rows(k)} for k in steps]
    by_step = [sum((src in near) != (dst in near) for src, dst in step) for step in links]
    return Draft(
        case.title,
        f"Ranks {listed([*map(str, near)])} are on one node, the others on another. How many "
        "messages cross between the nodes, from the first step to the last? What one rank sends "
        f"to another in one step is one message. {LEGEND}",
        f"step by step {' + '.join(map(str, by_step))} = {sum(by_step)}",
        case.printed(),
        value=sum(by_step),
    )


def before_late_rank(case: ExerciseCase, random: Random) -> Draft | None:
    """How many steps a rank can finish while another has not begun."""
    if not case.is_printable or case.facts.last < 2:
        return None
    delayed, rank = random.sample(range(case.recording.ranks), 2)
    steps = [case.facts.rows(k) for k in range(1, case.facts.last + 1)]
    done = finished(steps, case.recording.ranks, delayed)[rank]
    wrong = [("0", "lock-step"), (str(case.facts.last), "no delay"), ("1", "one step")]
    answers = offered(str(done), wrong, random)
    if not answers:
        return None
    rest = "then it waits for a message that needs" if done < case.facts.last else "none needs"
    return Draft(
        case.title,
        f"Rank {delayed} has not begun. A rank is done with a step once it has sent what it has "
        "to, which waits for nobody, and received what is for it; then it goes on with the next. A "
        f"step without it is done at once. With how many steps is rank {rank} done before rank "
        f"{delayed} begins? {LEGEND}",
        f"followed step by step, rank {rank} is done with {done}; {rest} rank {delayed}",
        case.printed(),
        answers,
    )


def finished(
    steps: list[list[tuple[int, int, int, int, bool]]], ranks: int, delayed: int
) -> list[int]:
    """The steps that each rank is done with while one has not begun."""
    done, before = [0] * ranks, None
    while done != before:
        before = done.copy()
        for rank in range(ranks):
            if rank != delayed and done[rank] < len(steps):
                needed = [src for src, dst, *_ in steps[done[rank]] if dst == rank]
                done[rank] += all(src != delayed and done[src] >= done[rank] for src in needed)
    return done


def before_and_after(case: ExerciseCase, random: Random) -> Draft | None:
    """Which collective it is, from what all ranks hold before and after."""
    own, ranks = case.recording.collective, random.choice(FEW)
    root = random.randrange(ranks) if own.rooted else 0
    held = {
        name: lines
        for name, collective in COLLECTIVES.items()
        if collective.moves_data and (lines := _slots_shown(name, ranks, root))
    }
    if own.name not in held:
        return None
    others = [
        (COLLECTIVES[name].title, f"It promises: {COLLECTIVES[name].sentence}.")
        for name, lines in held.items()
        if lines != held[own.name]
    ]
    mistakes = {COLLECTIVES[n].title: m for n, m in CONFUSED.get(own.name, {}).items()}
    return Draft(
        f"{ranks} ranks{f' with root {root}' * own.rooted}",
        "Before and after: which collective is it? b1 is chunk 1 of rank 1, of which all chunks "
        "are called b; a slot with – is empty before, and after it may hold anything.",
        f"executed, {own.title} ends so; {own.sentence[0].lower()}{own.sentence[1:]}",
        held[own.name],
        choices(own.title, others, random, mistakes),
    )


@cache
def _slots_shown(name: str, ranks: int, root: int) -> tuple[str, ...]:
    """The slots of all ranks before and after a collective; empty where none takes these ranks."""
    rows = [r for r in ROWS if r.collective == name and not r.promise.routed and r.accepts(ranks)]
    if not rows:
        return ()
    recording = record(name, rows[0].algorithm, ranks=ranks, root=root * rows[0].promise.rooted)
    facts, lines = Facts(recording), []
    for rank in range(ranks):
        cells: list[str] = []
        for step, promised in ((0, recording.precondition), (facts.last, recording.postcondition)):
            cells += ["→"] * (step > 0)
            for slot, there in enumerate(promised[rank].tolist()):
                held = [
                    f"{ascii_lowercase[r]}{at}" for r, at, _ in facts.content((rank, slot), step)
                ]
                cells.append("+".join(held) if there else "–")
        lines.append(f"rank {rank}:  {'  '.join(cells)}")
    return tuple(lines)
