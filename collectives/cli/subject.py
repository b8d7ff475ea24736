"""SUBJECT: what a command is about, from its words and options to a recording."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from collectives.errors import BadInput

if TYPE_CHECKING:
    from collectives.proof.own_algorithm import OwnAlgorithm

DEFAULT_RANKS = 4
NODE_BYTES, SLOT_BYTES, VECTORS = 500, 64, 5  # of memory to run an algorithm, measured
MOST_BYTES = 1 << 48  # of a vector that is counted, not executed
MOST_NUMBERS = 100_000  # of ranks that are checked
OPTIONS = {"n": "-n", "ranks": "-n", "root": "--root", "chunks": "--chunks"}  # not with -p


@dataclass(frozen=True)
class Subject:
    """The words and options that say which schedule is meant; None where not given."""

    words: tuple[str, ...]
    ranks: int | None = None
    root: int | None = None
    count: int | None = None
    chunks: int | None = None
    slots: int | None = None
    scratch: int | None = None
    nodes: int | None = None
    helpers: str | None = None
    counts: tuple[int, ...] | None = None
    collective: str | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_saved(self) -> bool:
        """Whether a recording in a file is meant."""
        return len(self.words) == 1 and self.words[0].endswith(".json")

    @property
    def is_own(self) -> bool:
        """Whether anybody's own function is meant."""
        return len(self.words) == 1 and not self.is_saved and ":" in self.words[0]

    def recording(
        self,
        dtype: str | None = None,
        op: str | None = None,
        data: Any = None,
        executed: bool = True,
    ) -> Any:
        """The recording that is meant; `data` [rank, element] decides what is not given.

        `executed` says that it will be run and proved, for which there must be memory. Raises
        BadInput for words and options that do not fit, WrongSchedule for bad schedules.
        """
        if self.is_saved:
            recording = self._saved(dtype, op)
            return recording if data is None else recording.on(data)
        from collectives.recording.payload import find_dtype
        from collectives.recording.recorder import record

        usual = "int64" if data is None else data.dtype
        kind = find_dtype(usual if dtype is None else dtype)
        op = "sum" if op is None else op
        ranks, root = self.number_of_ranks(data), self.root or 0
        options: dict[str, Any] = {"count": self.count, "counts": self.counts}
        options |= {"dtype": kind, "op": op, "data": data}
        if self.is_own:
            own = self.own()
            promise = own.promise(ranks)
            self.refuse_root(promise)
            slots = promise.promised_slots(own.slots(ranks)) + (self.scratch or 0)
            self._check_room(self.words[0], ranks, slots, kind.itemsize, executed)
            return own.record(ranks, root, **options)
        row = self.row()
        setting = row.setting(ranks, root, self.chunks, self.parameters)
        slots = row.slots(setting)
        self._check_room(row.title, row.nodes(setting), slots, kind.itemsize, executed)
        return record(
            row.collective,
            row.algorithm,
            ranks=ranks,
            root=root,
            chunks=self.chunks,
            parameters=self.parameters,
            **options,
        )

    def number_of_ranks(self, data: Any = None) -> int:
        """-n, else the rows of the data, else 4."""
        if self.ranks is not None:
            return self.ranks
        return len(data) if data is not None else DEFAULT_RANKS

    def row(self) -> Any:
        """The catalog row that two words name; raises BadInput for options it cannot follow."""
        from collectives.catalog import find_row

        if len(self.words) != 2:
            raise BadInput(self._misunderstood())
        row = find_row(*self.words)
        self.refuse_root(row.promise)
        self.refuse(
            "only your own schedules take it",
            slots=self.slots,
            scratch=self.scratch,
            nodes=self.nodes,
            helpers=self.helpers,
            collective=self.collective,
        )
        return row

    def own(self) -> OwnAlgorithm:
        """The function that MODULE:FUNCTION or FILE.py:FUNCTION names."""
        from collectives.cli.own import find_function
        from collectives.proof.own_algorithm import OwnAlgorithm

        return OwnAlgorithm(
            find_function(self.words[0]),
            self.collective,
            self.chunks,
            self.slots,
            self.parameters,
            self.scratch,
            self.nodes,
            self.helpers or "switch",
        )

    def refuse_root(self, promise: Any) -> None:
        """Raise BadInput for a root where the collective has none."""
        if self.root and not promise.rooted:
            raise BadInput(f"--root {self.root}: {promise.title} has no root; leave it out")

    def _check_room(self, what: str, ranks: int, slots: int, unit: int, executed: bool) -> None:
        """Refuse, before anything is made, what would not fit into memory."""
        from collectives.memory_limit import check_memory

        elements = ranks * (slots + (4 * slots if self.count is None else self.count))
        needed = NODE_BYTES * ranks + SLOT_BYTES * slots
        if executed:
            needed += SLOT_BYTES * ranks * slots + VECTORS * elements * unit
        check_memory(needed, f"{what} on {ranks} ranks")

    def _saved(self, dtype: str | None, op: str | None) -> Any:
        from collectives.files import check_exists
        from collectives.recording.saved import load

        check_exists(self.words[0], self.words[0])
        self.refuse(
            "a saved recording has its own",
            n=self.ranks,
            root=self.root,
            count=self.count,
            counts=self.counts,
            chunks=self.chunks,
            slots=self.slots,
            scratch=self.scratch,
            nodes=self.nodes,
            helpers=self.helpers,
            collective=self.collective,
            p=next(iter(self.parameters), None),
        )
        self.refuse("a saved recording has its own", dtype=dtype, op=op)
        return load(self.words[0])

    def refuse(self, why: str, **options: object) -> None:
        """Raise BadInput for the first of these options that is given."""
        for name, value in options.items():
            if value is not None:
                dashes = "-" if len(name) == 1 else "--"
                raise BadInput(f"{dashes}{name} {value}: {why}; leave it out")

    def _misunderstood(self) -> str:
        """Why the words name nothing, and what would."""
        from collectives.catalog import ROWS
        from collectives.collective import find_collective

        first = self.words[0]
        if len(self.words) > 2:
            return f"{' '.join(self.words)!r}: two words are enough, as in all-reduce ring"
        if first.endswith(".xml"):
            return f"{first}: MSCCL XML is not read yet; nearest: a FILE.json"
        if first.endswith(".py"):
            return f"{first}: name a function in it, as in {first}:my_all_reduce"
        name = find_collective(first).name
        known = [row.algorithm for row in ROWS if row.collective == name]
        return f"{first}: name an algorithm too; choose from {', '.join(known)}"


