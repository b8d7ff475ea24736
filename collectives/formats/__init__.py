"""File formats of schedules, by suffix: a line for each says what reads it and what writes it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collectives.errors import BadInput
from collectives.files import source_of
from collectives.words import nearest

if TYPE_CHECKING:
    from collectives.recording.recording import Recording


@dataclass(frozen=True)
class FileFormat:
    """The module with `load` and, where it is written, `save`; imported when it is used.

    takes: what `load` takes beside a path.
    """

    module: str
    is_written: bool = True
    takes: tuple[str, ...] = ()

    @property
    def takes_root(self) -> bool:
        """Whether files do not say which rank is the root, so that `load` has to be told."""
        return self.is_written and "root" in self.takes

    @property
    def load(self) -> Any:
        """Reads a recording from a path; what else it takes depends on the format."""
        return import_module(self.module).load

    @property
    def save(self) -> Any:
        """Writes a recording to a path."""
        return import_module(self.module).save


OF_PROGRAMS = ("root", "in_place", "collective", "count", "counts", "dtype", "op", "data")
OF_TRACES = ("algorithm", "collective", "parameters", "chunks", "root")
FORMATS: dict[str, FileFormat] = {
    ".json": FileFormat("collectives.recording.saved"),
    ".xml": FileFormat("collectives.formats.msccl", takes=OF_PROGRAMS),
    ".et": FileFormat("collectives.formats.chakra", is_written=False, takes=OF_TRACES),
}


def suffix_of(name: str) -> str:
    """The suffix of a format that the name of a file ends in, in any case; nothing for others.

    >>> suffix_of("ring.XML"), suffix_of("ring.txt")
    ('.xml', '')
    """
    return next((suffix for suffix in FORMATS if name.lower().endswith(suffix)), "")


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
        For anything but a valid file of one of these formats, and for options it does not take.
    """
    file = source_of(path)
    suffix = suffix_of(file.name) or ".json"
    known = FORMATS[suffix]
    for name in options:
        if name not in known.takes:
            hint = nearest(name, known.takes) if known.takes else "leave it out"
            raise BadInput(f"{name}: no option for reading a {suffix} file; {hint}")
    recording: Recording = known.load(file, **options)
    return recording
