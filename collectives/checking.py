"""Checks an algorithm for many numbers of ranks: its promise, its values, its closed forms."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping

from collectives.catalog import Row, Setting
from collectives.catalog.row import NO_PARAMETERS
from collectives.collective import COLLECTIVES, Collective, find_collective
from collectives.errors import BadInput, WrongSchedule
from collectives.proof import Verdict, prove, prove_values
from collectives.recorder import record
from collectives.recording import Recording
from collectives.schedule import Schedule

ELEMENTS = 1 << 22  # of all ranks' data, up to which a slot has an element for each rank
EVERY_ROOT = 9  # number of ranks up to which every root is tried


def check(
    function: Callable[..., Schedule],
    *,
    collective: str | None = None,
    ranks: Iterable[int] = range(1, 34),
    root: int | None = None,
    slots: int | None = None,
    nodes: int | None = None,
    **parameters: int,
) -> Verdict:
    """Whether a function makes right schedules for all of `ranks`; a verdict, true if it does.

    The function's arguments are filled by name: n (or ranks), root, and `parameters`. The
    collective comes from the end of the function's name unless given. root: one root instead
    of rank 0, and every root up to 9 ranks for rooted collectives. slots: places for chunks on
    each node; default one per rank. Raises BadInput for values that cannot be used.

    >>> from collectives.algorithms.ring import ring_all_reduce
    >>> print(check(ring_all_reduce, ranks=[1, 2, 5]))
    ring_all_reduce: right in all 3 cases
    """
    promise = named_collective(function, collective)
    name = _name(function)
    cases = 0
    for n in ranks:
        for start in roots(promise.rooted, n, root):
            cases += 1
            given = {"n": n, "ranks": n, "root": start, **parameters}
            try:
                recording = record(
                    filled(function, given),
                    collective=promise.name,
                    algorithm=name,
                    ranks=n,
                    root=start,
                    slots=slots,
                    nodes=nodes,
                )
                verdict = _both(recording)
            except WrongSchedule as problem:
                verdict = Verdict(False, f"{name} on {n} ranks: {problem}")
            if not verdict:
                return verdict
    if not cases:
        raise BadInput("ranks is empty: there is nothing to check")
    return Verdict(True, f"{name}: right in all {cases} cases")


def check_row(
    row: Row,
    ranks: Iterable[int],
    root: int | None = None,
    chunks: int | None = None,
    count: int | None = None,
    parameters: Mapping[str, int] = NO_PARAMETERS,
) -> tuple[Verdict, int]:
    """Check a catalog row, its closed forms and bounds too; the verdict and the cases tried.

    Numbers of ranks that the algorithm does not accept are left out; raises BadInput if it
    accepts none of them.
    """
    cases = 0
    numbers = list(ranks)
    accepted = [n for n in numbers if row.accepts(n, parameters)]
    if numbers and not accepted:
        row.setting(numbers[0], 0, chunks, parameters)
    for n in accepted:
        for start in roots(row.promise.rooted, n, root):
            cases += 1
            verdict = check_case(row, row.setting(n, start, chunks, parameters), count)
            if not verdict:
                return verdict, cases
    return Verdict(True, f"{row.title}: right in all {cases} cases"), cases


def check_case(row: Row, setting: Setting, count: int | None = None) -> Verdict:
    """Check one row in one setting: promise, values, and counts, even and uneven unless given."""
    ranks, pieces = setting.ranks, row.pieces(setting)
    each = min(ranks, max(4, ELEMENTS // (ranks * pieces)))  # every rank the extreme in each
    counts = (4 * pieces, each * pieces + pieces // 2) if count is None else (count,)
    if row.collective == "barrier":
        counts = (0,)
    for count in counts:
        name = f"{row.title} on {ranks} ranks, root {setting.root}, count {count}"
        try:
            recording = record_row(row, setting, count)
            verdict = check_counts(recording)
        except WrongSchedule as problem:
            verdict = Verdict(False, str(problem))
        if not verdict:
            return Verdict(False, f"{name}: {verdict}")
    verdict = _both(recording)
    return verdict if verdict else Verdict(False, f"{name}: {verdict}")


def record_row(row: Row, setting: Setting, count: int | None = None) -> Recording:
    """The recording of a catalog row in one setting."""
    return record(
        row.collective,
        row.algorithm,
        ranks=setting.ranks,
        root=setting.root,
        count=count,
        chunks=setting.chunks if "chunks" in row.parameters else None,
        parameters=setting.parameters,
    )


def check_counts(recording: Recording) -> Verdict:
    """Hold the executed counts against the closed form and the lower bounds."""
    if recording.row is None:
        raise BadInput(f"{recording.title} has no closed form: it is not in the catalog")
    form, case, bound = recording.row.form, recording.case, recording.bound
    counted = recording.counters
    sent = int(counted.bytes_sent[: recording.ranks].max())
    steps, messages = form.step_count(case), form.message_count(case)
    for what, value, (least, most) in (
        ("steps", counted.steps, (steps, steps)),
        ("messages", counted.messages, (messages, messages)),
        ("bytes sent by the busiest rank", sent, form.sent_range(case)),
        ("bytes sent in all", counted.total_bytes, form.total_range(case)),
    ):
        if not least <= value <= most:
            formula = f"{least}" if least == most else f"{least} to {most}"
            return Verdict(False, f"{what}: executed {value}, closed form {formula}")
    if bound.holds and (counted.steps < bound.steps or sent < bound.sent):
        return Verdict(
            False, f"{counted.steps} steps, {sent} B sent: below the lower bound {bound}"
        )
    return Verdict(True, "counts as the closed form says")


def roots(rooted: bool, ranks: int, root: int | None) -> Iterable[int]:
    """The roots to try: the one given, else every one up to 9 ranks, else rank 0."""
    if root is not None:
        return [root]
    return range(ranks) if rooted and ranks <= EVERY_ROOT else [0]


def named_collective(function: Callable[..., Schedule], given: str | None) -> Collective:
    """The collective given, else the one the function's name ends with; else BadInput."""
    if given is not None:
        return find_collective(given)
    name = getattr(function, "__name__", "")
    ending = max((key for key in COLLECTIVES if name.endswith(key)), key=len, default=None)
    if ending is None:
        raise BadInput(
            f"{name}: what it promises cannot be told from its name; say so with "
            f"--collective (collective= in Python), one of {', '.join(COLLECTIVES)}"
        )
    return COLLECTIVES[ending]


def filled(function: Callable[..., Schedule], given: Mapping[str, int]) -> Schedule:
    """Call a function with the arguments it names; raises BadInput for one that is not given."""
    places, names = [], {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if name not in given and parameter.default is parameter.empty:
            raise BadInput(f"{_name(function)} needs {name!r}; give it with -p {name}=VALUE")
        value = given.get(name, parameter.default)
        if parameter.kind is parameter.POSITIONAL_ONLY:
            places.append(value)
        else:
            names[name] = value
    return function(*places, **names)


def _name(function: Callable[..., Schedule]) -> str:
    """The function's name; some callables, such as partial ones, have none."""
    return getattr(function, "__name__", "schedule")


def _both(recording: Recording) -> Verdict:
    verdict = prove(recording)
    return prove_values(recording) if verdict else verdict
