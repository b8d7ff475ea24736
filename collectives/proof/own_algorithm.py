"""Anybody's own schedules: a function, what it promises, and its recordings for any ranks."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from collectives.catalog import DEFAULT_CHUNKS
from collectives.catalog.row import MAX_RANKS
from collectives.collective import COLLECTIVES, Collective, collective_of, find_collective
from collectives.errors import BadInput, CollectivesError, WrongSchedule
from collectives.memory_limit import check_memory
from collectives.proof.prove import in_setting
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.recording.request import Promise, Size, helper_kind
from collectives.schedule import Schedule
from collectives.schedule.provenance import file_name, line_name
from collectives.schedule.pulling import Elsewhere, described, explained
from collectives.time_limit import time_limit
from collectives.values import whole
from collectives.words import brief, nearest, plural

Function = Callable[..., Any]
FILLED = ("n", "ranks", "rank", "root", "chunks")  # arguments that have an option, or are implied
RANK_BYTES = 2000  # of memory, of a rank that runs its own program


def first_yield(function: Function | FunctionElsewhere) -> str:
    """The line of a function's first `yield`, as messages name it; nothing where it has none."""
    if isinstance(function, FunctionElsewhere):
        return function.first_yield
    code = getattr(function, "__code__", None)
    if code is None:
        return ""
    yields = (step for step in dis.get_instructions(code) if "YIELD" in step.opname)
    lines = [step.positions.lineno for step in yields if step.positions]
    known = [line for line in lines if line]
    return line_name(file_name(code.co_filename), min(known)) if known else ""


class FunctionElsewhere:
    """A function in another process: its name, its parameters, and what has it called there.

    call: takes arguments by name and the number of programs of single ranks (0: of all ranks), and
    gives the steps as `Elsewhere`.
    """

    def __init__(
        self,
        name: str,
        parameters: Iterable[inspect.Parameter],
        call: Callable[[Mapping[str, int | str], int], Elsewhere],
        first_yield: str = "",
    ) -> None:
        self.__name__ = name
        self.parameters = {parameter.name: parameter for parameter in parameters}
        self.call, self.first_yield = call, first_yield


