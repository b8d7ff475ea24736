"""The score of a comparison: the question, the run on one clock, who is done when, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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


def pace_of(drawn: DrawnComparison) -> float:
    """Modeled seconds in a second of film: a round number."""
    steps = max(entry.steps for entry in drawn.contenders)
    run = min(max(RUN[0], STEP * steps), RUN[1])
    run = min(max(run, SOONEST * drawn.seconds / drawn.first.until), 2 * RUN[1])
    rough = drawn.seconds / run
    power = 10.0 ** floor(log10(rough))
    return power * min(PACES, key=lambda part: abs(part * power - rough))


def score_of_comparison(drawn: DrawnComparison) -> Score:
    """The film of a comparison."""
    passage = Passage(drawn, tuple(_shots(drawn, pace_of(drawn))))
    return Score(drawn.title, (passage,), drawn.say.language)


def still_of_comparison(drawn: DrawnComparison, at: float | None = None) -> Score:
    """One picture at a modeled time, by default when the first one is done: why, and the turn.

    Where one is never done, by default when nothing moves any more.
    """
    usual = drawn.first.seconds if all(entry.ends for entry in drawn.contenders) else drawn.seconds
    now = usual if at is None else min(at, drawn.seconds)
    lines = (" ".join(drawn.reasons), " ".join(drawn.turn))
    span = ComparisonSpan(now, now, tuple(filter(None, lines)), with_times=True)
    return Score(drawn.title, (Passage(drawn, (Shot(span, 0.0, ""),)),))


def _shots(drawn: DrawnComparison, pace: float) -> Iterator[Shot]:
    """The question, the run, whose start says what lanes are, and the run again: why."""
    section, chapter = "start", drawn.title
    lanes = drawn.say("comparison.lanes")
    under = spoken_seconds(lanes) <= drawn.first.until / pace
    for sentence in (*drawn.asked(), *[lanes] * (not under)):
        span = ComparisonSpan(0.0, 0.0, (sentence,), pace=pace)
        yield Shot(span, spoken_seconds(sentence) + LOOK, sentence, section, chapter)
        section = chapter = ""
    chapter, spoken = drawn.say("comparison.chapter_run"), lanes * under
    now = 0.0
    for place, number in enumerate(drawn.order):
        entry = drawn.contenders[number]
        if entry.until > now:
            lasts = (entry.until - now) / pace
            idle = drawn.idle(entry) if place else ""
            spoken = spoken or idle * (spoken_seconds(idle) <= lasts)
            span = ComparisonSpan(now, entry.until, (spoken,) * bool(spoken), pace=pace)
            yield Shot(span, lasts, spoken, f"{entry.name} runs", chapter, travels=True)
            now, chapter, spoken = entry.until, "", ""
        for sentence in map(drawn.say.decimal, drawn.finished(place)):
            yield _spoken(now, (sentence,), pace)
    reasons = tuple(map(drawn.say.decimal, (*drawn.explanation, *drawn.turn)))
    yield from _again(reasons, now, drawn.say("comparison.chapter_why"))
    yield Shot(ComparisonSpan(now, now, reasons[-1:], True, pace), HOLD, "")


def _again(sentences: tuple[str, ...], end: float, chapter: str) -> Iterator[Shot]:
    """The whole run once more, as long as it takes to say these sentences."""
    seconds = [spoken_seconds(sentence) + LOOK for sentence in sentences]
    section, said = "why", 0.0
    for number, (sentence, lasts) in enumerate(zip(sentences, seconds, strict=True), 1):
        first, last = (end * part / sum(seconds) for part in (said, said + lasts))
        last = last if number < len(sentences) else end
        span = ComparisonSpan(first, last, (sentence,), with_times=True)
        yield Shot(span, lasts, sentence, section, chapter, travels=True)
        said, section, chapter = said + lasts, "", ""


def _spoken(now: float, lines: tuple[str, ...], pace: float) -> Shot:
    """The clock stands while the last of these lines is said."""
    seconds = spoken_seconds(lines[-1]) + LOOK
    return Shot(ComparisonSpan(now, now, lines, pace=pace), seconds, lines[-1])
