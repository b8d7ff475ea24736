"""Finished parts of films, kept in the user's cache under a digest of all that they show."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from collectives.errors import CollectivesError
from collectives.files import replacing
from collectives.progress import announce
from collectives.unfinished import IS_POSIX, is_own, is_own_folder, open_regular

MOST_BYTES = 512 << 20  # of all parts together; the least recently used go first
CHECK = 16  # bytes of the checksum before the content
SUFFIX = ".film"
PART = re.compile(rf"[0-9a-f]{{40}}\{SUFFIX}")
TAG = "CACHEDIR.TAG"  # backups leave out a folder with this file: https://bford.info/cachedir/
TAG_TEXT = b"""Signature: 8a477f597d28d172789f06886806bc55
# This folder keeps parts of films for collectives. It may be removed.
"""


class Kept:
    """A folder of parts by their digests; no folder, or one that cannot be used, keeps none.

    The folder is the user's own and no link. In it, only own regular files are read or removed
    whose names are digests.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def get(self, digest: str) -> bytes | None:
        """The part of this digest, if it is there and whole."""
        with (
            suppress(OSError),
            self._opened() as folder,
            open_regular(digest + SUFFIX, folder, link=False) as file,
        ):
            status = os.fstat(file.fileno())
            if is_own(status) and status.st_size <= MOST_BYTES:
                content = file.read(MOST_BYTES)
                if _check(content[CHECK:]) == content[:CHECK]:
                    os.utime(file.fileno())  # it was used
                    return content[CHECK:]
        return None

    def put(self, digest: str, part: bytes) -> None:
        """Keep a part, if the disk takes it."""
        if self._folder is None:
            return
        with suppress(OSError, CollectivesError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._opened():
                if not (self._folder / TAG).exists():
                    self._write(TAG, TAG_TEXT)
                self._write(digest + SUFFIX, _check(part) + part)

    def trim(self, limit: int = MOST_BYTES) -> None:
        """Remove the parts that were not used for the longest time, until the rest has room."""
        with suppress(OSError), self._opened() as folder, os.scandir(folder) as entries:
            parts = [entry for entry in entries if PART.fullmatch(entry.name)]
            stats = [(entry.name, entry.stat(follow_symlinks=False)) for entry in parts]
            own = [(name, status) for name, status in stats if is_own(status)]
            for name, status in sorted(own, key=lambda part: -part[1].st_mtime_ns):
                limit -= status.st_size
                if limit < 0:
                    os.unlink(name, dir_fd=folder)

    def refused(self) -> bool:
        """Whether its place is taken by what is no folder of this user."""
        with suppress(OSError):
            return self._folder is not None and not is_own_folder(self._folder.lstat())
        return False

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """The number of the open folder; raises OSError for none that may be used."""
        if self._folder is None or not IS_POSIX:
            raise FileNotFoundError
        folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            if not is_own_folder(os.fstat(folder)):
                raise PermissionError
            yield folder
        finally:
            os.close(folder)

    def _write(self, name: str, content: bytes) -> None:
        with replacing(f"{self._folder}/{name}") as file:
            file.write(content)


NOTHING_KEPT = Kept(None)


def cache_folder() -> Path | None:
    """Where parts are kept: a folder of their own in that which COLLECTIVES_CACHE names.

    Else film in the user's cache. None where it names nothing, and where there is no home.
    """
    named, base = os.environ.get("COLLECTIVES_CACHE"), os.environ.get("XDG_CACHE_HOME", "")
    if named is not None:
        return Path(named).absolute() / "collectives-film" if named else None
    with suppress(RuntimeError):
        home = Path(base) if os.path.isabs(base) else Path.home() / ".cache"
        return home / "collectives" / "film"
    return None


def user_cache() -> Kept:
    """The parts in the user's cache; says so where its place is somebody else's."""
    kept = Kept(cache_folder())
    if kept.refused():
        announce(f"{cache_folder()} is not a folder of yours; no part of a film is kept there")
        return NOTHING_KEPT
    return kept


def _check(content: bytes) -> bytes:
    return blake2b(content, digest_size=CHECK).digest()
