"""What the lecture on the ring all-reduce lets its readers predict."""

from __future__ import annotations

from animations.lab.predictions.predicted import amount, choose, is_of, multiple, vectors
from collectives.questions.question import Question
from collectives.recording.phases import phases
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.words import listed, plural

STEP_HINT = "What does a rank still lack after each step, and what can one step bring it?"


def counts(recording: Recording) -> list[Question]:
    """Steps and bytes of each rank, asked before the picture, which would show them."""
    if not is_of(recording, "all_reduce", "ring"):
        return []
    return [*_steps(recording), *_sent(recording)]


def doubled(ranks: int) -> list[Question]:
    """Steps and bytes of a ring on twice the ranks, both executed."""
    now, twice = (
        record("all_reduce", "ring", ranks=n, count=2 * ranks) for n in (ranks, 2 * ranks)
    )
    steps, doubled_steps = len(now.steps), len(twice.steps)
    sent, right = (vectors(recording, max(recording.bytes_sent)) for recording in (now, twice))
    whom = f"on {plural(2 * ranks, 'rank')}"
    return [
        *amount(
            f"How many steps does the ring take {whom}?",
            f"on {plural(ranks, 'rank')} it takes {steps} steps",
            doubled_steps,
            "step",
            [
                (steps, "scale-free"),
                (2 * steps, "twice as many"),
                (steps + 1, "one more"),
                (doubled_steps + 2, "N for N - 1"),
            ],
            "both laps get one hop longer for each rank",
            "What has to happen once more for each additional rank?",
            f"two laps of {2 * ranks} - 1 hops: 2 × {2 * ranks - 1} = {doubled_steps}",
        ),
        *multiple(
            f"How many bytes does each rank send {whom}?",
            f"S is the size of the vector; on {plural(ranks, 'rank')} it is {float(sent):.4g} S",
            float(right),
            [
                (float(2 * sent), "twice as many bytes"),
                (float(sent / 2), "shared bytes"),
                (2.0, "N for N - 1"),
                (float(sent), "scale-free bytes"),
            ],
            "there are more steps, but the chunks get smaller by the same factor",
            "Twice as many chunks: how large is each?",
            explanation=f"{doubled_steps} steps × S/{2 * ranks}",
        ),
    ]


def _steps(recording: Recording) -> list[Question]:
    ranks, right = recording.ranks, len(recording.steps)
    parts = [
        f"{plural(phase.end - phase.first, 'step')} of {phase.name}" for phase in phases(recording)
    ]
    parts_of = [str(phase.end - phase.first) for phase in phases(recording)]
    wrong = [
        (ranks - 1, "one lap"),
        (right + len(parts), "N for N - 1"),
        (2 * ranks, "N for N - 1"),
        ((ranks - 1).bit_length(), "doubling"),
    ]
    return amount(
        "How many steps does it take until every rank has its result?",
        f"on {plural(ranks, 'rank')}",
        right,
        "step",
        wrong,
        "sums travel round the ring first, and the results travel after them",
        STEP_HINT,
        f"it takes {listed(parts)}: {' + '.join(parts_of)} = {right}",
    )


def _sent(recording: Recording) -> list[Question]:
    right, steps = vectors(recording, max(recording.bytes_sent)), len(recording.steps)
    chunk = vectors(recording, int(recording.size.max()) * recording.dtype.itemsize)
    wrong = [
        (float(steps), "whole vector each step"),
        (float(right / 2), "one lap"),
        (float(right + 2 * chunk), "N for N - 1"),
        (float(vectors(recording, sum(recording.bytes_sent))), "total for busiest"),
    ]
    return multiple(
        "How many bytes does the busiest rank send, as a multiple of the vector's size S?",
        f"on {plural(recording.ranks, 'rank')}, in all {plural(steps, 'step')}",
        float(right),
        wrong,
        "it sends one chunk in each step, and these chunks add up",
        "In how many steps does one rank send, and how large is each message?",
        explanation=f"{steps} steps × S/{recording.ranks}",
    )


def halfway(recording: Recording) -> list[Question]:
    """The chunk of which rank 0 has the whole sum when half of the steps are done."""
    if not is_of(recording, "all_reduce", "ring"):
        return []
    ranks, steps = recording.ranks, len(recording.steps)
    [right] = complete_chunks(recording, 0, steps // 2)
    wrong = [
        (f"chunk {(right + 1) % ranks}", (right + 1) % ranks, "next rank's chunk"),
        (f"chunk {(right - 1) % ranks}", (right - 1) % ranks, "left neighbor's chunk"),
        ("no chunk yet", -1, "nothing before the end"),
    ]
    return choose(
        f"After step {steps // 2} of {steps}, for which chunk does rank 0 have the whole sum?",
        "by then each rank has the whole sum of exactly one chunk",
        (f"chunk {right}", right),
        wrong,
        "the chunk that collected the data of every other rank on its way ends here",
        "Rank r ends a reduce-scatter with chunk r, as in MPI.",
        before=steps // 2,
    )


def complete_chunks(recording: Recording, rank: int, step: int) -> list[int]:
    """The chunks to which every rank has added once in the slots of a rank."""
    times = recording.excerpt(1).state(step).times[rank, : recording.chunk_count]
    return [slot for slot in range(len(times)) if (times[slot] == 1).all()]
