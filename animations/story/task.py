"""The task of a recording for who builds another schedule, and which rows take the fewest steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from collectives.catalog import NO_PARAMETERS, ROWS, Row
from collectives.cost.bounds.closed import ClosedForm, by_formula
from collectives.errors import BadInput
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.recording.saved import settings_of
from collectives.schedule import Step
from collectives.schedule.step import rows
from collectives.theory import Case
from collectives.theory.bounds import lower_bound
from collectives.words import Worded


@dataclass(frozen=True)
class Task:
    """The task of a recording, which other schedules may do as well.

    promise: in a sentence. exactly_once, at_home: how it counts, see `Task` of core/machine.js.
    adds: whether the collective adds. chunk_bytes: of each chunk. settings: as in files.
    least_bytes: what the busiest rank has to send; None where there is no bound. fewest: for each
    number of ports, from 1 on, the least number of steps, whether so few are known to be enough,
    and the title of an algorithm of the catalog that needs no more. later: of a wrong schedule the
    steps that are not drawn, each with rows of src, dst, chunk, into, and whether it adds.
    """

    promise: str
    exactly_once: bool
    at_home: bool
    adds: bool
    chunk_bytes: tuple[int, ...]
    settings: dict[str, Any]
    least_bytes: int | None
    fewest: tuple[tuple[int, bool, str], ...]
    later: tuple[tuple[tuple[int, ...], ...], ...] = ()


def task_of(recording: Recording) -> Task:
    """The task of a recording of up to a few dozen ranks."""
    promise, bound = recording.collective, recording.bound
    return Task(
        recording.promise,
        promise.exactly_once,
        promise.reduces and promise.required is None,
        promise.reduces or not promise.exactly_once,
        tuple((recording.size * recording.dtype.itemsize).tolist()),
        _settings(recording),
        bound.sent if bound.holds else None,
        tuple(_fewest(recording)) if bound.holds else (),
    )


def later_rows(steps: Iterable[Step]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The transfers of these steps, slot by slot."""
    return tuple(tuple((*row[:4], int(row[5])) for row in rows(step.unrolled())) for step in steps)


def _settings(recording: Recording) -> dict[str, Any]:
    settings = settings_of(recording, own=True)
    settings.pop("parameters", None)
    return settings


def _fewest(recording: Recording) -> Iterator[tuple[int, bool, str]]:
    known = _known(recording.collective.name, recording.ranks, recording.root)
    for ports in range(1, max(2, recording.ranks)):
        bound = bound_on_steps(recording, ports)
        titles = [title for steps, own, title in known if own <= ports and steps <= bound]
        yield bound, bool(titles), titles[0] if titles else ""


def bound_on_steps(recording: Recording, ports: int) -> int:
    """The fewest steps of any schedule whose nodes have so many ports."""
    return lower_bound(recording.collective, recording.case, ports).steps


@lru_cache(maxsize=256)
def _known(collective: str, ranks: int, root: int) -> tuple[tuple[int, int, str], ...]:
    """Steps, ports and titles of the algorithms of the catalog that reach a bound of steps.

    Of those with as many steps and ports first that which carries the fewest bytes.
    """
    forms = _ordered(collective, ranks, root)
    lean = [row for row, form in forms if form.steps == forms[0][1].steps]
    others = [
        row
        for row in ROWS
        if row.collective == collective and "R" in row.form.optimal and not row.in_network
    ]
    bars = []
    for row in dict.fromkeys([*lean, *others]):
        if row.accepts(ranks):
            recording = record(collective, row.algorithm, ranks=ranks, root=root)
            names: dict[str, object] = {"algorithm": row.algorithm}
            names["collective"] = row.promise.title
            title = Worded.of(row.title, "{algorithm}", names)
            bars.append((recording.counters.steps, recording.counters.ports, title))
    return tuple(sorted(bars, key=lambda known: known[:2]))


def _ordered(collective: str, ranks: int, root: int) -> list[tuple[Row, ClosedForm]]:
    """Rows that need no more than ranks and a root, those of the fewest steps first.

    Of as many those first that carry the fewest bytes. With their closed forms for a vector of 1;
    without those that take fewer steps than one message at a time can.
    """
    rows = [row for row in ROWS if row.collective == collective]
    forms = [(row, form) for row in rows if (form := _form(row, ranks, root)) is not None]
    return sorted(forms, key=lambda form: (form[1].steps, form[1].busiest_port))


def _form(row: Row, ranks: int, root: int) -> ClosedForm | None:
    if row.takes or row.in_network:
        return None
    try:
        setting = row.setting(ranks, root)
    except BadInput:
        return None
    sizes = np.ones(row.chunk_count(setting), int)
    form = by_formula(row.form, Case(ranks, sizes, root, 1, NO_PARAMETERS))
    return form if form is not None and form.steps >= (ranks - 1).bit_length() else None
