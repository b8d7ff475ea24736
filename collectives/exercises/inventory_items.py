"""Items of the concept inventory that no other exercise asks: what each offers is a misconception.

An item's maker takes random numbers and makes a draft; forms differ in ranks, roots and sizes, and
each right answer is counted, proved or timed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

import numpy as np

from collectives.collective import COLLECTIVES
from collectives.cost.by_name import time
from collectives.cost.choose.setup import emptied, resized
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines import topology
from collectives.cost.machines.faults import late_rank
from collectives.exercises.cases import ExerciseCase, cases
from collectives.exercises.exercise import FEWEST_WRONG, MOST_WRONG, Draft, Offered
from collectives.exercises.name_exercises import CONFUSED
from collectives.exercises.slot_exercises import lost_transfer
from collectives.questions.facts import Facts
from collectives.questions.misconceptions import KNOWN
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.units import size_text, time_text
from collectives.words import capital, listed, plural

Maker = Callable[[Random], Draft | None]
MIB = 1 << 20
NODE = 4  # ranks
LATENESS = 1.0  # s, far longer than any message
MOST_TRIED = 40  # transfers of which one is lost
SMALLEST_GAP = 0.1  # by which two times must differ
RIVALS = ("ring", "recursive-doubling", "tree")


def offered(right: str, wrong: Iterable[tuple[str, str]], random: Random) -> tuple[Offered, ...]:
    """The right answer and the first three others in random order; none where these are too few.

    wrong: texts, and the misconception that each follows from; one that says what another says, or
    follows from the same, is left out.
    """
    others: dict[str, str] = {}
    for text, name in wrong:
        if text != right and text not in others and name not in others.values():
            others[text] = name
    if len(others) < FEWEST_WRONG:
        return ()
    answers = [
        Offered(right, True),
        *(Offered(text, False, KNOWN[name].feedback, name) for text, name in others.items()),
    ][: 1 + MOST_WRONG]
    random.shuffle(answers)
    return tuple(answers)


def from_cases(topic: str, make: Callable[[ExerciseCase, Random], Draft | None]) -> Maker:
    """The maker of an item from that of an exercise, on any ranks on which it has four answers.

    Of answers that follow from the same misconception the first is kept.
    """

    def item(random: Random) -> Draft | None:
        fewer = None
        for case in cases(topic, random):
            draft = make(case, random)
            if draft is None:
                continue
            first = {answer.misconception: answer for answer in reversed(draft.answers)}
            answers = tuple(answer for answer in draft.answers if answer in first.values())
            draft = Draft(draft.title, draft.text, draft.explanation, draft.material, answers)
            if len(answers) > MOST_WRONG:
                return draft
            if len(answers) > FEWEST_WRONG:
                fewer = fewer or draft
        return fewer

    return item


def promised(random: Random) -> Draft | None:
    """Which collective a promise is, beside those that differ from it in one thing."""
    name = random.choice(sorted(CONFUSED))
    wanted = COLLECTIVES[name]
    wrong = [(COLLECTIVES[other].title, overlooked) for other, overlooked in CONFUSED[name].items()]
    return Draft(
        "A promise",
        f"“{capital(wanted.sentence)}.” Which collective promises that?",
        f"{wanted.title} promises it",
        answers=offered(wanted.title, wrong, random),
    )


def through_a_rank(random: Random) -> Draft | None:
    """How many messages of a ring one rank sends or receives."""
    recording = _ring("all_reduce", random)
    rank = random.randrange(recording.ranks)
    counters = recording.counters
    own = int(counters.messages_sent[rank]), int(counters.messages_received[rank])
    lap = recording.counters.steps // (recording.ranks - 1)  # steps of a lap, beyond N - 1
    wrong = [
        (str(counters.messages), "central process"),
        (str(sum(own) + 2 * lap), "N for N - 1"),
        ("2", "sent once"),
    ]
    return Draft(
        _titled(recording),
        f"All ranks together send {plural(counters.messages, 'message')}; what a rank sends to "
        f"another in one step is one message. How many of them does rank {rank} send or receive?",
        f"rank {rank} sends {own[0]} and receives {own[1]}, as every other rank",
        answers=offered(str(sum(own)), wrong, random),
    )


def who_adds(random: Random) -> Draft | None:
    """How many ranks add what they receive."""
    name = random.choice(("ring", "recursive-doubling", "swing"))
    recording = record(
        "all_reduce", name, ranks=random.choice((4, 8) if name != "ring" else (6, 8))
    )
    ranks = {
        int(node)
        for step in recording.steps
        for node in np.asarray(step.dst)[step.reduces].tolist()
    }
    wrong = [
        ("1", "central process"),
        (str(recording.ranks // 2), "turns"),
        ("2", "one pair at a time"),
    ]
    return Draft(
        _titled(recording),
        "How many of the ranks add data that they receive to their own?",
        f"in some step each of ranks {listed([str(rank) for rank in sorted(ranks)])} adds",
        answers=offered(str(len(ranks)), wrong, random),
    )


def at_once(random: Random) -> Draft | None:
    """How many messages are on their way in one step of a ring."""
    recording = _ring(random.choice(("all_gather", "reduce_scatter", "all_reduce")), random)
    facts, ranks = Facts(recording), recording.ranks
    step = random.randrange(2, facts.last)
    links = {row[:2] for row in facts.rows(step)}
    wrong = [
        ("1", "one pair at a time"),
        (str(ranks * (ranks - 1)), "no such transfer"),
        (str(ranks - 1), "open ring"),
    ]
    return Draft(
        _titled(recording),
        f"How many messages are on their way at the same time in step {step}?",
        f"in step {step} there are {plural(len(links), 'message')}, one from each rank to the next",
        answers=offered(str(len(links)), wrong, random),
    )


def late_to_begin(random: Random) -> Draft | None:
    """How many messages a rank has sent before a late one begins."""
    recording = record("all_gather", "ring", ranks=random.choice((6, 7, 8)))
    ranks = recording.ranks
    delayed, away = random.randrange(ranks), random.randrange(2, ranks - 1)
    rank = (delayed + away) % ranks
    timing = time(
        recording, "crossbar", clock="dataflow", costs=late_rank(Costs(), delayed, LATENESS)
    )
    sent = int(((timing.messages.src == rank) & (timing.messages.start < LATENESS / 2)).sum())
    wrong = [("0", "lock-step"), (str(ranks - 1), "no delay"), ("1", "one step")]
    return Draft(
        _titled(recording),
        f"Rank {delayed} begins much later than the others. Each rank sends to the next one, the "
        f"last to rank 0, and goes on as soon as the data that it needs is there. How many "
        f"messages has rank {rank} sent when rank {delayed} begins?",
        f"timed, rank {rank} has sent {plural(sent, 'message')}: what began at rank {delayed} or "
        "came past it is missing then",
        answers=offered(str(sent), wrong, random),
    )


def without_a_barrier(random: Random) -> Draft | None:
    """How long it takes where some messages of a step are slow, and others are not."""
    name = random.choice(("all_reduce", "all_gather", "reduce_scatter"))
    recording = resized(record(name, "swing", ranks=2 * NODE), random.choice((32, 64, 96)) * MIB)
    machine = topology("cluster", recording.ranks, gpus=NODE)
    steps = time(recording, machine)
    free = time(recording, machine, clock="dataflow").total
    longest = (steps.step_end - steps.step_start).tolist()
    if free > (1 - SMALLEST_GAP) * steps.total or free < (1 + SMALLEST_GAP) * max(longest):
        return None
    every = [time_text(seconds, digits=3) for seconds in longest]
    in_turn = float((steps.messages.end - steps.messages.start).sum())
    right, together, slowest, all_in_turn = (
        time_text(seconds, digits=3) for seconds in (free, steps.total, max(longest), in_turn)
    )
    wrong = [
        (together, "lock-step"),
        (slowest, "everything at once"),
        (all_in_turn, "one pair at a time"),
    ]
    return Draft(
        f"{_titled(recording)}, {NODE} on each of two nodes",
        f"In its {len(every)} steps the slowest messages take {listed(every)}. In each step other "
        "messages are faster, and a rank goes on as soon as its own data is there. How long does "
        "the whole take?",
        f"timed without a barrier it takes {right}; only if all waited for the slowest message "
        f"of each step it would be their sum, {together}",
        answers=offered(right, wrong, random),
    )


def hurt_by_a_loss(random: Random) -> Draft | None:
    """How many ranks end wrong after one transfer of an all-reduce is lost."""
    for case in cases(random.choice(("ring all-reduce", "recursive-doubling all-reduce")), random):
        everybody = case.recording.ranks
        wrong = [("0", "harmless"), ("1", "receiver alone"), (str(everybody), "everybody")]
        for draft in (lost_transfer(case, random) for _ in range(MOST_TRIED)):
            if draft and draft.value not in (0, 1, everybody, None):
                answers = offered(f"{draft.value:g}", wrong, random)
                return replace(draft, value=None, answers=answers)
    return None


def across_nodes(random: Random) -> Draft | None:
    """How many messages of a step of a ring leave a node, ranks placed in order."""
    nodes, size = random.choice(((3, 4), (4, 4), (3, 8), (4, 8), (3, 6)))
    recording = record("all_reduce", "ring", ranks=nodes * size)
    links = {row[:2] for row in Facts(recording).rows(1)}
    crossing = sum(src // size != dst // size for src, dst in links)
    wrong = [
        (str(len(links)), "every message crosses"),
        (str(len(links) // 2), "half of them cross"),
        (str(crossing - 1), "open ring"),
    ]
    return Draft(
        _titled(recording),
        f"Ranks 0 to {size - 1} are on one node, the next {size} on the next, and so on: "
        f"{nodes} nodes. How many messages of a step go from one node to another?",
        f"only the last rank of each node sends to another node: {crossing} of {len(links)}",
        answers=offered(str(crossing), wrong, random),
    )


def least_sent(random: Random) -> Draft | None:
    """How much the busiest rank of an all-reduce must send at least."""
    ranks, part = random.choice((4, 5, 8)), random.choice((2, 6, 10))
    recording = resized(record("all_reduce", "ring", ranks=ranks), ranks * part * MIB)
    bound, size = round(recording.bound.busiest_port), recording.count
    wrong = [
        (size_text(size), "sent once"),
        (size_text(2 * size), "N for N - 1"),
        (size_text(ranks * bound), "total for busiest"),
    ]
    return Draft(
        f"All-reduce on {ranks} ranks",
        f"Each rank has a vector of {size_text(size)}; only ranks add. Of any algorithm: how much "
        "must the busiest rank send at least?",
        f"to add and to spread takes {size_text(ranks * bound)} in all, {size_text(bound)} a rank; "
        f"a ring sends {size_text(recording.bytes_busiest_port)}",
        answers=offered(size_text(bound), wrong, random),
    )


def why_fastest(random: Random) -> Draft | None:
    """Why an algorithm is the fastest for a size: latency or bytes."""
    ranks, size = random.choice((8, 16)), random.choice((1 << 10, 2 << 10, 64 * MIB, 128 * MIB))
    every = {name: resized(record("all_reduce", name, ranks=ranks), size) for name in RIVALS}
    whole = {name: time(recording).total for name, recording in every.items()}
    waits = {name: time(emptied(recording)).total for name, recording in every.items()}
    best, *slower = sorted(whole, key=whole.__getitem__)
    few = waits[best] == min(waits.values())
    little = whole[best] - waits[best] == min(whole[name] - waits[name] for name in whole)
    if few == little:
        return None
    right, *wrong = ("least latency", "fastest bytes")[:: 1 if few else -1]
    share = "bytes decide" if few else "latency decides"
    parts = (
        f"{name} takes {time_text(whole[name], digits=3)}, "
        f"{time_text(waits[name], digits=3)} of it for latency"
        for name in (best, *slower)
    )
    return Draft(
        f"All-reduce on {ranks} ranks",
        f"For {size_text(size)} on a crossbar {best} is faster than {listed(slower)}. Why?",
        "; ".join(parts),
        answers=offered(
            KNOWN[right].because, [(KNOWN[name].because, name) for name in (*wrong, share)], random
        ),
    )


def in_one_piece(random: Random) -> Draft | None:
    """How long a chain takes in chunks, of which it is known how long it takes in one piece."""
    ranks, chunks = random.choice((5, 6, 8)), random.choice((4, 8))
    size = random.choice((64, 128, 256)) * MIB
    whole, cut = (
        time(resized(record("broadcast", "ring", ranks=ranks, chunks=number), size)).total
        for number in (1, chunks)
    )
    steps = ranks - 1 + chunks - 1
    times = (
        (whole, "no delay"),
        (whole / chunks, "chunks share it"),
        (whole / (ranks - 1) * steps, "chunk by chunk"),
    )
    return Draft(
        f"Ring broadcast on {ranks} ranks",
        f"In one piece {size_text(size)} take {time_text(whole, digits=3)} from rank to rank. How "
        f"long does it take in {chunks} chunks, each of which a rank passes on at once?",
        f"timed: a rank passes on a chunk while the next arrives, in {steps} short steps",
        answers=offered(
            time_text(cut, digits=3),
            [(time_text(seconds, digits=3), name) for seconds, name in times],
            random,
        ),
    )


def _ring(collective: str, random: Random) -> Recording:
    return record(collective, "ring", ranks=random.choice((4, 5, 6, 8)))


def _titled(recording: Recording) -> str:
    return f"{recording.heading} on {recording.ranks} ranks"
