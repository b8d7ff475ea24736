"""A course in one folder: papers of all lectures, labs, inventory, syllabus, and an index."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from hashlib import blake2b
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any

from animations.course.lecture import Lecture, find_lecture, lectures
from collectives.__main__ import main
from collectives.errors import BadInput
from collectives.files import path_of, replacing
from collectives.progress import counted
from collectives.words import plural, quoted

ROOT = Path(__file__).parents[2]
SOURCES = ("collectives", "animations", "notebooks")
STAMPS = "stamps.json"  # of each file by what it was made, and what was in it then
Stamps = dict[str, dict[str, str]]
PAPERS = {  # of a lecture: its file, and the words behind `collectives lecture NAME`
    "slides.html": "--format slides",
    "slides.pdf": "--format slides",
    "page.html": "--format page",
    "lecture.ipynb": "--format notebook",
    "handout.html": "--format handout",
    "guide.md": "--format guide",
    "quiz.md": "--format quiz",
    "quiz.gift": "--format quiz",
    "quiz-qti12.xml": "--format quiz",
    "quiz-qti21.zip": "--format quiz",
}
FILM = {"film.mp4": "-q h"}
FORMS = {"inventory/before.md": 1, "inventory/after.md": 2}  # seeds of the two parallel forms
LICENSE = """# Licenses

Texts, films, quizzes and guides: Creative Commons Attribution 4.0 International (CC BY 4.0),
https://creativecommons.org/licenses/by/4.0/. Name "The collectives developers", and say what you
changed.

Code, in labs and homework: MIT.
"""


@dataclass(frozen=True)
class Course:
    """A course that was released into a folder.

    Attributes
    ----------
    folder : Path
        Where it is; `index.html` leads to all of it.
    fresh, kept : tuple of str
        Files that were made now, and those that were there, made from the same sources.
    changed : tuple of str
        Files that somebody has changed since they were made: they are left as they are.
    """

    folder: Path
    fresh: tuple[str, ...]
    kept: tuple[str, ...]
    changed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """One line: how many files are where."""
        return f"<Course: {plural(len(self.fresh) + len(self.kept), 'file')} in {self.folder}>"

    def lines(self) -> list[str]:
        """The index, and how many files are new."""
        kept = f"{plural(len(self.fresh), 'file')} made, {len(self.kept)} kept"
        whose = (
            f"{name}: changed by you, and kept; remove it to have it made again"
            for name in self.changed
        )
        return [f"{self.folder / 'index.html'}: {kept}", *whose]

    def as_json(self) -> dict[str, Any]:
        """The same as values of JSON."""
        return {
            "folder": str(self.folder),
            "fresh": [*self.fresh],
            "kept": [*self.kept],
            "changed": [*self.changed],
        }


def release(folder: str | Path, only: Iterable[str] | None = None, films: bool = False) -> Course:
    """Make a course; a file that is there and was made from the same sources, or changed, is kept.

    Parameters
    ----------
    folder : str or Path
        Is made if it is not there. A run that was ended goes on where it stopped.
    only : iterable of str, optional
        Names of the lectures to which it is cut; by default all.
    films : bool
        Whether each lecture is rendered at 1080p, too, which takes minutes each.

    Returns
    -------
    Course
        The files that were made, and those that were kept.

    Raises
    ------
    BadInput
        For an unknown lecture, a folder that cannot be written, or one with files of others.
    NotInstalled
        Where something optional is not there that a file needs.
    """
    target = path_of(folder)
    chosen = [find_lecture(name) for name in only] if only else [*lectures().values()]
    _prepare(target)
    commands = dict(_commands(target, chosen, films))
    sources, known = _sources(), _known(target)
    fresh, kept, changed = list[str](), list[str](), list[str]()
    texts = {
        "LICENSE.md": LICENSE,
        "syllabus.md": _syllabus(chosen),
        "index.html": _index(chosen, commands),
    }
    commands |= {name: [] for name in texts}
    for file, words in counted(commands.items(), "making the course", len(commands), "files"):
        recipe = f"{sources} {words or texts[file]}"
        stamp = blake2b(recipe.encode(), digest_size=16).hexdigest()
        entry = known.get(file, {})
        written = [*dict.fromkeys((file, file.replace("quiz.md", "quiz-key.md")))]  # and its key
        contents = {name: _content(target / name) for name in written}
        if any(contents[name] not in ("", entry[name]) for name in written if name in entry):
            changed.append(file)
            continue
        if entry.get("from") == stamp and all(contents.values()):
            kept.append(file)
            continue
        if known.pop(file, None):  # a run that ends here knows nothing of a file that is half new
            _save(target, known)
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        if words:
            run_quietly(words)
        else:
            _write(target / file, texts[file])
        known[file] = {"from": stamp} | {name: _content(target / name) for name in written}
        _save(target, known)
        fresh.append(file)
    return Course(target, tuple(fresh), tuple(kept), tuple(changed))


def _prepare(target: Path) -> None:
    """Make the folder; raises BadInput where it cannot be, or has files that are no course's."""
    name = quoted(str(target))
    if target.exists() and not target.is_dir():
        raise BadInput(f"{name}: is a file; try: {target.parent / 'course'}")
    if target.is_dir() and any(target.iterdir()) and not (target / STAMPS).exists():
        raise BadInput(f"{name}: has files that are no course's; try: {target / 'course'}")
    try:
        target.mkdir(parents=True, exist_ok=True)
        (target / STAMPS).touch()  # before all else: a run that is ended may go on
    except OSError as problem:
        raise BadInput(f"{name}: cannot be made: {problem.strerror}") from None


