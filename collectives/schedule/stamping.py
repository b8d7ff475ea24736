"""Stamps each step, as it is pulled, with the stack of generators that it came through."""

from __future__ import annotations

import inspect
import linecache
import os
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType

import numpy as np

from collectives.errors import WrongSchedule
from collectives.schedule.provenance import Source, SourceFrame, Stamp, file_name, line_of
from collectives.schedule.step import Step
from collectives.words import Quoted, Worded, brief

MAX_EMPTY_STEPS = 1 << 17  # steps without a row that may follow one another
MAX_BITS = 1000  # of a local variable that is kept: Python does not write out far larger ones
KEPT_SOURCES = 1000
_SOURCES: dict[CodeType, tuple[list[str], Source]] = {}  # with the lines of their files
WHOLE = (int, np.integer)  # a tuple is looked through faster than a union
HERE = str(Path(__file__).parent) + os.sep


def stamped(schedule: Iterable[Step]) -> Iterator[Step]:
    """The steps of a schedule, each stamped with the stack of generators it came through.

    The stack is outermost first; stamps that a step has already (from an inner combinator) stay
    inside. Iterables that are not generators add nothing. Raises WrongSchedule for anything but a
    step, and for endless empty steps.
    """
    if not iterable(schedule):
        raise WrongSchedule(f"{_thing(schedule)} is no schedule; try: [send(0, 1)]")
    sources: dict[CodeType, Source] = {}
    empty = 0
    for step in schedule:
        stack = _stack(schedule, sources)
        if not isinstance(step, Step) or not hasattr(step.src, "__len__"):
            pattern = "{thing} is no step{place}; {hint}"
            place, hint = line_of(stack), _meant(step)
            raise WrongSchedule(Worded(pattern, thing=_thing(step), place=place, hint=hint))
        empty = 0 if len(step) else empty + 1
        if empty > MAX_EMPTY_STEPS:
            raise WrongSchedule(f"{empty} empty steps in a row{line_of(stack)}; does it ever end?")
        yield step.under(stack)


def iterable(value: object) -> bool:
    """Whether it can hold steps or numbers: text cannot, nor an array without an axis."""
    loops = hasattr(type(value), "__iter__") and getattr(value, "shape", None) != ()
    return loops and not isinstance(value, str | bytes)


def _thing(value: object) -> str:
    """A value, or its type where its text says nothing."""
    text = brief(value)
    named = text.startswith("<")
    return Worded("a {type}", type=Quoted(type(value).__name__)) if named else Quoted(text)


def _meant(value: object) -> str:
    """What the author may have meant to yield."""
    if inspect.isgenerator(value):
        return "it is a whole schedule: yield from it"
    if isinstance(value, list | tuple) and value and all(isinstance(v, Step) for v in value):
        return "yield each of them, or all at once with together([…], […])"
    from collectives.schedule.operations import Group, OneSided, Recv, Send

    if isinstance(value, Send | Recv | Group | OneSided):
        return "it is what one rank does: a program of one rank takes rank as an argument"
    plain = isinstance(value, list | tuple) and all(isinstance(v, int | np.integer) for v in value)
    if plain and len(value) in (2, 3):  # type: ignore[arg-type]
        listed = ", ".join(map(str, value))  # type: ignore[call-overload]
        return Worded("yield send({numbers}) or reduce({numbers})", numbers=Quoted(listed))
    return "yield send(src, dst, chunk) or reduce(src, dst, chunk)"


def _stack(schedule: object, sources: dict[CodeType, Source]) -> Stamp:
    stack = []
    while inspect.isgenerator(schedule):
        frame = schedule.gi_frame
        if frame is not None and not frame.f_code.co_filename.startswith(HERE):
            stack.append(frame_of(frame, sources))
        schedule = schedule.gi_yieldfrom
    return tuple(stack)


def frame_of(frame: FrameType, sources: dict[CodeType, Source]) -> SourceFrame:
    """Where a frame stands; the text of its function is read once, and kept in `sources`."""
    code = frame.f_code
    if code not in sources:
        sources[code] = _source(code)
    integers = [
        (name, int(value))
        for name, value in frame.f_locals.items()
        if isinstance(value, WHOLE)
        and value.__class__ is not bool
        and int(value).bit_length() <= MAX_BITS
    ]
    return SourceFrame(sources[code], frame.f_lineno, tuple(integers))


def _source(code: CodeType) -> Source:
    """The text of a function; tokenized again only where its file has been read again."""
    linecache.checkcache(code.co_filename)
    file = linecache.getlines(code.co_filename)
    known, source = _SOURCES.get(code, (None, None))
    if source is not None and known is file:
        return source
    lines = file[code.co_firstlineno - 1 :]
    try:
        text = "".join(inspect.getblock(lines)) if lines else ""
    except (SyntaxError, tokenize.TokenError):
        text = ""  # the file was changed since it was imported
    source = Source(code.co_name, file_name(code.co_filename), code.co_firstlineno, text)
    if len(_SOURCES) >= KEPT_SOURCES:
        _SOURCES.clear()
    _SOURCES[code] = file, source
    return source