def asked_size(text: str, subject: Subject) -> int:
    """Bytes of the vector that --size asks for; raises BadInput where elements say it, too."""
    from collectives.units import parse_size

    size = parse_size(text, "--size", MOST_BYTES)
    subject.refuse("--size says how large the vector is", count=subject.count)
    if subject.counts is not None:
        raise BadInput(f"--size {text}: --counts says it; leave one of them out")
    return size


def whole(option: str, text: str, least: int = 0, usual: int | None = None) -> int:
    """The whole number in a text; raises BadInput, naming the option and the nearest choice.

    >>> whole("--root", "3")
    3
    """
    if not re.fullmatch(r"[+-]?[0-9]{1,30}", text):
        choice = least if usual is None else usual
        raise BadInput(f"{option} {text!r}: must be a whole number; nearest: {choice}")
    number = int(text)
    if number < least:
        raise BadInput(f"{option} {text}: must be at least {least}; nearest: {least}")
    return number


def numbers(text: str) -> list[int]:
    """The numbers of ranks in `1-33`, `2,4,8` or `5`, each once; raises BadInput.

    >>> numbers("1-3,8")
    [1, 2, 3, 8]
    """
    found: dict[int, None] = {}
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?", part)
        if not match:
            raise BadInput(f"-n {text!r}: {part!r} is no number or range; nearest: 1-33 or 2,4,8")
        first, last = int(match[1]), int(match[2] or match[1])
        if first < 1 or last < first:
            raise BadInput(f"-n {text!r}: {part!r} must go upwards from at least 1; nearest: 1-33")
        if last - first >= MOST_NUMBERS:
            raise BadInput(
                f"-n {text!r}: {last - first + 1} numbers of ranks; at most {MOST_NUMBERS}"
            )
        found.update(dict.fromkeys(range(first, last + 1)))
    return list(found)


def listed(option: str, text: str) -> tuple[int, ...]:
    """The whole numbers in `3,0,5`; raises BadInput.

    >>> listed("--counts", "3,0,5")
    (3, 0, 5)
    """
    return tuple(whole(option, part.strip()) for part in text.split(","))


def parameters(given: tuple[str, ...]) -> dict[str, int]:
    """The NAME=VALUE pairs of -p; raises BadInput where one is no integer.

    >>> parameters(("radix=4",))
    {'radix': 4}
    """
    found: dict[str, int] = {}
    for pair in given:
        match = re.fullmatch(r"([A-Za-z_]\w*)=(-?[0-9]{1,18})", pair)
        if not match:
            raise BadInput(f"-p {pair!r}: must be NAME=INTEGER, as in -p radix=4")
        name = match[1]
        if name in OPTIONS:
            raise BadInput(
                f"-p {pair}: has an option of its own; nearest: {OPTIONS[name]} {match[2]}"
            )
        if name in found:
            raise BadInput(f"-p {pair}: {name} is given twice; nearest: -p {name}={found[name]}")
        found[name] = int(match[2])
    return found
