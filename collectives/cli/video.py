"""Does what `video` is asked for: a film, or slides."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from collectives.choices import FILM_SHEETS, RENDERERS
from collectives.cli.draw import board_of, default_name, refuse_wrong, timed
from collectives.cli.modeled_time import modeled_time
from collectives.cli.rendering import check_manim, rendering
from collectives.cli.subject import Subject
from collectives.cost.fault_texts import Faults
from collectives.cost.where import Where
from collectives.errors import BadInput, imported
from collectives.files import check_suffix, check_writable
from collectives.progress import under_way

FILMS = (".mp4", ".gif", ".png")
MOST_CHUNKS = 8  # of a pipeline whose chunks are seen; of more a film shows one round
AUTO = "auto"  # of voices: by a program that is installed


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
    imported("cairo", "a film needs Manim", "video")  # Manim itself is imported later: it is slow
    from animations.drawing.glyphs import check_letters

    check_letters(language)
    time = modeled_time(where, faults)
    if time is not None:
        _refuse_length({"--seconds": wanted.seconds, "--steps": steps})
    recording, topology = timed(subject, where)
    if subject.chunks is None and recording.chunks and recording.chunk_count > MOST_CHUNKS:
        recording, topology = timed(replace(subject, chunks=1), where)
    path = wanted.output or default_name(recording, "-slides" if wanted.slides else ".mp4")
    if not wanted.slides:
        check_writable(path)
        check_voice(wanted.voice, Path(path))
    with under_way(f"preparing {Path(path).name}"):
        page = _page(sheet, in_time=time is not None)
        board = board_of(recording, topology, stage, page, language=language, time=time)
        check_manim()
        wanted.check_target(path)
        score = _score(board, wanted, time, faults, steps)
    with in_voice(score, wanted.voice) as spoken:
        film = wanted.render(spoken, path)
        _report(wanted, spoken, film)
    refuse_wrong([board])


def _page(sheet: str, in_time: bool) -> str:
    """The name of a film's sheet; one in modeled time has lanes, for which pages have room."""
    from animations.drawing.sheet import film_sheet

    if in_time:
        return "film in time" if sheet == FILM_SHEETS[0] else sheet
    return film_sheet(sheet).name


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
    """The story of an algorithm step by step, or in modeled time."""
    from animations.film.slides import MOST_SINGLE
    from animations.score.clock import clock_score
    from animations.score.steps import score_of

    if time is None:
        score = score_of(board, wanted.seconds, steps, MOST_SINGLE if wanted.slides else 0)
    else:
        clean = time.clean(board.timing.recording)
        score = clock_score(board, board.timing, clean, str(faults))
    return score


def check_voice(name: str | None, film: Path) -> None:
    """Raise BadInput where the film's subtitles would be the times of the voice's sentences.

    Raises NotInstalled where nothing is there that could speak.
    """
    voice = Path(name or "")
    if name == AUTO:
        from animations.film.speech import engine

        engine()
    elif name and voice.stem == film.stem and voice.parent.resolve() == film.parent.resolve():
        near = f"-o {film.stem}-spoken.mp4"
        why = f"its times would stand in {film.stem}.srt, where the subtitles go"
        raise BadInput(f"--voice {voice}: {why}; try: {near}")


@contextmanager
def in_voice(score: Any, voice: str | None) -> Iterator[Any]:
    """The score of a film, in the time of a voice if there is one; see `spoken_score`."""
    if voice is None:
        yield score
        return
    from animations.film.speech import spoken_score

    with under_way("preparing the voice"), spoken_score(score, voice) as spoken:
        yield spoken


def _transcript(wanted: Wanted, score: Any, film: Path) -> Path:
    """The transcript: that of slides is there already."""
    from animations.drawing.theme import THEMES
    from animations.film.slides import WORDS
    from animations.film.transcript import write_transcript

    return film / WORDS[0] if wanted.slides else write_transcript(score, film, THEMES[wanted.theme])
