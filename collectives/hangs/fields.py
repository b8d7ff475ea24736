"""Fields of values from outside: of their kind and in their range, or a line that says why not."""

from __future__ import annotations

from typing import Any

from collectives.errors import BadInput
from collectives.words import brief

LARGEST = 1 << 63
MOST_RANKS = 1 << 17


def mapping(what: str, value: Any) -> dict[str, Any]:
    """The value, if it is a dict; raises BadInput."""
    if not isinstance(value, dict):
        raise BadInput(f"{what} {brief(value)}: must be names with values, a dict or JSON object")
    return value


def sequence(what: str, value: Any) -> list[Any]:
    """The values, if it is a list or tuple; raises BadInput."""
    if not isinstance(value, list | tuple):
        raise BadInput(f"{what} {brief(value)}: must be a list")
    return list(value)


def whole_number(what: str, value: Any, minimum: int = 0, end: int = LARGEST) -> int:
    """The value, if it is a whole number from minimum to below `end`; raises BadInput.

    >>> whole_number("rank", 9, end=8)
    Traceback (most recent call last):
    collectives.errors.BadInput: rank 9: must be a whole number, 0 to 7
    """
    if isinstance(value, bool) or not isinstance(value, int) or not minimum <= value < end:
        highest = "2^63 - 1" if end == LARGEST else str(end - 1)
        raise BadInput(f"{what} {brief(value)}: must be a whole number, {minimum} to {highest}")
    return value
