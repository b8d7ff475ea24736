"""What schedules and their combinators use of Python's library and MicroPython does not have."""

# ruff: noqa: A001

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

Real = (int, float)
Integral = int
MOST_SHOWN = 60  # letters of a value in a message


def dataclass(*_: Any, **__: Any) -> Callable[[Any], Any]:
    """Nothing: the packed class has its `__init__` already."""
    return lambda packed: packed


def replace(instance: Any, **changes: Any) -> Any:
    """A copy of an instance of a packed dataclass with other values in some fields."""
    values = {name: getattr(instance, name) for name in instance.field_names}
    values.update(changes)
    return type(instance)(**values)


def take_over(instance: Any, others: dict[str, Any], **changes: Any) -> None:
    """As `instance.__dict__.update`, which MicroPython refuses."""
    for name in others:
        setattr(instance, name, others[name])
    for name in changes:
        setattr(instance, name, changes[name])


def lru_cache(maxsize: Any = None, typed: bool = False) -> Callable[[Any], Any]:
    """A function that keeps what it has made of its arguments; True and 1 are different ones."""

    def kept(function: Callable[..., Any]) -> Callable[..., Any]:
        known: dict[Any, Any] = {}

        def call(*values: Any) -> Any:
            key = tuple([(isinstance(value, bool), value) for value in values])
            if key not in known:
                known[key] = function(*values)
            return known[key]

        return call

    return kept


cached_property = property


class _Key:
    """What is between the brackets of `KEY[…]`: MicroPython makes no slice by its name."""

    def __getitem__(self, key: Any) -> Any:
        return key


KEY: Any = _Key()


def sliced(first: Any, end: Any = KEY, step: Any = None) -> Any:
    """As `slice`."""
    return KEY[:first] if end is KEY else KEY[first:end:step]


class _Types:
    """What a name of a type, such as tuple[int, int], is made of: nothing that is used."""

    def __getitem__(self, key: Any) -> Any:
        return self

    def __or__(self, other: Any) -> Any:
        return self


kinds = _Types()


class Refused:
    """A module of MicroPython that reaches out of it: nothing of it is there."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        """Raises ImportError for every name."""
        raise ImportError(f"{self._module}.{name}: the editor's Python reaches nothing outside")


def attrgetter(*names: str) -> Callable[[Any], Any]:
    """A function that gets these attributes of an object as a tuple."""
    return lambda value: tuple([getattr(value, name) for name in names])


def index(value: Any) -> int:
    """The value as a whole number; raises TypeError where it is none."""
    if isinstance(value, int):
        return value
    return value.__index__()  # type: ignore[no-any-return]


def islice(items: Iterable[Any], end: int) -> Iterator[Any]:
    """The first items."""
    left = end
    for item in items:
        if not left:
            return
        yield item
        left -= 1


def zip_longest(*several: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """Items side by side until the last of the iterables ends; None where one has ended."""
    running: list[Any] = [iter(items) for items in several]
    while True:
        row: list[Any] = [None] * len(running)
        going = False
        for place, items in enumerate(running):
            if items is None:
                continue
            try:
                row[place] = next(items)
                going = True
            except StopIteration:
                running[place] = None
        if not going:
            return
        yield tuple(row)


def pairwise(items: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Each item with the one after it."""
    before, started = None, False
    for item in items:
        if started:
            yield before, item
        before, started = item, True


def product(*several: Iterable[Any]) -> list[tuple[Any, ...]]:
    """All ways to take an item of each."""
    product: list[tuple[Any, ...]] = [()]
    for items in several:
        listed = list(items)
        product = [(*before, item) for before in product for item in listed]
    return product


def repr(value: Any) -> str:
    """The value as text that is not too long."""
    text = f"{value!r}"
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."


def check_memory(*_: Any) -> None:
    """Nothing: the worker has a limit of its own."""


def get_close_matches(*_: Any, **__: Any) -> list[str]:
    """No spelling is compared here."""
    return []
