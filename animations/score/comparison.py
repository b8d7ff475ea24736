"""The score of a comparison: the question, the run on one clock, who is done when, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import floor, log10

from animations.score.pacing import spoken_seconds
from animations.score.score import Passage, Score, Shot
from animations.story.comparison import DrawnComparison

RUN = 12.0, 24.0  # seconds of film from the start until the last is done
STEP = 1.2  # of a step of the one that has most
SOONEST = 3.0  # seconds of film until the first is done, where that is possible
PACES = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)  # times a power of ten: of a second of film
LOOK, HOLD = 0.6, 2.5  # seconds after a sentence; of the last picture


@dataclass(frozen=True)
class ComparisonSpan:
    """Modeled time from `start` to `end`, in seconds.

    lines: in the foot. with_times: whether the times of all are there, also of those on their way.
    pace: modeled seconds in a second of film, 0 for a still.
    """

    start: float
    end: float
    lines: tuple[str, ...] = ()
    with_times: bool = False
    pace: float = 0.0


def pace_of(shown: DrawnComparison) -> float:
    """Modeled seconds in a second of film: a round number."""
    steps = max(each.steps for each in shown.contenders)
    run = min(max(RUN[0], STEP * steps), RUN[1])
    run = min(max(run, SOONEST * shown.seconds / shown.first.until), 2 * RUN[1])
    rough = shown.seconds / run
    power = 10.0 ** floor(log10(rough))
    return power * min(PACES, key=lambda part: abs(part * power - rough))


def score_of_comparison(shown: DrawnComparison) -> Score:
    """The film of a comparison."""
    passage = Passage(shown, tuple(_shots(shown, pace_of(shown))))
    return Score(shown.title, (passage,), shown.say.language)


def still_of_comparison(shown: DrawnComparison, at: float | None = None) -> Score:
    """One picture at a modeled time, by default when the first one is done: why, and the turn.

    Where one is never done, by default when nothing moves any more.
    """
    usual = shown.first.seconds if all(each.ends for each in shown.contenders) else shown.seconds
    now = usual if at is None else min(at, shown.seconds)
    lines = (" ".join(shown.reasons), " ".join(shown.turn))
    span = ComparisonSpan(now, now, tuple(filter(None, lines)), with_times=True)
    return Score(shown.title, (Passage(shown, (Shot(span, 0.0, ""),)),))


def _shots(shown: DrawnComparison, pace: float) -> Iterator[Shot]:
    section, chapter = "start", shown.title
    for sentence in (*shown.asked(), shown.say("comparison.lanes")):
        span = ComparisonSpan(0.0, 0.0, pace=pace)
        yield Shot(span, spoken_seconds(sentence) + LOOK, sentence, section, chapter)
        section = chapter = ""
    chapter = shown.say("comparison.chapter_run")
    now = 0.0
    for place, number in enumerate(shown.order):
        one = shown.contenders[number]
        if one.until > now:
            span, section = ComparisonSpan(now, one.until, pace=pace), f"{one.name} runs"
            yield Shot(span, (one.until - now) / pace, "", section, chapter, travels=True)
            now, chapter = one.until, ""
        for sentence in shown.finished(place):
            yield _said(now, (sentence,), pace)
    name, lines = "why", tuple[str, ...]()
    for sentence in (*shown.explanation, *shown.turn):
        lines = (*lines, sentence)[-2:]
        chapter = shown.say("comparison.chapter_why") if name else ""
        shot = _said(now, lines, pace, with_times=True)
        yield replace(shot, section=name, chapter=chapter)
        name = ""
    yield Shot(ComparisonSpan(now, now, lines, True, pace), HOLD, "")


def _said(now: float, lines: tuple[str, ...], pace: float, with_times: bool = False) -> Shot:
    """The clock stands while the last of these lines is said."""
    seconds = spoken_seconds(lines[-1]) + LOOK
    return Shot(ComparisonSpan(now, now, lines, with_times, pace), seconds, lines[-1])
