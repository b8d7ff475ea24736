"""Exercises about names: which collective a promise is, and which line of a library calls it."""

from __future__ import annotations

from random import Random

from collectives.collective import COLLECTIVES
from collectives.exercises.cases import ExerciseCase
from collectives.exercises.exercise import Draft, choices
from collectives.words import capital

OVERLOOKED = "root for all", "part for whole", "joined for added"
CONFUSED = {  # collectives that differ from one in one thing, and what is overlooked then
    name: dict(zip(others.split(), OVERLOOKED, strict=True))
    for name, others in (
        ("all_reduce", "reduce reduce_scatter all_gather"),
        ("reduce_scatter", "reduce all_reduce all_to_all"),
        ("all_gather", "gather all_to_all all_reduce"),
        ("scatter", "all_to_all broadcast reduce_scatter"),
    )
}


def named(case: ExerciseCase, random: Random) -> Draft | None:
    """The name of a collective, from what it promises."""
    promise = case.recording.promise
    others = [
        (collective.title, f"It promises: {collective.sentence}.")
        for collective in COLLECTIVES.values()
        if collective is not case.recording.collective and collective.moves_data
    ]
    overlooked = CONFUSED.get(case.recording.collective.name, {})
    mistakes = {COLLECTIVES[name].title: mistake for name, mistake in overlooked.items()}
    answers = choices(case.recording.collective.title, others, random, mistakes)
    return Draft(
        capital(case.where),
        f"\u201c{promise}.\u201d Which collective promises that?",
        f"{case.recording.collective.title} promises it",
        answers=answers,
    )


def called(case: ExerciseCase, random: Random) -> Draft | None:
    """The line of a library that calls a collective."""
    collective = case.recording.collective
    calls = collective.calls.named
    if not calls:
        return None
    library = random.choice(sorted(calls))
    others = [
        (collective.calls.named[library], f"That calls {collective.title}.")
        for collective in COLLECTIVES.values()
        if library in collective.calls.named and collective.calls.named[library] != calls[library]
    ]
    mistakes = {
        COLLECTIVES[name].calls.named[library]: mistake
        for name, mistake in CONFUSED.get(collective.name, {}).items()
        if library in COLLECTIVES[name].calls.named
    }
    answers = choices(calls[library], others, random, mistakes)
    if not answers:
        return None
    return Draft(
        library,
        f"\u201c{case.recording.promise}.\u201d Which line calls for that?",
        f"it is {collective.title}",
        answers=answers,
    )
