"""What is not finished stands beside its target under a name and a lock of its own.

A process that is killed leaves it; the next output there removes it. Only what is surely of this
program is removed: of this user, under such a name, not locked, a regular file or a folder that
holds its mark and nothing but what was to be made in it. Nothing else is opened or waited for.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

IS_POSIX = hasattr(os, "fork")  # else no file is locked, and none is swept: Windows
if IS_POSIX:
    import fcntl

PREFIX, SUFFIX = ".collectives-", ".part"
NAME = re.compile(r"\.collectives-[a-z0-9_]{8}\.part")
MARK = "collectives-unfinished"  # a file in a folder; what may stand beside it, as a pattern
SIGNATURE = b"An unfinished output of collectives; it may be removed. It holds:\n"
LONGEST_MARK = 1000  # bytes
TEMPORARY = r"tmp\w{8}/.*"  # what libraries make for a moment


@contextmanager
def unfinished(beside: Path, pattern: str | None) -> Iterator[Path]:
    """A new file in a folder, or a folder with a `pattern`; locked, and removed after the block.

    Parameters
    ----------
    beside
        The folder of the target.
    pattern
        Of the paths of all files that may be made in a folder, as a regular expression.
    """
    sweep(beside)
    part, lock = _locked(beside, pattern)
    try:
        yield part
    finally:
        _remove(part)
        if lock is not None:
            os.close(lock)
        sweep(beside)  # helpers of a killed process, which held its lock, may have ended since


def sweep(folder: Path) -> None:
    """Remove what killed processes of this user have left in a folder."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries if IS_POSIX else ():
            if NAME.fullmatch(entry.name):
                with suppress(OSError, ValueError, re.error):  # a mark may be anything
                    _remove_unlocked(Path(entry))


def open_regular(path: str | Path, folder: int | None = None, link: bool = True) -> BinaryIO:
    """Open a regular file to read it; raises OSError for any other, for which it never waits.

    Parameters
    ----------
    path
        The file.
    folder
        The number of the open folder that the path is in.
    link
        Whether the path may be a symbolic link.
    """
    flags = os.O_RDONLY
    if IS_POSIX:
        flags |= os.O_NONBLOCK | os.O_NOCTTY | (0 if link else os.O_NOFOLLOW)
    number = os.open(path, flags, dir_fd=folder)
    mode = os.fstat(number).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(number, "rb")
    os.close(number)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "is a directory", str(path))
    raise OSError(errno.EINVAL, "not a regular file", str(path))


def is_own(status: os.stat_result) -> bool:
    """Whether something is a regular file of this user that has no other name."""
    regular = stat.S_ISREG(status.st_mode) and status.st_nlink == 1
    return regular and status.st_uid == _user()


def is_own_folder(status: os.stat_result) -> bool:
    """Whether something is a folder of this user, and no link to one."""
    return stat.S_ISDIR(status.st_mode) and status.st_uid == _user()


def _user() -> int:
    """The number of this user; 0, the owner of every file, where users have none."""
    return os.geteuid() if IS_POSIX else 0


def _locked(beside: Path, pattern: str | None) -> tuple[Path, int | None]:
    """A new file or folder and the number of its lock, where files can be locked."""
    while True:
        if pattern is not None:
            part = Path(tempfile.mkdtemp(dir=beside, prefix=PREFIX, suffix=SUFFIX))
        else:
            number, name = tempfile.mkstemp(dir=beside, prefix=PREFIX, suffix=SUFFIX)
            os.close(number)
            part = Path(name)
        lock = None
        with suppress(FileNotFoundError):  # removed by another run before it was locked
            if IS_POSIX:
                lock = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
                fcntl.flock(lock, fcntl.LOCK_EX)
            if part.exists():
                if pattern is not None:
                    _sign(part, pattern)
                return part, lock
        if lock is not None:
            os.close(lock)


def _sign(part: Path, pattern: str) -> None:
    """Put its mark into a new folder; where that fails, as on a full disk, the folder goes, too."""
    try:
        (part / MARK).write_bytes(SIGNATURE + pattern.encode())
    except OSError:
        _remove(part)
        raise


def _remove_unlocked(part: Path) -> None:
    """Remove what a killed process left; what another process still writes stays."""
    status = part.lstat()
    if not (is_own(status) or is_own_folder(status)):
        return
    lock = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        same = os.path.samestat(status, os.fstat(lock))
        if same and (is_own(status) or not _foreign(part)):
            _remove(part)
    finally:
        os.close(lock)


def _foreign(part: Path) -> bool:
    """Whether a folder may hold anything but what was to be made in it."""
    if set(os.listdir(part)) <= {MARK}:
        return False  # killed before anything was made
    with open_regular(part / MARK, link=False) as file:
        mark = file.read(LONGEST_MARK)
    if not mark.startswith(SIGNATURE):
        return True
    expected = re.compile(f"{mark.removeprefix(SIGNATURE).decode()}|{TEMPORARY}|{MARK}")
    for folder, folders, files in os.walk(part):
        inside = Path(folder)
        if not all(is_own_folder((inside / name).lstat()) for name in folders):
            return True
        for name in files:
            path = inside / name
            named = path.relative_to(part).as_posix()
            if not is_own(path.lstat()) or not expected.fullmatch(named):
                return True
    return False


def _remove(part: Path) -> None:
    """Remove a file, or a folder: its mark last, without which nothing in it would be known."""
    if part.is_dir():
        with suppress(OSError):
            for path in [path for path in part.iterdir() if path.name != MARK]:
                _remove(path)
        shutil.rmtree(part, ignore_errors=True)
    else:
        part.unlink(missing_ok=True)
