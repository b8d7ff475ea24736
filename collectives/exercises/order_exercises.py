"""Exercises about order and kind: steps to sort, algorithms to tell apart, trees to read."""

from __future__ import annotations

from itertools import permutations
from random import Random

from collectives.exercises.cases import LEGEND, ExerciseCase, cases, transfers
from collectives.exercises.exercise import LETTERS, Draft, choices
from collectives.exercises.slot_exercises import is_right
from collectives.words import capital, listed

FEWEST_STEPS, MOST_STEPS = 3, 5
MOST_RIVALS = 6


def shuffled_steps(case: ExerciseCase, random: Random) -> Draft | None:
    """Steps in another order; all orders are executed, and one alone is right."""
    if not case.is_printable or not FEWEST_STEPS <= case.facts.last <= MOST_STEPS:
        return None
    numbers = list(range(case.facts.last))
    orders = [*permutations(numbers)]
    right = [
        order
        for order in orders
        if is_right(case.recording, [case.facts.steps[number] for number in order])
    ]
    if right != [tuple(numbers)]:
        return None
    mixed = random.choice([order for order in orders if order != tuple(numbers)])
    letter = {number: LETTERS[place] for place, number in enumerate(mixed)}
    printed = [f"{letter[n]}:  {transfers(case.facts.rows(n + 1))}" for n in mixed]

    def text(order: tuple[int, ...]) -> str:
        return " ".join(letter[number] for number in order)

    wrong = [
        (text(order), "Executed in this order, some rank lacks data at the end.")
        for order in random.sample(orders, min(len(orders), 8))
    ]
    answers = choices(text(tuple(numbers)), wrong, random)
    if not answers:
        return None
    return Draft(
        case.title,
        f"The steps stand in the wrong order. In which order are they right? {LEGEND}",
        f"of all {len(orders)} orders only {text(tuple(numbers))} keeps the promise",
        printed,
        answers,
    )


def which_algorithm(case: ExerciseCase, random: Random) -> Draft | None:
    """The name of the algorithm whose steps are printed, among others of its collective."""
    if not case.is_printable:
        return None
    own = {transfers(case.facts.rows(k)) for k in range(1, case.facts.last + 1)}
    rivals: dict[str, str] = {}
    recording = case.recording
    for rival in cases(recording.collective.name.replace("_", "-"), random):
        compared = rival.recording
        if compared.ranks != recording.ranks or compared.algorithm == recording.algorithm:
            continue
        steps = {transfers(rival.facts.rows(k)) for k in range(1, rival.facts.last + 1)}
        if len(rivals) == MOST_RIVALS:
            break
        if not steps & own:
            rivals[compared.heading] = f"Its first step is {transfers(rival.facts.rows(1))}."
    answers = choices(recording.heading, rivals.items(), random)
    if not answers:
        return None
    return Draft(
        case.collective_title,
        f"Which algorithm is this? {LEGEND}",
        f"these are the steps of {recording.heading}; none of the others has one of them",
        case.printed(),
        answers,
    )


def sources_of_a_rank(case: ExerciseCase, random: Random) -> Draft | None:
    """From which ranks a rank receives, over the whole run."""
    if not case.is_printable:
        return None
    rank = random.randrange(case.recording.ranks)
    rows = [row for k in range(1, case.facts.last + 1) for row in case.facts.rows(k)]
    partners = sorted({src for src, dst, *_ in rows if dst == rank})
    if not partners or len(partners) == case.recording.ranks - 1:
        return None
    others = [r for r in range(case.recording.ranks) if r != rank]
    wrong = []
    for _ in range(8):
        sample = sorted(
            random.sample(others, min(len(others), len(partners) + random.randrange(2)))
        )
        idle, missing = {*sample} - {*partners}, {*partners} - {*sample}
        subject, verb = (
            (idle, "no data goes to it from") if idle else (missing, "it receives, too, from")
        )
        wrong.append((_named(sample), f"{capital(verb)} {_named(sorted(subject))}."))
    answers = choices(_named(partners), wrong, random)
    if not answers:
        return None
    return Draft(
        case.title,
        f"From which ranks does rank {rank} receive, over the whole run? {LEGEND}",
        f"rank {rank} receives from {_named(partners)}, and from no others",
        case.printed(),
        answers,
    )


def _named(ranks: list[int]) -> str:
    return f"rank{'s' * (len(ranks) > 1)} {listed([str(rank) for rank in ranks])}"
