"""What the tests of the textbook share: an algorithm's run by the plain interpreter, its sentence.

Each tests/algorithms/test_<module>.py has a dictionary PROMISES: the first line of a docstring →
a predicate on a `Run`; `keep(function, PROMISES)` tests one function for many sizes and roots.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from interpreter import Cell, Row, rows, start, states
from settings import sampled_ranks

import collectives.algorithms
from collectives.recording.phases import step_caption
from collectives.schedule.stamping import stamped

RANKS = sampled_ranks(range(1, 14))
STARTS: dict[str, Callable[[int, bool, bool], bool]] = {
    # collective → whether a slot holds its rank's data before: rank, it is the root's, it owns it
    "broadcast": lambda rank, roots, own: roots,
    "reduce": lambda rank, roots, own: True,
    "scatter": lambda rank, roots, own: roots,
    "gather": lambda rank, roots, own: own,
    "all_gather": lambda rank, roots, own: own,
    "reduce_scatter": lambda rank, roots, own: True,
    "all_reduce": lambda rank, roots, own: True,
    "all_to_all": lambda rank, roots, own: True,
    "scan": lambda rank, roots, own: True,
    "exscan": lambda rank, roots, own: True,
    "barrier": lambda rank, roots, own: True,
    "send_recv": lambda rank, roots, own: True,
    "dispatch": lambda rank, roots, own: own,
    "combine": lambda rank, roots, own: True,
}
Function = Callable[..., Any]


class Run:
    """One algorithm on n ranks: its rows, and the slots by the plain interpreter.

    The function's arguments are filled by name from n, root, chunks (n unless given) and the
    rest. chunks: slots that may hold data before (n unless given). The collective comes from
    the end of the function's name unless given. before: the cells that hold data before, where
    the collective's name does not say it.
    """

    def __init__(
        self,
        function: Function,
        n: int,
        root: int = 0,
        *,
        collective: str | None = None,
        chunk_count: int | None = None,
        before: Iterable[Cell] | None = None,
        **parameters: Any,
    ) -> None:
        self.function, self.n, self.root = function, n, root
        self.chunk_count = n if chunk_count is None else chunk_count
        values = {"n": n, "root": root, "chunks": n} | parameters
        taken = inspect.signature(function).parameters
        assert set(parameters) <= set(taken), "a parameter the function does not take"
        self.given = {name: values[name] for name in taken if name in values}
        made = list(stamped(function(**self.given)))
        self.recorded = [step for step in made if len(step)]
        self.captions = [step_caption(step) for step in self.recorded]
        self.steps = [rows(step) for step in self.recorded]
        self.rows = [row for step in self.steps for row in step]
        if before is None:
            before = self._before(collective or named(function))
        self.states = states(start(before), self.recorded)
        self.last = self.states[-1]
        self.others = set(range(n)) - {root}

    def _before(self, collective: str) -> Iterable[Cell]:
        holds = STARTS[collective]
        for rank in range(self.n):
            for slot in range(self.chunk_count):
                if holds(rank, rank == self.root, slot * self.n // self.chunk_count == rank):
                    yield rank, slot

    def links(self) -> set[tuple[int, int]]:
        """Source and destination of every row that is no local move."""
        return {(row.src, row.dst) for row in self.rows if row.src != row.dst}

    def pairs(self) -> set[tuple[int, int]]:
        """All ordered pairs of different ranks."""
        return {(src, dst) for src in range(self.n) for dst in range(self.n) if src != dst}

    def moved(self) -> set[tuple[int, int, int]]:
        """Source, destination and chunk of every row."""
        return {(row.src, row.dst, row.chunk) for row in self.rows}

    def messages(self) -> list[set[tuple[int, int]]]:
        """Of each step, the (source, destination) of its messages."""
        return [{(row.src, row.dst) for row in step if row.src != row.dst} for step in self.steps]

    def sent(self) -> list[int]:
        """How many slots each rank sends in all; one that goes twice in a message counts once."""
        found = [0] * self.n
        for step in self.steps:
            far = [row for row in unrolled(step) if row.src != row.dst]
            for src, _, _ in {(row.src, row.dst, row.chunk) for row in far}:
                found[src] += 1
        return found

    def whole(self, slot: int) -> dict[Cell, int]:
        """The sum of a slot over all ranks."""
        return {(rank, slot): 1 for rank in range(self.n)}

    def place(self, rank: int) -> int:
        """Where a rank is, counted from the root."""
        return (rank - self.root) % self.n


def unrolled(step: Iterable[Row]) -> list[Row]:
    """The rows with one row per slot."""
    return [
        row._replace(chunk=row.chunk + k, into=row.into + k, count=1)
        for row in step
        for k in range(row.count)
    ]


def named(function: Function) -> str:
    """The collective at the end of the function's name."""
    return max((key for key in STARTS if function.__name__.endswith(key)), key=len)


def modules() -> list[ModuleType]:
    """Every module of the textbook."""
    package = collectives.algorithms
    names = [found.name for found in pkgutil.iter_modules(package.__path__)]
    return [importlib.import_module(f"{package.__name__}.{name}") for name in names]


def algorithms(module: ModuleType) -> list[Function]:
    """The algorithms of one module, in their order: its public generator functions."""
    return [
        function
        for name, function in vars(module).items()
        if inspect.isgeneratorfunction(function)
        and function.__module__ == module.__name__
        and not name.startswith("_")
    ]


def name(function: Function) -> str:
    """The name of a function, for the names of tests."""
    return function.__name__


def sentence(function: Function) -> str:
    """The promise: the first line of the docstring."""
    return (inspect.getdoc(function) or "").partition("\n")[0]


def keep(
    function: Function,
    promises: dict[str, Callable[[Run], bool]],
    ranks: Iterable[int] = RANKS,
    **options: Any,
) -> None:
    """Assert that the sentence is true for all of `ranks`, and for three roots if it has a root.

    An option is handed to `Run`; one that can be called is called with n.
    """
    assert sentence(function) in promises, "a new promise needs a test in PROMISES"
    for n in ranks:
        rooted = "root" in inspect.signature(function).parameters
        given = {key: value(n) if callable(value) else value for key, value in options.items()}
        for root in sorted({0, n // 2, n - 1}) if rooted else [0]:
            assert promises[sentence(function)](Run(function, n, root, **given)), (n, root, given)
