"""What learners get wrong, by name, loaded from misconceptions.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple


class Misconception(NamedTuple):
    """because: the wrong reason, after "because"; feedback: a whole sentence about it.

    The sentence follows an answer as well as a reason.
    """

    because: str
    feedback: str


def read_misconceptions(path: Path) -> dict[str, Misconception]:
    """The misconceptions of a file, by name."""
    table = tomllib.loads(path.read_text("utf-8"))
    return {name: Misconception(*sentences) for name, sentences in table.items()}


MISCONCEPTIONS = read_misconceptions(Path(__file__).with_suffix(".toml"))
KNOWN = MISCONCEPTIONS.copy()  # with those of who asks other questions
