"""What a picture may never ask for: made when it is asked for the first time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class LazyValue(Generic[T]):
    """A value that is not made yet; where it goes to another process, it is made before."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make

    @cached_property
    def value(self) -> T:
        """What it is."""
        return self._make()

    def __getstate__(self) -> dict[str, Any]:
        """The value alone."""
        return {"value": self.value}


def made_later(default: T) -> LazyValue[T]:
    """A field of a dataclass that holds such a value, by default this one; it is not compared."""
    return field(default=LazyValue(lambda: default), repr=False, compare=False)


class WhenAsked(Generic[T]):
    """What a field of the same name and `_when_asked` holds: it is made when this is read."""

    def __set_name__(self, owner: type, name: str) -> None:
        """Where its value will be."""
        self._name = f"{name}_when_asked"

    def __get__(self, instance: object, owner: type) -> T:
        """The value itself."""
        return cast(LazyValue[T], getattr(instance, self._name)).value
