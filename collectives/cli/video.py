"""Does what `video` is asked for: a film, or slides."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collectives.cli.draw import board_of, default_name, refuse_wrong, timed
from collectives.cli.fault_options import Faults
from collectives.cli.modeled_time import modeled_time
from collectives.cli.rendering import check_manim, rendering
from collectives.cli.subject import Subject
from collectives.cli.where import Where
from collectives.errors import BadInput
from collectives.files import check_suffix, check_writable

FILMS = (".mp4", ".gif", ".png")


@dataclass(frozen=True)
class Wanted:
    """What is made of a score, as the options say."""

    form: str
    output: str | None
    quality: str
    theme: str
    transparent: bool
    sections: bool
    transcript: bool
    voice: str | None
    no_cache: bool
    seconds: float | None = None

    @property
    def slides(self) -> bool:
        """Whether it is a folder of slides."""
        return self.form == "slides"

    def check(self) -> None:
        """Raise BadInput for what slides, or a film of this ending, cannot have."""
        of_movies = {
            "--sections": self.sections,
            "--transcript": self.transcript,
            "--voice": self.voice,
        }
        path = self.output or ".mp4"
        if self.slides:
            if self.output and Path(path).suffix in FILMS:
                near = f"-o {Path(path).with_suffix('')}"
                raise BadInput(f"-o {path}: slides go to a folder; nearest: {near}")
            for name, given in (of_movies | {"--seconds": self.seconds}).items():
                if given:
                    raise BadInput(f"{name}: is of films, not of slides; leave it out")
            return
        if self.output:
            check_suffix(self.output, FILMS, "a film", "-o")
        for name, given in of_movies.items():
            if given and not path.endswith(".mp4"):
                raise BadInput(f"{name}: {path} has none; nearest: -o FILE.mp4")
        if self.transparent and not path.endswith(".png"):
            near = "-o FILE.png, or --format slides"
            raise BadInput(f"--transparent: a film has a background; nearest: {near}")

    def render(self, score: Any, path: str) -> Path:
        """The film or the slides; progress is on stderr."""
        options = {"cache": not self.no_cache, "transparent": self.transparent}
        options |= {} if self.slides else {"sections": self.sections}
        with rendering(self.quality, self.theme, slides=self.slides, **options) as render:
            return render(score, path)


def make_video(
    subject: Subject,
    where: Where,
    faults: Faults,
    wanted: Wanted,
    stage: str | None,
    sheet: str,
    language: str,
    steps: tuple[int, int] | None = None,
) -> None:
    """`collectives video`: render it, show progress on stderr, print the path last."""
    wanted.check()
    time = modeled_time(where, faults)
    for name, given in {"--seconds": wanted.seconds, "--steps": steps}.items():
        if time is not None and given is not None:
            raise BadInput(f"{name}: a film in modeled time has a length of its own; leave it out")
    recording, topology = timed(subject, where)
    path = wanted.output or default_name(recording, "-slides" if wanted.slides else ".mp4")
    if not wanted.slides:
        check_writable(path)
    if wanted.voice:
        _check_voice(Path(wanted.voice), Path(path))
    board = board_of(recording, topology, stage, sheet, language=language, time=time)
    check_manim()
    from animations.film.slides import check_slides

    if wanted.slides:
        check_slides(path)
    if wanted.transcript:
        _write_transcript(None, Path(path), wanted.theme)
    score = _score(board, wanted, time, faults, steps)
    if wanted.voice:
        score = _voiced(score, wanted.voice)
    film = wanted.render(score, path)
    if film.suffix == ".mp4":
        print(f"subtitles: {film.with_suffix('.srt')}", file=sys.stderr)
    if wanted.transcript:
        _write_transcript(score, film, wanted.theme)
    print(film / "index.html" if wanted.slides else film)
    refuse_wrong([board])


def _score(
    board: Any, wanted: Wanted, time: Any, faults: Faults, steps: tuple[int, int] | None
) -> Any:
    """The story of an algorithm step by step, or in modeled time."""
    from animations.film.slides import MOST_SINGLE
    from animations.score.clock import clock_score
    from animations.score.steps import score_of

    if time is None:
        return score_of(board, wanted.seconds, steps, MOST_SINGLE if wanted.slides else 0)
    clean = time.clean(board.timing.recording)
    return clock_score(board, board.timing, clean, str(faults))


def _check_voice(voice: Path, film: Path) -> None:
    """Raise BadInput where the film's subtitles would be the times of the voice's sentences."""
    if voice.resolve().with_suffix(".srt") == film.resolve().with_suffix(".srt"):
        near = f"-o {film.stem}-spoken.mp4"
        why = f"its times would stand in {film.stem}.srt, where the subtitles go"
        raise BadInput(f"--voice {voice}: {why}; nearest: {near}")


def _voiced(score: Any, voice: str) -> Any:
    """The score of a film in the time of a recorded voice."""
    from animations.film.sound import sound_seconds
    from animations.score.voice import with_voice

    return with_voice(score, voice, sound_seconds(voice))


def _write_transcript(score: Any, film: Path, theme: str) -> None:
    """Write a film's transcript; without a score only see that it can be written."""
    from animations.film.transcript import stills_folder, write_transcript
    from animations.story.theme import THEMES

    stills_folder(film)
    if score is not None:
        print(f"transcript: {write_transcript(score, film, THEMES[theme])}", file=sys.stderr)
