"""The score of a storyboard: the story of an algorithm between its cards, of a given length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from math import ceil

from animations.score import sentences as say
from animations.score.brief import BECOMES, BRIEFLY, NEED, PRICE, TITLE, WHY, brief
from animations.score.price import price_of
from animations.score.price_account import AT_LENGTH, SHORTEST, USUAL
from animations.score.score import (
    AWAY,
    BECOMES_STAGE,
    Keyframe,
    Passage,
    Score,
    TextCard,
    beside_whys,
    gives_way,
    with_sentence,
)
from animations.score.story import IDEA, LIMITS, NEEDED, TIMES, Beat, Look, marked, mended, story
from animations.story.compose import proved_storyboard
from animations.story.storyboard import Storyboard
from animations.story.untold import untold
from animations.story.wrong import with_steps
from animations.whys.cost_bars import BYTES, RIVAL, TURN, VERDICT
from animations.whys.ports import Strips
from animations.whys.why import Why
from collectives.errors import BadInput
from collectives.words import capital

CARD = 3.5  # seconds of a card, at least
FASTEST, SLOWEST = 0.35, 3.0  # tempos: of what is shown, beside the usual one
SLOWEST_BRIEF = 10.0  # the same of a brief story, which has little to show
NEAR = 0.5  # seconds by which a film may be longer than is asked
HALVINGS = 30  # of the range of tempos
FADES = 0.5  # seconds in which a stage gives way to a why, and it to the stage
ALONE = 2.2  # times slower, where one sentence tells it all
COMES, STANDS = 2.5, 0.7  # of a why: seconds that its parts take
CROSSES = 7.0  # the same of what crosses the busiest link of a tree of switches
LONG = 90.0  # seconds of a film before its price, from which that is told at length
CARDS = 0.23  # of a film: title and price at most, if a shorter price brings it about
MARKED, MENDED = "marked", "mended"  # stages of a wrong schedule: so marked, and as it is right
CardBeat = tuple[str, Beat]  # what a beat is spoken on: a kind of card, or of stage, or nothing


def score_of(
    board: Storyboard,
    seconds: float | None = None,
    steps: tuple[int, int] | None = None,
    whole: int = 0,
) -> Score:
    """Title card, problem, idea, each phase, result, why, and what it takes.

    A step is slow where it is the first of its kind, and what repeats is a time-lapse. A wrong
    schedule runs until its mistake is seen and named; only then is it marked as wrong. It has no
    price. seconds: how long the film should be, as near as its sentences allow: some are left
    out, and what moves is faster or slower; where that is not enough, the story is told briefly.
    steps: only the first to the last of these, without
    cards. whole: up to how many steps that repeat are shown one by one, without a time-lapse.
    Raises BadInput for seconds that are too few or too many, and for steps that there are not.
    """
    board = _readable(board)
    beats = _whole_story(board, whole) if steps is None else _some(board, *steps, whole)
    tempo, slowest = 1.0, SLOWEST
    if seconds is not None:
        if steps is None and not board.wrong and board.frames and not _fits(beats, seconds):
            beats, slowest = list(brief(board, silent=False)), SLOWEST_BRIEF
            if not _fits(beats, seconds):
                beats = list(brief(board, silent=True))
        beats, tempo = _fitted(beats, seconds, slowest)
    passages = []
    for kind, group in groupby(beats, key=lambda beat: beat[0]):
        shots = tuple(shot for _, beat in group for shot in beat.shots(tempo))
        if whole:  # a slide stays on its last picture
            shots = tuple(s for s in shots if s.moment != BECOMES_STAGE and not gives_way(s))
        shots = shots if board.sheet.cues else tuple(map(with_sentence, shots))
        passages.append(Passage(_shown(board, kind), shots))
    return Score(untold(board).title, tuple(beside_whys(passages)), board.say.language)


def _readable(board: Storyboard) -> Storyboard:
    """A storyboard whose title has no underscores, where a function's name is its title."""
    name = board.wrong.name if board.wrong else board.title
    if not name.isidentifier():
        return board
    collective = board.counted.asked.collective if board.counted else None
    if collective:
        name = name.replace(collective.name, collective.title)
    name = capital(name.replace("_", " ").strip())
    if board.wrong is None:
        return replace(board, title=name)
    wrong = replace(board.wrong, name=name)
    return replace(board, title=board.say("wrong.title", name=name), wrong=wrong)


def why_beats(why: Why, optional: int, first: int = 1, last: int | None = None) -> Iterator[Beat]:
    """Sentences of a why, each while its part of the picture comes; optional: see `Beat`."""
    for item, text in list(enumerate(why.sentences, 1))[first - 1 : last]:
        section, chapter = ("", "") if item > first else ("why", why.heading)
        looks = (
            Look((item, True), COMES, 1.0, travels=True, section=section),
            Look((item, False), STANDS),
        )
        yield Beat(text, looks, optional, chapter)


