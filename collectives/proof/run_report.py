"""What a run shows: data, steps, results and counts, and all of it as values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from collectives.collective import Cells
from collectives.proof.counts_table import MOST_ROWS, count_lines, has_structure
from collectives.proof.prove import Verdict
from collectives.proof.rounding import Rounding, compare
from collectives.proof.rounding_lines import order_lines, order_values, rounding_lines
from collectives.proof.steps_table import step_lines
from collectives.recording.described import described, heading
from collectives.recording.recording import Recording
from collectives.text_lines import Heading, Lines, elements
from collectives.words import plural

MOST_LINKS = 1 << 16  # of a report
MOST_RANKS = 16  # whose results are shown


@dataclass(frozen=True)
class RunReport:
    """A recording that was executed and proved, or only counted: then there is no verdict.

    span: the first and the last step that are shown; by default all. exact: sums of floats are
    compared with exact ones, too.
    """

    recording: Recording
    verdict: Verdict | None = None
    span: tuple[int, int] | None = None
    exact: bool = False

    @cached_property
    def held(self) -> tuple[Any, ...]:
        """What each rank ends with; nothing where that is wrong, or was not executed."""
        return tuple(self.recording.result()) if self.verdict else ()

    @cached_property
    def compared(self) -> Rounding | None:
        """How that differs from numpy's result."""
        return compare(self.recording, list(self.held), self.exact) if self.verdict else None

    @property
    def correct(self) -> bool | None:
        """Whether the algorithm is right; None where nothing was executed, or is promised."""
        if self.verdict is None or (self.verdict and self.recording.collective.promises_nothing):
            return None
        return bool(self.verdict) and (self.compared is None or self.compared.within)

    @property
    def wrong(self) -> str:
        """What is wrong; empty where nothing is."""
        if self.correct is not False:
            return ""
        if self.compared is None:
            return str(self.verdict)
        line = next(rounding_lines(self.compared, self.recording))
        return f"{self.recording.title} on {plural(self.recording.ranks, 'rank')}: {line}"

    def lines(self) -> Lines:
        """The promise, the data, every step, the result and the counts."""
        recording, executed = self.recording, self.verdict is not None
        moves = recording.collective.moves_data and bool(self.verdict)
        yield Heading(heading(recording))
        yield f"{recording.promise}."
        if moves:
            yield from _data(recording)
        if self.verdict:
            yield ""
        if executed or self.span is not None:
            yield from step_lines(recording, self.span, executed)
        if moves and not recording.collective.promises_nothing:
            yield from _vectors("result", recording.postcondition, self.held.__getitem__)
        yield from count_lines(recording)
        if not executed:
            yield ""
            yield "counts only: nothing was executed or proved"
        elif self.compared is not None:
            yield from order_lines(recording, self.exact)
            yield ""
            yield from self._judged(self.compared)

    def _judged(self, compared: Rounding) -> Iterator[str]:
        """Whether it is right, and how it rounds."""
        recording, moves = self.recording, self.recording.collective.moves_data
        if recording.collective.promises_nothing:
            yield "unproved: a custom collective promises nothing"
            return
        if self.correct:
            promise = recording.promise
            exactly = ", every contribution exactly once" if moves else ""
            yield f"correct: {promise[0].lower()}{promise[1:]}{exactly}"
        yield from rounding_lines(compared, recording) if moves else ()

    def as_json(self) -> dict[str, Any]:
        """All that was counted and compared."""
        recording, counted = self.recording, self.recording.counters
        values = described(recording) | {
            "count": recording.count,
            "dtype": str(recording.dtype),
            "op": recording.op,
            "slots": recording.slots,
            "pieces": recording.chunk_count,
            "transfers": counted.transfers,
            "latency_units": counted.steps,
            "bytes_sent": recording.bytes_sent[: recording.ranks],
            "bytes_received": recording.bytes_received[: recording.ranks],
            "bytes_busiest_port": recording.bytes_busiest_port,
            "bytes_total": counted.total_bytes,
            "structure": recording.structure.kind if has_structure(recording) else None,
            "bytes_by_part": recording.bytes_by_part if has_structure(recording) else {},
            "idle_ranks": list(recording.idle_ranks) if counted.rows <= MOST_ROWS else None,
            "links": _links(recording),
            "correct": self.correct,
            "lower_bound": _lower_bound(recording),
            "closed_form": _closed_form(recording),
        }
        if self.compared is not None:
            values["rounding"] = _rounding(self.compared) | {"order": order_values(recording)}
        return values


def _data(recording: Recording) -> Iterator[str]:
    """What each rank starts with: the data that was given, or small example numbers."""

    def own(rank: int) -> Any:
        cells = np.repeat(recording.precondition[rank, : recording.chunk_count], recording.size)
        return recording.inputs[rank][cells]

    title = "data" if recording.data is not None else "example data"
    return _vectors(title, recording.precondition, own)


def _vectors(title: str, cells: Cells, vector: Callable[[int], Any]) -> Iterator[str]:
    """The vectors of the first ranks that have any of these cells."""
    ranks = np.flatnonzero(cells.any(axis=1)).tolist()
    yield ""
    yield Heading(title)
    for rank in ranks[:MOST_RANKS]:
        yield f"  rank {rank}: {elements(vector(rank), 8)}"
    if len(ranks) > MOST_RANKS:
        yield f"  … and {len(ranks) - MOST_RANKS} more ranks"


def _rounding(compared: Rounding) -> dict[str, Any]:
    """How the result differs from numpy's and from exact sums."""
    return {
        "elements": compared.elements,
        "differing": compared.differing,
        "largest": compared.largest,
        "ulps": compared.ulps,
        "ranks_disagree": compared.disagreeing,
        "not_finite": compared.not_finite,
        "overflowed": compared.overflowed,
        "largest_error": compared.exact and compared.exact.largest,
        "largest_error_ulps": compared.exact and compared.exact.ulps,
        "numpys_largest_error": compared.numpys and compared.numpys.largest,
        "numpys_largest_error_ulps": compared.numpys and compared.numpys.ulps,
    }


def _links(recording: Recording) -> list[list[int]] | None:
    """[source, destination, bytes] of every link in use; None where they are too many to read."""
    counted = recording.counters
    if len(counted.links) > MOST_LINKS:
        return None
    return [[src, dst, sent] for (src, dst), sent in sorted(counted.link_bytes.items())]


def _lower_bound(recording: Recording) -> dict[str, int | None]:
    """The bounds; null where they do not hold, as of nodes that are no ranks."""
    bound = recording.bound
    if not bound.holds:
        return {"steps": None, "ports": bound.ports, "bytes": None, "bytes_busiest_port": None}
    return {
        "steps": bound.steps,
        "ports": bound.ports,
        "bytes": bound.sent,
        "bytes_busiest_port": bound.busiest_port,
    }


def _closed_form(recording: Recording) -> dict[str, Any] | None:
    """The closed form's values; null where chunks differ and it says only between what."""
    if recording.row is None:
        return None
    form, case = recording.row.form, recording.case
    return {
        "steps": form.step_count(case),
        "messages": form.message_count(case),
        "bytes": _one_value(form.sent_range(case)),
        "bytes_total": _one_value(form.total_range(case)),
        "source": recording.row.source,
    }


def _one_value(ends: tuple[int, int]) -> int | None:
    return ends[0] if ends[0] == ends[1] else None
