"""Does what `lecture --format` is asked for: slides or paper in place of films."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from collectives.cli.console import say
from collectives.cli.exercise import in_format
from collectives.errors import BadInput
from collectives.exercises import ExerciseSheet
from collectives.files import check_own, check_suffix, check_writable, replacing
from collectives.words import quoted

if TYPE_CHECKING:
    from animations.course.lecture import Lecture

ENGLISH, PDF = "en", ".pdf"
PRINTED = (".md", ".txt")  # beside which the key is a file of its own


@dataclass(frozen=True)
class Paper:
    """A kind of paper: the suffixes of its files, and what makes one."""

    suffixes: tuple[str, ...]
    make: Callable[[Lecture, PaperRequest, Path], bytes]
    noun: str
    translated: bool = False  # whether there is one in other languages


@dataclass(frozen=True)
class PaperRequest:
    """What papers are asked for: their language, the seed of their exercises, a theme or none."""

    language: str
    seed: int
    theme: str = ""


def make_papers(
    form: str, lectures: Sequence[Lecture], request: PaperRequest, output: str | None
) -> None:
    """Write a paper of each lecture and print its name; `output` is a folder for several."""
    paper, language = PAPERS[form], request.language
    if language != ENGLISH and not paper.translated:
        raise BadInput(
            f"--language {language}: exercises are in English; try: --format {form} without it"
        )
    names = [
        f"lecture-{lecture.number}-{lecture.name}-{form}{paper.suffixes[0]}" for lecture in lectures
    ]
    if len(lectures) == 1:
        targets = [check_suffix(output or names[0], paper.suffixes, f"a {paper.noun}", "-o")]
    else:
        folder = Path(output or "lectures")
        if folder.exists() and not folder.is_dir():
            raise BadInput(f"-o {quoted(str(folder))}: is a file; --all needs a folder")
        check_writable(folder).mkdir(exist_ok=True)
        targets = [folder / name for name in names]
    for lecture, target in zip(lectures, map(check_writable, targets), strict=True):
        keys = []
        if form == "quiz" and target.suffix in PRINTED:
            key = target.with_name(f"{target.stem}-key{target.suffix}")
            keys = [check_own(key, _quiz_title(lecture), target)]
        _write(target, paper.make(lecture, request, target))
        for key in keys:
            _write(key, _quiz(lecture, request, target, answer=True))


def _write(target: Path, content: bytes) -> None:
    with replacing(target) as part:
        part.write(content)
    say(str(target))


def _slides(lecture: Lecture, request: PaperRequest, target: Path) -> bytes:
    """A deck, or on paper its pictures and notes."""
    if target.suffix == PDF:
        from animations.course.deck_pdf import deck_pdf

        if request.theme:
            raise BadInput(f"--theme {request.theme}: paper is white; try: -o {target.stem}.html")
        return deck_pdf(lecture, request.language, request.seed)
    from animations.course.lecture_deck import deck
    from animations.drawing.theme import THEMES

    theme = THEMES[request.theme or "light"]
    return deck(lecture, request.language, request.seed, theme).encode()


def _page(lecture: Lecture, request: PaperRequest, target: Path) -> bytes:
    from animations.course.lecture_page import lecture_page
    from animations.drawing.theme import THEMES

    theme = THEMES[request.theme or "light"]
    return lecture_page(lecture, request.language, request.seed, theme).encode()


def _notebook(lecture: Lecture, request: PaperRequest, target: Path) -> bytes:
    from animations.course.lecture_notebook import lecture_notebook

    return lecture_notebook(lecture, request.language, request.seed).encode()


def _handout(lecture: Lecture, request: PaperRequest, target: Path) -> bytes:
    from animations.course.handout import handout

    return handout(lecture, request.language, request.seed).encode()


def _guide(lecture: Lecture, request: PaperRequest, target: Path) -> bytes:
    from animations.course.guide import guide

    return guide(lecture, request.seed).encode()


def _quiz(lecture: Lecture, request: PaperRequest, target: Path, answer: bool = False) -> bytes:
    from animations.course.handout import exercises_of

    title, seed = _quiz_title(lecture), request.seed
    return in_format(ExerciseSheet(title, seed, tuple(exercises_of(lecture, seed))), target, answer)


def _quiz_title(lecture: Lecture) -> str:
    return f"Lecture {lecture.number}, {lecture.title[ENGLISH]}"


PAPERS = {
    "slides": Paper((".html", PDF), _slides, "deck of slides", translated=True),
    "page": Paper((".html",), _page, "page", translated=True),
    "notebook": Paper((".ipynb",), _notebook, "notebook", translated=True),
    "handout": Paper((".html",), _handout, "handout", translated=True),
    "quiz": Paper((".md", ".txt", ".gift", ".xml", ".zip", ".json"), _quiz, "quiz"),
    "guide": Paper((".md",), _guide, "guide"),
}
