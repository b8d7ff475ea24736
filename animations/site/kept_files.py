"""Files of the site that are kept from build to build while nothing they are made from changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path

from animations.site.layout import workshop
from collectives.files import replacing

HERE = Path(__file__).parent
PACKAGES = (HERE.parents[1] / "collectives", HERE.parent)


class KeptFiles:
    """Which files of a site were made, and from what; what is made no more is removed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.record = folder, workshop(folder) / "made.json"
        try:
            self.before = dict(json.loads(self.record.read_text("utf-8")))
        except (OSError, ValueError):
            self.before = {}
        self.now: dict[str, str] = {}

    def make(self, files: Sequence[str], inputs: str, action: Callable[[], object]) -> None:
        """Make files, whose names are relative to the site, unless they are there as they should.

        inputs: what they are made of beside the code outside of this folder.
        """
        stamp = blake2b(f"{_code()} {inputs}".encode(), digest_size=16).hexdigest()
        is_kept = all(
            self.before.get(name) == stamp and (self.folder / name).is_file() for name in files
        )
        if not is_kept:
            action()
        self.now.update(dict.fromkeys(files, stamp))
        self._save({**self.before, **self.now})  # a build that is cut off goes on here

    def keep(self, name: str) -> None:
        """Keep a file as it is, if it was made before."""
        if name in self.before and (self.folder / name).is_file():
            self.now[name] = self.before[name]

    def finish(self) -> None:
        """Remove what was made before and is made no more."""
        for name in self.before.keys() - self.now.keys():
            (self.folder / name).unlink(missing_ok=True)
        self._save(self.now)

    def _save(self, stamps: dict[str, str]) -> None:
        self.record.parent.mkdir(parents=True, exist_ok=True)
        with replacing(self.record) as file:
            file.write(json.dumps(stamps, indent=0, sort_keys=True).encode())


@cache
def _code() -> str:
    """A digest of the code outside of this folder, which all is made from."""
    digest = blake2b(digest_size=16)
    for package in PACKAGES:
        for path in sorted(package.rglob("*")):
            if path.is_file() and HERE not in path.parents and "__pycache__" not in path.parts:
                digest.update(path.as_posix().encode() + path.read_bytes())
    return digest.hexdigest()
