"""The shots of a film in order: how long each takes, and its subtitle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from animations.story.storyboard import Storyboard

TITLE, START, PAUSE, RESULT, END = 3.5, 1.5, 0.4, 1.5, 4.0  # seconds
WORD, LONGEST_PAUSE = 0.4, 2.0  # seconds to read a word; of a pause for reading, at most
SLOW = 1.6, 0.4  # seconds that a step travels and rests


@dataclass(frozen=True)
class Keyframe:
    """A state of the picture: step `step` (0: the start) is under way, or has `landed`."""

    step: int
    landed: bool = True

    @property
    def done(self) -> int:
        """Steps whose result is drawn."""
        return self.step if self.landed else self.step - 1


@dataclass(frozen=True)
class Shot:
    """A keyframe held for some seconds; chunks travel meanwhile where `travels`.

    caption: the subtitle from here on. section: the name of the section that begins here, for
    steps and cards. card: "title" or "end" where a card covers the stage.
    """

    keyframe: Keyframe
    seconds: float
    caption: str
    section: str = ""
    travels: bool = False
    card: str = ""


def shots(board: Storyboard) -> Iterator[Shot]:
    """Title, start, each step, result, end card.

    A step is slow where a phase begins, and can be read where its comment is a new one. Of a
    wrong schedule the last is the result, which shows what is wrong.
    """
    total, said = len(board.frames), set[str]()
    promised = board.wrong.band if board.wrong else f"{board.title}: {board.promise}"
    yield Shot(Keyframe(0), TITLE, promised, "title", card="title")
    yield Shot(Keyframe(0), START, board.captions[0], "start")
    for number, frame in enumerate(board.frames, 1):
        new = frame.comment not in said
        said.add(frame.comment)
        travel, rest = SLOW if new else tempo(board, number)
        phase, caption = board.phases[frame.phase], board.captions[number]
        section = f"{phase.name} {number - phase.first}"
        under_way = Keyframe(number, landed=False)
        if number == phase.first + 1 or new:
            missing = WORD * len(frame.comment.split()) * new - travel - rest
            pause = min(max(PAUSE, missing), LONGEST_PAUSE)
            yield Shot(under_way, pause, caption, section)
            section = ""
        yield Shot(under_way, travel, caption, section, travels=True)
        yield Shot(Keyframe(number), rest, caption)
    if board.wrong:
        yield Shot(Keyframe(total), END, board.captions[-1], "result")
        return
    yield Shot(Keyframe(total), RESULT, f"{board.ending}.", "result")
    yield Shot(Keyframe(total), END, f"{board.ending}.", "end", card="end")


def tempo(board: Storyboard, number: int) -> tuple[float, float]:
    """Seconds a step travels and rests: slowly for the first two of a phase, then faster."""
    phase = board.phases[board.frames[number - 1].phase]
    if number - phase.first <= 2:
        return SLOW
    if board.view == "matrix":
        return 0.25, 0.05
    travel = 1.6 if board.nodes <= 4 else 1.0 if board.nodes <= 8 else 0.7
    return travel, 0.4 if travel > 1 else 0.15
