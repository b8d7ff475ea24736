"""Finished parts of films, kept in the user's cache under a digest of all that they show."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from collectives.errors import CollectivesError
from collectives.files import replacing

MOST_BYTES = 512 << 20  # of all parts together; the least recently used go first
CHECK = 16  # bytes of the checksum before the content


class Kept:
    """A folder of parts by their digests; no folder, or one that cannot be used, keeps none."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def get(self, digest: str) -> bytes | None:
        """The part of this digest, if it is there and whole."""
        if self._folder is None:
            return None
        with suppress(OSError):
            path = self._folder / digest
            content = path.read_bytes()
            if _check(content[CHECK:]) == content[:CHECK]:
                with suppress(OSError):
                    os.utime(path)  # it was used
                return content[CHECK:]
        return None

    def put(self, digest: str, part: bytes) -> None:
        """Keep a part, if the disk takes it."""
        if self._folder is None:
            return
        with suppress(OSError, CollectivesError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with replacing(self._folder / digest) as file:
                file.write(_check(part) + part)

    def trim(self, limit: int = MOST_BYTES) -> None:
        """Remove the parts that were not used for the longest time, until the rest has room."""
        with suppress(OSError):
            files = [] if self._folder is None else list(os.scandir(self._folder))
            stats = [(entry.path, entry.stat()) for entry in files if entry.name[0] != "."]
            for path, stat in sorted(stats, key=lambda pair: -pair[1].st_mtime_ns):
                limit -= stat.st_size
                if limit < 0:
                    os.unlink(path)


NOTHING_KEPT = Kept(None)


def cache_folder() -> Path | None:
    """Where parts are kept: the folder COLLECTIVES_CACHE names, or film in the user's cache.

    None where it names nothing, and where there is no home.
    """
    named, base = os.environ.get("COLLECTIVES_CACHE"), os.environ.get("XDG_CACHE_HOME", "")
    if named is not None:
        return Path(named).absolute() if named else None
    with suppress(RuntimeError):
        home = Path(base) if os.path.isabs(base) else Path.home() / ".cache"
        return home / "collectives" / "film"
    return None


def _check(content: bytes) -> bytes:
    return blake2b(content, digest_size=CHECK).digest()
