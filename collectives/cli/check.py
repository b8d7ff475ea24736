"""Does what `collectives check` is asked for: proves algorithms for many numbers of ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import singledispatch

from collectives.catalog import ROWS, Row
from collectives.cli.console import say_json, say_lines
from collectives.cli.file_subjects import ProgramSubject
from collectives.cli.subject import CatalogSubject, OwnSubject, Subject
from collectives.errors import BadInput
from collectives.formats.msccl import ways
from collectives.proof import check as proof
from collectives.proof.check_report import Checked, CheckReport
from collectives.proof.prove import Verdict, prove, prove_values
from collectives.recording.recording import Recording
from collectives.words import plural, quoted, ranges

DEFAULT_CHECK = range(1, 34)
EVERY_SIZE = "even and uneven sizes"
Numbers = Sequence[int] | None  # of ranks; None for the default


def check_subject(subject: Subject, numbers: Numbers, like: str | None, as_json: bool) -> None:
    """`collectives check`; raises WrongSchedule if anything is wrong."""
    every = subject.words == ("all",)
    done: list[Checked] = []
    if like is not None:
        checks: Iterable[Checked] = [_graded(subject, numbers, like)]
    else:
        checks = _all(subject, numbers) if every else [_check_one(subject, numbers)]
    for checked in checks:
        done.append(checked)
        if not as_json and (every or checked.verdict):  # as soon as it is known
            say_lines((checked.row if every else checked.line).splitlines())
    tried = _tried(subject, numbers, rooted=True, sizes=EVERY_SIZE) if every else ""
    report = CheckReport(done, tried)
    if as_json:
        say_json(report.as_json())
    else:
        say_lines(report.summary())
    report.refuse_wrong()


def _tried(
    subject: Subject, numbers: Numbers, rooted: bool, takes_root: bool = True, sizes: str = ""
) -> str:
    """What the cases were."""
    parts = [f"{ranges(_with_root(subject, numbers))} ranks"]
    if rooted:
        every = f"every root up to {proof.EVERY_ROOT} ranks"
        every = every if takes_root else "root 0, as it takes none"
        parts.append(every if subject.root is None else f"root {subject.root}")
    if subject.counts is not None:
        sizes = f"counts {','.join(map(str, subject.counts))}"
    if subject.count is not None:
        sizes = f"count {subject.count}"
    parts += [sizes] if sizes else []
    return ", ".join(parts)


def _all(subject: Subject, numbers: Numbers) -> Iterator[Checked]:
    subject.refuse("check all chooses for each algorithm")
    for row in ROWS:
        known = numbers or DEFAULT_CHECK
        if any(map(row.accepts, known)):
            yield _row(row, known, subject)
        else:
            nothing = Verdict(True, f"{row.title}: takes {row.sizes.text} only")
            yield Checked(row.collective, row.algorithm, 0, nothing, left_out=tuple(known))


@singledispatch
def _check_one(subject: Subject, numbers: Numbers) -> Checked:
    """The verdict on one subject of any kind: here on a recording in a file."""
    return _saved(replace(subject, ranks=numbers[0] if numbers else None).recording())


@_check_one.register
def _catalog(subject: CatalogSubject, numbers: Numbers) -> Checked:
    subject.refuse("check tries even and uneven sizes of its own", ["counts"])
    return _row(subject.row(), _with_root(subject, numbers), subject)


def _row(row: Row, numbers: Sequence[int], subject: Subject) -> Checked:
    verdict, cases = proof.check_row(
        row, numbers, subject.root, subject.chunks, subject.count, subject.parameters
    )
    out = tuple(n for n in numbers if not row.accepts(n, subject.parameters))
    sizes = EVERY_SIZE if row.promise.moves_data else ""
    tried = _tried(subject, numbers, row.promise.rooted, sizes=sizes)
    return Checked(row.collective, row.algorithm, cases, verdict, tried, out)


def _graded(subject: Subject, numbers: Numbers, like: str) -> Checked:
    """The verdict on somebody's own function beside an algorithm of the catalog."""
    if not isinstance(subject, OwnSubject):
        raise BadInput(
            f"--like {quoted(like)}: grades a function of your own; "
            f"try: mine.py:my_broadcast --like {quoted(like)}"
        )
    return _own(subject, numbers, like)


@_check_one.register
def _own(subject: OwnSubject, asked: Numbers, like: str | None = None) -> Checked:
    """Run the function for every number of ranks and root, up to the first that is wrong."""
    numbers = _with_root(subject, asked)
    with subject.own() as own:
        promise = own.promise(numbers[0])
        subject.refuse_root(promise)
        verdict, cases = proof.check_own(own, numbers, subject.root, subject.count, subject.counts)
        if verdict and like is not None:
            verdict = proof.graded(own, verdict, sorted(numbers), subject.root, like)
        uneven = any(proof.tries_uneven(own, n) for n in numbers)
    sizes = EVERY_SIZE if uneven and proof.EVEN_ONLY not in str(verdict) else ""
    tried = _tried(subject, asked, promise.rooted, own.takes_root, sizes)
    return Checked(promise.name, own.name, cases, verdict, tried)


def _saved(recording: Recording) -> Checked:
    verdict = prove(recording) and prove_values(recording)
    if verdict and recording.row is not None:
        verdict = proof.check_counts(recording)
    if verdict:
        outcome = "right"
        if recording.collective.promises_nothing:
            outcome = f"it reads nothing too early; {recording.promise.lower()}"
        verdict = Verdict(
            True, f"{recording.title} on {plural(recording.ranks, 'rank')}: {outcome}"
        )
    return Checked(recording.collective.name, recording.algorithm, 1, verdict)


@_check_one.register
def _program(subject: ProgramSubject, numbers: Numbers) -> Checked:
    """An MSCCL program, in both ways where it serves calls in place and others."""
    sized = replace(subject, ranks=numbers[0] if numbers else None)
    served = {
        way: _saved(replace(sized, in_place=way).recording()) for way in ways(subject.words[0])
    }
    way = next((way for way, checked in served.items() if not checked.verdict), max(served))
    checked = served[way]
    if len(served) == 1:
        return checked
    where = "in place" if way else "out of place"
    if checked.verdict:
        where = ", in place and out of place"
    text = f"{checked.verdict}{where}" if checked.verdict else f"{where}, {checked.verdict}"
    return replace(checked, verdict=Verdict(checked.verdict.ok, text), cases=len(served))


def _with_root(subject: Subject, numbers: Numbers) -> list[int]:
    """The numbers of ranks to try; only those that have the root, if one is given."""
    root = subject.root or 0
    fitting = [ranks for ranks in numbers or DEFAULT_CHECK if ranks > root]
    if not fitting:
        raise BadInput(f"--root {root}: needs {root + 1} ranks or more; try: -n {root + 1}")
    return fitting
