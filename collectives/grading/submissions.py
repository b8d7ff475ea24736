"""What a class has handed in: folders of nbgrader, of GitHub Classroom, or files named by students.

nbgrader's folders are submitted/STUDENT/ASSIGNMENT/FILE (nbgrader.readthedocs.io, "Configuration
options"); `gh classroom clone student-repos` makes ASSIGNMENT-submissions/ASSIGNMENT-STUDENT/FILE
(github.com/github/gh-classroom).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collectives.errors import BadInput
from collectives.files import check_exists
from collectives.grading.homework import Homework, is_homework
from collectives.unfinished import open_regular
from collectives.units import size_text
from collectives.words import printable, quoted

LARGEST = 1 << 20  # bytes of a file; longer ones are not run
HANDED_IN = (".py", ".ipynb", ".zip")  # in small letters; the first alone is run
NO_STUDENTS = ("source", "release", "autograded", "feedback", "__pycache__")


@dataclass(frozen=True)
class Submission:
    """What a student has handed in: the content of the file, or why there is none."""

    student: str
    path: str
    content: bytes = b""
    problem: str = ""


def submissions(folder: Path, homework: Homework) -> list[Submission]:
    """All that is in a folder, by student; raises BadInput where there is nothing."""
    name, files_of = homework.path.name, dict[str, Path]()
    root = folder if folder.name == "submitted" else folder / "submitted"
    if root.is_dir():
        above = homework.path.absolute().parent
        assignment = above.name if above.parent.name == "source" else ""
        files_of = {entry.name: _nbgrader(entry, assignment, name) for entry in _folders(root)}
    elif any((entry / name).exists() for entry in _folders(folder)):
        entries = _folders(folder)
        prefix = _prefix(folder, homework, [entry.name for entry in entries])
        files_of = {entry.name.removeprefix(prefix): entry / name for entry in entries}
    else:
        key = homework.path.resolve()
        for path in _entries(folder):
            own = path.is_symlink() or path.resolve().with_suffix(".py") != key
            if own and path.suffix.lower() in HANDED_IN:
                files_of[path.stem] = path.with_suffix(".py")
    if not files_of:
        raise BadInput(
            f"{quoted(str(folder))}: nothing is handed in; it needs submitted/STUDENT/ASSIGNMENT/"
            f"{name}, ASSIGNMENT-STUDENT/{name} or STUDENT.py; try: {folder / 'ann.py'}"
        )
    return [_read(folder, printable(student), path) for student, path in sorted(files_of.items())]


def key_beside(folder: Path) -> Path:
    """The one homework in or beside a folder; raises BadInput where there is none, or several."""
    for place in (folder, folder.absolute().parent):
        keys = [path for path in _entries(place, ".py") if is_homework(path)]
        sources = place / "source"
        for assignment in _folders(sources) if sources.is_dir() else ():
            keys += [path for path in _entries(assignment, ".py") if is_homework(path)]
        if len(keys) > 1:
            raise BadInput(
                f"{quoted(str(folder))}: there are {len(keys)} keys; try: --key {keys[0]}"
            )
        if keys:
            return keys[0]
    raise BadInput(
        f"{quoted(str(folder))}: no key is in it, in source/ or beside it; try: --key FILE.py "
        "(exercise new FILE.py writes one)"
    )


def check_folder(folder: Path) -> None:
    """Raise BadInput unless it is a folder that can be read."""
    check_exists(str(folder), quoted(str(folder)))
    if not folder.is_dir():
        raise BadInput(f"{quoted(str(folder))}: is no folder; try: {folder.parent}")
    _entries(folder)


def _entries(folder: Path, suffix: str = "") -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
    except OSError as problem:
        raise BadInput(f"{quoted(str(folder))}: cannot be read: {problem.strerror}") from None
    return [folder / name for name in sorted(names) if name.endswith(suffix) and name[0] != "."]


def _folders(folder: Path) -> list[Path]:
    return [path for path in _entries(folder) if path.is_dir() and path.name not in NO_STUDENTS]


def _nbgrader(student: Path, assignment: str, name: str) -> Path:
    """Where a student's file is, or should be."""
    if assignment:
        return student / assignment / name
    paths = (entry / name for entry in _folders(student))
    return next((path for path in paths if path.exists()), student / name)


def _prefix(folder: Path, homework: Homework, names: list[str]) -> str:
    """What stands before each student's name."""
    stem = homework.path.stem
    for assignment in (folder.name.removesuffix("-submissions"), stem, stem.replace("_", "-")):
        if all(name.startswith(f"{assignment}-") for name in names):
            return f"{assignment}-"
    return ""  # what names share may be a part of them


def _read(folder: Path, student: str, path: Path) -> Submission:
    """The content of a regular file, no link: a link may lead to the key."""
    shown = printable(str(path.relative_to(folder)))
    try:
        below = [place for place in (path, *path.parents) if folder in place.parents]
        if any(place.is_symlink() for place in below):
            return Submission(student, shown, problem="is a link, which is not followed")
        with open_regular(path, link=False) as file:
            content = file.read(LARGEST + 1)
    except FileNotFoundError:
        others = ", ".join(_others(path, path.parent == folder))
        instead = f"; there is {others}" if others else ""
        return Submission(student, shown, problem=f"has no {path.name}{instead}")
    except OSError as problem:
        return Submission(student, shown, problem=f"cannot be read: {problem.strerror}")
    if len(content) > LARGEST:
        size = size_text(path.stat().st_size)
        limit = f"has {size}; files of up to {size_text(LARGEST)} are run"
        return Submission(student, shown, problem=limit)
    return Submission(student, shown, content)


def _others(path: Path, alone: bool) -> Iterator[str]:
    """What is there in its place: in its folder, or where that is the class's, of its name."""
    if path.parent.is_dir():
        paths = [place for place in _entries(path.parent) if place.suffix.lower() in HANDED_IN]
        yield from [printable(at.name) for at in paths if not alone or at.stem == path.stem][:3]