def _shown(board: Storyboard, kind: str) -> Storyboard | TextCard | Why:
    """What a passage shows: a card, a why, or the stage, which marks what is wrong at the end."""
    if kind.startswith(WHY):
        why = board.whys[int(kind.removeprefix(WHY).removesuffix(BRIEFLY))]
        return why.briefly() if kind.endswith(BRIEFLY) else why
    if kind.startswith(NEED):
        why = board.whys[0].asked()
        return why.briefly() if kind.endswith(BRIEFLY) else why
    if kind.startswith(PRICE):
        length = int(kind.removeprefix(PRICE))
        if price := price_of(board, length):
            return price.page.briefly() if length < SHORTEST else price.page
    if kind == MENDED and board.counted and board.wrong and board.wrong.mend:
        recording = with_steps(board.counted.asked, [*board.counted.asked.steps, board.wrong.mend])
        drawn = board.counted.topology, "", board.sheet, board.say.language
        title = board.say("wrong.mended", name=board.wrong.name)
        return replace(proved_storyboard(recording, *drawn), title=title)
    if kind == MARKED:
        return board
    return TextCard(untold(board)) if kind else untold(board)


def _whole_story(board: Storyboard, whole: int) -> list[CardBeat]:
    """Everything that is told."""
    board_untold = untold(board)
    texts = say.opening(board_untold) if board.frames else ("",)
    beats = [("title", beat) for beat in _title(board, texts)]
    beats += _with_need(board, [("", beat) for beat in story(board_untold, whole=whole)])
    follow = [(number, why) for number, why in enumerate(board.whys) if why.follows]
    next_one = follow[0][1].picture if follow else None
    if board.frames and not board.wrong and not isinstance(next_one, Strips):
        kind, last = beats[-1]
        down = Keyframe(len(board.frames), camera=((), AWAY), zooms=1.0)
        beats[-1] = kind, replace(last, looks=(*last.looks, Look(down, FADES, travels=True)))
    for place, (number, why) in enumerate(follow):
        level = NEEDED if board.wrong else IDEA if place else TIMES
        first = 1 if number else why.need + 1
        beats += [(f"{WHY}{number}", beat) for beat in why_beats(why, level, first)]
    if board.wrong:
        beats += [(MARKED, beat) for beat in marked(board)]
        return beats + [(MENDED, beat) for beat in mended(board) if board.wrong.mend]
    return beats + _price(board, beats)


def _price(board: Storyboard, before: Sequence[CardBeat]) -> list[CardBeat]:
    """What it takes: at the length at which title and price are a small part, else the shortest."""
    whole, title = _lasts(before, 1.0), _lasts([b for b in before if b[0] == "title"], 1.0)
    beats = list[CardBeat]()
    for length in range(AT_LENGTH if whole > LONG or board.trade.best else USUAL, SHORTEST - 1, -1):
        beats = [(f"{PRICE}{length}", beat) for beat in price_beats(board, length)]
        lasts = _lasts(beats, 1.0)
        if title + lasts <= CARDS * (whole + lasts):
            break
    return beats


def _with_need(board: Storyboard, beats: list[CardBeat]) -> list[CardBeat]:
    """The story, after whose first sentence comes what is wrong with the obvious way, if told.

    The stage gives way to it, and comes back.
    """
    why = board.whys[0] if board.whys and not board.wrong else None
    if why is None or not why.need or len(beats) < 2:
        return beats
    (_, problem), (_, then), *others = beats
    away, back = (Keyframe(0, camera=ends, zooms=1.0) for ends in (((), AWAY), (AWAY, ())))
    problem = replace(problem, looks=(*problem.looks, Look(away, FADES, travels=True)))
    first, *rest = then.looks
    comes = Look(back, FADES, travels=True, section=first.section)
    then = replace(then, looks=(comes, replace(first, section=""), *rest))
    need = [(NEED, beat) for beat in why_beats(why.asked(), TIMES, last=why.need)]
    if len(need) == 1:  # which is all that is seen of the obvious way
        kind, beat = need[0]
        looks = (replace(look, seconds=ALONE * look.seconds) for look in beat.looks)
        need = [(kind, replace(beat, looks=tuple(looks)))]
    return [("", problem), *need, ("", then), *others]


