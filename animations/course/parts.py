"""Films as parts of lectures: algorithms, right ones and wrong ones, clocks, training schemes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from animations.course.examples import TROUBLES, recording_of, timed
from animations.course.readings import LECTURE_READINGS
from animations.score.clock import clock_score
from animations.score.comparison import score_of_comparison
from animations.score.score import Passage, Score, TextCard
from animations.score.steps import score_of
from animations.score.training import training_score
from animations.story.comparison import compared
from animations.story.storyboard import proved_storyboard
from animations.story.training import training_story
from animations.story.usual import usual_board
from collectives.cost.by_name import setup_on
from collectives.cost.choose.setup import resized
from collectives.evidence.claims import evaluate
from collectives.training.pairs import training_pair

Table = Mapping[str, Any]


def algorithm(table: Table, language: str) -> Iterator[Passage]:
    """The film of an algorithm, of the catalog or a function of `examples`, without its cards."""
    board = usual_board(recording_of(table), stage=table.get("stage", ""), language=language)
    yield from _without_cards(score_of(board, table.get("seconds")))


def clock(table: Table, language: str) -> Iterator[Passage]:
    """The film of an algorithm on a machine with trouble, in modeled time."""
    size = _size(table)
    timing = timed(table, size)
    clean = timed({key: table[key] for key in table if key not in TROUBLES}, size)
    recording, machine = timing.recording, timing.topology
    board = proved_storyboard(recording, machine, language=language, time=lambda _: (timing,))
    yield from _without_cards(clock_score(board, timing, clean))


def compare(table: Table, language: str) -> Iterator[Passage]:
    """The film of algorithms of a collective, on one clock."""
    size, setup = _size(table), setup_on(table["machine"], table.get("clock", "dataflow"))
    found = [recording_of({**table, "algorithm": name}) for name in table["algorithms"]]
    recordings = [resized(recording, size) for recording in found]
    yield from score_of_comparison(compared(recordings, setup, size, language)).passages


def training(table: Table, language: str) -> Iterator[Passage]:
    """The film of a training scheme."""
    story = training_story(training_pair(table["scheme"]), language)
    yield from training_score(story).passages


def _size(table: Table) -> int:
    """The bytes of the vector, an expression."""
    return round(evaluate(table["size"], LECTURE_READINGS))


def _without_cards(score: Score) -> Iterator[Passage]:
    yield from (each for each in score.passages if not isinstance(each.shown, TextCard))
