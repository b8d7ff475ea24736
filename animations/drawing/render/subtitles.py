"""Subtitles: sentences as cues that can be read in their time, in SubRip and WebVTT.

Cues stand where players put them by themselves, at the bottom, where films leave room for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from animations.phrases import breakable, speech, wide_letters

LETTERS, LINES = 42, 2  # of a line; of a cue
SPEED = 20.0  # letters a second, at most
SHORTEST = 1.0  # seconds of a cue
ENDS = (",", ";", ":", ".", "—", "?", "!", "，", "；", "：", "。", "？", "！")  # of phrases
STARTS = re.compile(speech("starts"))  # of phrases
NUMBER = re.compile(r".*\d,")  # of several
AT_END, BEFORE_START, WITHIN = 0, 8, 24  # what a break costs, in letters of an uneven split
Spoken = tuple[float, float, str]  # start and end in seconds, and the sentence


@dataclass(frozen=True)
class Cue:
    """Lines of text from `start` to `end`, in seconds."""

    start: float
    end: float
    lines: tuple[str, ...]


def least_seconds(sentence: str) -> float:
    """The seconds for which a sentence must be shown so that it can be read.

    >>> least_seconds("Every rank sends one chunk to its right neighbor.")
    2.45
    """
    return sum(map(_weight, pieces(sentence))) / SPEED


def cues(spoken: Sequence[Spoken], end: float) -> list[Cue]:
    """Sentences as cues; one that is too fast lasts into the silence after it, up to `end`."""
    cues = []
    texts = [cue for cue in spoken if cue[2]]
    for number, (first, last, text) in enumerate(texts):
        following = texts[number + 1][0] if number + 1 < len(texts) else end
        last = max(last, min(following, first + least_seconds(text)))
        parts = pieces(text)
        weights = [_weight(part) for part in parts]
        pace, start = (last - first) / sum(weights), first
        for part, weight in zip(parts, weights, strict=True):
            cues.append(Cue(start, start + pace * weight, _lines(part)))
            start += pace * weight
    return cues


def _weight(piece: str) -> float:
    """Letters that take as long to read as a piece is shown."""
    return max(_length(piece), SHORTEST * SPEED)


def _length(text: str) -> float:
    """Letters of a text; a sign that takes longer to read counts as several."""
    more = sum(
        len(wide.letters.findall(text)) * (SPEED / wide.a_second - 1) for wide in wide_letters()
    )
    return len(text) + more


@lru_cache(maxsize=1024)
def pieces(sentence: str) -> tuple[str, ...]:
    """A sentence in as few pieces as fit a cue each, broken where its phrases end.

    >>> pieces("Reduce-scatter first; then the finished chunks go round the ring once more, "
    ...        "until every rank has all of them.")  # doctest: +NORMALIZE_WHITESPACE
    ('Reduce-scatter first; then the finished chunks go round the ring once more,',
     'until every rank has all of them.')
    """
    return _broken(_words(sentence), lambda text: bool(_lines(text)))


def _words(sentence: str) -> list[str]:
    """The words, those that are longer than a line in parts."""
    parts = []
    for word in breakable(" ".join(sentence.split())):
        cuts = range(LETTERS, len(word.strip()), LETTERS)
        parts += [word[at - LETTERS : at] for at in cuts]
        parts.append(word[len(cuts) * LETTERS :])
    return parts


@lru_cache(maxsize=4096)
def _lines(text: str) -> tuple[str, ...]:
    """The text in lines of a cue; none where it needs more."""
    lines = _broken(_words(text), lambda line: _length(line) <= LETTERS)
    return lines if len(lines) <= LINES else ()


def _broken(words: Sequence[str], fits: Callable[[str], bool]) -> tuple[str, ...]:
    """The words in as few parts as fit, even ones, broken where that costs least."""
    # best[k]: parts, cost, and texts of the first k words
    best: list[tuple[int, float, tuple[str, ...]]] = [(0, 0.0, ())]
    for end in range(1, len(words) + 1):
        choices = []
        for start in range(end - 1, -1, -1):
            text = "".join(words[start:end]).strip()
            if not fits(text):
                break
            parts, cost, texts = best[start]
            # an even split has the least sum of squares
            cost += _length(text) ** 2 / LETTERS + _cost(words, end)
            choices.append((parts + 1, cost, (*texts, text)))
        best.append(min(choices))
    return best[-1][2]


def _cost(words: Sequence[str], end: int) -> float:
    """What a break before this word costs."""
    if end == len(words):
        return AT_END
    if words[end - 1].strip().endswith(ENDS) and not NUMBER.fullmatch(words[end - 1].strip()):
        return AT_END
    return BEFORE_START if STARTS.fullmatch(words[end].strip().lower()) else WITHIN


def srt(cues: Sequence[Cue]) -> str:
    """Cues as SubRip text."""
    return "\n".join(
        f"{number}\n{clock(cue.start, ',')} --> {clock(cue.end, ',')}\n{_text(cue)}\n"
        for number, cue in enumerate(cues, 1)
    )


def vtt(cues: Sequence[Cue]) -> str:
    """Cues as WebVTT text."""
    escapes = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
    blocks = (
        f"{clock(cue.start)} --> {clock(cue.end)}\n{_text(cue).translate(escapes)}\n"
        for cue in cues
    )
    return "\n".join(("WEBVTT\n", *blocks))


def _text(cue: Cue) -> str:
    return "\n".join(cue.lines)


def clock(seconds: float, point: str = ".") -> str:
    """A time to the millisecond.

    >>> clock(62.3451), clock(3600, ",")
    ('00:01:02.345', '01:00:00,000')
    """
    thousandths = round(seconds * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest // 1000:02}{point}{rest % 1000:03}"
