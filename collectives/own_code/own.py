"""Finds the function that MODULE:FUNCTION or FILE.py:FUNCTION names."""

from __future__ import annotations

import importlib
import inspect
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from collectives.errors import BadInput, WrongSchedule
from collectives.files import read_bytes
from collectives.schedule.provenance import file_name, line_name
from collectives.schedule.pulling import OURS, described
from collectives.time_limit import time_limit
from collectives.words import nearest

LARGEST_FILE = 16 << 20  # bytes
IMPORTS = (importlib.__file__, "<frozen ")  # files of Python's own that import others
Function = Callable[..., Any]


def find_function(words: str) -> Function:
    """The function that `MODULE:FUNCTION` or `FILE.py:FUNCTION` names; raises BadInput."""
    place, _, name = words.rpartition(":")
    if ":" not in words:
        raise BadInput(_unnamed(words))
    module = _file(place) if place.endswith(".py") else _module(place)
    with _imported(place):
        function: Any = getattr(module, name, None)
        named = callable(function) and hasattr(function, "__name__")
    if not named or inspect.isclass(function):
        known = _functions(module)
        hint = nearest(name, known) if known else "it defines none at all"
        raise BadInput(f"{place} has no function {name!r}; {hint}")
    checked: Function = function
    return checked


def _unnamed(place: str) -> str:
    """What a file lacks that is named without a function: one of those in it."""
    known = _functions(_file(place))
    if not known:
        return f"{place}: has no function, and an algorithm is one; try: {place}:NAME"
    return f"{place}: name a function in it, as in {place}:{known[0]}"


def _functions(module: ModuleType) -> list[str]:
    """The names of the functions that a module defines itself."""
    return [
        value.__name__
        for value in vars(module).values()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    ]


def _file(place: str) -> ModuleType:
    """A file as a module: run anew each time, and never compiled into a folder beside it."""
    path = Path(place)
    code = read_bytes(path, LARGEST_FILE)
    module = ModuleType(f"own {path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # where dataclasses look for it
    _importable(str(path.parent))
    with _imported(place):
        exec(compile(code, str(path), "exec"), vars(module))
    return module


def _module(place: str) -> ModuleType:
    _importable("")
    if not all(map(str.isidentifier, place.split("."))):
        raise BadInput(f"{place!r}: is not the name of a module; try: mine or mine.py")
    with _imported(place):
        return importlib.import_module(place)


def _importable(folder: str) -> None:
    if folder not in sys.path:
        sys.path.insert(0, folder)


@contextmanager
def _imported(place: str) -> Iterator[None]:
    """Turn whatever importing a module raises into one line.

    Raises WrongSchedule where its code raised that, and BadInput where none of its code has run.
    """
    try:
        with time_limit("has run"):
            yield
    except WrongSchedule as problem:
        where = _raised_at(problem.__traceback__) or place
        raise WrongSchedule(f"{where}: importing it {problem}") from None
    except BaseException as problem:
        where = _raised_at(problem.__traceback__)
        if isinstance(problem, ModuleNotFoundError) and not where:
            raise BadInput(
                f"{place}: no such module is in this folder or installed; a file is named as in "
                "mine.py:my_broadcast"
            ) from None
        kind = WrongSchedule if where else BadInput
        raise kind(f"{where or place}: importing it raised {described(problem)}") from None


def _raised_at(trace: TracebackType | None) -> str:
    """The innermost line of the first file but ours in which something was raised; or nothing."""
    first = where = ""
    for frame, line in traceback.walk_tb(trace):
        file = frame.f_code.co_filename
        if not file.startswith((*OURS, *IMPORTS)):
            first = first or file
            where = line_name(file_name(file), line) if file == first else where
    return where
