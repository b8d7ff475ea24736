"""SUBJECT: the words and options that say which schedule is meant, and its recording."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from collectives.errors import BadInput
from collectives.units import size_text

if TYPE_CHECKING:
    from collectives.catalog import Row
    from collectives.collective import Collective
    from collectives.cost.choose.setup import Setup
    from collectives.proof.own_algorithm import OwnAlgorithm
    from collectives.recording.recording import Recording

DEFAULT_RANKS = 4
NODE_BYTES, SLOT_BYTES, VECTORS = 500, 64, 5  # of memory to run an algorithm, measured
OPTIONS = {"ranks": "-n", "parameters": "-p"}  # others are called as their field
OWN_ONLY = ("slots", "scratch", "nodes", "helpers", "collective")
Text = str | None  # of an option
SIZED = ("count", "counts")
MISSING_SIZE = "missing --size, for example --size 1GiB"


@dataclass(frozen=True)
class Subject:
    """The words and options that say which schedule is meant; None where not given.

    size: bytes of the vector, in place of its elements. best: as many chunks as are fastest.
    """

    in_catalog: ClassVar[bool] = False
    is_fixed: ClassVar[bool] = False  # as that of a file, whose ranks and chunks cannot be chosen
    is_typed: ClassVar[bool] = False  # its elements are of a type of their own

    words: tuple[str, ...]
    ranks: int | None = None
    root: int | None = None
    count: int | None = None
    chunks: int | None = None
    counts: tuple[int, ...] | None = None
    slots: int | None = None
    scratch: int | None = None
    nodes: int | None = None
    helpers: str | None = None
    collective: str | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)
    size: int | None = None
    best: bool = False

    @staticmethod
    def from_options(words: tuple[str, ...], **options: Any) -> Subject:
        """The subject that these words mean."""
        from collectives.cli.file_subjects import kind_of_file

        own = len(words) == 1 and ":" in words[0]
        kind = kind_of_file(words) or (OwnSubject if own else CatalogSubject)
        return kind(words, **options)

    def named(self, *words: str) -> Subject:
        """What other words mean with the same options."""
        return Subject.from_options(
            words, **{option.name: getattr(self, option.name) for option in fields(Subject)[1:]}
        )

    @property
    def collective_alone(self) -> str:
        """The collective, where no algorithm of it is named; else nothing."""
        return ""

    @property
    def moves_data(self) -> bool:
        """Whether there is a vector, as far as is known without a recording."""
        return True

    @property
    def again(self) -> Callable[[int], Recording] | None:
        """Records it on another number of ranks; None where a verb cannot."""
        return None

    def sized(self, size: int) -> Self:
        """The same with a vector of so many bytes, unless it is said how large it is."""
        if {self.size, self.count, self.counts} != {None} or not self.moves_data:
            return self
        return replace(self, size=size)

    def bytes_of(self, promise: Collective) -> int:
        """Bytes of the vector of some algorithm; raises BadInput where nothing says how many."""
        self.refuse_size(promise)
        if self.size is None and self.count is None and promise.moves_data:
            raise BadInput(MISSING_SIZE)
        return 8 * (self.count or 0) if self.size is None else self.size

    def recording(
        self, dtype: Text = None, op: Text = None, data: Any = None, executed: bool = True
    ) -> Recording:
        """The recording that is meant; `data` [rank, element] decides what is not given.

        `executed`: it will be run and proved, for which there must be memory. Raises BadInput for
        words and options that do not fit, WrongSchedule for bad schedules.
        """
        return self._record(dtype, op, data, executed)

    def _record(self, dtype: Text, op: Text, data: Any, executed: bool) -> Recording:
        """The same of one kind of subject."""
        raise NotImplementedError

    def filled(self, setup: Setup, ranks: int) -> Self:
        """The same with the parameters that it shares with a machine."""
        return self

    def with_best_chunks(self, setup: Setup) -> Self:
        """The same with as many chunks as are fastest there; raises BadInput without a pipeline."""
        if self.best:
            raise BadInput(f"--chunks best: {self.words[0]} is not pipelined; leave it out")
        return self

    def fitting(self, recording: Recording, noun: str, limit: int) -> str:
        """The nearest options with which it has at most so many ranks, or chunks."""
        return f"--slots {limit}" if noun == "chunk" else f"-n {limit}"

    def refuse_root(self, promise: Collective) -> None:
        """Raise BadInput for a root where the collective has none."""
        if self.root and not promise.rooted:
            raise BadInput(f"--root {self.root}: {promise.title} has no root; leave it out")

    def refuse(self, why: str, names: Iterable[str] = ()) -> None:
        """Raise BadInput for the first of these options that is given; of all if none is named."""
        for name in names or (option.name for option in fields(Subject)[1:-2]):
            value = getattr(self, name)
            if value is None or value == {}:
                continue
            if isinstance(value, tuple):
                value = ",".join(map(str, value))
            elif isinstance(value, Mapping):
                value = next(iter(value))
            raise BadInput(f"{OPTIONS.get(name, f'--{name}')} {value}: {why}; leave it out")

    def refuse_size(self, promise: Collective | None = None) -> None:
        """Raise BadInput for a size where elements are given, too, or nothing is moved."""
        if self.size is None:
            return
        self.refuse("--size says how large the vector is", SIZED)
        if self.size and promise is not None and not promise.moves_data:
            size = size_text(self.size).replace(" ", "")
            raise BadInput(f"--size {size}: a barrier moves no data; leave it out")

    def _request(
        self, dtype: str | None, op: str | None, data: Any, promise: Collective | None = None
    ) -> tuple[int, int, dict[str, Any]]:
        """Ranks, root, and what else is said of a schedule that is made for them."""
        from collectives.recording.payload import find_dtype

        usual = "int64" if data is None else data.dtype
        kind = find_dtype(usual if dtype is None else dtype)
        count = self.count
        if self.size is not None:
            self.refuse_size(promise)
            count = self.size // kind.itemsize
        ranks = self.ranks or (DEFAULT_RANKS if data is None else len(data))
        options: dict[str, Any] = {"count": count, "counts": self.counts, "data": data}
        return ranks, self.root or 0, options | {"dtype": kind, "op": "sum" if op is None else op}

    def _check_room(self, what: str, ranks: int, slots: int, unit: int, executed: bool) -> None:
        """Refuse, before anything is made, what would not fit into memory."""
        from collectives.memory_limit import check_memory

        elements = ranks * (slots + (4 * slots if self.count is None else self.count))
        needed = NODE_BYTES * ranks + SLOT_BYTES * slots
        if executed:
            needed += SLOT_BYTES * ranks * slots + VECTORS * elements * unit
        check_memory(needed, f"{what} on {ranks} ranks")


class OwnSubject(Subject):
    """Anybody's own function, as MODULE:FUNCTION or FILE.py:FUNCTION."""

    @property
    def again(self) -> Callable[[int], Recording] | None:
        """Records it on another number of ranks."""
        return lambda ranks: replace(
            self, ranks=ranks, count=None, counts=None, size=None
        ).recording(executed=False)

    def _record(self, dtype: Text, op: Text, data: Any, executed: bool) -> Recording:
        """What the function yields."""
        ranks, root, options = self._request(dtype, op, data)
        with self.own() as own:
            promise = own.promise(ranks)
            self.refuse_root(promise)
            slots = promise.promised_slots(own.slots(ranks)) + (self.scratch or 0)
            self._check_room(self.words[0], ranks, slots, options["dtype"].itemsize, executed)
            return own.record(ranks, root, **options)

    @contextmanager
    def own(self) -> Iterator[OwnAlgorithm]:
        """The function that MODULE:FUNCTION or FILE.py:FUNCTION names, in a process of its own."""
        from collectives.own_code.own_process import own_function
        from collectives.proof.own_algorithm import OwnAlgorithm

        with own_function(self.words[0]) as function:
            settings = self.collective, self.chunks, self.slots, self.parameters, self.scratch
            yield OwnAlgorithm(function, *settings, self.nodes, self.helpers or "switch")


