"""Does what `video` is asked for: a film, or slides."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collectives.choices import RENDERERS
from collectives.cli.draw import board_of, default_name, refuse_wrong, timed
from collectives.cli.modeled_time import modeled_time
from collectives.cli.rendering import check_manim, rendering
from collectives.cli.subject import Subject
from collectives.cost.fault_texts import Faults
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.files import check_suffix, check_writable
from collectives.progress import under_way
from collectives.words import quoted

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
    renderer: str
    seconds: float | None = None

    @property
    def slides(self) -> bool:
        """Whether it is a folder of slides."""
        return self.form == "slides"

    def check(self) -> None:
        """Raise BadInput for what slides, or a film of this ending, cannot have."""
        if self.slides:
            self._check_slides()
            if self.output is not None:
                self.check_target(self.output)
            return
        path = self.output or ".mp4"
        if self.output:
            check_suffix(self.output, FILMS, "a film", "-o")
        of_movies = {
            "--sections": self.sections,
            "--transcript": self.transcript,
            "--voice": self.voice,
        }
        for name, wanted in of_movies.items():
            if wanted and not path.endswith(".mp4"):
                raise BadInput(f"{name}: {path} has none; try: -o FILE.mp4")
        if self.renderer != RENDERERS[0] and not path.endswith(".mp4"):
            raise BadInput(f"--renderer {self.renderer}: is for films; try: -o FILE.mp4")
        if self.transparent and not path.endswith(".png"):
            near = "-o FILE.png, or --format slides"
            raise BadInput(f"--transparent: a film has a background; try: {near}")

    def _check_slides(self) -> None:
        path = Path(self.output or "")
        if path.suffix in FILMS:
            near = f"-o {path.with_suffix('')}"
            raise BadInput(f"-o {self.output}: slides go to a folder; try: {near}")
        options = {"--sections": self.sections, "--seconds": self.seconds is not None}
        options["--renderer"] = self.renderer != RENDERERS[0]
        for name in (name for name, is_given in options.items() if is_given):
            raise BadInput(f"{name}: is for films, not for slides; leave it out")

    def check_target(self, path: str) -> None:
        """Raise BadInput unless the film, or a folder of slides, can be written there."""
        if self.slides:
            from animations.film.slides import check_slides

            check_slides(path)
            return
        from animations.film.transcript import stills_folder

        if self.transcript:
            stills_folder(Path(path))

    def render(self, score: Any, path: str) -> Path:
        """The film or the slides; progress is on stderr."""
        options: dict[str, Any] = {"cache": not self.no_cache, "transparent": self.transparent}
        of_film = {"sections": self.sections, "renderer": self.renderer}
        options |= {"transcript": self.transcript} if self.slides else of_film
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
    if time is not None:
        _refuse_length({"--seconds": wanted.seconds, "--steps": steps})
    recording, topology = timed(subject, where)
    path = wanted.output or default_name(recording, "-slides" if wanted.slides else ".mp4")
    if not wanted.slides:
        check_writable(path)
        _check_voice(wanted.voice, Path(path))
    with under_way(f"preparing {Path(path).name}"):
        board = board_of(recording, topology, stage, sheet, language=language, time=time)
        check_manim()
        wanted.check_target(path)
        score = _score(board, wanted, time, faults, steps)
    film = wanted.render(score, path)
    _report(wanted, score, film)
    refuse_wrong([board])


def _refuse_length(lengths: Mapping[str, object]) -> None:
    """Raise BadInput for an option by which a film in modeled time would be of another length."""
    for name in (name for name, value in lengths.items() if value is not None):
        raise BadInput(f"{name}: a film in modeled time has a length of its own; leave it out")


def _report(wanted: Wanted, score: Any, film: Path) -> None:
    """Write the transcript of a film, say what is beside it, and its path last."""
    if film.suffix == ".mp4":
        print(f"subtitles: {film.with_suffix('.srt')}", file=sys.stderr)
    if wanted.transcript:
        print(f"transcript: {_transcript(wanted, score, film)}", file=sys.stderr)
    print(film / "index.html" if wanted.slides else film)


def _score(
    board: Any, wanted: Wanted, time: Any, faults: Faults, steps: tuple[int, int] | None
) -> Any:
    """The story of an algorithm step by step, or in modeled time; in that of a voice, if any."""
    from animations.film.slides import MOST_SINGLE
    from animations.score.clock import clock_score
    from animations.score.steps import score_of

    if time is None:
        score = score_of(board, wanted.seconds, steps, MOST_SINGLE if wanted.slides else 0)
    else:
        clean = time.clean(board.timing.recording)
        score = clock_score(board, board.timing, clean, str(faults))
    return _voiced(score, wanted.voice) if wanted.voice else score


def _check_voice(name: str | None, film: Path) -> None:
    """Raise BadInput where the film's subtitles would be the times of the voice's sentences."""
    voice = Path(name or "")
    if name and os.path.isdir(name):
        raise BadInput(f"--voice {quoted(name)}: is a folder; try: a .wav file in it")
    if name and voice.resolve().with_suffix(".srt") == film.resolve().with_suffix(".srt"):
        near = f"-o {film.stem}-spoken.mp4"
        why = f"its times would stand in {film.stem}.srt, where the subtitles go"
        raise BadInput(f"--voice {voice}: {why}; try: {near}")


def _voiced(score: Any, voice: str) -> Any:
    """The score of a film in the time of a recorded voice."""
    from animations.drawing.render.sound import sound_seconds
    from animations.score.voice import most_seconds, with_voice

    return with_voice(score, voice, sound_seconds(voice, most_seconds(score)))


def _transcript(wanted: Wanted, score: Any, film: Path) -> Path:
    """The transcript: that of slides is there already."""
    from animations.drawing.theme import THEMES
    from animations.film.slides import WORDS
    from animations.film.transcript import write_transcript

    return film / WORDS[0] if wanted.slides else write_transcript(score, film, THEMES[wanted.theme])
