"""A score as slides: a clip for each step with its last frame and words, and a deck of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from animations.drawing.render import encoder, subtitles
from animations.drawing.render.cache import NOTHING_KEPT, user_cache
from animations.drawing.render.painter import NO_BACKGROUND
from animations.drawing.render.sound import Piece
from animations.drawing.theme import DARK, Theme
from animations.film.engine import Part, Progress, Renderer, cut, plain, render_parts, spoken
from animations.film.film import frame_size
from animations.pictures.foot import headline
from animations.player.deck import Slide, deck, is_deck
from animations.score.score import Keyframe, Score, Shot, TextCard
from animations.score.transcript import script, slides_transcript
from animations.story.storyboard import Storyboard
from collectives.errors import BadInput
from collectives.files import path_of, working_folder
from collectives.words import capital

INDEX = "index.html"
WORDS = "transcript.md", "script.md"
SUFFIXES = (".mp4", ".png", ".srt", ".vtt", ".txt")  # of the files of a slide
WORK = r"\d+\.(mp4|png)|(slides|before)/(\d{3,}-[^/]*\.(mp4|png|srt|vtt|txt)|[a-z]+\.(html|md))"
MOST_SINGLE = 16  # steps that repeat and are slides of their own; of more a time-lapse is one


@dataclass(frozen=True)
class Clip:
    """A part of a film that is a slide: what it shows, and what is said in it."""

    part: Part
    slide: Slide


class ClipRenderer(Renderer):
    """Writes each part of a film with its last frame as .png, transparent where that is wanted."""

    transparent = False

    def __call__(self, number: int) -> None:
        """Write the part, and its last frame."""
        super().__call__(number)
        layers, _ = self.shown(self.parts[number])[-1]
        canvas = self._layered.canvas(self.size[:2], NO_BACKGROUND * self.transparent, cues=True)
        canvas.draw(layers)
        image = canvas.image() if self.transparent else canvas.image().convert("RGB")
        image.save(self.path(number).with_suffix(".png"), "PNG")


def clips(score: Score, rate: int) -> list[Clip]:
    """The slides: each ends where a section does, but not within a sentence."""
    parts: list[Part] = []
    for part in cut(score, rate, sections=True):
        last = parts[-1] if parts else None
        if last and last.passage == part.passage and _goes_on(last.shots[-1][0], part):
            parts[-1] = replace(last, shots=last.shots + part.shots)
        else:
            parts.append(part)
    return [Clip(part, _slide(score, part, number)) for number, part in enumerate(parts, 1)]


def _goes_on(shot: Shot, part: Part) -> bool:
    """Whether a part goes on with the sentence of a shot: it begins no step shown by itself."""
    first = part.shots[0][0]
    before, begins = shot.moment, first.moment
    single = isinstance(begins, Keyframe) and begins.named and not begins.line  # no time-lapse
    if isinstance(before, Keyframe) and isinstance(begins, Keyframe) and single:
        return first.said == shot.said and before.step == begins.step
    return first.said == shot.said


def _slide(score: Score, part: Part, number: int) -> Slide:
    """What a deck says of a part."""
    subject, last = score.passages[part.passage].shown, part.shots[-1][0]
    lines = tuple(dict.fromkeys(shot.said for shot, _ in part.shots if shot.said))
    heading, alt = part.shots[0][0].chapter, " ".join(lines)
    if isinstance(subject, TextCard):
        heading = subject.board.title
    elif isinstance(subject, Storyboard) and isinstance(last.moment, Keyframe):
        heading = heading or headline(subject, last.moment)
        alt = subject.captions[last.moment.step]
    return Slide(f"{number:03}-{plain(part.name)}", capital(heading or part.name), alt, lines)


def render_slides(
    score: Score,
    path: str | Path,
    quality: str,
    progress: Progress,
    theme: Theme = DARK,
    transparent: bool = False,
    cache: bool = True,
    transcript: bool = False,
) -> Path:
    """Render a folder of slides: for each .mp4, .png, .srt, .vtt and .txt; and index.html.

    The folder appears when all of it is there, in place of older slides. transparent: the .png
    have no background. transcript: also the words of all slides, and a script for their speaker.
    A score with a voice gives each clip its own piece of it. Raises BadInput where something else
    has the folder's name.
    """
    target = check_slides(path)
    size = frame_size(score.sheet, quality)
    shots = clips(score, size[2])
    kept = user_cache() if cache else NOTHING_KEPT
    with working_folder(target, WORK) as work:
        renderer = ClipRenderer(score, theme, size, [clip.part for clip in shots], work, kept)
        renderer.transparent = transparent
        render_parts(renderer, progress)
        folder = work / "slides"
        _write_all(shots, renderer, folder)
        if transcript:
            _write_transcript(score, shots, folder)
        if check_slides(target).exists():  # again: meanwhile something may have been put there
            target.rename(work / "before")
        folder.rename(target)
    return target


def _write_all(clips: Sequence[Clip], renderer: Renderer, folder: Path) -> None:
    """The files of all slides, and the deck."""
    score, (width, height, rate) = renderer.score, renderer.size
    folder.mkdir()
    frames = 0
    for number, clip in enumerate(clips):
        start, frames = frames, frames + clip.part.frames
        voice = Piece(score.voice, start / rate, frames / rate) if score.voice else None
        _write(clip, renderer, number, folder / clip.slide.name, voice)
    slides = [clip.slide for clip in clips]
    page = deck(
        score.title, slides, (width, height), renderer.theme, score.language, bool(score.voice)
    )
    (folder / INDEX).write_text(page, "utf-8")


def _write_transcript(score: Score, clips: Sequence[Clip], folder: Path) -> None:
    """What is said on each slide with its still, and the script for a speaker."""
    slides = [(clip.slide.heading, clip.slide.alt, clip.slide.said) for clip in clips]
    stills = [f"{clip.slide.name}.png" for clip in clips]
    text = slides_transcript(score.title, slides, stills)
    for name, content in zip(WORDS, (text, script(score)), strict=True):
        (folder / name).write_text(content, "utf-8")


def _write(clip: Clip, renderer: Renderer, number: int, target: Path, voice: Piece | None) -> None:
    """The files of a slide; `target` is their name without an ending."""
    rate = renderer.size[2]
    cues = subtitles.cues(lines := spoken([clip.part], rate), lines[-1][1])
    track = encoder.Track(cues, (), renderer.score.language, voice)
    part, heading = renderer.path(number), clip.slide.heading
    encoder.join([part], target.with_suffix(".mp4"), rate, heading, track)
    part.with_suffix(".png").rename(target.with_suffix(".png"))
    texts = {
        ".srt": subtitles.srt(cues),
        ".vtt": subtitles.vtt(cues),
        ".txt": "\n".join((heading, "", *clip.slide.said, "", clip.slide.alt, "")),
    }
    for suffix, text in texts.items():
        target.with_suffix(suffix).write_text(text, "utf-8")


def check_slides(path: str | Path) -> Path:
    """The real path, if slides can go there: it is free, empty, or holds nothing but slides."""
    target = path_of(path).resolve()
    if target.exists() and not target.is_dir():
        raise BadInput(f"{path}: is a file; slides need a folder of their own; name another")
    if not target.parent.is_dir():
        raise BadInput(f"{path}: there is no folder {target.parent}; make it first")
    files = sorted(target.iterdir()) if target.exists() else []
    if files and not (target / INDEX).is_file():
        raise BadInput(f"{path}: holds other files, as {files[0].name}; name another folder")
    names = is_deck((target / INDEX).read_text("utf-8", "replace")) if files else set()
    for file in files:
        known = file.name in (INDEX, *WORDS)
        if not known and (file.stem not in names or file.suffix not in SUFFIXES):
            raise BadInput(
                f"{path}: {file.name} is no part of slides; move it, or name another folder"
            )
    return target
