"""Does what `lecture --format` is asked for: handouts, quizzes and guides in place of films."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from collectives.cli.console import say
from collectives.cli.exercise import in_format
from collectives.errors import BadInput
from collectives.exercises import ExerciseSheet
from collectives.files import check_suffix, check_writable, replacing
from collectives.words import quoted

if TYPE_CHECKING:
    from animations.course.lecture import Lecture

ENGLISH = "en"
PRINTED = (".md", ".txt")  # beside which the key is a file of its own


@dataclass(frozen=True)
class Paper:
    """A kind of paper: the suffixes of its files, and what makes one."""

    suffixes: tuple[str, ...]
    make: Callable[[Lecture, str, int, Path], bytes]


def make_papers(
    form: str, lectures: Sequence[Lecture], language: str, seed: int, output: str | None
) -> None:
    """Write a paper of each lecture and print its name; `output` is a folder for several."""
    paper = PAPERS[form]
    if language != ENGLISH and form != "handout":
        raise BadInput(
            f"--language {language}: exercises are in English; try: --format {form} without it"
        )
    names = [f"lecture-{each.number}-{each.name}-{form}{paper.suffixes[0]}" for each in lectures]
    if len(lectures) == 1:
        targets = [check_suffix(output or names[0], paper.suffixes, f"a {form}", "-o")]
    else:
        folder = Path(output or "lectures")
        if folder.exists() and not folder.is_dir():
            raise BadInput(f"-o {quoted(str(folder))}: is a file; --all needs a folder")
        check_writable(folder).mkdir(exist_ok=True)
        targets = [folder / name for name in names]
    for lecture, target in zip(lectures, map(check_writable, targets), strict=True):
        content = paper.make(lecture, language, seed, target)
        _write(target, content)
        if form == "quiz" and target.suffix in PRINTED:
            key = target.with_name(f"{target.stem}-key{target.suffix}")
            _write(check_writable(key), _quiz(lecture, language, seed, target, answer=True))


def _write(target: Path, content: bytes) -> None:
    with replacing(target) as part:
        part.write(content)
    say(str(target))


def _handout(lecture: Lecture, language: str, seed: int, target: Path) -> bytes:
    from animations.course.handout import handout_of

    return handout_of(lecture, language, seed).encode()


def _guide(lecture: Lecture, language: str, seed: int, target: Path) -> bytes:
    from animations.course.guide import guide_of

    return guide_of(lecture, seed).encode()


def _quiz(lecture: Lecture, language: str, seed: int, target: Path, answer: bool = False) -> bytes:
    from animations.course.handout import exercises_of

    title = f"Lecture {lecture.number}, {lecture.title[ENGLISH]}"
    return in_format(ExerciseSheet(title, seed, tuple(exercises_of(lecture, seed))), target, answer)


PAPERS = {
    "handout": Paper((".html",), _handout),
    "quiz": Paper((".md", ".txt", ".gift", ".xml", ".zip", ".json"), _quiz),
    "guide": Paper((".md",), _guide),
}
