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


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
MISCONCEPTIONS = {name: Misconception(*sentences) for name, sentences in _TABLE.items()}

KNOWN = MISCONCEPTIONS.copy()  # with those of who asks other questions
