"""Output files: written beside their target and renamed, so that none is ever half-written."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import BinaryIO

from collectives.errors import BadInput, CollectivesError
from collectives.unfinished import open_regular, unfinished
from collectives.units import size_text
from collectives.words import brief, quoted

LARGEST_TEXT = 16 << 20  # bytes
SEEN = 1 << 13  # bytes of a file in which its mark stands


def path_of(path: object) -> Path:
    """The path; raises BadInput for what is none."""
    if isinstance(path, str | os.PathLike):
        return Path(path)
    raise BadInput(f"path {brief(path)}: must be text or a Path; try: 'result.json'")


def source_of(path: object) -> Path:
    """The path of a file to read; raises BadInput for what is none, or empty."""
    if isinstance(path, str) and not path:
        raise BadInput("'': names no file; try: 'result.json'")
    return path_of(path)


def plain_name(title: str) -> str:
    """A title as a part of a file's name: letters, digits and hyphens."""
    return re.sub(r"[\W_]+", "-", title, flags=re.ASCII).strip("-")[:80]


def name_on_ranks(title: str, ranks: int, suffix: str = "") -> str:
    """What a file of a recording is called unless named: ring-all-reduce-4.html.

    Own schedules name themselves, in a saved recording as they like: only letters and digits stay.
    """
    return f"{plain_name(title) or 'schedule'}-{ranks}{suffix}"


def check_writable(path: str | Path) -> Path:
    """The path, if a file can be written there; raises BadInput, naming why not."""
    target = path_of(path)
    name, folder = quoted(str(path)), quoted(str(target.parent))
    try:
        if not target.name or str(path).endswith(("/", os.sep)) or target.is_dir():
            raise BadInput(f"{name}: is a folder; name a file in it")
        if "\0" in str(path):
            raise BadInput(f"{name}: a path has no zero character")
        if os.path.islink(os.path.realpath(target)):
            raise BadInput(f"{name}: is a link that leads back to itself; remove it")
        if target.exists() and not target.is_file():
            raise BadInput(f"{name}: is not a regular file; name another")
        if target.parent.exists() and not target.parent.is_dir():
            raise BadInput(f"{name}: {folder} is a file, not a folder; name another")
        if not target.parent.is_dir():
            raise BadInput(f"{name}: there is no folder {folder}; make it first")
        with tempfile.TemporaryFile(dir=target.parent):
            return target
    except OSError as problem:
        why = problem.strerror
        raise BadInput(f"{name}: no file can be made in {folder}: {why}") from None


def check_own(path: Path, mark: str, named: str | Path) -> Path:
    """The path of a file that is written beside the one that is named, if none of others is there.

    mark: a text near the beginning of each of ours; raises BadInput where a file has none.
    """
    check_writable(path)
    if path.exists():
        with path.open("rb") as file:
            begin = file.read(SEEN)
        if mark.encode() not in begin:
            what = f"is written beside {quoted(str(named))}, and is there with something else"
            raise BadInput(f"{quoted(str(path))}: {what}; move it, or name another file with -o")
    return path


def check_suffix(path: str | Path, suffixes: Sequence[str], what: str, option: str = "") -> Path:
    """The path, if `what` is written as files of its ending, and can be; raises BadInput."""
    target, option_text = path_of(path), f"{option} {quoted(str(path))}".lstrip()
    if target.suffix not in suffixes:
        close = target.with_suffix(suffixes[0]) if target.name else f"picture{suffixes[0]}"
        written = " or ".join(suffixes)
        raise BadInput(f"{option_text}: {what} is written as {written}; try: {quoted(str(close))}")
    return check_writable(path)


def check_exists(path: str, name: str) -> None:
    """Raise BadInput, which calls the file `name`, unless it exists: with the nearest that does.

    Pipes and devices are refused too: they may never end, or never begin.
    """
    target = Path(path)
    if target.exists():
        if not (target.is_file() or target.is_dir()):
            raise BadInput(f"{name}: is not a regular file; name another")
        return
    folder = target.parent
    there = (str(file) for file in folder.glob(f"*{target.suffix}")) if folder.is_dir() else ()
    close = get_close_matches(path, there, n=1)
    hint = f"did you mean {close[0]}?" if close else "name an existing file"
    raise BadInput(f"{name}: no such file; {hint}")


def read_bytes(path: str | Path, limit: int) -> bytes:
    """The content of a regular file of at most `limit` bytes; raises BadInput for any other."""
    path_of(path)
    name = quoted(str(path))
    try:
        check_exists(str(path), name)
        with open_regular(path) as file:
            content = file.read(limit + 1)
    except (OSError, ValueError) as problem:
        if isinstance(problem, CollectivesError):
            raise
        why = getattr(problem, "strerror", None) or problem
        raise BadInput(f"{name}: cannot be read: {why}") from None
    if len(content) > limit:
        size = size_text(os.path.getsize(path))
        raise BadInput(f"{name}: has {size}; the limit is {size_text(limit)}")
    return content


def read_text(path: str | Path, kind: str) -> str:
    """The text of a file of at most 16 MiB; raises BadInput, naming what it should be."""
    try:
        return read_bytes(path, LARGEST_TEXT).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{quoted(str(path))} is not text; {kind}") from None


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` when the block ends well, and vanishes otherwise.

    Raises BadInput where it cannot be written.
    """
    target = check_writable(path)
    with _beside(target) as part:
        with part.open("wb") as file:
            yield file
        put(part, target)


@contextmanager
def working_folder(target: Path, pattern: str) -> Iterator[Path]:
    """A folder beside `target` to make its parts in, which is gone when the block ends.

    pattern: that of the paths in it; a folder that was left is removed if it holds no others.
    Raises BadInput where it cannot be written.
    """
    with _beside(target, pattern) as part:
        yield part


def put(part: Path, target: Path) -> None:
    """Move a finished file to its name: it keeps the old one's mode, a link its file."""
    target = Path(os.path.realpath(target))
    mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()
    part.chmod(mode)
    part.replace(target)


@contextmanager
def _beside(target: Path, pattern: str | None = None) -> Iterator[Path]:
    """What is not finished, beside its target.

    Raises BadInput where it cannot be written, or another file that is named cannot be used.
    """
    own = [Path(os.path.realpath(target))]
    try:
        with unfinished(own[0].parent, pattern) as part:
            own.append(part)
            yield part
    except OSError as problem:
        if isinstance(problem, CollectivesError):
            raise
        why, name = problem.strerror or problem, f"{problem.filename or own[0]}"
        if len(own) > 1 and not any(Path(name).is_relative_to(path) for path in own):
            raise BadInput(f"{quoted(name)}: {why}") from None
        raise BadInput(f"{target}: cannot be written: {why}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
