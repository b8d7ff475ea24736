"""`collectives time --measured FILE`: what nccl-tests measured, beside the model of the same."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

from collectives.cli.console import say_report
from collectives.cli.like import check_alone, followed
from collectives.cli.placed import placed
from collectives.collective import find_collective
from collectives.comparison.measured_file import LIKE, MeasuredSubject, Timer, beside_model
from collectives.cost.choose.setup import Setup, resized
from collectives.cost.like import advice
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.formats.nccl_tests import Table, read
from collectives.proof.prove import refuse_wrong, verdict_on
from collectives.words import quoted

if TYPE_CHECKING:
    from collectives.cli.time import Asked
    from collectives.recording.recording import Recording


def time_measured(asked: Asked, path: str, like: str | None) -> None:
    """Every size of a file with its measured and its modeled time.

    Raises BadInput, and WrongSchedule where the algorithm is wrong.
    """
    subject = asked.subject
    if asked.output is not None:
        raise BadInput(f"-o {quoted(asked.output)}: a trace is of one size; leave --measured out")
    subject.refuse(f"{quoted(path)} has sizes of its own", ("size", "count", "counts"))
    tables = read(path)
    name, ranks = _collective(asked, tables)
    alone = bool(subject.collective_alone) and like is None
    library = LIKE if alone else like
    timer = partial(_timed_subject if library is None else _timed_like, asked, library)
    searched = subject.best or library is not None
    report = beside_model(
        path, tables, MeasuredSubject(name, ranks, timer, alone, searched), asked.where
    )
    say_report(report, asked.as_json)
    if not subject.in_catalog:
        sized = subject if subject.is_fixed else replace(subject, ranks=report.ranks)
        size = report.sizes[-1].row.size
        refuse_wrong(verdict_on(placed(sized.sized(size), asked.where)[0]))


def _collective(asked: Asked, tables: list[Table]) -> tuple[str, int | None]:
    """The name of the collective that is asked about, and the ranks where those are given."""
    subject = asked.subject
    if subject.in_catalog:
        return find_collective(subject.words[0]).name, subject.ranks
    size = tables[0].rows[-1].size
    ranks = subject.ranks or tables[0].ranks or None
    sized = replace(subject, ranks=None if subject.is_fixed else ranks).sized(size)
    recording = sized.recording(None if subject.is_typed else "uint8", executed=False)
    return recording.collective.name, recording.ranks if subject.is_fixed else subject.ranks


def _timed_subject(asked: Asked, _: str | None, where: Where, ranks: int, first: int) -> Timer:
    """Of an algorithm, one's own or one in a file."""
    subject = asked.subject if asked.subject.is_fixed else replace(asked.subject, ranks=ranks)

    @cache
    def largest() -> tuple[Recording, Setup]:
        return placed(subject.sized(first), where, change=asked.faults.of)

    def timed(size: int, root: int | None) -> tuple[Recording, Setup, float | None]:
        if subject.in_catalog:
            sized = replace(subject, size=size, root=_root(subject.root, root))
            return *placed(sized, where, change=asked.faults.of), None
        recording, setup = largest()
        return resized(recording, size), setup, None

    return timed


def _timed_like(asked: Asked, library: str | None, where: Where, ranks: int, _: int) -> Timer:
    """Of what a library would choose for each size, with NCCL's own estimate."""

    subject = asked.subject if asked.subject.is_fixed else replace(asked.subject, ranks=ranks)
    check_alone(subject, str(library))
    name = find_collective(subject.words[0]).name

    def timed(size: int, root: int | None) -> tuple[Recording, Setup, float | None]:
        advised = advice(str(library), name, ranks, size, where)
        recording = followed(subject, name, advised.choice)
        sized = replace(recording, size=size, root=_root(subject.root, root))
        chosen = (way for way in advised.candidates if way.name == advised.choice.library_name)
        estimate = next((way.seconds for way in chosen if not way.off), None)
        return *placed(sized, where, change=asked.faults.of), estimate

    return timed


def _root(asked: int | None, measured: int | None) -> int | None:
    """The root; raises BadInput where another was measured."""
    if None not in (asked, measured) and asked != measured:
        raise BadInput(f"--root {asked}: root {measured} was measured; try: --root {measured}")
    return asked if measured is None else measured
