"""SUBJECT: what a command is about, from its words and options to a recording."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from collectives.errors import BadInput, CollectivesError, nearest

DEFAULT_RANKS = 4


@dataclass(frozen=True)
class Subject:
    """The words and options that say which schedule is meant; None where not given."""

    words: tuple[str, ...]
    ranks: int | None = None
    root: int | None = None
    count: int | None = None
    chunks: int | None = None
    slots: int | None = None
    collective: str | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)

    def recording(
        self, dtype: Any = "int64", op: str = "sum", data: Any = None, given: bool = False
    ) -> Any:
        """The recording that is meant; `data` [rank, element] decides what is not given.

        `given` says whether dtype or op were asked for, which a saved recording cannot follow.
        Raises BadInput for words and options that do not fit, WrongSchedule for bad schedules.
        """
        if len(self.words) == 1 and self.words[0].endswith(".json"):
            recording = self._saved(given)
            return recording if data is None else recording.on(data)
        if len(self.words) == 1 and ":" in self.words[0]:
            return self._own(dtype, op, data)
        self._refuse("the catalog's algorithms have no", slots=self.slots)
        self._refuse("the catalog's algorithms name their own", collective=self.collective)
        if self.parameters:
            name = next(iter(self.parameters))
            raise BadInput(f"-p {name}: {' '.join(self.words)} has no parameter {name}")
        from collectives.recording import record

        row = self.row()
        if self.root and not row.promise.rooted:
            raise BadInput(f"--root {self.root}: {row.promise.title} has no root; leave it out")
        return record(
            row.collective,
            row.algorithm,
            ranks=self.number_of_ranks(data),
            root=self.root or 0,
            count=self.count,
            dtype=dtype,
            op=op,
            chunks=self.chunks,
            data=data,
        )

    def row(self) -> Any:
        """The catalog row of two words; raises BadInput for anything else."""
        from collectives.catalog import find_row
        from collectives.collective import find_collective

        if len(self.words) == 1 and self.words[0].endswith(".xml"):
            raise BadInput(f"{self.words[0]}: MSCCL XML is not read yet; nearest: a FILE.json")
        if len(self.words) == 1:
            known = _algorithms(find_collective(self.words[0]).name)
            raise BadInput(f"{self.words[0]}: say which algorithm, one of {', '.join(known)}")
        if len(self.words) != 2:
            raise BadInput(
                f"{' '.join(self.words)!r}: name a collective and an algorithm, as in "
                "all-reduce ring"
            )
        return find_row(*self.words)

    def function(self) -> Callable[..., Any] | None:
        """The function that MODULE:FUNCTION or FILE.py:FUNCTION names; None for other words."""
        if len(self.words) != 1 or ":" not in self.words[0]:
            return None
        place, _, name = self.words[0].rpartition(":")
        module = _module(place)
        function = getattr(module, name, None)
        if not callable(function):
            known = [n for n, value in vars(module).items() if inspect.isgeneratorfunction(value)]
            raise BadInput(f"{place} has no function {name!r}; {nearest(name, known)}")
        checked: Callable[..., Any] = function
        return checked

    def number_of_ranks(self, data: Any = None) -> int:
        """-n, else the rows of the data, else 4."""
        if self.ranks is not None:
            return self.ranks
        return len(data) if data is not None else DEFAULT_RANKS

    def _own(self, dtype: Any, op: str, data: Any) -> Any:
        from collectives.checking import filled, named_collective
        from collectives.recording import record

        function = self.function()
        assert function is not None
        ranks, root = self.number_of_ranks(data), self.root or 0
        given = {"n": ranks, "ranks": ranks, "root": root, **self.parameters}
        if self.chunks is not None:
            given["chunks"] = self.chunks
        with _Explained(function):
            return record(
                filled(function, given),
                collective=named_collective(function, self.collective).name,
                algorithm=function.__name__,
                ranks=ranks,
                root=root,
                count=self.count,
                dtype=dtype,
                op=op,
                slots=self.slots if self.slots is not None else self.chunks,
                data=data,
            )

    def _saved(self, given: bool) -> Any:
        from collectives.formats.recording_json import load

        self._refuse(
            "a saved recording has its own",
            n=self.ranks,
            root=self.root,
            count=self.count,
            chunks=self.chunks,
            slots=self.slots,
            collective=self.collective,
            p=next(iter(self.parameters), None),
        )
        if given:
            raise BadInput(f"{self.words[0]}: a saved recording has its own dtype and op")
        return load(self.words[0])

    def _refuse(self, why: str, **options: object) -> None:
        for name, value in options.items():
            if value is not None:
                dashes = "-" if len(name) == 1 else "--"
                raise BadInput(f"{dashes}{name} {value}: {why} {name}; leave it out")


class _Explained:
    """Turns whatever an own function raises into one line that names function and exception."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: type | None, problem: BaseException | None, trace: Any) -> None:
        if isinstance(problem, Exception) and not isinstance(problem, CollectivesError):
            from collectives.errors import WrongSchedule

            while trace.tb_next:
                trace = trace.tb_next
            where = f"{Path(trace.tb_frame.f_code.co_filename).name} line {trace.tb_lineno}"
            name = getattr(self.function, "__name__", "the function")
            text = f"{name} raised {type(problem).__name__} at {where}: {problem}"
            raise WrongSchedule(" ".join(text.split())) from None


def numbers(text: str) -> list[int]:
    """The numbers of ranks in `1-33`, `2,4,8` or `5`; raises BadInput.

    >>> numbers("1-3,8")
    [1, 2, 3, 8]
    """
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?", part)
        if not match:
            raise BadInput(f"-n {text}: {part!r} is no number or range; nearest: 1-33 or 2,4,8")
        first, last = int(match[1]), int(match[2] or match[1])
        if first < 1 or last < first:
            raise BadInput(f"-n {text}: {part!r} must go upwards from at least 1; nearest: 1-33")
        if last - first > 100_000:
            raise BadInput(f"-n {text}: {last - first + 1} numbers of ranks; at most 100000")
        found.extend(range(first, last + 1))
    return found


def parameters(given: tuple[str, ...]) -> dict[str, int]:
    """The NAME=VALUE pairs of -p; raises BadInput where one is no integer."""
    found = {}
    for pair in given:
        match = re.fullmatch(r"([A-Za-z_]\w*)=(-?\d{1,18})", pair)
        if not match:
            raise BadInput(f"-p {pair}: must be NAME=INTEGER, as in -p radix=4")
        found[match[1]] = int(match[2])
    return found


def _algorithms(collective: str) -> list[str]:
    from collectives.catalog import ROWS

    return [row.algorithm for row in ROWS if row.collective == collective]


def _module(place: str) -> ModuleType:
    if place.endswith(".py"):
        path = Path(place)
        if not path.is_file():
            raise BadInput(f"{place}: there is no such file")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        if spec is None or spec.loader is None:
            raise BadInput(f"{place}: cannot be read as Python")
        module = importlib.util.module_from_spec(spec)
        sys.path.insert(0, str(path.parent))
        load: Callable[[], object] = lambda: spec.loader.exec_module(module)  # type: ignore[union-attr] # noqa: E731
    else:
        sys.path.insert(0, "")
        module = ModuleType(place)
        load = lambda: importlib.import_module(place)  # noqa: E731
    try:
        loaded = load()
    except Exception as problem:
        text = " ".join(str(problem).split())
        raise BadInput(f"{place}: importing it raised {type(problem).__name__}: {text}") from None
    return loaded if isinstance(loaded, ModuleType) else module
