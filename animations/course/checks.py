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

SHORTEST, LONGEST = 120.0, 420.0  # seconds of a film, its pauses for answers too
MOST_LETTERS = 20.0  # of a subtitle, for each second that it is shown
MOST_SILENT = 10.0  # seconds of a picture in which nothing moves and nothing is said


def sentences(score: Score) -> Iterator[tuple[str, float, float]]:
    """Each sentence, the seconds it is shown, and those of them in which nothing moves."""
    for sentence, group in groupby((shot for _, shot in score), lambda shot: shot.said):
        shots = list(group)
        still = sum(shot.seconds for shot in shots if not shot.travels)
        yield sentence, sum(shot.seconds for shot in shots), still


def problems(score: Score, language: str = "en") -> list[str]:
    """What a lecturer would mend, a line each; none where all is well."""
    problems, most_words = [], phrases(language).most_words
    if not SHORTEST <= score.seconds <= LONGEST:
        limits = f"{minutes(SHORTEST)} to {minutes(LONGEST)}"
        problems.append(f"{minutes(score.seconds)} long; must be {limits}")
    for sentence, seconds, still in sentences(score):
        if words(sentence) > most_words:
            problems.append(f"{words(sentence)} words, at most {most_words}: {sentence}")
        if len(sentence) > MOST_LETTERS * seconds + 1e-6:
            problems.append(f"{len(sentence) / seconds:.0f} letters a second: {sentence}")
        if still - spoken_seconds(sentence) > MOST_SILENT:
            problems.append(f"{number_text(still)} s without a move or a word after: {sentence}")
        if "{" in sentence:
            problems.append(f"a number was not computed: {sentence}")
    return problems


def summary(score: Score, numbers: int) -> str:
    """What was measured, in a line; numbers: how many of its numbers were computed."""
    every = [sentence for sentence in sentences(score) if sentence[0]]
    longest = max(words(sentence) for sentence, _, _ in every)
    fastest = max(len(sentence) / seconds for sentence, seconds, _ in every)
    silent = max(0.0, max(still - spoken_seconds(sentence) for sentence, _, still in every))
    return (
        f"{minutes(score.seconds)}, {plural(len(every), 'sentence')} of at most {longest} words, "
        f"at most {fastest:.0f} letters a second, {plural(numbers, 'computed number')}, "
        f"at most {silent:.1f} s still and silent"
    )
