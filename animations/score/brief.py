"""The story of an algorithm in half a minute: title, a lap of each phase, result and price."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from animations.score import sentences as say
from animations.score.score import Keyframe, Play
from animations.score.story import (
    IDEA,
    LIMITS,
    STATES,
    TIMES,
    Beat,
    Look,
    lapse,
    still_beats,
)
from animations.story.storyboard import Storyboard
from animations.whys.why import Why

TITLE, REST = 2.0, 0.8  # seconds of the title, and after a sentence
WHY, COMES = "why ", 1.2  # the kind of a why; seconds in which each part of one comes
CardBeat = tuple[str, Beat]


def brief(board: Storyboard) -> Iterator[CardBeat]:
    """The beats, each with the kind of its card, or nothing; of a schedule that is right."""
    chapter = board.say("chapters.title")
    look = Look((0.0, 1.0), TITLE, 0.0, travels=True, section="title")
    yield "title", Beat("", (look,), chapter=chapter)
    idea = Keyframe(0, play=Play.AHEAD, ahead=(0, len(board.frames)))
    for beat in still_beats(say.fitting(board, board.textbook.idea)[:1], idea, optional=LIMITS):
        yield "", beat
    for number in range(len(board.phases)):
        yield from (("", beat) for beat in _lap(board, number))
    end = Keyframe(len(board.frames), play=Play.WAVE)
    for beat in still_beats(say.result(board)[:1], end, REST, "result"):
        yield "", replace(beat, chapter=board.say("chapters.result"))
    if board.whys:
        yield f"{WHY}0", _why(board.whys[0])
    yield from (("end", beat) for beat in _price(board))


def _lap(board: Storyboard, number: int) -> Iterator[Beat]:
    """All steps of a phase under one sentence, then what holds."""
    phase = board.phases[number]
    remarks = say.remarks(board.frames[phase.first].comment, ())
    texts = [text for remark in remarks for text in say.fitting(board, remark)]
    text = texts[0] if texts else say.phase_name(board, number)
    beat = lapse(board, range(phase.first, phase.end), text)
    yield replace(beat, chapter=board.say("chapters.phase", number=number + 1, name=phase.name))
    if phase.end < len(board.frames):
        wave = Keyframe(phase.end, play=Play.WAVE)
        holds = tuple(filter(None, [say.state(board, phase.end)]))
        yield from still_beats(holds, wave, REST, optional=IDEA)


def _why(why: Why) -> Beat:
    """A why under its last sentence."""
    items = range(1, why.items + 1)
    looks = tuple(Look((item, True), COMES, 1.0, travels=True) for item in items)
    first, *others = (*looks, Look((why.items, False), REST))
    looks = (replace(first, section="why"), *others)
    return Beat(why.sentences[-1], looks, STATES, chapter=why.heading)


def _price(board: Storyboard) -> Iterator[Beat]:
    """Steps and bytes on the end card, as one sentence each, the last of them needed."""
    texts = say.price(board)[:2]
    groups = (0, 1) if board.labels.moves_data else (0, 2)
    for place, (text, lit) in enumerate(zip(texts, groups, strict=True)):
        look = Look(lit, REST, 1.0, travels=True, section="end" * (not place))
        yield Beat(text, (look,), TIMES if place or len(texts) < 2 else IDEA)
