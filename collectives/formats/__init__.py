"""File formats of schedules, by suffix: a line for each says what reads it and what writes it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class FileFormat:
    """The module with `load` and, where it is written, `save`; imported when it is used.

    takes_root: files do not say which rank is the root, so that `load` has to be told.
    """

    module: str
    is_written: bool = True
    takes_root: bool = False

    @property
    def load(self) -> Any:
        """Reads a recording from a path; what else it takes depends on the format."""
        return import_module(self.module).load

    @property
    def save(self) -> Any:
        """Writes a recording to a path."""
        return import_module(self.module).save


FORMATS = {
    ".json": FileFormat("collectives.recording.saved"),
    ".xml": FileFormat("collectives.formats.msccl", takes_root=True),
    ".et": FileFormat("collectives.formats.chakra", is_written=False),
}
