"""Few of a test's many cases, the same ones every time: what `make test` tries of them."""

import os
import zlib
from typing import TypeVar

Case = TypeVar("Case")
FEW = 2
THOROUGH = os.environ.get("THOROUGH", "") not in ("", "0")
SAMPLE = os.environ.get("SAMPLE", "") not in ("", "0") and not THOROUGH


def spread(name: str, cases: list[Case], few: int = FEW) -> list[Case]:
    """A few of many cases, evenly spread from a place that follows from the name of their test."""
    if len(cases) <= few:
        return cases
    start = zlib.crc32(name.encode())
    places = {(start + k * len(cases) // few) % len(cases) for k in range(few)}
    return [cases[place] for place in sorted(places)]
