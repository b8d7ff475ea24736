"""A score in the time of a recorded voice: each sentence begins where it was spoken."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, groupby, pairwise
from pathlib import Path
from typing import Any

from animations.score.score import Passage, Score, Shot
from collectives.errors import BadInput
from collectives.files import read_text
from collectives.units import time_text
from collectives.words import plural, quoted

START = re.compile(r"^(\d{1,4}):(\d\d):(\d\d)[,.](\d{3}) -->", re.MULTILINE)  # of a SubRip cue
LATEST = 1e9  # seconds
PAUSE = 0.05  # seconds from one sentence to the next
TIMES_LONGER, LEAST_ROOM = 10, 600.0  # how long a film may last with a voice, in films and seconds


def sentences(score: Score) -> list[tuple[str, float]]:
    """Each sentence, and the seconds that it lasts with the silence after it."""
    return [(shots[0][1].said, sum(shot.seconds for _, shot in shots)) for shots in _spoken(score)]


def most_seconds(score: Score) -> float:
    """How long a film may last with a voice."""
    return max(LEAST_ROOM, TIMES_LONGER * score.seconds)


def with_voice(score: Score, file: str, lasts: float) -> Score:
    """The score with the sound in a file, which lasts so many seconds.

    Its sentences begin as a file beside it says, else as they do without a sound. Raises BadInput
    for times that are none, and where the film would last too long.
    """
    timings = timings_beside(Path(file))
    end = lasts
    if timings is None:
        starts = (shots[0][0] for shots in _spoken(score))
        begins = [0.0, *accumulate(shot.seconds for _, shot in score)]
        timings, end = [begins[number] for number in starts], max(lasts, score.seconds)
    limit, own = most_seconds(score), time_text(round(score.seconds))
    if max(end, *timings) > limit:
        room = f"without it the film lasts {own}, with it at most {time_text(round(limit))}"
        raise BadInput(f"--voice {quoted(file)}: is too long; {room}; try: a shorter recording")
    return replace(voiced(score, timings, end), voice=file)


def voiced(score: Score, timings: Sequence[float], end: float) -> Score:
    """The score whose sentences begin at these times, in seconds; the last lasts up to `end`.

    What is shown with a sentence takes as much longer, or less, as the sentence does: no page says
    how much modeled time a second is. A silence of the score belongs to the sentence before it.
    Raises BadInput unless there is a time for each sentence, in order.
    """
    spoken = _spoken(score)
    if len(timings) != len(spoken):
        starts = f"{plural(len(timings), 'start')} of sentences"
        raise BadInput(f"--voice: {starts}, but the film has {plural(len(spoken), 'sentence')}")
    bounds = [0.0, *timings[1:], max(end, timings[-1] + PAUSE)]
    for number, (first, last) in enumerate(pairwise(bounds), 1):
        if not last - first >= PAUSE:
            at = f"sentence {number + 1} begins {last:g} s after the start"
            raise BadInput(f"--voice: {at}, the one before it {first:g} s; they must go up")
    tempo: dict[int, float] = {}
    for shots, (first, last) in zip(spoken, pairwise(bounds), strict=True):
        before = sum(shot.seconds for _, shot in shots)
        tempo |= {number: (last - first) / before for number, _ in shots}
    numbers, passages = iter(range(len(tempo))), list[Passage]()
    for passage in score.passages:
        slower = tuple(_slower(shot, tempo[next(numbers)]) for shot in passage.shots)
        passages.append(replace(passage, shown=_unpaced(passage.shown), shots=slower))
    return replace(score, passages=tuple(passages))


def _slower(shot: Shot, times: float) -> Shot:
    return replace(shot, moment=_unpaced(shot.moment), seconds=times * shot.seconds)


def _unpaced(picture: Any) -> Any:
    """The same picture, without how much modeled time a second is."""
    return replace(picture, pace=0.0) if hasattr(picture, "pace") else picture


def _spoken(score: Score) -> list[list[tuple[int, Shot]]]:
    """The numbered shots of each sentence, with the silence after it."""
    groups: list[list[tuple[int, Shot]]] = []
    numbered = [(number, shot) for number, (_, shot) in enumerate(score)]
    for text, group in groupby(numbered, lambda pair: pair[1].said):
        if text or not groups:
            groups.append(list(group))
        else:
            groups[-1] += group
    return groups


def timings_beside(voice: Path) -> list[float] | None:
    """When each sentence of a recorded voice begins, from FILE.json or FILE.srt beside it.

    JSON: a list of seconds. SubRip: a cue for each sentence. None where neither is there. Raises
    BadInput for a file that holds no times.
    """
    for path in (voice.with_suffix(".json"), voice.with_suffix(".srt")):
        if path.is_file():
            timings = _timings(path)
            if not timings:
                need = "a list of seconds" if path.suffix == ".json" else "a cue for each sentence"
                raise BadInput(f"--voice: {path} has no times; it must be {need}")
            return timings
    return None


def _timings(path: Path) -> list[float]:
    text = read_text(path, "it holds the times of a voice's sentences")
    if path.suffix == ".srt":
        cues = (map(int, match.groups()) for match in START.finditer(text))
        return [3600 * h + 60 * m + s + ms / 1000 for h, m, s, ms in cues]
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return []
    numbers = content if isinstance(content, list) else []
    right = all(type(number) in (int, float) and 0 <= number < LATEST for number in numbers)
    return [float(number) for number in numbers] if right else []