class OwnAlgorithm:
    """A function that makes schedules, and what it promises, for any number of ranks.

    collective: its name, a Collective or a function of n that makes one; by default the end of the
    function's name says it. helpers, slots, scratch and nodes as for `record`, the numbers also as
    functions of n; slots are by default the chunks, where the function takes chunks, else one for
    each rank (one for a barrier).
    """

    def __init__(
        self,
        function: Function | FunctionElsewhere,
        collective: Promise = None,
        chunks: int | None = None,
        slots: Size = None,
        parameters: Mapping[str, int | str] | None = None,
        scratch: Size = None,
        nodes: Size = None,
        helpers: str = "switch",
    ) -> None:
        self.function = function
        self.name: str = getattr(function, "__name__", "schedule")
        self._promise = collective
        if not isinstance(collective, Collective) and not callable(collective):
            self._promise = named_collective(function, collective)
        self._wanted = parameters_of(function)
        self.parameters = dict(parameters or {})
        self.chunks = self._chunks(chunks)
        self._slots, self._scratch, self._nodes = slots, scratch, nodes
        self._helpers = helper_kind(helpers)
        self._refuse_unknown()

    def promise(self, ranks: int) -> Collective:
        """The collective it promises on this number of ranks."""
        if isinstance(self._promise, Collective):
            return self._promise
        assert callable(self._promise)
        promise = _called("collective", self._promise, ranks)
        if not isinstance(promise, Collective):
            raise BadInput(
                f"collective= gave {brief(promise)} for {plural(ranks, 'rank')}; try: "
                "exchange(pairs)"
            )
        return promise

    @property
    def per_rank(self) -> bool:
        """Whether the function makes the program of one rank, which it takes as an argument."""
        return "rank" in self._wanted and "rank" not in self.parameters

    @property
    def takes_root(self) -> bool:
        """Whether the function takes the root as an argument."""
        return "root" in self._wanted or _takes_all(self._wanted)

    def slots(self, ranks: int) -> int:
        """Chunks of the vector."""
        if self._slots is not None:
            return _sized("slots", self._slots, ranks)
        if self.chunks is not None:
            return self.chunks
        return ranks if self.promise(ranks).moves_data else 1

    def scratch(self, ranks: int) -> int:
        """Slots of each node beyond those for chunks."""
        return 0 if self._scratch is None else _sized("scratch", self._scratch, ranks)

    def nodes(self, ranks: int) -> int | None:
        """Ranks and helper nodes; None where there are no helpers."""
        return None if self._nodes is None else _sized("nodes", self._nodes, ranks)

    def record(self, ranks: int, root: int, **options: Any) -> Recording:
        """Call the function and record what it yields; raises BadInput or WrongSchedule."""
        ranks, root = whole("ranks", ranks, 1, MAX_RANKS), whole("root", root, 0, MAX_RANKS)
        if root >= ranks:
            raise BadInput(
                f"root {root} of {plural(ranks, 'rank')} (--root {root}); try: {ranks - 1}"
            )
        values = {"n": ranks, "ranks": ranks, "root": root, **self.parameters}
        if self.chunks is not None:
            values["chunks"] = self.chunks
        promise = self.promise(ranks)
        if not promise.rooted and "root" not in self._wanted:
            del values["root"]
        with _one_line(self.function, f"{self.name} on {in_setting(ranks, root, promise)}"):
            return record(
                self._steps(values, ranks),
                collective=promise,
                algorithm=self.name,
                ranks=ranks,
                root=root,
                chunks=self.chunks,
                slots=self.slots(ranks),
                scratch=self.scratch(ranks),
                nodes=self.nodes(ranks),
                helpers=self._helpers,
                **options,
            )

    def _steps(self, values: Mapping[str, int | str], ranks: int) -> Iterable[Any]:
        """What the function gives, called in this process or in the one where it is."""
        programs = ranks if self.per_rank else 0
        if isinstance(self.function, FunctionElsewhere):
            return self.function.call(values, programs)
        return steps_of(self.function, values, programs)

    def _chunks(self, chunks: int | None) -> int | None:
        """What a parameter of this name is filled with; None where there is none."""
        if "chunks" in self._wanted:
            default = self._wanted["chunks"].default
            usual = default if isinstance(default, int) else DEFAULT_CHUNKS
            return usual if chunks is None else chunks
        if chunks is not None and not _takes_all(self._wanted):
            raise BadInput(
                f"--chunks {chunks}: {self.name} takes no chunks; leave it out, or say how many "
                f"slots it uses with --slots {chunks}"
            )
        return chunks

    def _refuse_unknown(self) -> None:
        if _takes_all(self._wanted):
            return
        for name, value in self.parameters.items():
            if name not in self._wanted:
                others = [parameter for parameter in self._wanted if parameter not in FILLED]
                hint = nearest(name, others) if others else "leave it out"
                raise BadInput(f"-p {name}={value}: {self.name} has no {name!r}; {hint}")


def steps_of(function: Function, values: Mapping[str, int | str], programs: int) -> Iterable[Any]:
    """What a function gives for all ranks, or for each of so many, matched; within a time limit.

    Raises WrongSchedule where it gives anything but an iterable.
    """
    with time_limit("has run"):
        if programs:
            steps: Any = _matched(function, values, programs)
        else:
            steps = filled(function, values)
    if isinstance(steps, str) or not isinstance(steps, Iterable):
        raise WrongSchedule(f"it returned {brief(steps)}; it must yield steps")
    return steps