def _place(lecture: Lecture) -> str:
    return f"lecture-{lecture.number:02}-{lecture.name}"


def _commands(target: Path, chosen: list[Lecture], films: bool) -> Iterator[tuple[str, list[str]]]:
    """Each file, and the words of the command that makes it."""
    for lecture in chosen:
        for name, words in (PAPERS | FILM if films else PAPERS).items():
            file = f"{_place(lecture)}/{name}"
            yield file, ["lecture", lecture.name, *words.split(), "-o", str(target / file)]
    for file, seed in FORMS.items():
        yield file, ["exercise", "inventory", "--seed", str(seed), "-o", str(target / file)]
        key = file.replace(".md", "-key.md")
        yield key, ["exercise", "inventory", "--seed", str(seed), "-c", "-o", str(target / key)]
    yield "labs", ["lab", "--copy", str(target / "labs"), "--replace"]


def run_quietly(words: list[str]) -> None:
    """Do what a command does; it prints nothing here. Raises BadInput where it fails."""
    try:
        with redirect_stdout(StringIO()):
            main(words)
    except SystemExit as end:
        if end.code:
            line = shlex.join(["collectives", *words])
            raise BadInput(f"{line}: ends with status {end.code}; see the line above") from None


def _sources() -> str:
    """A digest of all that a file may be made from."""
    digest = blake2b(digest_size=16)
    for place in SOURCES:
        for path in sorted((ROOT / place).rglob("*")):
            if path.is_file() and path.suffix not in (".pyc", ".pyo"):
                digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()


def _known(target: Path) -> Stamps:
    """What is known of the files that are there; nothing where that is not to be read."""
    try:
        known = json.loads((target / STAMPS).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    known = known if isinstance(known, dict) else {}
    return {file: entry for file, entry in known.items() if isinstance(entry, dict)}


def _content(place: Path) -> str:
    """A digest of a file, or of the notebooks in a folder; empty where there is none."""
    files = sorted(place.glob("*.ipynb")) if place.is_dir() else [place] * place.is_file()
    digest = blake2b(b"".join(file.read_bytes() for file in files), digest_size=16)
    return digest.hexdigest() if files else ""


def _save(target: Path, known: Stamps) -> None:
    _write(target / STAMPS, json.dumps(known, indent=0, sort_keys=True))


def _write(path: Path, text: str) -> None:
    with replacing(path) as part:
        part.write(text.encode())


def _syllabus(chosen: list[Lecture]) -> str:
    """The lectures in their order, each with what one can do after it."""
    text = "# Syllabus\n\nA session is 45 minutes of lecture and 30 minutes of lab.\n"
    for lecture in chosen:
        text += f"\n## {lecture.number}. {lecture.title['en']}\n\n{lecture.goal['en']}\n"
    return text


def _index(chosen: list[Lecture], commands: Iterable[str]) -> str:
    """A page that leads to every file."""
    files, items = [*commands], ""
    for lecture in chosen:
        own = [file for file in files if file.startswith(_place(lecture) + "/")]
        own.insert(own.index(f"{_place(lecture)}/quiz.md") + 1, f"{_place(lecture)}/quiz-key.md")
        items += f"<h2>{lecture.number}. {escape(lecture.title['en'])}</h2><p>{_links(own)}</p>"
        if not any(file.endswith(".mp4") for file in own):
            line = f"collectives lecture {lecture.name} -q h"
            items += f"<p>The film: <code>{escape(line)}</code></p>"
    others = ["labs", *(file for file in files if file.startswith("inventory/"))]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Collectives: a course'
        '</title><meta name="viewport" content="width=device-width"><style>body { font: 17px/1.5 '
        "system-ui, sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em }</style></head>"
        f"<body><h1>Collectives: a course</h1><p>{_links(['syllabus.md', 'LICENSE.md'])}</p>{items}"
        f"<h2>Labs and concept inventory</h2><p>{_links(others)}</p></body></html>\n"
    )


def _links(files: Iterable[str]) -> str:
    return ", ".join(
        f'<a href="{escape(file)}">{escape(file.rpartition("/")[2])}</a>' for file in files
    )
