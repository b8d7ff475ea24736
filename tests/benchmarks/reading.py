"""How often a reader changes the file who follows a recording to a drawn cell."""

import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from itertools import pairwise
from pathlib import Path
from types import FrameType

from collectives.__main__ import cli
from tests.benchmarks.measure import line

ROOT = Path(__file__).parents[2]
PRODUCT = tuple(str(ROOT / folder) + "/" for folder in ("collectives", "animations"))
PICTURE = ["figure", "picture", "all-reduce", "ring", "-n", "4", "--step", "3"]
BEGINS = "board_of"  # takes the recording; all before it makes one


def changes_of_file(words: list[str]) -> tuple[int, int]:
    """Changes of file from one call to the next, and the files, of a command that draws.

    A function counts when it is called for the first time, as a reader reads it once. Counted are
    calls of the product's own functions after the recording is there; what is done at the import of
    a module is not.
    """
    seen: dict[tuple[str, str, int], None] = {}
    begun = False

    def notice(frame: FrameType, event: str, _: object) -> None:
        nonlocal begun
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(PRODUCT):
            return
        begun = begun or code.co_name == BEGINS
        if begun and code.co_name != "<module>":
            seen.setdefault((code.co_filename, code.co_qualname, code.co_firstlineno))

    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        sys.setprofile(notice)
        try:
            cli.main([*words, "-o", f"{folder}/picture.svg"], standalone_mode=False)
        finally:
            sys.setprofile(None)
    files = [file for file, _, _ in seen]
    changes = sum(file != before for before, file in pairwise(files))
    return changes, len(set(files))


def recording_to_cell() -> Iterator[str]:
    """The way of `figure picture all-reduce ring`."""
    changes, files = changes_of_file(PICTURE)
    yield line(
        "from a recording to a drawn cell", f"{changes} changes of file", "<= 198", f"{files} files"
    )
