"""Files and sheets that are kept from build to build while nothing they are made from changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from shutil import copyfile
from typing import Any

from animations.site.layout import workshop
from collectives.files import replacing

HERE = Path(__file__).parent
EXCLUDED = {"__pycache__", "lectures", HERE.name}  # folders that are no code outside of this one
LOOK = (".css", ".js", ".html")  # of which no sheet is made
PACKAGES = (HERE.parents[1] / "collectives", HERE.parent)


class KeptFiles:
    """Which files of a site were made, and from what; what is made no more is removed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.record = folder, workshop(folder) / "made.json"
        try:
            self.before = dict(json.loads(self.record.read_text("utf-8")))
        except (OSError, ValueError):
            self.before = {}
        self.now: dict[str, Any] = {}

    def make(self, files: Sequence[str], inputs: str, action: Callable[[], object]) -> None:
        """Make files, whose names are relative to the site, unless they are there as they should.

        inputs: what they are made of beside the code outside of this folder.
        """
        stamp = _digest(_code(), inputs)
        is_kept = all(
            self.before.get(name) == stamp and (self.folder / name).is_file() for name in files
        )
        if not is_kept:
            action()
        self.now.update(dict.fromkeys(files, stamp))
        stamped = {name: entry for name, entry in self.now.items() if isinstance(entry, str)}
        self._save({**self.before, **stamped})  # a build that is cut off goes on; sheets do not

    def write_sheets(self, name: str, inputs: str, action: Callable[[], Any]) -> Any:
        """What an action that writes sheets returns; they are kept while nothing changes.

        inputs: what they are made of beside the code, the texts of the site and the films.
        """
        films = sorted(path.name for path in self.folder.rglob("*.mp4"))
        stamp = _digest(_code(), _texts(HERE, LOOK), f"{inputs} {films}")
        drafts, sources = self.record.parent / "drafts", self.record.parent / "sources"
        entry = self.before.get(name, {})
        sheets = [Path(sheet) for sheet in entry.get("sheets", ())]
        if entry.get("stamp") == stamp and all((sources / sheet).is_file() for sheet in sheets):
            for sheet in sheets:
                (drafts / sheet).parent.mkdir(parents=True, exist_ok=True)
                copyfile(sources / sheet, drafts / sheet)
        else:
            others, value = set(drafts.rglob("*.sheet")), action()
            written = sorted({*drafts.rglob("*.sheet")} - others)
            names = [path.relative_to(drafts).as_posix() for path in written]
            entry = {"stamp": stamp, "sheets": names, "value": value}
        self.now[name] = entry
        return entry["value"]

    def keep(self, name: str) -> None:
        """Keep a file as it is, if it was made before."""
        if name in self.before and (self.folder / name).is_file():
            self.now[name] = self.before[name]

    def finish(self) -> None:
        """Remove what was made before and is made no more."""
        for name in self.before.keys() - self.now.keys():
            (self.folder / name).unlink(missing_ok=True)
        self._save(self.now)

    def _save(self, stamps: dict[str, Any]) -> None:
        self.record.parent.mkdir(parents=True, exist_ok=True)
        with replacing(self.record) as file:
            file.write(json.dumps(stamps, indent=0, sort_keys=True).encode())


@cache
def _code() -> str:
    """A digest of the code outside of this folder, which all is made from; lectures are texts."""
    return _digest(*map(_texts, PACKAGES))


def _texts(folder: Path, without: tuple[str, ...] = ()) -> str:
    """A digest of what stands in a folder, without this one, lectures and some suffixes."""
    paths = (path for path in sorted(folder.rglob("*")) if path.suffix not in without)
    paths = (path for path in paths if not EXCLUDED & {*path.relative_to(folder).parts})
    files = [path for path in paths if path.is_file()]
    return _digest(*(path.as_posix() for path in files), *(path.read_bytes() for path in files))


def _digest(*parts: str | bytes) -> str:
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(part if isinstance(part, bytes) else part.encode())
    return digest.hexdigest()
