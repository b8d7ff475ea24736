"""What films are measured by: motion, letters, cards and words, a line for each of the list."""

from collections.abc import Iterator

from animations.course.lecture import lectures
from animations.course.lecture_file import lecture_score
from animations.drawing.sheet import FILM
from animations.score.steps import score_of
from animations.story.usual import usual_board
from collectives import record
from tests.animations.filmed import PART, STANDING, Measured, measured
from tests.benchmarks.measure import line

GOALS = f">= 50 %, 0 below 1/{PART}, <= 23 %, <= 150"


def standing_list() -> Iterator[str]:
    """Of each film: the share of time in which something moves, how many letters are small, the
    share of its cards, words a minute, seconds."""
    for collective, algorithm, ranks, parameters in STANDING:
        recording = record(collective, algorithm, ranks=ranks, parameters=parameters or None)
        found = measured(score_of(usual_board(recording, sheet=FILM)))
        yield _line(f"film of {recording.title}, {ranks} ranks", found)
    for name, lecture in lectures().items():
        yield _line(f"lecture {lecture.number}, {name}", measured(lecture_score(name)))


def _line(what: str, found: Measured) -> str:
    """What a film is measured by."""
    how = f"{len(found.small)} of {len(found.letters)} texts small"
    shares = f"{found.motion:.0%} moves, {how}, cards {found.cards:.0%}"
    words = f"{found.words_a_minute:.0f} words/min, {found.seconds:.0f} s"
    return line(what, shares, GOALS, words)
