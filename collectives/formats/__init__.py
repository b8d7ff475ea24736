"""File formats of schedules, by suffix: a line for each says what reads it and what writes it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collectives.files import source_of

if TYPE_CHECKING:
    from collectives.recording.recording import Recording


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


FORMATS: dict[str, FileFormat] = {
    ".json": FileFormat("collectives.recording.saved"),
    ".xml": FileFormat("collectives.formats.msccl", takes_root=True),
    ".et": FileFormat("collectives.formats.chakra", is_written=False),
}


def suffix_of(name: str) -> str:
    """The suffix of a format that the name of a file ends in; nothing for others."""
    return next((suffix for suffix in FORMATS if name.endswith(suffix)), "")


def load(path: str | Path, **options: Any) -> Recording:
    """Read a schedule from a file; nothing in the file is imported or run.

    Parameters
    ----------
    path : str or Path
        A recording that `save` wrote (.json), an MSCCL program (.xml), or Chakra traces (.et).
    **options
        What a format takes beside it: root, count, dtype and op of a program; algorithm of traces.

    Returns
    -------
    Recording
        Catalog algorithms are made anew, other steps are unpacked and validated.

    Raises
    ------
    BadInput
        For anything but a valid file of one of these formats.
    """
    file = source_of(path)
    recording: Recording = FORMATS[suffix_of(file.name) or ".json"].load(file, **options)
    return recording
