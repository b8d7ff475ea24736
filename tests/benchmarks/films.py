"""What films are measured by: motion, letters, cards and words, a line for each of the list."""

from collections.abc import Iterator

from animations.drawing.sheet import FILM
from animations.score.steps import score_of
from animations.story.usual import usual_board
from collectives import record
from tests.animations.filmed import PART, STANDING, measured
from tests.benchmarks.measure import line

GOALS = f">= 50 %, 0 below 1/{PART}, <= 25 %, <= 150"


def standing_list() -> Iterator[str]:
    """Of each film: the share of time in which something moves, how many letters are small, the
    share of its cards, words a minute, seconds."""
    for collective, algorithm, ranks, parameters in STANDING:
        recording = record(collective, algorithm, ranks=ranks, parameters=parameters or None)
        found = measured(score_of(usual_board(recording, sheet=FILM)))
        what = f"film of {recording.title}, {ranks} ranks"
        how = f"{len(found.small)} of {len(found.letters)} texts small"
        shares = f"{found.motion:.0%} moves, {how}, cards {found.cards:.0%}"
        yield line(
            what, shares, GOALS, f"{found.words_a_minute:.0f} words/min, {found.seconds:.0f} s"
        )
