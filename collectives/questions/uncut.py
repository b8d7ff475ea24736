"""Questions about cutting: what becomes of the time and the bytes if the vector stays whole."""

from __future__ import annotations

from random import Random

import numpy as np

from collectives.cost.clocks.clock import dataflow
from collectives.questions.amounts import added_up, part_of
from collectives.questions.facts import Facts
from collectives.questions.misconceptions import KNOWN
from collectives.questions.question import Option, Question, asked, choice
from collectives.questions.variants import MOST_ROWS, NEAR, Variants, multiples, on_machine
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.schedule import Step
from collectives.units import time_text
from collectives.words import Worded, plural


def uncut(own: Recording) -> Recording | None:
    """The same algorithm with the whole vector in its first chunk, which goes where that one goes.

    None where chunks are promised to different ranks, so that they cannot be one.
    """
    pre, post = own.precondition, own.postcondition
    alike = (pre == pre[:, :1]).all() and (post == post[:, :1]).all()
    if not alike or own.slots < 2 or own.uneven or own.counters.rows > MOST_ROWS:
        return None
    steps = [step.unrolled() for step in own.steps]
    if any((step.chunk != step.into).any() or step.needs is not None for step in steps):
        return None
    kept = [step.select(np.flatnonzero(step.chunk == 0)) for step in steps]
    return record(
        [step for step in kept if len(step)],
        own.algorithm,
        collective=own.collective,
        ranks=own.ranks,
        root=own.root,
        count=own.count,
        dtype=own.dtype,
        slots=1,
        nodes=own.nodes,
        helpers=own.helpers,
    )


def one_chunk(variants: Variants, random: Random) -> Question | None:
    """What becomes of the time, or of what the busiest rank sends, in one chunk."""
    own = variants.large
    whole = uncut(own) if own.ranks > 1 and own.collective.moves_data else None
    if whole is None:
        return None
    makers = [_time, _bytes]
    random.shuffle(makers)
    return next(filter(None, (make(variants, whole, random) for make in makers)), None)


def _time(variants: Variants, whole: Recording, random: Random) -> Question | None:
    """How much longer it takes."""
    own, counts = variants.large, whole.counters
    before, after = (dataflow(recording, variants.topology).total for recording in (own, whole))
    if abs(after / before - 1) <= NEAR:
        return None
    each = "each message" if counts.ports == 1 else "each of up to {ports} messages of a rank"
    counted = Worded(
        f"{{steps}} with S in {each}, not {{number}} with up to {{part}}",
        steps=plural(counts.steps, "step"),
        ports=counts.ports,
        number=own.counters.steps,
        part=_largest(own),
    )
    wrong = [
        (1.0, "no delay"),
        (float(own.chunk_count), "chunk by chunk"),
        (counts.steps / own.counters.steps, "fewer steps"),
        (0.5, "fewer steps"),
        (2.0 * own.chunk_count, "chunk by chunk"),
        (own.chunk_count + 1.0, "chunk by chunk"),
        (own.chunk_count / 2, "fewer steps"),
    ]
    options = multiples((before, after), wrong, counted, random)
    if not options:
        return None
    fewer = counts.steps < own.counters.steps
    at_once = counts.messages / counts.steps < own.counters.messages / own.counters.steps
    why = "fewer links work at the same time" if at_once else "each message carries all of it"
    return asked(
        kind="chunks",
        step=variants.facts.last + 1,
        form="choice",
        prompt=Worded(
            "The vector stays in one chunk, not {chunks}. How long does it take now?",
            chunks=own.chunk_count,
        ),
        detail=on_machine(variants),
        options=options,
        because=why if after > before else "each chunk costs a latency",
        random=random,
        believed=["no delay", "fewer steps" if fewer and after > before else "chunk by chunk"],
        hint="How many links work at the same time, and how long is each message?",
        explanation=Worded(
            "it takes {after} instead of {before}: {counted}",
            after=time_text(after, digits=3),
            before=time_text(before, digits=3),
            counted=counted,
        ),
    )


def _bytes(variants: Variants, whole: Recording, random: Random) -> Question | None:
    """How much the busiest rank sends then; None where it is less, which has reasons of its own."""
    own, size = variants.large, variants.large.case.S
    before, after = (max(recording.bytes_sent[: own.ranks]) for recording in (own, whole))
    if after < before * (1 - NEAR):
        return None
    both = max(sum(amounts) for amounts in zip(whole.bytes_sent, whole.bytes_received, strict=True))
    counted = added_up(Facts(whole), len(whole.steps))

    def option(amount: int, name: str = "") -> Option:
        instead = Worded("With one chunk it is this: {counted}.", counted=counted) if name else ""
        part = amount / size
        return Option(f"{part:.{2 if part < 10 else 1}f} S", amount, name, (), instead)

    wrong = [
        (before, "same bytes"),
        (whole.counters.steps * size, "whole vector each step"),
        (sum(whole.bytes_sent[: own.ranks]), "total for busiest"),
        (both, "sent and received"),
        (own.chunk_count * before, "bytes of a chunk"),
        (size, "sent once"),
        (size // 2, "half of the vector"),
    ]
    others = [option(*pair) for pair in wrong if abs(pair[0] - after) > NEAR * after]
    options = choice(option(after), others, random)
    if not options:
        return None
    more = after > before * (1 + NEAR)
    why = "cutting changes when it is sent, not how much"
    return asked(
        kind="chunks",
        step=variants.facts.last + 1,
        form="choice",
        prompt=Worded(
            "The vector S stays in one chunk, not {chunks}. How much does the busiest rank send?",
            chunks=own.chunk_count,
        ),
        detail=Worded(
            "in {chunks} it sends {part}",
            chunks=plural(own.chunk_count, "chunk"),
            part=part_of(before, size),
        ),
        options=options,
        because=KNOWN["chunks share it"].because if more else why,
        random=random,
        believed=["same bytes" if more else "chunks share it", "bytes of a chunk"],
        hint="Which rank passes it on, and how many times?",
        explanation=Worded(
            "{counted}, instead of {part}", counted=counted, part=part_of(before, size)
        ),
    )


def _largest(recording: Recording) -> str:
    """The most that a message carries, as a part of the vector."""
    carried = []
    for step in map(Step.unrolled, recording.steps):
        pairs = step.src * recording.nodes + step.dst
        carried.append(np.bincount(pairs[step.src != step.dst], minlength=1).max())
    return part_of(int(max(carried)), recording.chunk_count)
