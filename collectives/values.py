"""Values from outside: of their kind and in their range, or one line that says why not."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, TypeVar

from collectives.errors import BadInput
from collectives.words import brief, nearest

T = TypeVar("T")

MAX_WHOLE = 2**63 - 1  # what a size in a library's interface can be
LIMIT_TEXTS = {MAX_WHOLE: "2^63 - 1", 1 << 48: "2^48"}


def whole(
    name: str, value: object, minimum: int = 0, maximum: int = MAX_WHOLE, usual: int | None = None
) -> int:
    """The value as a Python integer; raises BadInput unless it is whole and in its range.

    usual: what to try in place of a value that is no number; by default the minimum.

    >>> whole("size", 1024.0)
    1024
    >>> whole("ranks", 0, minimum=1)
    Traceback (most recent call last):
    collectives.errors.BadInput: ranks 0: must be at least 1; try: 1
    """
    number = _number(name, value, "a whole number", str(minimum if usual is None else usual))
    near = min(max(round(number), minimum), maximum)
    if number != int(number):
        raise BadInput(f"{name} {number:g}: must be a whole number; try: {near}")
    if number < minimum:
        raise BadInput(f"{name} {brief(int(number))}: must be at least {minimum}; try: {near}")
    if number > maximum:
        limit = LIMIT_TEXTS.get(maximum, maximum)
        raise BadInput(f"{name} {brief(int(number))}: must be at most {limit}; try: {near}")
    return int(number)


def positive(name: str, value: object, unit: str = "") -> float:
    """The value as a float; raises BadInput unless it is finite and above 0.

    >>> positive("bandwidth", 0, "GB/s")
    Traceback (most recent call last):
    collectives.errors.BadInput: bandwidth 0 GB/s: must be above 0; try: 1 GB/s
    """
    number = _number(name, value, "a number", "1")
    unit = unit and " " + unit
    if number <= 0:
        raise BadInput(f"{name} {brief(value)}{unit}: must be above 0; try: 1{unit}")
    return _float(name, number)


def not_negative(name: str, value: object, unit: str = "") -> float:
    """The value as a float; raises BadInput unless it is finite and 0 or more.

    >>> not_negative("price", 0)
    0.0
    """
    number = _number(name, value, "a number", "0")
    unit = unit and " " + unit
    if number < 0:
        raise BadInput(f"{name} {brief(value)}{unit}: must not be negative; try: 0")
    return _float(name, number)


def share(name: str, value: object) -> float:
    """The value, if it is a part of a whole; raises BadInput unless it is 0 to 1.

    >>> share("density", 0.25)
    0.25
    """
    number = not_negative(name, value)
    if number > 1:
        raise BadInput(f"{name} {number:g}: must be 0 to 1; try: 1")
    return number


def seconds(name: str, value: object) -> float:
    """A time in seconds; raises BadInput unless it is finite, not negative and below 2^63.

    >>> seconds("latency", 5e-6)
    5e-06
    """
    number = not_negative(name, value, "s")
    if number > MAX_WHOLE:
        raise BadInput(f"{name} {brief(value)} s: must be below 2^63 seconds; try: 9e18s")
    return number


def rate(name: str, value: object) -> float:
    """Bytes per second; raises BadInput unless it is finite, above 0 and below 2^63.

    >>> rate("bandwidth", 50e9)
    50000000000.0
    """
    number = positive(name, value, "B/s")
    if number > MAX_WHOLE:
        rule = "must be below 2^63 bytes per second"
        raise BadInput(f"{name} {brief(value)} B/s: {rule}; try: 1EB/s")
    return number


def instance(name: str, value: object, kind: type[T], near: str) -> T:
    """The value, if it is of this kind; raises BadInput, with the nearest, for any other.

    >>> instance("collective", 5, str, "all_reduce")
    Traceback (most recent call last):
    collectives.errors.BadInput: collective 5: must be text; try: all_reduce
    """
    if isinstance(value, kind):
        return value
    rule = "text" if kind is str else f"a {kind.__name__}"
    raise BadInput(f"{name} {brief(value)}: must be {rule}; try: {near}")


def dict_of(name: str, value: object, near: str) -> dict[Any, Any]:
    """A copy of a dict; raises BadInput for anything else.

    >>> dict_of("parameters", {"radix": 3}, "{'radix': 2}")
    {'radix': 3}
    """
    if not isinstance(value, Mapping):
        raise BadInput(f"{name} {brief(value)}: must be a dict; try: {near}")
    return dict(value)


def items_of(name: str, value: Any, near: str, limit: int = 1 << 20) -> list[Any]:
    """What a list, array or other iterable holds; raises BadInput for text and for no iterable.

    >>> items_of("counts", 5, "[4, 4]")
    Traceback (most recent call last):
    collectives.errors.BadInput: counts 5: must be a list; try: [4, 4]
    """
    try:
        items = None if isinstance(value, str | bytes | Mapping) else list(islice(value, limit + 1))
    except TypeError:
        items = None
    if items is None:
        raise BadInput(f"{name} {brief(value)}: must be a list; try: {near}")
    if len(items) > limit:
        raise BadInput(f"{name} {brief(value)}: at most {limit} are taken; try: {near}")
    return items


def one_of(name: str, value: object, choices: Iterable[str]) -> str:
    """The value, if it is one of these names; raises BadInput, with the nearest, otherwise.

    >>> one_of("clock", "lockstop", ["lockstep", "dataflow"])
    Traceback (most recent call last):
    collectives.errors.BadInput: clock 'lockstop': unknown; did you mean lockstep?
    """
    if isinstance(value, str) and value in choices:
        return value
    raise BadInput(f"{name} {brief(value)}: unknown; {nearest(value, choices)}")


def _float(name: str, number: float | int) -> float:
    """A number as a float; raises BadInput for whole numbers too large to be one."""
    try:
        return float(number)
    except OverflowError:
        raise BadInput(f"{name} {brief(number)}: must be below 1e308; try: 1e308") from None


def _number(name: str, value: object, kind: str, near: str) -> float | int:
    """A finite number of Python or numpy; raises BadInput for anything else, and for booleans."""
    if isinstance(value, bool):
        raise BadInput(f"{name} {value}: must be {kind}; try: {near}")
    import numbers

    if not isinstance(value, numbers.Real):
        try:
            return operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            raise BadInput(f"{name} {brief(value)}: must be {kind}; try: {near}") from None
    if isinstance(value, numbers.Integral):
        return int(value)
    number = float(value)
    if not math.isfinite(number):
        rule = f"must be {kind}, neither infinite nor NaN"
        raise BadInput(f"{name} {number}: {rule}; try: {near}")
    return number


def finite(value: Any) -> Any:
    """The same without numbers that JSON does not have: null for what is infinite or NaN.

    >>> finite({"seconds": math.inf})
    {'seconds': None}
    """
    if isinstance(value, Mapping):
        return {key: finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