def price_beats(board: Storyboard, length: int) -> Iterator[Beat]:
    """The sentences of what it takes, of which those about rivals can be left out.

    length: see `price_of`.
    """
    if not (price := price_of(board, length)):
        return
    beats, merged = why_beats(price.page, NEEDED), list[Beat]()
    for kind, beat in zip(price.kinds, beats, strict=True):
        first, last = beat.looks
        if kind in (BYTES, RIVAL) and beat.said == merged[-1].said:  # one sentence with latencies
            looks = (*merged[-1].looks[:-1], first)
            halves = (replace(look, seconds=COMES / 2) for look in looks)
            merged[-1] = replace(merged[-1], looks=(*halves, last))
            continue
        if kind >= RIVAL:  # its number stands while it is said
            seconds = CROSSES if kind == TURN and price.crosses else COMES
            looks = replace(first, seconds=seconds, slack=0.0), replace(last, slack=1.0)
            beat = replace(beat, looks=looks[kind == VERDICT :])
        elif first.section:
            looks = replace(first, section="end"), last
            beat = replace(beat, looks=looks, chapter=board.say("chapters.end"))
        level = LIMITS if kind >= VERDICT else TIMES if kind == RIVAL else NEEDED
        merged.append(replace(beat, optional=level))
    yield from merged


def _title(board: Storyboard, texts: Sequence[str]) -> Iterator[Beat]:
    """The sentences of a title card, over which the schedule runs once; short if it has no step."""
    lasts = (CARD if board.frames else TITLE) / len(texts)
    for place, text in enumerate(texts):
        part = place / len(texts), (place + 1) / len(texts)
        look = Look(part, lasts, 1.0, travels=True, section="title" * (not place))
        goes = Look(BECOMES_STAGE, BECOMES, travels=True)
        ends = (replace(look, seconds=lasts - BECOMES), goes)
        looks = (look,) if place < len(texts) - 1 else ends
        yield Beat(text, looks, chapter=board.say("chapters.title") * (not place))


def _some(board: Storyboard, first: int, last: int, whole: int) -> list[CardBeat]:
    """The story of some steps, counted from 1."""
    total = len(board.frames)
    if not 1 <= first <= last <= total:
        option = f"--steps {first}-{last}"
        if not total:
            raise BadInput(f"{option}: there is no step; leave it out")
        low, high = sorted((min(max(first, 1), total), min(max(last, 1), total)))
        rule = f"must be within the steps 1 to {total}, in ascending order"
        raise BadInput(f"{option}: {rule}; try: {low}-{high}")
    beats = [("", beat) for beat in story(untold(board), first - 1, last, whole)]
    marks = marked(board) if board.wrong and last == total else ()
    return beats + [(MARKED, beat) for beat in marks]


def _fitted(beats: list[CardBeat], seconds: float, slowest: float) -> tuple[list[CardBeat], float]:
    """What is told in so many seconds, and at which tempo."""
    limit = int(_lasts(beats, slowest))
    if seconds > limit + 1:
        raise BadInput(f"--seconds {seconds:g}: this film takes {limit} s at most; try: {limit}")
    for level in range(LIMITS, NEEDED, -1):
        if _lasts(beats, 1.0) > seconds + NEAR:
            beats = list(_without(beats, level))
    shortest = _lasts(beats, FASTEST)
    if shortest > seconds + NEAR:
        near = ceil(shortest)
        raise BadInput(
            f"--seconds {seconds:g}: the sentences of this film take {near} s; try: {near}"
        )
    low, high = FASTEST, slowest
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _lasts(beats, middle) <= seconds else (low, middle)
    return beats, low


def _fits(beats: Sequence[CardBeat], seconds: float) -> bool:
    """Whether what is needed of beats can be told in so many seconds."""
    kept = list(beats)
    for level in range(LIMITS, NEEDED, -1):
        kept = list(_without(kept, level))
    return _lasts(kept, FASTEST) <= seconds + NEAR


def _lasts(beats: Sequence[CardBeat], tempo: float) -> float:
    return sum(beat.lasts(tempo) for _, beat in beats)


def _flies(look: Look) -> bool:
    """Whether data travels in it."""
    return look.travels and isinstance(look.moment, Keyframe) and not look.moment.landed


def _without(beats: Sequence[CardBeat], level: int) -> Iterator[CardBeat]:
    """What is told without the sentences of a level; what moves there is still shown.

    A chapter that such a sentence opens is opened by the next one, unless it is that of a why.
    """
    sentence, chapter, section = "", "", ""
    for (kind, beat), (_, following) in pairwise([*beats, *beats[-1:]]):
        first = beat.looks[0]
        if beat.optional == level and (kind or not any(map(_flies, beat.looks))):
            if not kind.startswith((NEED, WHY)):
                chapter, section = chapter or beat.chapter, section or first.section
            continue
        if beat.optional == level and beat.less:
            spoken = beat.less not in (sentence, following.said)
            beat = replace(beat, said=beat.less, spoken=spoken)
        elif beat.optional == level or not beat.spoken:
            beat = replace(beat, said=sentence, spoken=False)
        if section or chapter:
            look = replace(first, section=first.section or section)
            looks = (look, *beat.looks[1:])
            beat = replace(beat, looks=looks, chapter=beat.chapter or chapter)
        sentence, chapter, section = beat.said, "", ""
        yield kind, beat
