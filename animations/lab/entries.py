"""Reads the exercises and predictions of the labs: a TOML file for each lab."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from collectives.errors import BadInput
from collectives.words import nearest

FOLDER = Path(__file__).with_name("exercises")
Entry = Mapping[str, Any]


@cache
def entries(kind: str) -> Mapping[str, Entry]:
    """All entries of a kind, "exercise" or "prediction", by name."""
    labs = [tomllib.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.toml"))]
    return {name: entry for lab in labs for name, entry in lab.get(kind, {}).items()}


def find_entry(kind: str, name: str) -> Entry:
    """The entry of this name; raises BadInput for an unknown one."""
    known = entries(kind)
    if not isinstance(name, str) or name not in known:
        raise BadInput(f"unknown {kind} {name!r}; {nearest(str(name), known)}")
    return known[name]
