"""The folder of a launch: for its plan and what its players write; gone when it ends."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from collectives.unfinished import IS_POSIX, is_own_folder, open_regular

if IS_POSIX:  # nothing is launched elsewhere
    import fcntl

PREFIX = "collectives-launch-"
LOCK = "lock"  # a file that is locked as long as the launch runs


@contextmanager
def launch_folder() -> Iterator[Path]:
    """A folder for the block; those of launches that were killed are removed, too."""
    sweep(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=PREFIX) as name, Path(name, LOCK).open("wb") as lock:
        with suppress(OSError):  # not every file system has locks
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield Path(name)


def sweep(place: Path) -> None:
    """Remove what killed launches of this user have left: nobody holds their locks."""
    for folder in place.glob(f"{PREFIX}{'[a-z0-9_]' * 8}"):
        with suppress(OSError):
            if not is_own_folder(folder.lstat()):
                continue
            with open_regular(folder / LOCK, link=False) as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder)
