"""Steps as bytes, from a process that runs somebody's own code: data alone, nothing to be run."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from collectives.errors import (
    BadInput,
    CollectivesError,
    Deadlock,
    Endless,
    PutRace,
    Waiting,
    WrongSchedule,
)
from collectives.memory_limit import check_memory
from collectives.recording.packed import indexed, typed, unpack_frame, unpack_groups, values
from collectives.schedule import Source, Stamp, Step
from collectives.schedule.columns import Column, constant, frozen, repeated
from collectives.schedule.provenance import Standing
from collectives.schedule.step import COLUMNS
from collectives.words import brief

LENGTH = 8  # bytes of the length that stands before a message
LARGEST_TEXT = 1 << 28  # bytes of a message beside its columns
STORED = {"reduces": "<?"}  # how a column is written; others as 64-bit integers
PROBLEMS = {kind.__name__: kind for kind in (BadInput, WrongSchedule, Endless, PutRace)}
Message = dict[str, Any]


class StepWriter:
    """Makes the bytes of messages; a source is written once, where it is first needed."""

    def __init__(self) -> None:
        self._sources: dict[Source, int] = {}

    def message(self, kind: str, **content: Any) -> bytes:
        """A message of plain values."""
        text = json.dumps({"kind": kind, **content}).encode()
        return len(text).to_bytes(LENGTH, "little") + text

    def step(self, step: Step) -> bytes:
        """A step with the lines that it comes from."""
        parts = []
        for name, column in step.columns().items():
            if name == "into" and column is step.chunk:
                continue
            single = constant(column) is not None
            parts.append((name, single, np.asarray(column[:1] if single else column)))
        stamps = [*step.stamps, *(standing.stamp for standing in step.standing)]
        groups = indexed(matrix for matrix in step.grouped if matrix)
        header = self.message(
            "step",
            rows=len(step.src),
            columns=[[name, single] for name, single, _ in parts],
            **self._lines(stamps),
            groups=list(groups),
            grouped=[groups.get(matrix, -1) for matrix in step.grouped],
            waits=[standing.waits for standing in step.standing],
        )
        return header + b"".join(part.astype(_stored(name)).tobytes() for name, _, part in parts)

    def problem(self, problem: CollectivesError) -> bytes:
        """Why there are no more steps, with the ranks that wait where that is the reason."""
        waiting = problem.waiting if isinstance(problem, Deadlock) else ()
        kinds = [kind.__name__ for kind in type(problem).__mro__]
        return self.message(
            "problem",
            problem=next((name for name in kinds if name in PROBLEMS), BadInput.__name__),
            text=str(problem),
            waiting=[[*operation[:5], operation.signal] for operation in waiting],
            **self._lines([operation.stamp for operation in waiting]),
        )

    def _lines(self, stamps: Sequence[Stamp]) -> Message:
        """The lines of stamps, equal ones once, and the sources among them that are new."""
        known, lines, distinct = len(self._sources), [], indexed(stamps)
        for stamp in distinct:
            numbers = [self._sources.setdefault(f.source, len(self._sources)) for f in stamp]
            frames = zip(numbers, stamp, strict=True)
            lines.append([[k, f.line, dict(f.locals), f.reversed] for k, f in frames])
        new = list(self._sources)[known:]
        sources = [[s.function, s.file, s.first, s.text] for s in new]
        order = [distinct[stamp] for stamp in stamps]
        return {"stamps": lines, "order": order, "sources": sources}


class StepReader:
    """Reads such messages by a function that gives so many bytes; raises BadInput for others."""

    def __init__(self, take: Callable[[int], bytes]) -> None:
        self._take = take
        self._sources: list[Source] = []

    def message(self) -> Message:
        """The next message; the columns of a step stand behind it."""
        length = int.from_bytes(self._take(LENGTH), "little")
        if length > LARGEST_TEXT:
            raise BadInput(f"a message of {length} bytes")
        text = self._take(length)
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            raise BadInput("a message that is no JSON") from None
        if not isinstance(message, dict):
            raise BadInput(f"{brief(message)}: no message")
        typed(message, "kind", str)
        return message

    def step(self, message: Message) -> Step:
        """The step of a message, with the columns that follow it."""
        rows = typed(message, "rows", int)
        if rows < 1:
            raise BadInput(f"a step of {rows} rows")
        columns = dict[str, Any]()
        for column in typed(message, "columns", list):
            name, single = values(column, str, bool)
            columns[name] = self._column(_stored(name), rows, single)
        if set(columns) - {"needs"} | {"into"} != set(COLUMNS):
            raise BadInput(f"columns {brief(list(columns))}")
        columns.setdefault("into", columns["chunk"])
        stamps = self._stamps(message)
        waits = [values(ranks, *[int] * len(ranks)) for ranks in typed(message, "waits", list)]
        own = stamps[: len(stamps) - len(waits)]
        groups = tuple(unpack_groups(message, len(own)))
        rest = zip(stamps[len(own) :], waits, strict=True)
        return Step(
            **columns,
            stamps=tuple(own),
            groups=groups if any(groups) else (),
            standing=tuple(Standing(stamp, tuple(ranks)) for stamp, ranks in rest),
        )

    def problem(self, message: Message) -> CollectivesError:
        """What a message says is wrong."""
        text = typed(message, "text", str)
        kind = PROBLEMS[typed(message, "problem", str)]
        stamps, waiting = self._stamps(message), []
        for entry, stamp in zip(typed(message, "waiting", list), stamps, strict=True):
            rank, peer, sends, file, line, signal = values(entry, int, int, bool, str, int, bool)
            waiting.append(Waiting(rank, peer, sends, file, line, stamp, signal))
        return Deadlock(text, waiting=waiting) if waiting else kind(text)

    def _column(self, stored: str, rows: int, single: bool) -> Column:
        """A column of so many rows; of a single value where all of them have the same."""
        size = np.dtype(stored).itemsize
        check_memory(0 if single else 2 * rows * size, f"a step of {rows} transfers")
        kind = np.bool_ if stored == STORED["reduces"] else np.intp
        data: Column = np.frombuffer(self._take(size if single else rows * size), stored)
        data = data.astype(kind)
        return repeated(data, rows) if single else frozen(data)

    def _stamps(self, message: Message) -> list[Stamp]:
        for entry in typed(message, "sources", list):
            self._sources.append(Source(*values(entry, str, str, int, str)))
        entry = typed(message, "stamps", list)
        stamps = [tuple(unpack_frame(frame, self._sources) for frame in values(s)) for s in entry]
        order: list[int] = typed(message, "order", list)
        values(order, *[int] * len(order))
        if order and not 0 <= min(order) <= max(order) < len(stamps):
            raise BadInput(f"order {brief(order)}: there are {len(stamps)} stamps")
        return [stamps[number] for number in order]


def _stored(name: str) -> str:
    return STORED.get(name, "<i8")
