"""Checks an algorithm for many numbers of ranks: its promise, its values, its closed forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from collectives.catalog import NO_PARAMETERS, Row, Setting, find_row
from collectives.catalog.row import MAX_RANKS
from collectives.errors import BadInput, WrongSchedule
from collectives.proof.lesson import counts_text, missed_lesson
from collectives.proof.own_algorithm import OwnAlgorithm, first_yield
from collectives.proof.prove import Verdict, in_setting, prove, prove_values
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.recording.request import (
    MAX_COUNT,
    Promise,
    Size,
    check_pipeline,
    refuse_own,
    whole_numbers,
)
from collectives.schedule import Schedule
from collectives.schedule.stamping import iterable
from collectives.values import items_of, whole
from collectives.words import brief, listed, plural, runs

ELEMENTS = 1 << 22  # of all ranks' data, up to which a slot has an element for each rank
EVEN_ONLY = "sizes that divide evenly only"
UNEQUAL = re.compile(r"slot \d+ of rank \d+ has \d+ elements, slot")  # as the rules say it
EVERY_ROOT = 9  # number of ranks up to which every root is tried


def check(
    function: str | Callable[..., Schedule] | Schedule,
    algorithm: str | None = None,
    *,
    collective: Promise = None,
    ranks: int | Iterable[int] = range(1, 34),
    root: int | None = None,
    slots: Size = None,
    scratch: Size = None,
    nodes: Size = None,
    chunks: int | None = None,
    like: str | None = None,
    **parameters: int | str,
) -> Verdict:
    """Prove that an algorithm makes right schedules for many numbers of ranks.

    They are tried from the smallest on, with sizes that divide evenly and that do not: either
    `check("all_reduce", "ring")`, an algorithm of the catalog, or `check(my_function)`, or
    `check(my_schedule(8), collective="all_reduce", ranks=8)`, steps for one number of ranks.

    Parameters
    ----------
    function : str, callable or iterable of Step
        The collective of a catalog algorithm; or a function that yields steps, whose arguments
        are filled by name: n (or ranks), root, chunks, and those of `parameters`; or the steps
        themselves.
    algorithm : str, optional
        The catalog's name of the algorithm.
    collective : str, Collective or callable, optional
        What your function promises; by default the collective that ends its name. For send/recv
        `exchange(pairs)`, or a function of n that returns this.
    ranks : int or iterable of int
        Numbers of ranks; for steps the one that they were made for.
    root : int, optional
        One root, for numbers of ranks that have it; by default every root up to 9 ranks, where
        there is one.
    slots : int or callable, optional
        Chunks of the vector, each with a slot on every node; by default one for each rank (one
        for a barrier), or the chunks where the function takes chunks. May be a function of n.
    scratch : int or callable, optional
        Further slots.
    nodes : int or callable, optional
        Ranks and helper nodes.
    chunks : int, optional
        Chunks of the pipeline, where the function takes them.
    like : str, optional
        An algorithm of the catalog: your own must take no more steps, messages and bytes; like a
        ring it must also go round. What is right but takes more is not ok, and the text says why.
    **parameters : int
        Further arguments of the algorithm.

    Returns
    -------
    Verdict
        True if all are right; else its text says what is wrong, and where.

    Raises
    ------
    BadInput
        For values that cannot be used.

    Examples
    --------
    >>> print(check("all_reduce", "ring"))
    ring all-reduce: right in all 33 cases
    >>> from collectives.algorithms.ring import ring_all_reduce
    >>> print(check(ring_all_reduce, ranks=[1, 2, 5]))
    ring_all_reduce: right in all 3 cases
    On 5 ranks: 8 steps (at least 3), 40 messages, 1.6 S sent by the busiest rank (at least 1.6 S)
    >>> print(check(ring_all_reduce, slots=lambda n: 2 * n, ranks=2))
    ring_all_reduce on 2 ranks: rank 0, slot 2 ends wrong: chunk 2 of rank 1 is missing. \
