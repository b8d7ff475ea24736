"""Checks of a lecture's score: how long it is, how long its sentences are, where it is silent."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from animations.phrases import phrases
from animations.score.pacing import spoken_seconds, words
from animations.score.score import Score
from animations.score.transcript import minutes
from collectives.units import number_text
from collectives.words import plural

SHORTEST, LONGEST = 120.0, 240.0  # seconds of a film
MOST_LETTERS = 20.0  # of a subtitle, for each second that it is shown
MOST_SILENT = 10.0  # seconds of a picture in which nothing moves and nothing is said


def sentences(score: Score) -> Iterator[tuple[str, float, float]]:
    """Each sentence, the seconds it is shown, and those of them in which nothing moves."""
    for said, group in groupby((shot for _, shot in score), lambda shot: shot.said):
        shots = list(group)
        still = sum(shot.seconds for shot in shots if not shot.travels)
        yield said, sum(shot.seconds for shot in shots), still


def problems(score: Score, language: str = "en") -> list[str]:
    """What a lecturer would mend, a line each; none where all is well."""
    found, most_words = [], phrases(language).most_words
    if not SHORTEST <= score.seconds <= LONGEST:
        limits = f"{minutes(SHORTEST)} to {minutes(LONGEST)}"
        found.append(f"{minutes(score.seconds)} long; must be {limits}")
    for said, seconds, still in sentences(score):
        if words(said) > most_words:
            found.append(f"{words(said)} words, at most {most_words}: {said}")
        if len(said) > MOST_LETTERS * seconds + 1e-6:
            found.append(f"{len(said) / seconds:.0f} letters a second: {said}")
        if still - spoken_seconds(said) > MOST_SILENT:
            found.append(f"{number_text(still)} s without a move or a word after: {said}")
        if "{" in said:
            found.append(f"a number was not computed: {said}")
    return found


def summary(score: Score, numbers: int) -> str:
    """What was measured, in a line; numbers: how many of its numbers were computed."""
    every = [each for each in sentences(score) if each[0]]
    longest = max(words(said) for said, _, _ in every)
    fastest = max(len(said) / seconds for said, seconds, _ in every)
    silent = max(0.0, max(still - spoken_seconds(said) for said, _, still in every))
    return (
        f"{minutes(score.seconds)}, {plural(len(every), 'sentence')} of at most {longest} words, "
        f"at most {fastest:.0f} letters a second, {plural(numbers, 'computed number')}, "
        f"at most {silent:.1f} s still and silent"
    )