class CatalogSubject(Subject):
    """An algorithm of the catalog, or all of a collective."""

    in_catalog = True

    @property
    def collective_alone(self) -> str:
        """The collective, where no algorithm of it is named; else nothing."""
        return self.words[0] if len(self.words) == 1 else ""

    @property
    def moves_data(self) -> bool:
        """Whether there is a vector."""
        return self.row().promise.moves_data

    def _record(self, dtype: Text, op: Text, data: Any, executed: bool) -> Recording:
        """The algorithm's recording."""
        from collectives.recording.recorder import record
        from collectives.recording.request import check_pipeline

        promise = self.row().promise if self.size is not None else None
        ranks, root, options = self._request(dtype, op, data, promise)
        row = self.row()
        setting = row.setting(ranks, root, self.chunks, self.parameters)
        check_pipeline(row, setting)
        unit, slots = options["dtype"].itemsize, row.slots(setting)
        self._check_room(row.title, row.nodes(setting), slots, unit, executed)
        options |= {"chunks": self.chunks, "parameters": self.parameters}
        return record(row.collective, row.algorithm, ranks=ranks, root=root, **options)

    def filled(self, setup: Setup, ranks: int) -> Self:
        """The same with the parameters of the machine that the algorithm takes, too."""
        return replace(self, parameters=setup.fill(self.row(), ranks, self.parameters))

    def with_best_chunks(self, setup: Setup) -> Self:
        """The same with as many chunks as are fastest there; raises BadInput without a pipeline."""
        if not self.best:
            return self
        from collectives.cost.choose.chunks import best_chunks

        row, ranks, size = self.row(), self.ranks or DEFAULT_RANKS, self.size or 0
        if "chunks" not in row.parameters:
            raise BadInput(f"--chunks best: {row.title} is not pipelined; leave it out")
        choice = best_chunks(row, ranks, size, setup, self.root or 0, self.parameters)
        return replace(self, chunks=choice.best, best=False)

    def fitting(self, recording: Recording, noun: str, limit: int) -> str:
        """The nearest options with which it has at most so many ranks, or chunks."""
        if recording.chunks is not None and noun == "chunk":
            return f"--chunks {limit}"
        row = self.row()
        for fewer in range(recording.ranks - 1, 0, -1):
            if row.accepts(fewer, recording.given):
                setting = row.setting(fewer, 0, self.chunks, recording.given)
                if max(fewer, row.chunk_count(setting)) <= limit:
                    return f"-n {fewer}"
        return "fewer ranks"

    def row(self) -> Row:
        """The catalog row that two words name; raises BadInput for options it cannot follow."""
        from collectives.catalog import find_row

        if len(self.words) != 2:
            raise BadInput(self._misunderstood())
        row = find_row(*self.words)
        self.refuse_root(row.promise)
        self.refuse("only your own schedules take it", OWN_ONLY)
        return row

    def _misunderstood(self) -> str:
        """Why the words name nothing, and what would."""
        from collectives.catalog import ROWS
        from collectives.collective import find_collective

        first = self.words[0]
        if len(self.words) > 2:
            return f"{' '.join(self.words)!r}: two words are enough, as in all-reduce ring"
        if first.endswith(".py"):
            from collectives.own_code.own_process import refuse_unnamed

            refuse_unnamed(first)
        name = find_collective(first).name
        known = [row.algorithm for row in ROWS if row.collective == name]
        return f"{first}: name an algorithm too; choose from {', '.join(known)}"