No step moves it out of slot 2 of rank 1. The schedule ends after step 2. 3 more slots are wrong
    """
    numbers = numbers_of_ranks(ranks)
    if root is not None:
        numbers = with_root(numbers, whole("root", root, 0, MAX_COUNT))
    if chunks is not None:
        chunks = whole("chunks", chunks, 1, MAX_COUNT)
    if isinstance(function, str):
        row = find_row(function, "" if algorithm is None else algorithm)
        refuse_own(row, collective=collective, slots=slots, scratch=scratch, nodes=nodes, like=like)
        refused = whole_numbers(parameters, [row], max(numbers, default=1))
        return check_row(row, numbers, root, chunks, parameters=refused)[0]
    if algorithm is not None:
        hint = "try: collective='all_reduce' says what a function of yours promises"
        raise BadInput(f"algorithm {brief(algorithm)}: names one of the catalog; {hint}")
    if isinstance(function, Iterable):
        for name in ("like", *parameters) if like is not None else parameters:
            raise BadInput(f"{name}: give it with a function, not with steps that are made already")
        return _check_steps(function, numbers, root, collective, chunks, slots, scratch, nodes)
    own = OwnAlgorithm(function, collective, chunks, slots, parameters, scratch, nodes)
    verdict = check_own(own, numbers, root)[0]
    return graded(own, verdict, numbers, root, like) if verdict and like is not None else verdict


def graded(
    own: OwnAlgorithm, verdict: Verdict, ranks: Sequence[int], root: int | None, like: str
) -> Verdict:
    """The verdict on a right function beside an algorithm of the catalog: what it takes more."""
    missed = missed_lesson(own, like, _cases(own, ranks, root))
    if not missed and root is None and own.promise(ranks[0]).rooted and not own.takes_root:
        missed = f"{own.name}: right for root 0 only; it takes no root"
    return Verdict(False, missed) if missed else verdict


def _check_steps(
    schedule: Schedule,
    numbers: Sequence[int],
    root: int | None,
    collective: Promise,
    chunks: int | None,
    slots: Size,
    scratch: Size,
    nodes: Size,
) -> Verdict:
    """Check steps, which are pulled once: their recording keeps them for further sizes."""
    if len(numbers) != 1:
        raise BadInput("ranks: steps are made for one number of ranks; try: ranks=8, or a function")
    try:
        recording = record(
            schedule,
            ranks=numbers[0],
            collective=collective,
            root=root or 0,
            chunks=chunks,
            slots=slots,
            scratch=0 if scratch is None else scratch,
            nodes=nodes,
        )
    except WrongSchedule as problem:
        refused = problem.recording
        where = in_setting(refused.ranks, refused.root, refused.collective) if refused else ""
        return Verdict(
            False, f"{refused.algorithm} on {where}: {problem}" if refused else str(problem)
        )
    kept, more = recording.steps, recording.slots - recording.promised_slots
    own = OwnAlgorithm(
        lambda: kept, recording.collective, None, recording.chunk_count, {}, more, recording.nodes
    )
    own.name = recording.algorithm
    return check_own(own, numbers, root)[0]


def check_own(
    own: OwnAlgorithm,
    ranks: Iterable[int],
    root: int | None = None,
    count: int | None = None,
    counts: Sequence[int] | None = None,
) -> tuple[Verdict, int]:
    """Check somebody's own function, up to the first case that is wrong; and the cases tried.

    Without count and counts, on even and on uneven sizes. A schedule that moves data between
    chunks of different sizes is right for even ones only, which the verdict says.
    """
    cases, verdict, limit = 0, Verdict(True, ""), ""
    numbers = sorted(ranks)
    if counts is not None:
        _check_fit(own, numbers, counts)
    for n, start in _cases(own, numbers, root):
        cases += 1
        try:
            recording = own.record(n, start, count=count, counts=counts)
            verdict = _both(recording)
            if not verdict and not recording.steps and (line := first_yield(own.function)):
                verdict = Verdict(False, f"{verdict}. It ends before its first yield, {line}")
        except WrongSchedule as problem:
            verdict = Verdict(False, str(problem))
        if verdict and count is None and counts is None and not limit:
            verdict, limit = _uneven(own, n, start)
        if not verdict:
            right = [number for number in numbers if number < n]
            if right:
                number = f"{listed(runs(right))} rank{'' if right == [1] else 's'}"
                verdict = Verdict(False, f"{verdict}. On {number} it is right")
            return verdict, cases
    if not cases:
        raise BadInput("ranks is empty: there is nothing to check")
    only = f"; {EVEN_ONLY}: {limit}" if limit else ""
    return Verdict(True, right_in(own.name, cases) + only, counts_text(recording)), cases


def _cases(own: OwnAlgorithm, ranks: Iterable[int], root: int | None) -> Iterator[tuple[int, int]]:
    """The numbers of ranks to try, from the smallest on, each with every root to try."""
    for n in sorted(ranks):
        for start in roots(own.promise(n).rooted and own.takes_root, n, root):
            yield n, start


def tries_uneven(own: OwnAlgorithm, ranks: int) -> bool:
    """Whether there are uneven sizes to try: a single chunk and a barrier have none."""
    return own.promise(ranks).moves_data and own.slots(ranks) > 1


def _uneven(own: OwnAlgorithm, ranks: int, root: int) -> tuple[Verdict, str]:
    """What is wrong with uneven sizes only; or how the schedule is limited to even ones.

    Data that ends in the right slots does so with all sizes that the slots can hold.
    """
    if not tries_uneven(own, ranks):
        return Verdict(True, ""), ""
    chunk_count = own.slots(ranks)
    count = 4 * chunk_count + chunk_count // 2
    try:
        own.record(ranks, root, count=count)
    except WrongSchedule as problem:
        name = f"{own.name} on {in_setting(ranks, root, own.promise(ranks))}"
        reason = str(problem).removeprefix(f"{name}: ")
        if UNEQUAL.search(reason):
            return Verdict(True, ""), f"on {name.split(' on ')[-1]} with {count} elements, {reason}"
        uneven = f"with {count} elements, which do not divide evenly"
        return Verdict(False, f"{name}: {uneven}: {reason}"), ""
    return Verdict(True, ""), ""


def _check_fit(own: OwnAlgorithm, ranks: Sequence[int], counts: Sequence[int]) -> None:
    """Raise BadInput for counts that do not fit the chunks on any of these numbers of ranks."""
    for n in ranks:
        chunk_count = own.slots(n)
        if chunk_count != len(counts) and own.promise(n).moves_data:
            one_each = chunk_count == n
            raise BadInput(
                f"counts of {len(counts)} numbers (--counts): on {plural(n, 'rank')} the vector "
                f"is cut into {plural(chunk_count, 'chunk')}; try: "
                + (f"-n {len(counts)}" if one_each else f"{chunk_count} numbers")
            )


def right_in(title: str, cases: int) -> str:
    """The verdict on an algorithm that is right in all cases tried.

    >>> right_in("ring all-reduce", 33)
    'ring all-reduce: right in all 33 cases'
    """
    return f"{title}: right in " + (f"all {cases} cases" if cases > 1 else "the one case")


def numbers_of_ranks(ranks: int | Iterable[int]) -> list[int]:
    """Numbers of ranks as a list; raises BadInput for anything else."""
    listed = items_of("ranks", ranks, "range(1, 34)") if iterable(ranks) else [ranks]
    return [whole("ranks", number, 1, MAX_RANKS) for number in listed]


def with_root(numbers: Iterable[int], root: int) -> list[int]:
    """The numbers of ranks that have this root; raises BadInput where none has."""
    some = [ranks for ranks in numbers if ranks > root]
    if not some:
        raise BadInput(f"root {root}: needs {root + 1} ranks or more; try: {root + 1} ranks")
    return some


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
    if accepted:  # what is too large is refused before the smaller ones are executed
        check_pipeline(row, row.setting(max(accepted), root or 0, chunks, parameters))
    for n in accepted:
        for start in roots(row.promise.rooted, n, root):
            cases += 1
            verdict = check_case(row, row.setting(n, start, chunks, parameters), count)
            if not verdict:
                return verdict, cases
    return Verdict(True, right_in(row.title, cases)), cases


def check_case(row: Row, setting: Setting, count: int | None = None) -> Verdict:
    """Check one row in one setting: promise, values, and counts, even and uneven unless given."""
    ranks, chunk_count = setting.ranks, row.chunk_count(setting)
    part = min(ranks, max(4, ELEMENTS // (ranks * chunk_count)))  # every rank the extreme in each
    counts = (4 * chunk_count, part * chunk_count + chunk_count // 2) if count is None else (count,)
    if not row.promise.moves_data and count is None:
        counts = (0,)
    for count in counts:
        name = f"{row.title} on {in_setting(ranks, setting.root, row.promise)}, count {count}"
        try:
            recording = record_row(row, setting, count)
            verdict = check_counts(recording)
        except WrongSchedule as problem:
            verdict = Verdict(False, str(problem))
        if not verdict:
            return Verdict(False, f"{name}: {verdict}")
    return _both(recording)


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
    for what, value, (low, high) in (
        ("steps", counted.steps, (steps, steps)),
        ("messages", counted.messages, (messages, messages)),
        ("bytes sent by the busiest rank", sent, form.sent_range(case)),
        ("bytes sent in all", counted.total_bytes, form.total_range(case)),
    ):
        if not low <= value <= high:
            formula = f"{low}" if low == high else f"{low} to {high}"
            return Verdict(False, f"{what}: executed {value}, closed form {formula}")
    port = recording.bytes_busiest_port
    few = counted.steps < bound.steps or sent < bound.sent or port < bound.busiest_port
    if bound.holds and few:
        executed = f"{counted.steps} steps, {sent} B sent, {port} B through the busiest port"
        return Verdict(False, f"{executed}: below the lower bound {bound}")
    return Verdict(True, "counts as the closed form says")


def roots(rooted: bool, ranks: int, root: int | None) -> Iterable[int]:
    """The roots to try: the one given, else every one up to 9 ranks, else rank 0."""
    if root is not None:
        return [root]
    return range(ranks) if rooted and ranks <= EVERY_ROOT else [0]


def _both(recording: Recording) -> Verdict:
    return prove(recording) and prove_values(recording)
