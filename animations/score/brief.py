"""The story of an algorithm in half a minute: title, a lap of each phase, result and price."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from animations.score import run_sentences as of_run
from animations.score import sentences as say
from animations.score import state_sentences as of_state
from animations.score import story
from animations.score.price import Price, price_of
from animations.score.price_account import BRIEF, OBVIOUS
from animations.score.score import BECOMES_STAGE, Keyframe, Play
from animations.story.storyboard import Storyboard
from animations.whys.cost_bars import RIVAL
from animations.whys.why import Why

TITLE, LAP, REST = 1.4, 5.5, 0.8  # seconds of the title, of a lap, and after a sentence
BECOMES = 1.1  # seconds in which the cards of a title go to where the stage has them
SLOW, STANDS, SLACK = 2.0, 0.3, 6.0  # seconds of a slow step, and where it landed; its slack
QUICKER = 0.5  # times as long as a time-lapse elsewhere a lap is, at least
NEED, WHY, PRICE = "need", "why ", "price"  # kinds of whys
COMES = 1.2  # seconds in which a part of one comes
BRIEFLY = " briefly"  # of a why under one sentence
CardBeat = tuple[str, story.Beat]


def brief(board: Storyboard, silent: bool) -> Iterator[CardBeat]:
    """The beats, each with the kind of its card, or nothing; of a schedule that is right.

    silent: whether nothing is said over the title.
    """
    look = story.Look((0.0, 1.0), TITLE, 1.0, travels=True, section="title")
    becomes = story.Look(BECOMES_STAGE, BECOMES, travels=True)
    needed = "" if silent else of_state.fitting(board, board.need or board.promise)[-1]
    yield "title", story.Beat(needed, (look, becomes), chapter=board.say("chapters.title"))
    fails = bool(board.whys and board.whys[0].need and board.whys[0].brief) and not silent
    if fails:
        yield f"{NEED}{BRIEFLY}", _why(board.whys[0].asked(), story.NEEDED)
    idea = Keyframe(0, play=Play.AHEAD, ahead=(0, len(board.frames)))
    ideas = of_state.fitting(board, board.textbook.idea)[:1]
    beats = story.still_beats(ideas, idea, optional=story.LIMITS)
    for number in range(len(board.phases)):
        beats += _lap(board, number, story.NEEDED if fails else story.TIMES)
    end = Keyframe(len(board.frames), play=Play.WAVE)
    level = story.NEEDED if silent and not any(why.brief for why in board.whys) else story.STATES
    chapter = board.say("chapters.result")
    beats += story.still_beats(say.result(board)[:1], end, REST, "result", level, chapter)
    yield from (("", beat) for beat in beats)
    follow = [pair for pair in enumerate(board.whys) if pair[1].follows]
    for place, (number, why) in enumerate(follow):
        if why.brief or not place:
            yield f"{WHY}{number}{BRIEFLY}", _why(why, story.LIMITS if place else story.NEEDED)
    length = OBVIOUS if fails else BRIEF
    if price := price_of(board, length):
        yield f"{PRICE}{length}", _price(price)


def _lap(board: Storyboard, number: int, optional: int) -> Iterator[story.Beat]:
    """A phase: its first step slowly, the others quickly; slowly the last that finishes data."""
    phase = board.phases[number]
    remarks = of_state.remarks(board.frames[phase.first].comment, ())
    texts = [text for remark in remarks for text in of_state.fitting(board, remark)]
    text = of_state.copied(board, number) or (texts[0] if texts else say.phase_name(board, number))
    chapter = board.say("chapters.phase", number=number + 1, name=phase.name)
    steps = range(phase.first, phase.end)
    before, holds = (of_state.state(board, step) for step in (phase.first, phase.end))
    holds = holds if before != holds and phase.end < len(board.frames) else ""
    slow = int(len(steps) > 3)  # of few none is
    looks, quick, last = tuple(_slowly(board, steps[:slow], text)), steps[slow:], steps[-1:]
    if parted := bool(slow and holds):
        yield story.Beat(text, looks, chapter=chapter)
        text, looks, chapter = of_run.until(board, len(quick), holds), (), ""
        quick = quick[:-1]  # with the last one something is finished
    wave = Keyframe(phase.end, play=Play.WAVE)
    ends = (*_slowly(board, last, text), story.Look(wave, REST, travels=True)) if parted else ()
    beat = story.lapse(board, quick, text, named=True)
    rest = LAP - sum(look.seconds for look in (*looks, *ends))
    slower = max(QUICKER, rest / sum(look.seconds for look in beat.looks))
    looks += tuple(replace(look, seconds=slower * look.seconds) for look in beat.looks)
    yield story.Beat(text, looks + ends, chapter=chapter)
    if holds and not parted:
        yield from story.still_beats((holds,), wave, REST, optional=optional)


def _slowly(board: Storyboard, steps: range, text: str) -> Iterator[story.Look]:
    """Steps one by one, in which what is followed has its name."""
    for index in steps:
        phase = board.phases[board.frames[index].phase]
        landed, section = Keyframe(index + 1, line=text), f"{phase.name} {index + 1 - phase.first}"
        way = replace(landed, landed=False, named=True)
        yield story.Look(way, SLOW, SLACK, travels=True, section=section)
        yield story.Look(landed, STANDS)


def _why(why: Why, optional: int) -> story.Beat:
    """A why under one sentence; optional: see `Beat`."""
    last = why.need if why.asks == why.heading else why.items
    looks = _looks(range(1, last + 1), "why")
    return story.Beat(why.briefly().sentences[0], looks, optional, why.heading)


def _price(price: Price) -> story.Beat:
    """Both times, of the algorithm and of a rival; with none beside it, latencies and bytes."""
    has_rival = RIVAL in price.kinds
    last = sum(kind < RIVAL for kind in price.kinds) + has_rival
    looks = _looks(range(last if has_rival else 1, last + 1), "end")
    return story.Beat(price.page.brief, looks, story.NEEDED if has_rival else story.SECONDS)


def _looks(items: range, section: str) -> tuple[story.Look, ...]:
    """Parts of a picture that come one after another, and then stand."""
    looks = [story.Look((at, True), COMES, 1.0, True, section * (at == items[0])) for at in items]
    return (*looks, story.Look((items[-1], False), REST))
