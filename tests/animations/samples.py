"""Which algorithms on how many ranks pictures are tested with: SOME_ROWS, not all on all."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any
from zlib import crc32

from settings import SOME_ROWS, THOROUGH
from spread import SAMPLE, spread

from animations.drawing.theme import DARK, LIGHT
from animations.score.score import Passage, Score
from animations.story.compose import proved_storyboard
from animations.story.storyboard import Storyboard
from collectives import ROWS, Row, record

ON_EVERY_NUMBER = {"ring all-reduce", "tree broadcast", "flat all-to-all"}


def sample(row: Row, sizes: Iterable[int], most: int = 2) -> list[int]:
    """Numbers of ranks for a row: all it accepts for some algorithms, else a few of them.

    Which these are differs from row to row, so that together all numbers are tested.
    """
    accepted = [ranks for ranks in sizes if row.accepts(ranks)]
    if row.title in ON_EVERY_NUMBER or len(accepted) <= most:
        return accepted
    first = crc32(row.title.encode()) % len(accepted)
    picked = {(first + i * len(accepted) // most) % len(accepted) for i in range(most)}
    return [accepted[i] for i in sorted(picked)]


def pairs(sizes: Iterable[int], most: int = 2) -> list[tuple[Row, int]]:
    """Rows, each with the numbers of ranks it is tested on."""
    sizes = list(sizes)
    return [(row, ranks) for row in SOME_ROWS for ranks in sample(row, sizes, most)]


def kinds() -> tuple[Row, ...]:
    """One row of every kind of picture, and of every collective: for what is slow to test.

    Pictures differ in how the nodes are placed, in what a cell shows and is called, in lanes of
    cells, in switches, in scratch slots and in moves in place.
    """
    return tuple(_kinds())


def few(rows: Iterable[Row], test: str = "") -> list[Row]:
    """Of these rows of `kinds` as many as have everything in which pictures differ.

    Each way to place nodes is in one at least; by `make thorough` all rows. With the name of a
    test, `make test` tries five of them, other ones by each test.
    """
    every, known, found = list(rows), set(), []
    for row in every:
        traits = set(enumerate(_kinds().get(row, ())))
        if THOROUGH or not traits <= known:
            known |= traits
            found.append(row)
    return spread(test, found, 5) if SAMPLE and test else found


@cache
def _kinds() -> dict[Row, tuple[object, ...]]:
    """The rows of `kinds`, each with what sets its picture apart."""
    known: set[object] = set()
    found = {}
    for row in ROWS:
        recording = record(
            row.collective, row.algorithm, ranks=next(filter(row.accepts, range(8, 33)))
        )
        board = proved_storyboard(recording)
        kind = (
            board.scenery.family,
            board.view.name,
            board.labels.in_blocks,
            board.nodes > board.ranks,
            recording.collective.exactly_once,
        )
        if not {kind, row.collective} <= known:
            known |= {kind, row.collective}
            found[row] = kind
    return found


def rows_on(ranks: int, every: bool = False) -> list[Row]:
    """One row of every kind that accepts so many ranks; all rows if `every`, by `make thorough`."""
    return [row for row in (ROWS if every and THOROUGH else kinds()) if row.accepts(ranks)]


def in_themes(cases: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Each case with a theme at its end: dark and light in turn; by `make thorough` with both."""
    themes = (DARK, LIGHT)
    return [
        (*case, theme)
        for number, case in enumerate(cases)
        for theme in (themes if THOROUGH else themes[number % 2 :][:1])
    ]


def length(board: Storyboard) -> float:
    """Seconds of a whole film."""
    from animations.score.steps import score_of

    return score_of(board).seconds


def steps_of(board: Storyboard) -> Passage:
    """The passage of a film in which the steps are shown, wherever it stands."""
    from animations.score.steps import score_of

    return max(score_of(board).passages, key=lambda passage: len(passage.shots))


def frames_of(score: Score, rate: int) -> int:
    """How many frames a film has, from its seconds as exact fractions."""
    seconds = [Fraction(shot.seconds).limit_denominator(10**6) for _, shot in score]
    return round(rate * sum(seconds))


def quick(board: Storyboard, pace: float = 3) -> Score:
    """The score of a storyboard at three times its pace, for tests that render it."""
    from animations.score.steps import score_of

    score = score_of(board)
    return replace(
        score,
        passages=tuple(
            replace(p, shots=tuple(replace(s, seconds=s.seconds / pace) for s in p.shots))
            for p in score.passages
        ),
    )


def brief(board: Storyboard) -> Score:
    """The score of a storyboard at twelve times its pace: some frames for each sentence."""
    return quick(board, 12)


def title(value: object) -> str | None:
    """The id of a row in the name of a test."""
    return value.title.replace(" ", "-") if isinstance(value, Row) else None


def case_title(case: tuple[Row, int]) -> str:
    """A row and a number of ranks, for `each`."""
    return f"{case[0].title} on {case[1]}"


def of_count(row: Row, count: int) -> dict[str, int]:
    """The argument for vectors of so many elements; a barrier has none."""
    return {} if row.collective == "barrier" else {"count": count}
