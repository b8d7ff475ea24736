"""The foot of a page: the long caption of a still, or the headline of a film with one line."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from animations.drawing.glyphs import fitted, line_within, size_for, text_width, wrapped
from animations.drawing.shapes import Box, TextLine, in_lines
from animations.drawing.sheet import Sheet
from animations.drawing.theme import Theme
from animations.score.score import Keyframe
from animations.score.state_sentences import own_key
from animations.story.storyboard import Storyboard
from collectives.words import capital

Foot = Callable[[Storyboard, Keyframe, Theme], list[TextLine]]
SMALLEST_CAPTION = 28.0  # pixels, of a caption of one line
LINE = 38  # pixels from one line of the caption to the next
WORD, BESIDE_LENS = 20.0, 165.0  # pixels of what words mean, and of their room beside a lens
SPOKEN = 36.0, 33.0, 30.0, 27.0, 24.0, 21.0, 18.0  # pixels of a sentence that is spoken
HEADLINE, BELOW, SMALLEST_BELOW = 40.0, 28.0, 22.0  # pixels of a headline, of the line below


def caption_text(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[TextLine]:
    """The caption in as many lines as there is room for, and below it what holds meanwhile."""
    foot = board.sheet.foot
    if foot is None:
        return []
    has_invariant = board.wrong is None or keyframe.step < len(board.frames)  # what holds meanwhile
    max_lines = max(1, int(foot.height / LINE) - has_invariant)
    caption, size = board.captions[keyframe.step], 30.0
    if max_lines == 1:
        size = size_for(caption, foot.width, 30, SMALLEST_CAPTION)
    texts = wrapped(caption, foot.width, size, max_lines)
    lines = [
        TextLine(text, foot.left, foot.top + 30 + LINE * row, size, theme.ink)
        for row, text in enumerate(texts)
    ]
    if text := board.invariant(keyframe.step):
        text, base = fitted(text, foot.width, 23), lines[-1].baseline + 36
        lines.append(TextLine(text, foot.left, base, 23, theme.faint))
    return lines


def headline_text(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[TextLine]:
    """What is happening in a few words, and one line below it; what is wrong stays a caption."""
    foot = board.sheet.foot
    if foot is None:
        return []
    if board.wrong and keyframe.step == len(board.frames):
        return caption_text(board, keyframe, theme)
    text = headline(board, keyframe)
    size = size_for(text, foot.width, HEADLINE, SMALLEST_BELOW, "bold")
    head = TextLine(text, foot.left, foot.top + 32, size, theme.ink, "bold")
    below, sizes = _below(board, keyframe, foot.width), (BELOW, SMALLEST_BELOW)
    return [head, line_within(foot.width, sizes, below, foot.left, foot.top + 74, theme.faint)]


def spoken_text(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[TextLine]:
    """The sentence that is spoken, in the middle of the foot; what is wrong stays a caption."""
    return sentence_text(board.sheet, keyframe.line, theme)


def sentence_text(sheet: Sheet, sentence: str, theme: Theme) -> list[TextLine]:
    """A sentence in the middle of the foot, as large as it has room for."""
    foot = sheet.foot
    if foot is None or not sentence:
        return []
    lines = {size: _lines(sentence, size, foot) for size in SPOKEN}
    single = [size for size in SPOKEN if lines[size] == 1 and size >= SMALLEST_CAPTION]
    several = [size for size in SPOKEN if 1.3 * size * lines[size] <= foot.height]
    size = (*single, *several, SPOKEN[-1])[0]
    texts = wrapped(sentence, foot.width, size, max(1, int(foot.height / (1.3 * size))))
    top = foot.y - 0.65 * size * len(texts) + size
    return [
        TextLine(text, foot.x, top + 1.3 * size * row, size, theme.ink, align="center")
        for row, text in enumerate(texts)
    ]


def _lines(text: str, size: float, foot: Box) -> int:
    """How many lines a text takes."""
    return len(in_lines(text, lambda line: text_width(line, size) <= foot.width))


def headline(board: Storyboard, keyframe: Keyframe) -> str:
    """What is happening, in at most eight words."""
    ahead = [phase for phase in board.phases if (phase.first, phase.end) == keyframe.ahead]
    if ahead and keyframe.named:
        return capital(ahead[0].name)
    if not keyframe.step and (board.frames or board.untold):
        return board.say("headline.start", ranks=board.say.plural(board.ranks, "rank"))
    if keyframe.landed and keyframe.step == len(board.frames) and not board.untold:
        steps = board.say.steps(board.steps, len(board.frames) - len(board.quiet))
        return board.say("headline.done", steps=steps)
    phase = board.phases[board.frames[keyframe.step - 1].phase]
    frame = board.frames[keyframe.step - 1]
    start, end = (board.frames[at - 1].counted if at else 0 for at in (phase.first, phase.end))
    number, total = frame.counted - start, end - start
    if board.untold and phase.end == len(board.frames):  # how long it was to be is not known
        return board.say("headline.next_step", number=keyframe.step)
    if all(parcel.is_local for parcel in frame.parcels):
        return board.say("headline.in_place")
    if len(board.phases) == 1:
        return board.say("headline.only_step", number=number, total=total)
    return board.say("headline.step", phase=capital(phase.name), number=number, total=total)


def _below(board: Storyboard, keyframe: Keyframe, width: float) -> str:
    """The keyframe's line, or the step's comment; words at the start, promises at ends."""
    if keyframe.line or not keyframe.step:
        words = " · ".join(glossary(board)) if board.frames else board.promise
        return keyframe.line or words
    frame = board.frames[keyframe.step - 1]
    ended = keyframe.landed and keyframe.step == len(board.frames)
    if ended and not board.untold:
        return board.ending
    if keyframe.landed and not ended and keyframe.step == board.phases[frame.phase].end:
        return board.invariant(keyframe.step)
    comment, remark = frame.comment, frame.parcels[frame.hero].remark.text
    fits = text_width(comment, SMALLEST_BELOW) <= width
    return capital(comment if fits else remark)


def explained(board: Storyboard, lens: Box, theme: Theme) -> list[TextLine]:
    """What words mean, right of an enlarged chunk or below it, where that hides no card."""
    words = glossary(board)
    rows = [text for word in words for text in (*wrapped(word, BESIDE_LENS, WORD, 3), "")][:-1]
    pitch, x = 1.3 * WORD, lens.right + 16
    beside = Box(x + BESIDE_LENS / 2, lens.y, BESIDE_LENS, pitch * len(rows))
    wide = max(text_width(word, WORD) for word in words)
    below = Box(lens.x, lens.bottom + 50 + pitch * len(words) / 2, wide, pitch * len(words))
    cards = [box for card in board.scenery.cards for box in card.boxes]
    for room, texts in ((beside, rows), (below, words)):
        if not any(map(room.overlaps, cards)):
            lefts = (room.x - text_width(text, WORD) / 2 for text in texts)
            return [
                TextLine(text, x if room is beside else left, room.top + y, WORD, theme.ink)
                for text, left, y in zip(texts, lefts, count(0.8 * pitch, pitch), strict=False)
            ]
    return []


def glossary(board: Storyboard) -> list[str]:
    """What a rank is, and what it sends, where that is known."""
    keys, labels = ["glossary.rank"], board.labels
    if labels.in_blocks:
        keys.append("glossary.block")
    elif labels.moves_data and board.promised and labels.chunk_count > 1:
        keys.append(own_key(board, "chunk") or "glossary.chunk")
    return [*map(board.say, keys)]
