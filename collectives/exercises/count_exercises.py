"""Exercises that count: messages, bytes, the least that there must be, benchmark's bandwidths."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from collectives.cost.busbw import bandwidths, factor, known_operation
from collectives.cost.choose.setup import resized
from collectives.exercises.cases import LEGEND, ExerciseCase
from collectives.exercises.exercise import Draft
from collectives.recording.recording import Recording
from collectives.units import size_text
from collectives.words import listed, plural

MIB = 1 << 20
MICROSECOND = 1e-6
UNEVEN = "The vector is cut into {chunks} of equal size. "


def steps(case: ExerciseCase, random: Random) -> Draft | None:
    """How many steps the algorithm takes."""
    counters = case.recording.counters
    chunks = case.recording.chunks
    cut = f", in {plural(chunks, 'chunk')}" if chunks else ""
    return Draft(
        case.title,
        f"How many steps does it take{cut}? In a step, transfers happen at the same time.",
        f"executed, it takes {plural(counters.steps, 'step')}; the lower bound with as many ports "
        f"is {case.recording.bound.steps}",
        value=counters.steps,
    )


def idle_steps(case: ExerciseCase, random: Random) -> Draft | None:
    """In how many steps a rank neither sends nor receives."""
    steps = range(1, case.facts.last + 1)
    busy = [{node for row in case.facts.rows(k) for node in row[:2]} for k in steps]
    if not case.is_printable or all(len(nodes) == case.recording.ranks for nodes in busy):
        return None
    rank = random.randrange(case.recording.ranks)
    rests = [k for k in steps if rank not in busy[k - 1]]
    named = f"in {plural(len(rests), 'step')}: {listed([*map(str, rests)])}" if rests else "in none"
    return Draft(
        case.title,
        f"In how many steps is rank {rank} idle? An idle rank neither sends nor receives. {LEGEND}",
        f"rank {rank} is idle {named}",
        case.printed(),
        value=len(rests),
    )


def messages(case: ExerciseCase, random: Random) -> Draft | None:
    """How many messages all ranks send together."""
    counters = case.recording.counters
    by_step = [len({row[:2] for row in case.facts.rows(k)}) for k in range(1, case.facts.last + 1)]
    if not case.is_printable:
        return None
    return Draft(
        case.title,
        "How many messages are sent in all? What one rank sends to another in one step is one "
        f"message. {LEGEND}",
        f"step by step {' + '.join(map(str, by_step))} = {counters.messages}",
        case.printed(),
        value=counters.messages,
    )


def sent_by_a_rank(case: ExerciseCase, random: Random) -> Draft | None:
    """How many MiB one rank sends of a vector of so many."""

    def ask(large: Recording) -> tuple[str, str, float]:
        rank = random.randrange(large.ranks)
        sent, messages = large.bytes_sent[rank], int(large.counters.messages_sent[rank])
        question = f"How many MiB does rank {rank} send, from the first step to the last?"
        why = f"rank {rank} sends {plural(messages, 'message')}, in all {size_text(sent)}"
        return question, f"{why}; the vector has {size_text(large.count)}", sent

    return _in_mib(case, random, ask)


def sent_by_all(case: ExerciseCase, random: Random) -> Draft | None:
    """How many MiB all ranks send together."""

    def ask(large: Recording) -> tuple[str, str, float]:
        total, messages = large.counters.total_bytes, plural(large.counters.messages, "message")
        question = "How many MiB do all of them send together, each byte counted once a link?"
        return question, f"{messages} with {size_text(total)} in all", total

    return _in_mib(case, random, ask)


def least_sent(case: ExerciseCase, random: Random) -> Draft | None:
    """How many MiB the busiest rank must send at least, by any algorithm."""

    def ask(large: Recording) -> tuple[str, str, float]:
        bound, busiest = large.bound.busiest_port, large.bytes_busiest_port
        reached = "reaches it" if busiest == bound else f"has {size_text(busiest)}"
        question = (
            "Of any algorithm: how many MiB must go through the busiest port of a rank, in or "
        )
        why = f"no algorithm has less than {size_text(bound)}; {large.title} {reached}"
        return f"{question}out, at least? No switch adds.", why, bound

    draft = _in_mib(case, random, ask) if case.recording.bound.holds else None
    return replace(draft, title=case.collective_title) if draft else None


def bus_bandwidth(case: ExerciseCase, random: Random) -> Draft | None:
    """The busbw of a measured time, as nccl-tests computes it."""
    operation = known_operation(case.recording.collective.name)
    if not operation or factor(operation, case.recording.ranks) == 1:
        return None
    ranks, size = case.recording.ranks, random.choice((16, 64, 256, 1024)) * MIB
    micros = random.choice((250, 400, 800, 1250, 2000, 3200))
    speeds = bandwidths(operation, ranks, size, micros * MICROSECOND)
    share = factor(operation, ranks)
    return Draft(
        case.collective_title,
        f"A benchmark reports {micros} µs for {size_text(size)} ({size:,} B), the size of the "
        "whole vector. What is its busbw, in GB/s of 10⁹ bytes?",
        f"algbw is {size:,} B / {micros} µs = {speeds.algbw / 1e9:.4g} GB/s; busbw is that times "
        f"{share}: {speeds.busbw / 1e9:.4g} GB/s",
        value=speeds.busbw / 1e9,
        unit="GB/s",
    )


def _in_mib(
    case: ExerciseCase, random: Random, ask: Callable[[Recording], tuple[str, str, float]]
) -> Draft | None:
    """What is asked, why, and how many bytes it is, of some MiB in each chunk."""
    recording = case.recording
    if recording.uneven:
        return None
    size = recording.chunk_count * random.choice((1, 2, 3, 5, 8)) * MIB
    question, why, amount = ask(resized(recording, size))
    cut = UNEVEN.format(chunks=plural(recording.chunk_count, "chunk"))
    text = f"{cut * (recording.chunk_count > 1)}The whole vector has {size_text(size)}. {question}"
    return Draft(case.title, text, why, value=amount / MIB, unit="MiB")
