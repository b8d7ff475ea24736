"""Makes an exercise of a kind from a seed: the kinds there are, each with what it asks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from collectives.errors import BadInput
from collectives.exercises import code_exercises as codes
from collectives.exercises import count_exercises as counts
from collectives.exercises import machine_exercises as machines
from collectives.exercises import name_exercises as names
from collectives.exercises import order_exercises as orders
from collectives.exercises import question_exercises as of_questions
from collectives.exercises import run_exercises as runs
from collectives.exercises import slot_exercises as slots
from collectives.exercises import time_exercises as times
from collectives.exercises.cases import ExerciseCase, cases, rows_of
from collectives.exercises.exercise import Draft, Exercise
from collectives.values import whole
from collectives.words import nearest, quoted

Maker = Callable[[ExerciseCase, Random], Draft | None]
MOST_SEED = 2**63 - 1

before, variant = of_questions.before_a_step, of_questions.variant
KINDS: dict[str, tuple[str, Maker]] = {
    "next": ("what a rank sends next, and to whom", before("next")),
    "cell": ("what a slot holds after a step", before("cell")),
    "sent-so-far": ("what the busiest rank has sent so far", before("bytes")),
    "idle": ("which ranks have nothing to do in a step", before("idle")),
    "idle-steps": ("in how many steps a rank is idle", counts.idle_steps),
    "done": ("after how many steps a rank is done", before("done")),
    "twice": ("how many steps twice the ranks take", of_questions.steps_on_twice_the_ranks),
    "code": ("what code does, by reading it", codes.read_from_code),
    "line": ("what breaks if a line is changed", of_questions.line_changed),
    "fastest": ("which algorithm is the fastest for a size", variant("faster", of_all=True)),
    "slow-rank": ("what a slow rank costs", variant("slow")),
    "slow-time": ("how long it takes with a slow rank, by hand", times.slowed_by_hand),
    "chunks": ("what a pipeline gains by its chunks", variant("chunks")),
    "best-chunks": ("with how many chunks a pipeline is the fastest", times.best_chunks),
    "fewest-steps": ("how few steps there can be", variant("fewest", of_all=True)),
    "steps": ("how many steps an algorithm takes", counts.steps),
    "messages": ("how many messages are sent", counts.messages),
    "bytes": ("how much a rank sends", counts.sent_by_a_rank),
    "bytes-of-all": ("how much all ranks send together", counts.sent_by_all),
    "least-bytes": ("how little the busiest port can carry", counts.least_sent),
    "busbw": ("the busbw of a measured time", counts.bus_bandwidth),
    "time": ("how long it takes, by hand", times.time_by_hand),
    "place": ("how many messages of a ring cross between nodes", times.ring_placed),
    "lost": ("who ends wrong if a transfer is lost", slots.lost_transfer),
    "wrong-step": ("in which step a chunk is written wrong", slots.wrong_transfer),
    "float-order": ("in which order a sum is added", before("sum")),
    "float-sum": ("what floats add up to in an order", slots.float_sum),
    "sort": ("the order of shuffled steps", orders.shuffled_steps),
    "which": ("which algorithm the steps are", orders.which_algorithm),
    "promise": ("which collective a promise is", names.named),
    "call": ("which line of a library calls a collective", names.called),
    "numbers": ("what a slot holds after a step, as a number", runs.held_number),
    "exchanged": ("who ends wrong if two steps are exchanged", runs.exchanged_steps),
    "missing": ("which transfer of a step is missing", runs.missing_transfer),
    "crossing": ("how many messages cross between nodes", runs.crossing_messages),
    "late": ("how far a rank gets before another begins", runs.before_late_rank),
    "before-after": ("which collective it is, before and after", runs.before_and_after),
    "benchmark": ("what a line of a benchmark says a rank sends", machines.benchmark_line),
    "two-times": ("latency and time, from two measured times", machines.two_points),
    "bottleneck": ("which links of two nodes are busy longest", machines.bottleneck),
    "dead-link": ("which link is dead, from who waits for whom", machines.dead_cable),
    "sources": ("from whom a rank receives", orders.sources_of_a_rank),
}


def exercise(topic: str = "", kind: str | None = None, seed: int = 0) -> Exercise:
    """One exercise, the same for the same topic, kind and seed.

    Parameters
    ----------
    topic : str
        An algorithm ("ring"), a collective ("all-reduce") or both; any by default.
    kind : str, optional
        One of `KINDS`; by default the seed chooses.
    seed : int
        Another seed gives another exercise: other ranks, steps, slots and sizes.

    Returns
    -------
    Exercise
        With exactly one right answer, found by executing the algorithm.

    Raises
    ------
    BadInput
        For an unknown topic or kind, or a kind of which the topic has no exercise.

    Examples
    --------
    >>> problem = exercise("ring all-reduce", "messages", seed=7)
    >>> problem
    <Exercise: messages, Ring all-reduce on 6 ranks, seed 7>
    >>> problem.right
    '60'
    """
    rows_of(topic)
    seed = whole("seed", seed, 0, MOST_SEED)
    if kind is not None and kind not in KINDS:
        raise BadInput(f"unknown kind of exercise {quoted(str(kind))}; {nearest(str(kind), KINDS)}")
    random = Random(f"{topic.lower()} {kind or ''} {seed}")
    kinds = [kind] if kind is not None else random.sample(list(KINDS), len(KINDS))
    for name in kinds:
        for case in cases(topic, random):
            draft = KINDS[name][1](case, random)
            if draft is not None and (draft.answers or draft.value is not None):
                return exercise_of(draft, name, topic, seed)
    raise BadInput(f"{topic} has no exercise of kind {quoted(str(kind))}; try: without --kind")


def exercise_of(draft: Draft, kind: str, topic: str, seed: int) -> Exercise:
    """What a draft becomes once its kind, topic and seed are known."""
    fields = draft.title, draft.text, tuple(draft.material), draft.answers
    return Exercise(kind, topic, seed, *fields, draft.value, draft.unit, draft.explanation)
