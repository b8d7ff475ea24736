"""Where generators stand: MicroPython does not tell, so each yield notes its own line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

RUNNING: list[Tracked] = []  # the innermost last


class YieldSource:
    """The function and the file that a line is of."""

    def __init__(self, function: str, file: str) -> None:
        self.function, self.file = function, file


class YieldFrame:
    """One level of a stack: the source, the line, and whether it was run in reverse."""

    def __init__(self, source: YieldSource, line: int, reversed: bool = False) -> None:  # noqa: A002
        self.source, self.line, self.reversed = source, line, reversed


def in_reverse(stamp: tuple[YieldFrame, ...]) -> tuple[YieldFrame, ...]:
    """The same stamp, marked as run in reverse."""
    return tuple([YieldFrame(frame.source, frame.line, True) for frame in stamp])


def line_of(stamp: tuple[YieldFrame, ...]) -> str:
    """Nothing: the page says the line before the message."""
    return ""


class Tracked:
    """A generator of steps that knows its line, and the one that it yields from."""

    def __init__(self, generator: Any, source: YieldSource) -> None:
        self._generator, self.source = generator, source
        self.line = 0
        self.inner: Tracked | None = None

    def __iter__(self) -> Iterator[Any]:
        """Itself."""
        return self

    def __next__(self) -> Any:
        """The next step; meanwhile it is the innermost that runs."""
        RUNNING.append(self)
        try:
            return next(self._generator)
        finally:
            RUNNING.pop()


def tracked(function: Callable[..., Any], file: str) -> Callable[..., Any]:
    """A generator function whose generators are tracked."""
    source = YieldSource(function.__name__, file)
    return lambda *values, **named: Tracked(function(*values, **named), source)


def at_line(line: int) -> None:
    """Note that the innermost generator is about to yield in this line."""
    if RUNNING:
        RUNNING[-1].line, RUNNING[-1].inner = line, None


def from_line(line: int, inner: Any) -> Any:
    """Note that the innermost generator yields from another one in this line; that one."""
    if RUNNING:
        RUNNING[-1].line = line
        RUNNING[-1].inner = inner if isinstance(inner, Tracked) else None
    return inner


def stack_of(schedule: Any, _: Any) -> tuple[YieldFrame, ...]:
    """Where a generator and those that it yields from stand, outermost first."""
    frames = []
    while isinstance(schedule, Tracked):
        frames.append(YieldFrame(schedule.source, schedule.line))
        schedule = schedule.inner
    return tuple(frames)


def iterable(value: Any) -> bool:
    """Whether it can hold steps or numbers: text cannot, nor an array without an axis."""
    if isinstance(value, str) or getattr(value, "shape", None) == ():
        return False
    try:
        iter(value)
    except TypeError:
        return False
    return True


def isgenerator(value: Any) -> bool:
    """Whether it is a generator, tracked or not."""
    return isinstance(value, Tracked) or hasattr(value, "pend_throw") or hasattr(value, "gi_frame")


def meant(value: Any) -> str:
    """What the author of a step that is none may have meant to yield."""
    if isgenerator(value):
        return "it is a whole schedule: yield from it"
    return "yield send(src, dst, chunk) or reduce(src, dst, chunk)"
