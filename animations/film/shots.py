"""The script of a film: its shots in order, how long each takes, and what is said meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from animations.film import panels
from animations.film.sheet import Moment
from animations.story.storyboard import Storyboard

TITLE, START, PAUSE, RESULT, END = 3.5, 1.5, 0.4, 1.5, 4.0  # seconds


@dataclass(frozen=True)
class Shot:
    """A moment held for some seconds; chunks travel meanwhile where `travels`.

    caption: the subtitle from here on. section: the name of the section that begins here, for
    steps and cards. card: "title" or "end" where a card covers the stage.
    """

    moment: Moment
    seconds: float
    caption: str
    section: str = ""
    travels: bool = False
    card: str = ""


def shots(board: Storyboard) -> Iterator[Shot]:
    """Title, start, each step (slowly where a phase begins), result, end card."""
    total = len(board.frames)
    yield Shot(Moment(0), TITLE, f"{board.title}: {board.promise}", "title", card="title")
    yield Shot(Moment(0), START, panels.caption(board, Moment(0)), "start")
    for number, frame in enumerate(board.frames, 1):
        travel, rest = tempo(board, number)
        phase = board.phases[frame.phase]
        caption = panels.caption(board, Moment(number))
        section = f"{phase.name} {number - phase.first}"
        under_way = Moment(number, landed=False)
        if number == phase.first + 1:
            yield Shot(under_way, PAUSE, caption, section)
            section = ""
        yield Shot(under_way, travel, caption, section, travels=True)
        yield Shot(Moment(number), rest, caption)
    yield Shot(Moment(total), RESULT, f"{board.ending}.", "result")
    yield Shot(Moment(total), END, f"{board.ending}.", "end", card="end")


def length(board: Storyboard) -> float:
    """Seconds of the whole film."""
    return sum(shot.seconds for shot in shots(board))


def tempo(board: Storyboard, number: int) -> tuple[float, float]:
    """Seconds a step travels and rests: slowly for the first two of a phase, then faster."""
    phase = board.phases[board.frames[number - 1].phase]
    if number - phase.first <= 2:
        return 1.6, 0.4
    if board.view == "matrix":
        return 0.25, 0.05
    travel = 1.6 if board.nodes <= 4 else 1.0 if board.nodes <= 8 else 0.7
    return travel, 0.4 if travel > 1 else 0.15
