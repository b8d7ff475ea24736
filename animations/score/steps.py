"""The score of a storyboard: the story of an algorithm between its cards."""

from __future__ import annotations

from collections.abc import Sequence

from animations.score import sentences as say
from animations.score.pacing import spoken_seconds
from animations.score.score import Card, Passage, Score, Shot
from animations.score.story import story
from animations.story.storyboard import Storyboard

CARD = 3.5  # seconds of a card, at least


def score_of(board: Storyboard) -> Score:
    """Title card, problem, idea, each phase, result, and the price on the end card.

    A step is slow where it is the first of its kind, and what repeats is a time-lapse. Of a wrong
    schedule the last is the result, which shows what is wrong.
    """
    shots = [shot for beat in story(board) for shot in beat.shots()]
    passages = [_card(board, "title", say.opening(board)), Passage(board, tuple(shots))]
    if not board.wrong:
        texts = say.price(board) + say.wrong_choice(board) if board.frames else say.result(board)
        passages.append(_card(board, "end", texts))
    return Score(board.title, tuple(passages), board.say.language)


def _card(board: Storyboard, kind: str, texts: Sequence[str]) -> Passage:
    """A card that stands as long as its sentences take."""
    lasts = [spoken_seconds(text) for text in texts]
    least, name = max(1.0, CARD / sum(lasts)), board.say(f"chapters.{kind}")
    shots = [
        Shot(None, time * least, text, kind * (not i), name * (not i))
        for i, (text, time) in enumerate(zip(texts, lasts, strict=True))
    ]
    return Passage(Card(board, kind), tuple(shots))
