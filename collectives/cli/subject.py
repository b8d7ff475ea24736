"""SUBJECT: the words and options that say which schedule is meant, and its recording."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

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
SIZED = ("count", "counts")
MISSING_SIZE = "missing --size, for example --size 1GiB"


@dataclass(frozen=True)
class Subject:
    """The words and options that say which schedule is meant; None where not given.

    size: bytes of the vector, in place of its elements. best: as many chunks as are fastest.
    """

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

    @property
    def is_saved(self) -> bool:
        """Whether a recording, a program or traces in files are meant."""
        files = len(self.words) == 1 and self.words[0].endswith((".json", ".xml"))
        return files or self.is_trace

    @property
    def is_trace(self) -> bool:
        """Whether Chakra traces are meant, or their collective with an algorithm named behind."""
        return 1 <= len(self.words) <= 2 and self.words[0].endswith(".et")

    @property
    def is_program(self) -> bool:
        """Whether an MSCCL program is meant, which is recorded for a vector of any size."""
        return len(self.words) == 1 and self.words[0].endswith(".xml")

    @property
    def is_own(self) -> bool:
        """Whether anybody's own function is meant."""
        return len(self.words) == 1 and not self.is_saved and ":" in self.words[0]

    @property
    def in_catalog(self) -> bool:
        """Whether an algorithm of the catalog is meant."""
        return not self.is_saved and not self.is_own

    def sized(self, size: int) -> Subject:
        """The same with a vector of so many bytes, unless it is said how large it is."""
        known = (self.is_saved and not self.is_program) or {self.size, self.count, self.counts} != {
            None
        }
        if known or (self.in_catalog and not self.row().promise.moves_data):
            return self
        return replace(self, size=size)

    def bytes_of(self, promise: Collective) -> int:
        """Bytes of the vector of some algorithm; raises BadInput where nothing says how many."""
        self.refuse_size(promise)
        if self.size is None and self.count is None and promise.moves_data:
            raise BadInput(MISSING_SIZE)
        return 8 * (self.count or 0) if self.size is None else self.size

    def recording(
        self,
        dtype: str | None = None,
        op: str | None = None,
        data: Any = None,
        executed: bool = True,
    ) -> Recording:
        """The recording that is meant; `data` [rank, element] decides what is not given.

        `executed`: it will be run and proved, for which there must be memory. Raises BadInput for
        words and options that do not fit, WrongSchedule for bad schedules.
        """
        if self.is_program:
            return self.program(dtype, op, data)
        if self.is_saved:
            recording = self._trace(dtype, op) if self.is_trace else self._saved(dtype, op)
            return recording if data is None else recording.on(data)
        from collectives.recording.payload import find_dtype
        from collectives.recording.recorder import record
        from collectives.recording.request import check_pipeline

        usual = "int64" if data is None else data.dtype
        kind = find_dtype(usual if dtype is None else dtype)
        count = self.count
        if self.size is not None:
            self.refuse_size(self.row().promise if self.in_catalog else None)
            count = self.size // kind.itemsize
        ranks = self.ranks or (DEFAULT_RANKS if data is None else len(data))
        root = self.root or 0
        options: dict[str, Any] = {"count": count, "counts": self.counts, "data": data}
        options |= {"dtype": kind, "op": "sum" if op is None else op}
        if self.is_own:
            with self.own() as own:
                promise = own.promise(ranks)
                self.refuse_root(promise)
                slots = promise.promised_slots(own.slots(ranks)) + (self.scratch or 0)
                self._check_room(self.words[0], ranks, slots, kind.itemsize, executed)
                return own.record(ranks, root, **options)
        row = self.row()
        setting = row.setting(ranks, root, self.chunks, self.parameters)
        check_pipeline(row, setting)
        slots = row.slots(setting)
        self._check_room(row.title, row.nodes(setting), slots, kind.itemsize, executed)
        options |= {"chunks": self.chunks, "parameters": self.parameters}
        return record(row.collective, row.algorithm, ranks=ranks, root=root, **options)

    @property
    def again(self) -> Callable[[int], Recording] | None:
        """Records your own function on another number of ranks; None of what is not one."""
        if not self.is_own:
            return None
        return lambda ranks: replace(
            self, ranks=ranks, count=None, counts=None, size=None
        ).recording(executed=False)

    def with_best_chunks(self, setup: Setup) -> Subject:
        """The same with as many chunks as are fastest there; raises BadInput without a pipeline."""
        if not self.best:
            return self
        from collectives.cost.choose.chunks import best_chunks

        if not self.in_catalog or "chunks" not in self.row().parameters:
            title = self.row().title if self.in_catalog else self.words[0]
            raise BadInput(f"--chunks best: {title} is not pipelined; leave it out")
        ranks, size = self.ranks or DEFAULT_RANKS, self.size or 0
        found = best_chunks(self.row(), ranks, size, setup, self.root or 0, self.parameters)
        return replace(self, chunks=found.best, best=False)

    def row(self) -> Row:
        """The catalog row that two words name; raises BadInput for options it cannot follow."""
        from collectives.catalog import find_row

        if len(self.words) != 2:
            raise BadInput(self._misunderstood())
        row = find_row(*self.words)
        self.refuse_root(row.promise)
        self.refuse("only your own schedules take it", OWN_ONLY)
        return row

    @contextmanager
    def own(self) -> Iterator[OwnAlgorithm]:
        """The function that MODULE:FUNCTION or FILE.py:FUNCTION names, in a process of its own."""
        from collectives.cli.own_process import own_function
        from collectives.proof.own_algorithm import OwnAlgorithm

        with own_function(self.words[0]) as function:
            yield OwnAlgorithm(
                function,
                self.collective,
                self.chunks,
                self.slots,
                self.parameters,
                self.scratch,
                self.nodes,
                self.helpers or "switch",
            )

    def refuse_root(self, promise: Collective) -> None:
        """Raise BadInput for a root where the collective has none."""
        if self.root and not promise.rooted:
            raise BadInput(f"--root {self.root}: {promise.title} has no root; leave it out")

    def refuse(self, why: str, names: Iterable[str] = ()) -> None:
        """Raise BadInput for the first of these options that is given; of all if none is named."""
        for name in names or (one.name for one in fields(self)[1:-2]):
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
            given = size_text(self.size).replace(" ", "")
            raise BadInput(f"--size {given}: a barrier moves no data; leave it out")

    def _check_room(self, what: str, ranks: int, slots: int, unit: int, executed: bool) -> None:
        """Refuse, before anything is made, what would not fit into memory."""
        from collectives.memory_limit import check_memory

        elements = ranks * (slots + (4 * slots if self.count is None else self.count))
        needed = NODE_BYTES * ranks + SLOT_BYTES * slots
        if executed:
            needed += SLOT_BYTES * ranks * slots + VECTORS * elements * unit
        check_memory(needed, f"{what} on {ranks} ranks")

    def program(
        self,
        dtype: str | None = None,
        op: str | None = None,
        data: Any = None,
        in_place: bool | None = None,
    ) -> Recording:
        """The recording of an MSCCL program, for the vector that the options say."""
        from collectives.cost.choose.setup import resized
        from collectives.formats.msccl import load

        own = (name for name in OWN_ONLY if name != "collective")
        self.refuse("a program has its own", ("ranks", "chunks", *own, "parameters"))
        self.refuse_size()
        options: dict[str, Any] = {"count": self.count, "counts": self.counts, "dtype": dtype}
        options |= {"data": data, "op": op or "sum", "collective": self.collective}
        found = load(self.words[0], root=self.root, in_place=in_place, **options)
        self.refuse_root(found.collective)
        return found if self.size is None else resized(found, self.size, dtype or "uint8")

    def _trace(self, dtype: str | None, op: str | None) -> Recording:
        """The recording of the messages of traces, or of their collective with an algorithm."""
        from collectives.formats.chakra import load

        for name, value in (("dtype", dtype), ("op", op), ("size", self.size)):
            if value is not None:
                raise BadInput(f"--{name} {value}: a trace has its own sizes; leave it out")
        algorithm = self.words[1] if len(self.words) == 2 else None
        refused = ["ranks", "count", "counts", "slots", "scratch", "nodes", "helpers"]
        if algorithm is None:
            refused += ["root", "chunks", "parameters", "collective"]
        self.refuse("a trace has its own", refused)
        return load(
            self.words[0],
            algorithm,
            self.collective,
            parameters=dict(self.parameters),
            chunks=self.chunks,
            root=self.root,
        )

    def _saved(self, dtype: str | None, op: str | None) -> Recording:
        """The recording in a file, for a vector of --size bytes where that is given."""
        from collectives.recording.saved import load

        why = "a saved recording has its own"
        self.refuse(why)
        recording = load(self.words[0])
        for name, value, own in (
            ("--dtype", dtype, recording.dtype.name),
            ("--op", op, recording.op),
        ):
            if value not in (None, own):
                raise BadInput(f"{name} {value}: {why}, {own}; leave it out")
        if self.size is None:
            return recording
        from collectives.cost.choose.setup import resized

        return resized(recording, self.size)

    def _misunderstood(self) -> str:
        """Why the words name nothing, and what would."""
        from collectives.catalog import ROWS
        from collectives.collective import find_collective

        first = self.words[0]
        if len(self.words) > 2:
            return f"{' '.join(self.words)!r}: two words are enough, as in all-reduce ring"
        if first.endswith(".py"):
            from collectives.cli.own_process import refuse_unnamed

            refuse_unnamed(first)
        name = find_collective(first).name
        known = [row.algorithm for row in ROWS if row.collective == name]
        return f"{first}: name an algorithm too; choose from {', '.join(known)}"
