"""The score of a storyboard: the story of an algorithm between its cards, of a given length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import ceil

from animations.score import sentences as say
from animations.score.brief import WHY, brief
from animations.score.score import VERDICT, Keyframe, Passage, Score, Shot, TextCard, untitled
from animations.score.story import IDEA, LIMITS, NEEDED, TIMES, Beat, Look, marked, story
from animations.story.storyboard import Storyboard
from animations.story.untold import untold
from animations.whys.why import Why
from collectives.errors import BadInput

CARD = 3.5  # seconds of a card, at least
CARDS, MOST_OF_CARDS = ("title", "end"), 0.25  # their kinds, and their part of a film, at most
FASTEST, SLOWEST = 0.35, 3.0  # tempos: of what is shown, beside the usual one
SLOWEST_BRIEF = 10.0  # the same of a brief story, which has little to show
NEAR = 0.5  # seconds by which a film may be longer than is asked
HALVINGS = 30  # of the range of tempos
COMES, STANDS = 2.5, 0.7  # of a why: seconds that its parts take
MARKED = "marked"  # the stage of a wrong schedule that is marked as wrong
CardBeat = tuple[str, Beat]  # the kind of card on which a beat is spoken, MARKED, or nothing


def score_of(
    board: Storyboard,
    seconds: float | None = None,
    steps: tuple[int, int] | None = None,
    whole: int = 0,
) -> Score:
    """Title card, problem, idea, each phase, result, and the price on the end card.

    A step is slow where it is the first of its kind, and what repeats is a time-lapse. A wrong
    schedule runs until its mistake is seen and named; only then is it marked as wrong. It has no
    price. seconds: how long the film should be, as near as its sentences allow: some are left
    out, and what moves is faster or slower; where that is not enough, the story is told briefly.
    steps: only the first to the last of these, without
    cards. whole: up to how many steps that repeat are shown one by one, without a time-lapse.
    Raises BadInput for seconds that are too few or too many, and for steps that there are not.
    """
    beats = _whole_story(board, whole) if steps is None else _some(board, *steps, whole)
    tempo, slowest = 1.0, SLOWEST
    if seconds is not None:
        if steps is None and not board.wrong and board.frames and not _fits(beats, seconds):
            beats, slowest = list(brief(board)), SLOWEST_BRIEF
        beats, tempo = _fitted(beats, seconds, slowest)
    passages = []
    for kind, group in groupby(beats, key=lambda beat: beat[0]):
        shots = tuple(shot for _, beat in group for shot in beat.shots(tempo))
        shots = shots if board.sheet.cues else tuple(map(_with_sentence, shots))
        shots = shots if steps is None else tuple(map(untitled, shots))
        passages.append(Passage(_shown(board, kind), shots))
    return Score(untold(board).title, tuple(passages), board.say.language)


def _with_sentence(shot: Shot) -> Shot:
    """A shot whose picture has its sentence below the stage."""
    if not isinstance(shot.moment, Keyframe):
        return shot
    return replace(shot, moment=replace(shot.moment, line=shot.said))


def why_beats(why: Why, optional: int) -> Iterator[Beat]:
    """The sentences of a why, each while its part of the picture comes; optional: see `Beat`."""
    for item, text in enumerate(why.sentences, 1):
        section, chapter = ("", "") if item > 1 else ("why", why.heading)
        looks = (
            Look((item, True), COMES, 1.0, travels=True, section=section),
            Look((item, False), STANDS),
        )
        yield Beat(text, looks, optional, chapter)


def _shown(board: Storyboard, kind: str) -> Storyboard | TextCard | Why:
    """What a passage shows: a card, a why, or the stage, which marks what is wrong at the end."""
    if kind.startswith(WHY):
        return board.whys[int(kind.removeprefix(WHY))]
    if kind == MARKED:
        return board
    return TextCard(untold(board), kind) if kind else untold(board)


def _whole_story(board: Storyboard, whole: int) -> list[CardBeat]:
    """Everything that is told."""
    board_untold = untold(board)
    beats = [("title", beat) for beat in _title(board, say.opening(board_untold))]
    beats += [("", beat) for beat in story(board_untold, whole=whole)]
    if board.wrong:
        return beats + [(MARKED, beat) for beat in marked(board)]
    for number, why in enumerate(board.whys):
        level = IDEA if number else TIMES
        beats += [(f"{WHY}{number}", beat) for beat in why_beats(why, level)]
    texts = say.price(board) if board.frames else say.result(board)
    limits = say.verdict(board)
    levels = [NEEDED, NEEDED, TIMES][: len(texts)] + [LIMITS] * len(limits)
    groups = [0, 1, 2] if board.labels.moves_data else [0, 2]
    for number, beat in enumerate(_card(board, "end", texts + limits)):
        lit = groups[number] if board.frames and number < len(texts) else VERDICT
        look = replace(beat.looks[0], moment=lit, travels=lit != VERDICT)
        beats.append(("end", replace(beat, looks=(look,), optional=levels[number])))
    return _with_short_cards(board, beats)


def _with_short_cards(board: Storyboard, beats: list[CardBeat]) -> list[CardBeat]:
    """The beats with less of the end card, where cards last too long.

    First its last sentences about other algorithms go; then the prices become one sentence; then
    the first about another algorithm goes, too.
    """
    kept = list(beats)
    while _too_long(kept) and kept[-1][1].optional == kept[-2][1].optional == LIMITS:
        kept.pop()
    if _too_long(kept):
        kept = _one_price(board, kept)
    if _too_long(kept) and kept[-1][1].optional == LIMITS:
        kept.pop()
    return kept


def _too_long(beats: list[CardBeat]) -> bool:
    """Whether cards take more than their part of a film."""
    cards = [beat for beat in beats if beat[0] in CARDS]
    return len(beats) > 1 and _lasts(cards, 1.0) > MOST_OF_CARDS * _lasts(beats, 1.0)


def _one_price(board: Storyboard, beats: list[CardBeat]) -> list[CardBeat]:
    """The beats with all prices of the end card in a single sentence, under which they come."""
    prices = [beat for kind, beat in beats if kind == "end" and beat.optional < LIMITS]
    if len(prices) < 2 or not board.labels.moves_data:
        return beats
    looks = tuple(replace(beat.looks[0], seconds=0.0) for beat in prices)
    whole = Beat(say.short_price(board), looks, chapter=prices[0].chapter)
    place = next(number for number, (kind, _) in enumerate(beats) if kind == "end")
    return [*beats[:place], ("end", whole), *beats[place + len(prices) :]]


def _title(board: Storyboard, texts: Sequence[str]) -> Iterator[Beat]:
    """The sentences of a title card, over which the schedule runs once."""
    for place, beat in enumerate(_card(board, "title", texts)):
        part = place / len(texts), (place + 1) / len(texts)
        yield replace(beat, looks=(replace(beat.looks[0], moment=part, travels=True),))


def _card(board: Storyboard, kind: str, texts: Sequence[str]) -> list[Beat]:
    """The sentences of a card; all of them take at least as long as it has to stand."""
    shortest = CARD / max(1, len(texts))
    looks = [Look(None, shortest, 1.0, section=kind * (not i)) for i in range(len(texts))]
    pairs = zip(texts, looks, strict=True)
    name = board.say(f"chapters.{kind}")
    return [Beat(text, (look,), chapter=name * bool(look.section)) for text, look in pairs]


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

    A chapter that such a sentence opens is opened by the next one.
    """
    sentence, chapter, section = "", "", ""
    for kind, beat in beats:
        first = beat.looks[0]
        if beat.optional == level and (kind or not any(map(_flies, beat.looks))):
            chapter, section = chapter or beat.chapter, section or first.section
            continue
        if beat.optional == level or not beat.spoken:
            beat = replace(beat, said=sentence, spoken=False)
        if section or chapter:
            look = replace(first, section=first.section or section)
            looks = (look, *beat.looks[1:])
            beat = replace(beat, looks=looks, chapter=beat.chapter or chapter)
        sentence, chapter, section = beat.said, "", ""
        yield kind, beat
