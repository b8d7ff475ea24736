"""Chooses what is asked of a recording: every kind, spread over the phases, the same each time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from collectives.questions.amounts import Again, amount_sent, steps_of_twice
from collectives.questions.changes import changed_line
from collectives.questions.facts import Facts
from collectives.questions.next_content import next_content
from collectives.questions.order import done_last, idle
from collectives.questions.question import Question
from collectives.questions.transfers import next_transfer
from collectives.recording.phases import phases
from collectives.recording.recording import Recording

MOST_QUESTIONS = 10  # questions on a page
MOST_PHASES = 3  # in each of which a chunk and a cell are asked for
MOST_TRIED = 6  # steps in which a question is looked for
MOST_ROWS = 1 << 16  # of a recording of which anything is asked
BEFORE_A_STEP: dict[str, Callable[[Facts, int, Random], Question | None]] = {
    "next": next_transfer,
    "cell": next_content,
    "bytes": amount_sent,
    "idle": idle,
    "last": done_last,
}


def questions(
    recording: Recording, seed: int = 0, again: Again | None = None
) -> tuple[Question, ...]:
    """The questions of a right recording, in the order in which they are asked.

    Parameters
    ----------
    recording : Recording
        Of any algorithm; of a kind that has no unambiguous question for it none is made.
    seed : int
        Another seed asks for other steps, ranks and slots.
    again : callable, optional
        Records your own algorithm on another number of ranks.

    Returns
    -------
    tuple of Question
        At most ten.

    Examples
    --------
    >>> from collectives import record
    >>> for question in questions(record("all_reduce", "ring", ranks=4))[1:3]:
    ...     print(f"before step {question.step}: {question.prompt} {question.right.text}")
    before step 2: What does rank 0 send next, and to whom? chunk 2 to rank 1
    before step 3: What will this cell hold? the sum over all 4 ranks
    """
    if recording.counters.rows > MOST_ROWS:
        return ()
    facts = Facts(recording)
    random = Random(f"{recording.title} {recording.ranks} {recording.root} {seed}")
    found: list[Question] = []
    for kind, steps in _plan(recording):
        taken = {question.step for question in found}
        if question := _asked(facts, kind, steps, taken, random):
            found.append(question)
    found = found[: MOST_QUESTIONS - 2]
    for last in (steps_of_twice(facts, random, again), changed_line(facts, random)):
        found += [last] if last else []
    return tuple(sorted(found, key=lambda question: question.step))


def _plan(recording: Recording) -> list[tuple[str, range]]:
    """Kinds of questions, and the steps in which they are to be asked; what matters most first."""
    last = len(recording.steps)
    every = [phase for phase in phases(recording) if phase.end > phase.first]
    if len(every) > MOST_PHASES:
        every = [every[0], every[len(every) // 2], every[-1]]
    plan = []
    for phase in every:
        steps = range(phase.first + 1, phase.end + 1)
        plan += [("next", steps), ("cell", steps)]
    middle = range(max(1, last // 2), max(2, last))
    plan += [("bytes", middle), ("idle", range(1, last + 1)), ("last", range(1, last // 2 + 2))]
    return plan


def _asked(
    facts: Facts, kind: str, steps: Sequence[int], taken: Iterable[int], random: Random
) -> Question | None:
    """A question of a kind before one of these steps, if possible before one with no other."""
    tried = random.sample(steps, min(len(steps), MOST_TRIED))
    for step in sorted(tried, key=lambda step: step in taken):
        if step <= facts.last and (question := BEFORE_A_STEP[kind](facts, step, random)):
            return question
    return None
