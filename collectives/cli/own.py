"""Anybody's own schedules: the function that MODULE:FUNCTION or FILE.py:FUNCTION names."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

import numpy as np

from collectives.catalog import DEFAULT_CHUNKS
from collectives.checking import filled, named_collective
from collectives.errors import BadInput, CollectivesError, WrongSchedule, brief, nearest
from collectives.files import check_exists
from collectives.recorder import record
from collectives.recording import Recording

Function = Callable[..., Any]
OURS = (str(Path(__file__).parents[1]), str(Path(np.__file__).parent))
FILLED = ("n", "ranks", "root", "chunks")  # arguments that have an option, or are implied


class Own:
    """A function that words name, and what it promises, for any number of ranks and any root."""

    def __init__(
        self,
        words: str,
        collective: str | None,
        chunks: int | None,
        slots: int | None,
        parameters: Mapping[str, int],
        scratch: int | None = None,
        nodes: int | None = None,
    ) -> None:
        self.function = find_function(words)
        self.name: str = self.function.__name__
        self.promise = named_collective(self.function, collective)
        self.wanted = _parameters(self.function)
        self.parameters = parameters
        self.chunks = self._chunks(chunks)
        self.slots = slots if slots is not None else self.chunks
        self.scratch, self.nodes = scratch or 0, nodes
        self._refuse_unknown()

    def record(self, ranks: int, root: int, **options: Any) -> Recording:
        """Call the function and record what it yields; raises BadInput or WrongSchedule."""
        if root >= ranks:
            raise BadInput(f"--root {root}: there are {ranks} ranks; nearest: {ranks - 1}")
        given = {"n": ranks, "ranks": ranks, "root": root, **self.parameters}
        if self.chunks is not None:
            given["chunks"] = self.chunks
        with _explained(self.function):
            steps = filled(self.function, given)
            if not isinstance(steps, Iterable):
                raise WrongSchedule(f"{self.name} returned {brief(steps)}; it must yield steps")
            return record(
                steps,
                collective=self.promise.name,
                algorithm=self.name,
                ranks=ranks,
                root=root,
                chunks=self.chunks,
                slots=self.slots,
                scratch=self.scratch,
                nodes=self.nodes,
                **options,
            )

    def _chunks(self, chunks: int | None) -> int | None:
        """What a parameter of this name is filled with; None where there is none."""
        if "chunks" in self.wanted:
            default = self.wanted["chunks"].default
            usual = default if isinstance(default, int) else DEFAULT_CHUNKS
            return usual if chunks is None else chunks
        if chunks is not None:
            raise BadInput(
                f"--chunks {chunks}: {self.name} takes no chunks; leave it out, or say how many "
                f"slots it uses with --slots {chunks}"
            )
        return None

    def _refuse_unknown(self) -> None:
        if any(parameter.kind is parameter.VAR_KEYWORD for parameter in self.wanted.values()):
            return
        for name, value in self.parameters.items():
            if name not in self.wanted:
                others = [other for other in self.wanted if other not in FILLED]
                hint = nearest(name, others) if others else "leave it out"
                raise BadInput(f"-p {name}={value}: {self.name} has no {name!r}; {hint}")


def find_function(words: str) -> Function:
    """The function that `MODULE:FUNCTION` or `FILE.py:FUNCTION` names; raises BadInput."""
    place, _, name = words.rpartition(":")
    module = _file(place) if place.endswith(".py") else _module(place)
    function: Any = getattr(module, name, None)
    named = callable(function) and hasattr(function, "__name__")
    if not named or inspect.isclass(function):
        known = [
            value.__name__
            for value in vars(module).values()
            if inspect.isfunction(value) and value.__module__ == module.__name__
        ]
        hint = nearest(name, known) if known else "it defines none at all"
        raise BadInput(f"{place} has no function {name!r}; {hint}")
    checked: Function = function
    return checked


def _parameters(function: Function) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        raise BadInput(f"{function.__name__}: is no Python function that yields steps") from None


def _file(place: str) -> ModuleType:
    """A file as a module: run anew each time, and never compiled into a folder beside it."""
    check_exists(place, place)
    path = Path(place)
    module = ModuleType(f"own {path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # where dataclasses look for it
    _importable(str(path.parent))
    with _imported(place):
        exec(compile(path.read_bytes(), str(path), "exec"), vars(module))
    return module


def _module(place: str) -> ModuleType:
    _importable("")
    if not all(map(str.isidentifier, place.split("."))):
        raise BadInput(f"{place!r}: is not the name of a module; nearest: mine or mine.py")
    with _imported(place):
        return importlib.import_module(place)


def _importable(folder: str) -> None:
    if folder not in sys.path:
        sys.path.insert(0, folder)


@contextmanager
def _imported(place: str) -> Iterator[None]:
    """Turn whatever importing a module raises into one line."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        missing = isinstance(problem, ModuleNotFoundError) and place.startswith(problem.name or "?")
        if missing and not place.endswith(".py"):
            raise BadInput(
                f"{place}: no such module is in this folder or installed; a file is named as in "
                "mine.py:my_broadcast"
            ) from None
        raise BadInput(f"{place}: importing it raised {_described(problem)}") from None


@contextmanager
def _explained(function: Function) -> Iterator[None]:
    """Turn whatever the function raises into one line that names it, and the line it was at."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except CollectivesError as problem:
        where = _where(function, problem.__traceback__)
        if not where:
            raise
        raise type(problem)(f"{function.__name__} ({where}): {problem}") from None
    except BaseException as problem:
        where = _where(function, problem.__traceback__)
        if not where and problem.__cause__ is not None:  # a generator that raised StopIteration
            where = _where(function, problem.__cause__.__traceback__)
        if not where:  # not the function's doing
            raise
        text = f"{function.__name__} raised {_described(problem)} ({where})"
        raise WrongSchedule(text) from None


def _described(problem: BaseException) -> str:
    name = type(problem).__name__
    try:
        text = str(problem)
    except Exception:  # of a class that cannot say what it is
        text = ""
    return f"{name}: {text}" if text else name


def _where(function: Function, trace: TracebackType | None) -> str:
    """The innermost line of the function's own file, or of any but ours; empty if there is none."""
    code = getattr(function, "__code__", None)
    own = other = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        line = f"{Path(file).name} line {trace.tb_lineno}"
        if code is not None and file == code.co_filename:
            own = line
        elif not file.startswith(OURS):
            other = line
        trace = trace.tb_next
    return own or other
