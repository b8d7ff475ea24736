"""Chooses what is asked of a recording: every kind, spread over the phases, the same each time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from random import Random

from collectives.cost.machines.topology import Topology
from collectives.questions.amounts import Again, amount_sent, steps_of_twice
from collectives.questions.changes import changed_line
from collectives.questions.facts import Facts
from collectives.questions.next_content import next_content
from collectives.questions.order import done, idle
from collectives.questions.question import Question
from collectives.questions.sums import added_order
from collectives.questions.transfers import next_transfer
from collectives.questions.variants import Variants
from collectives.questions.why import WHY
from collectives.recording.phases import phases
from collectives.recording.recording import Recording

MOST_BEFORE = 6  # questions of a page that are asked before a step
MOST_AFTER = 4  # of those that are asked at the end, about what would happen otherwise
MOST_PHASES = 3  # in each of which a chunk and a cell are asked for
FEWEST_RANKS = 2
MOST_TRIED = 6  # steps in which a question is looked for
MOST_ROWS = 1 << 16  # of a recording of which anything is asked
BEFORE_A_STEP: dict[str, Callable[[Facts, int, Random], Question | None]] = {
    "next": next_transfer,
    "cell": next_content,
    "bytes": amount_sent,
    "idle": idle,
    "done": done,
    "sum": added_order,
}
KINDS = (*BEFORE_A_STEP, "steps", "line", *WHY)


def questions(
    recording: Recording, seed: int = 0, again: Again | None = None, machine: Topology | None = None
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
    machine : Topology, optional
        Where variants are timed; by default on a crossbar.

    Returns
    -------
    tuple of Question
        At most ten; at least a third ask what would happen otherwise, and why.

    Examples
    --------
    >>> from collectives import record
    >>> for question in questions(record("all_reduce", "ring", ranks=4))[1:3]:
    ...     print(f"before step {question.step}: {question.prompt} {question.right.text}")
    before step 2: What will chunk 2 of rank 1 hold? the sum over ranks 0, 1 and 3
    before step 2: After how many steps does rank 0 have all its data? 6 steps
    """
    if recording.counters.rows > MOST_ROWS:
        return ()
    facts = Facts(recording)
    random = Random(f"{recording.title} {recording.ranks} {recording.root} {seed}")
    after = _after(facts, random, again, machine)
    limit = min(MOST_BEFORE, 2 * len(after))  # so that a third or more ask why
    chosen: list[Question] = []
    for kind, steps in _plan(recording, random):
        taken = {question.step for question in chosen}
        if len(chosen) < limit and (question := _asked(facts, kind, steps, taken, random)):
            chosen.append(question)
    return tuple(sorted(chosen, key=lambda question: question.step)) + after


def _after(
    facts: Facts, random: Random, again: Again | None, machine: Topology | None
) -> tuple[Question, ...]:
    """What is asked at the end: variants that are executed, those on a clock in random order."""
    if not facts.last or facts.recording.ranks < FEWEST_RANKS:
        return ()
    timed = Variants(facts, machine)
    makers: list[Callable[[], Question | None]] = [
        partial(steps_of_twice, facts, random, again),
        partial(changed_line, facts, random),
    ]
    if not facts.recording.uneven:  # else it cannot be timed for vectors of other sizes
        some = random.sample([*WHY.values()], len(WHY))
        makers += [partial(ask, timed, random) for ask in some]
    return tuple(islice((question for make in makers if (question := make())), MOST_AFTER))


def _plan(recording: Recording, random: Random) -> list[tuple[str, range]]:
    """Kinds of questions, and the steps in which they are to be asked; what matters most first.

    None before the first step, of which nobody can know; of a phase the first step last.
    """
    last = len(recording.steps)
    every = [phase for phase in phases(recording) if phase.end > phase.first]
    if len(every) > MOST_PHASES:
        every = [every[0], every[len(every) // 2], every[-1]]
    plan = []
    for phase in every:
        steps = range(max(2, phase.first + 1 + (phase.end > phase.first + 1)), phase.end + 1)
        plan += [("next", steps), ("cell", steps)]
    middle = range(max(2, last // 2), max(2, last))
    rest = [("bytes", middle), ("idle", range(2, last + 1)), ("done", range(2, last // 2 + 2))]
    if recording.collective.reduces:
        rest = random.sample([*rest, ("sum", range(2, last + 1))], len(rest) + 1)
    return plan + rest


def _asked(
    facts: Facts, kind: str, steps: Sequence[int], taken: Iterable[int], random: Random
) -> Question | None:
    """A question of a kind before one of these steps, if possible before one with no other."""
    tried = random.sample(steps, min(len(steps), MOST_TRIED))
    for step in sorted(tried, key=lambda step: step in taken):
        if step <= facts.last and (question := BEFORE_A_STEP[kind](facts, step, random)):
            return question
    return None