def _matched(function: Function, values: Mapping[str, int | str], ranks: int) -> Iterable[Any]:
    """The steps that the programs of single ranks make together."""
    from collectives.schedule.spmd import matched

    check_memory(RANK_BYTES * ranks, f"the programs of {plural(ranks, 'rank')}")
    programs: list[Any] = [filled(function, {**values, "rank": rank}) for rank in range(ranks)]
    return matched(programs)


def as_far_as_it_goes(make: Callable[[], Recording]) -> Recording:
    """A recording, of the steps before the one that breaks a rule where one does.

    Raises WrongSchedule where there was no schedule at all.
    """
    try:
        return make()
    except WrongSchedule as problem:
        if problem.recording is None:
            raise
        return problem.recording


def named_collective(function: Function | FunctionElsewhere, chosen: str | None) -> Collective:
    """The collective given, else the one the function's name ends with; else BadInput."""
    if chosen is not None:
        return find_collective(chosen)
    name = getattr(function, "__name__", "")
    collective = collective_of(name)
    if collective is None:
        raise BadInput(
            f"{name or 'this function'}: its name does not end in a collective; name the "
            f"collective with --collective (collective= in Python), one of {', '.join(COLLECTIVES)}"
        )
    return collective


def filled(function: Function, values: Mapping[str, int | str]) -> Schedule:
    """Call a function with the arguments it names; raises BadInput for one that is not given.

    What it does not name goes through its **kwargs, but for the number of ranks where it names
    that; this is the first of its *args, as where a decorator hides what it wraps.
    """
    positional: list[Any] = []
    names: dict[str, Any] = {}
    wanted = inspect.signature(function).parameters
    known = {"ranks", "n", *wanted} if "n" in wanted or "ranks" in wanted else {"ranks", *wanted}
    more = {name: value for name, value in values.items() if name not in known}
    for name, parameter in wanted.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            if "n" in more:
                positional, names = [*positional, *names.values(), more.pop("n")], {}
        elif parameter.kind is parameter.VAR_KEYWORD:
            names |= more
        elif name not in values and parameter.default is parameter.empty:
            raise BadInput(f"needs {name!r}; give it with -p {name}=VALUE ({name}= in Python)")
        elif parameter.kind is parameter.POSITIONAL_ONLY:
            positional.append(values.get(name, parameter.default))
        else:
            names[name] = values.get(name, parameter.default)
    steps: Schedule = function(*positional, **names)
    return steps


def _takes_all(wanted: Mapping[str, inspect.Parameter]) -> bool:
    """Whether there are **kwargs."""
    return any(parameter.kind is parameter.VAR_KEYWORD for parameter in wanted.values())


def _sized(name: str, size: int | Callable[[int], int], ranks: int) -> int:
    return _called(name, size, ranks) if callable(size) else size


def _called(name: str, function: Callable[[int], Any], ranks: int) -> Any:
    """What a function of n that an argument is gives; raises BadInput where it raises anything."""
    try:
        return function(ranks)
    except Exception as problem:
        if isinstance(problem, CollectivesError):
            raise
        raised = described(problem)
        raise BadInput(f"{name}= raised {raised} for {plural(ranks, 'rank')}") from None


def parameters_of(function: Function | FunctionElsewhere) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function by name; raises BadInput where it cannot yield steps."""
    if isinstance(function, FunctionElsewhere):
        return function.parameters
    if inspect.iscoroutinefunction(function):
        raise BadInput(f"{function.__name__}: is async; try: def, with yield")
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        name = getattr(function, "__name__", brief(function))
        raise BadInput(
            f"{name}: is no Python function that yields steps; try: a function of n"
        ) from None


@contextmanager
def _one_line(function: Function | FunctionElsewhere, name: str) -> Iterator[None]:
    """Turn whatever the function raises into one line that names it, and the line it was at."""
    try:
        yield
    except BaseException as problem:
        located = explained(problem, function)
        if isinstance(located, WrongSchedule):
            raise located.reworded(f"{name}: {located}") from None
        if isinstance(located, CollectivesError):
            raise type(located)(f"{name}: {located}") from None
        raise
