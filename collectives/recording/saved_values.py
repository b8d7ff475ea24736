"""Values of a JSON file, each held to be of the kind it must be."""

from __future__ import annotations

from typing import Any

from collectives.errors import BadInput
from collectives.words import brief


def values(given: object, *kinds: type) -> list[Any]:
    """The values of an array, which must be of these kinds, if any are named."""
    if not isinstance(given, list) or (kinds and len(given) != len(kinds)):
        raise BadInput(f"stamps are damaged: {brief(given)}")
    for value, kind in zip(given, kinds, strict=False):
        if type(value) is not kind:
            raise BadInput(f"stamps are damaged: {brief(value)} is not {_KINDS[kind]}")
        _check_text(value)
    return given


def typed(content: dict[str, Any], name: str, kind: type) -> Any:
    """The value of this name; raises BadInput where it is missing or of another kind."""
    if name not in content:
        raise BadInput(f'"{name}" is missing')
    value = content[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadInput(f'"{name}" is {brief(value)}; it must be {_KINDS[kind]}')
    _check_text(value)
    return value


def _check_text(value: object) -> None:
    """Refuse a string that no file can hold: one with half of a surrogate pair."""
    try:
        if isinstance(value, str):
            value.encode()
    except UnicodeEncodeError:
        raise BadInput(f"{brief(value)} is no text: it has half of a surrogate pair") from None


def short(problem: Exception) -> str:
    """What a failure says, in at most 60 characters."""
    text = str(problem)
    return text if len(text) <= 60 else text[:57] + "..."


_KINDS = {
    str: "a string",
    int: "an integer",
    dict: "an object",
    list: "an array",
    bool: "true or false",
}
