"""Makes an exercise of a kind from a seed: the kinds there are, each with what it asks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from collectives.errors import BadInput
from collectives.exercises import asked, calls, contents, counts, machines, order
from collectives.exercises.cases import Case, cases, rows_of
from collectives.exercises.exercise import Draft, Exercise
from collectives.values import whole
from collectives.words import nearest, quoted

Maker = Callable[[Case, Random], Draft | None]
MOST_SEED = 2**63 - 1

KINDS: dict[str, tuple[str, Maker]] = {
    "next": ("what a rank sends next, and to whom", asked.before_a_step("next")),
    "cell": ("what a slot holds after a step", asked.before_a_step("cell")),
    "sent-so-far": ("what the busiest rank has sent so far", asked.before_a_step("bytes")),
    "idle": ("which ranks have nothing to do in a step", asked.before_a_step("idle")),
    "done": ("after how many steps a rank is done", asked.before_a_step("done")),
    "twice": ("how many steps twice the ranks take", asked.steps_on_twice_the_ranks),
    "line": ("what breaks if a line is changed", asked.line_changed),
    "fastest": ("which algorithm is the fastest for a size", asked.variant("faster", of_all=True)),
    "slow-rank": ("what a slow rank costs", asked.variant("slow")),
    "chunks": ("what a pipeline gains by its chunks", asked.variant("chunks")),
    "fewest-steps": ("how few steps there can be", asked.variant("fewest", of_all=True)),
    "steps": ("how many steps an algorithm takes", counts.steps),
    "messages": ("how many messages are sent", counts.messages),
    "bytes": ("how much a rank sends", counts.sent_by_a_rank),
    "bytes-of-all": ("how much all ranks send together", counts.sent_by_all),
    "least-bytes": ("how little the busiest port can carry", counts.least_sent),
    "busbw": ("the busbw of a measured time", counts.bus_bandwidth),
    "time": ("how long it takes, by hand", machines.time_by_hand),
    "place": ("how many messages of a ring cross between nodes", machines.ring_placed),
    "lost": ("who ends wrong if a transfer is lost", contents.lost_transfer),
    "wrong-step": ("in which step a chunk is written wrong", contents.wrong_transfer),
    "float-order": ("in which order a sum is added", contents.order_of_additions),
    "sort": ("the order of shuffled steps", order.shuffled_steps),
    "which": ("which algorithm the steps are", order.which_algorithm),
    "promise": ("which collective a promise is", calls.named),
    "call": ("which line of a library calls a collective", calls.called),
    "sources": ("from whom a rank receives", order.sources_of_a_rank),
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
                return _made(draft, name, topic, seed)
    subject = topic or "any algorithm"
    raise BadInput(f"{subject} has no exercise of kind {quoted(str(kind))}; try: without --kind")


def _made(draft: Draft, kind: str, topic: str, seed: int) -> Exercise:
    return Exercise(
        kind,
        topic,
        seed,
        draft.title,
        draft.text,
        tuple(draft.material),
        draft.answers,
        draft.value,
        draft.unit,
        draft.explanation,
    )
