"""The score of a storyboard, step by step: how long each takes, and its subtitle."""

from __future__ import annotations

from collections.abc import Iterator

from animations.score.score import Card, Keyframe, Passage, Score, Shot
from animations.story.storyboard import Storyboard

TITLE, START, PAUSE, RESULT, END = 3.5, 1.5, 0.4, 1.5, 4.0  # seconds
WORD, LONGEST_PAUSE = 0.4, 2.0  # seconds to read a word; of a pause for reading, at most
SLOW = 1.6, 0.4  # seconds that a step travels and rests


def score_of(board: Storyboard) -> Score:
    """Title card, start, each step, result, end card.

    A step is slow where a phase begins, and can be read where its comment is a new one. Of a
    wrong schedule the last is the result, which shows what is wrong.
    """
    promised = board.wrong.band if board.wrong else f"{board.title}: {board.promise}"
    passages = [_card(board, "title", TITLE, promised), Passage(board, tuple(_shots(board)))]
    if not board.wrong:
        passages.append(_card(board, "end", END, f"{board.ending}."))
    return Score(board.title, tuple(passages))


def _card(board: Storyboard, kind: str, seconds: float, said: str) -> Passage:
    return Passage(Card(board, kind), (Shot(None, seconds, said, kind),))


def _shots(board: Storyboard) -> Iterator[Shot]:
    """The shots of the steps, between the cards."""
    total, said = len(board.frames), set[str]()
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
    else:
        yield Shot(Keyframe(total), RESULT, f"{board.ending}.", "result")


def tempo(board: Storyboard, number: int) -> tuple[float, float]:
    """Seconds a step travels and rests: slowly for the first two of a phase, then faster."""
    phase = board.phases[board.frames[number - 1].phase]
    if number - phase.first <= 2:
        return SLOW
    if board.view == "matrix":
        return 0.25, 0.05
    travel = 1.6 if board.nodes <= 4 else 1.0 if board.nodes <= 8 else 0.7
    return travel, 0.4 if travel > 1 else 0.15
