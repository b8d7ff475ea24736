"""Makes recordings: pulls a schedule, validates and counts its steps, keeps what fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from collectives.catalog import find_row
from collectives.catalog.row import MAX_RANKS
from collectives.errors import BadInput, Deadlock, Endless, PutRace, WrongSchedule
from collectives.memory_limit import check_memory
from collectives.progress import counted
from collectives.recording import payload
from collectives.recording.counters import Counter, Counters
from collectives.recording.executed import Refusal
from collectives.recording.recording import Recording
from collectives.recording.replay import Steps
from collectives.recording.request import (
    MAX_COUNT,
    Promise,
    RecordingRequest,
    Size,
    catalog_request,
    check_bytes,
    count_of,
    counts_of,
    helper_kind,
    own_request,
    refuse_own,
)
from collectives.schedule import Schedule, Step
from collectives.schedule.columns import Integers, constant
from collectives.schedule.validate import checked, step_location
from collectives.values import dict_of, whole
from collectives.words import plural

KEPT_ROWS = 1 << 20  # transfers up to which the steps of a catalog row are kept in memory
KEPT_BYTES = 1 << 25  # of columns up to which more of them are kept
STEPS_PER_NODE = 16  # of an own schedule on many
MAX_KEPT_STEPS = 1 << 16  # steps of an own schedule on few ranks: an endless one is stopped
MAX_SEEN_STEPS = 32  # steps of an endless one that are shown
ROW_BYTES = 40  # of memory, of a transfer that is kept
MAX_MOVED_BYTES = 1 << 63  # bytes


def record(
    schedule: str | Callable[..., Schedule] | Schedule,
    algorithm: str | None = None,
    *,
    ranks: int,
    collective: Promise = None,
    root: int = 0,
    count: int | None = None,
    counts: Sequence[int] | None = None,
    dtype: npt.DTypeLike | None = None,
    op: str = "sum",
    chunks: int | None = None,
    slots: Size = None,
    scratch: Size = 0,
    nodes: Size = None,
    helpers: str = "switch",
    data: npt.ArrayLike | None = None,
    parameters: Mapping[str, int | str] | None = None,
) -> Recording:
    """Execute a schedule step by step: validate, count and keep its steps.

    Either `record("all_reduce", "ring", ranks=8)`, an algorithm of the catalog, or
    `record(my_all_reduce, ranks=8)`, a function that yields steps, or
    `record(my_schedule(8), collective="all_reduce", ranks=8)`, any iterable of steps.

    Parameters
    ----------
    schedule : str, callable or iterable of Step
        The collective of a catalog algorithm; or a function that yields steps, whose arguments
        are filled by name: n (or ranks), root, chunks, and those of `parameters`; or the steps
        themselves.
    algorithm : str, optional
        The catalog's name of the algorithm, or a name for your own steps.
    ranks : int
        How many ranks take part.
    collective : str, Collective or callable, optional
        What your own steps promise; of a function by default the collective that ends its name.
        Of a function it may be a function of n, as may slots, scratch and nodes.
    root : int
        The root, where the collective has one.
    count : int, optional
        Elements of the full vector; by default 4 in each chunk, or as many as `data` has.
    counts : sequence of int, optional
        Elements of each chunk (of each rank, where each rank owns one) in place of `count`.
    dtype : dtype, optional
        Of the elements; by default that of `data`, else int64.
    op : str
        "sum", "prod", "min", "max" or "avg".
    chunks : int, optional
        Chunks of a pipeline; 4 by default.
    slots : int, optional
        Chunks into which the vector of your own steps is cut, each with a slot on every node; by
        default one for each rank (one for a barrier).
    scratch : int
        Slots of your own steps beyond those for chunks.
    nodes : int, optional
        Ranks and helper nodes of your own steps; by default the ranks.
    helpers : str
        What the helper nodes are: "switch", with a port for every other node, or "server", with
        one port.
    data : array, shape [rank, element], optional
        The vector of each rank; by default small numbers.
    parameters : mapping, optional
        Further arguments of a catalog algorithm or of your function, such as {"radix": 3};
        or a name, as in {"outside": "doubling"}.

    Returns
    -------
    Recording
        The executed schedule.

    Raises
    ------
    BadInput
        For values that cannot be used.
    WrongSchedule
        For a step that breaks a rule, at its line in the source; its `recording` is that of the
        steps before.

    Examples
    --------
    >>> recording = record("all_reduce", "ring", ranks=4)
    >>> len(recording.steps), recording.bytes_sent
    (6, [192, 192, 192, 192])
    """
    ranks, root = ranks_and_root(ranks, root)
    if callable(schedule) and not isinstance(schedule, Iterable):
        from collectives.proof.own_algorithm import OwnAlgorithm

        own = OwnAlgorithm(schedule, collective, chunks, slots, parameters, scratch, nodes, helpers)
        own.name = algorithm or own.name
        return own.record(ranks, root, count=count, counts=counts, dtype=dtype, op=op, data=data)
    array = None if data is None else payload.array_of(data)
    if dtype is None:
        dtype = "int64" if array is None else array.dtype
    kind = payload.find_dtype(dtype)
    payload.check_operator(op, kind)
    taken = {} if parameters is None else dict_of("parameters", parameters, '{"radix": 3}')
    if isinstance(schedule, str):
        row = find_row(schedule, "" if algorithm is None else algorithm)
        more = whole("scratch", scratch, 0, MAX_COUNT) or None
        kind_of_helpers = None if helper_kind(helpers) == "switch" else helpers
        refuse_own(
            row,
            collective=collective,
            slots=slots,
            scratch=more,
            nodes=nodes,
            helpers=kind_of_helpers,
        )
        request = catalog_request(row, ranks, root, chunks, taken)
    else:
        for name in taken:
            raise BadInput(f"{name}: give it to your own function, not to record")
        request = own_request(
            schedule, algorithm, ranks, collective, chunks, slots, scratch, nodes, helpers
        )
    if op == "avg" and request.promise.reduces_prefixes:
        raise BadInput("op avg: a scan has no average; try: sum")
    if op != "sum" and request.promise.routed and request.promise.reduces:
        raise BadInput(f"op {op}: a combine adds what experts made; try: sum")
    listed = None if counts is None else counts_of(counts, count, request)
    elements = count_of(count, array, ranks, request) if listed is None else sum(listed)
    check_bytes(elements, kind.itemsize, request)
    size = payload.chunk_sizes(elements, request.chunk_count, listed)
    steps, counters, refused = _pull(request, size, kind.itemsize)
    recording = Recording(
        collective=request.promise,
        algorithm=request.name,
        ranks=ranks,
        root=root,
        nodes=request.nodes,
        chunk_count=request.chunk_count,
        slots=request.slots,
        count=elements,
        dtype=kind,
        op=op,
        chunks=request.chunks,
        row=request.row,
        steps=steps,
        counters=counters,
        helpers=request.helpers,
        parameters=request.parameters,
        given={name: request.parameters.get(name, value) for name, value in taken.items()},
        counts=listed,
        count_given=count is not None or listed is not None,
        refused=refused,
    )
    if refused:
        if refused.deadlock:
            raise Deadlock(refused.reason, recording, refused.step, refused.deadlock.waiting)
        raise WrongSchedule(refused.reason, recording, refused.step)
    return recording if array is None else recording.on(array)


def ranks_and_root(ranks: int, root: int) -> tuple[int, int]:
    """Both as Python's integers; raises BadInput for what they cannot be."""
    ranks, root = whole("ranks", ranks, 1, MAX_COUNT), whole("root", root, 0, MAX_COUNT)
    if ranks > MAX_RANKS:
        raise BadInput(f"ranks {ranks}: at most 2^20 are simulated; try: {MAX_RANKS}")
    if root >= ranks:
        known = "ranks are 0 to" if ranks > 1 else "rank is"
        raise BadInput(f"root {root} of {plural(ranks, 'rank')}; the {known} {ranks - 1}")
    return ranks, root


def _pull(
    request: RecordingRequest, size: Integers, unit: int
) -> tuple[Steps, Counters, Refusal | None]:
    """The validated steps of a request and their counts; `size[chunk]` in elements of `unit` bytes.

    The steps of a catalog algorithm are kept up to a limit, and made anew beyond it; those of
    somebody's own can be pulled only once, and are all kept: where one is refused, those before.
    """
    kept: list[Step] = []
    try:
        return (*_pull_all(request, size, unit, kept), None)
    except WrongSchedule as problem:
        if request.row is not None:
            raise
        deadlock = problem if isinstance(problem, Deadlock) else None
        why = str(problem), problem.attempted, len(kept) + 1, deadlock, isinstance(problem, PutRace)
        refused = Refusal(*why)
        if isinstance(problem, Endless) and len(kept) > MAX_SEEN_STEPS:
            repeat = _first_repeat(kept)
            refused = Refusal(str(problem), kept[repeat], len(kept))
            del kept[repeat:]
        before = replace(request, make=lambda: kept)
        return (*_pull_all(before, size, unit, []), refused)


def _pull_all(
    request: RecordingRequest, size: Integers, unit: int, taken: list[Step]
) -> tuple[Steps, Counters]:
    """All steps and their counts; `taken` is filled with those that are kept, as they come."""
    own, uniform = request.row is None, int(size.min()) == int(size.max())
    fixed = request.slots if uniform else request.chunk_count  # slots that keep their size
    live = _sizes(request, size)
    counter = Counter(live, unit, uniform)
    kept: list[Step] | None = taken
    rows = moved = held = weighed = 0
    room, largest = KEPT_ROWS, int(size.max()) * unit
    pulled = counter.watch(checked(request.make(), live, fixed, own))
    title = request.row.title if request.row else request.name
    for step in counted(pulled, f"recording {title} on {request.nodes} nodes", request.steps):
        rows += len(step)
        if own:
            moved += largest * (constant(step.count) or int(step.count.max())) * len(step)
            if moved >= MAX_MOVED_BYTES:
                raise BadInput(
                    f"count {int(size.sum())}: step {len(kept or ()) + 1} makes the bytes that "
                    "are sent more than 64 bits can hold; try: a smaller count"
                )
            if rows > room:
                check_memory(ROW_BYTES * rows, f"a schedule of more than {rows} transfers")
                room = 2 * rows
        if kept is not None:
            kept.append(step)
            if own and len(kept) > max(MAX_KEPT_STEPS, STEPS_PER_NODE * request.nodes):
                raise _endless(len(kept), step)
            if rows > KEPT_ROWS and not own:
                held += sum(_new_bytes(kept, k) for k in range(weighed, len(kept)))
                weighed = len(kept)
                if held > KEPT_BYTES:
                    kept = None
    counters = counter.result()

    def make() -> Iterator[Step]:
        return checked(request.make(), _sizes(request, size), fixed)

    return Steps(make, counters.walked, kept), counters


def _new_bytes(steps: list[Step], k: int) -> int:
    """Bytes of the columns that step `k` does not share with the one before, or with another."""
    known = {id(column) for column in steps[k - 1].columns().values()} if k else set()
    own = {id(column): column for column in steps[k].columns().values() if id(column) not in known}
    return sum(column.nbytes for column in own.values() if constant(column) is None)


def _sizes(request: RecordingRequest, size: Integers) -> Integers:
    """Elements of each slot at the start, [node, slot]; `checked` keeps them up to date."""
    shape = request.nodes, request.slots
    if int(size.min()) == int(size.max()):
        return np.broadcast_to(size[:1], shape)
    if request.slots == request.chunk_count:
        return np.broadcast_to(size, shape)
    check_memory(8 * request.nodes * request.slots, "the sizes of all slots")
    live = np.zeros(shape, np.intp)
    live[:, : request.chunk_count] = size
    return live


def _endless(number: int, step: Step) -> Endless:
    """That there are too many steps, where the last came from, and what it was about."""
    stamp = step.stamps[-1]
    values = [f"{name} = {value}" for name, value in (stamp[-1].locals if stamp else ())]
    there = f" There, {', '.join(values)}" if values else ""
    return Endless(
        f"{step_location(number, step)}: more than {number - 1} steps are not run; "
        f"does it ever end?{there}"
    )


def _first_repeat(steps: list[Step]) -> int:
    """The index of the first step that is as the one before it, but no more than can be seen."""
    pairs = enumerate(pairwise(steps[:MAX_SEEN_STEPS]), 1)
    return next((k for k, (step, later) in pairs if _alike(step, later)), MAX_SEEN_STEPS)


def _alike(step: Step, later: Step) -> bool:
    """Whether two steps move the same."""
    columns = step.columns().keys() | later.columns().keys()
    same = {name: (getattr(step, name), getattr(later, name)) for name in columns - {"origin"}}
    return all(np.array_equal(*both) for both in same.values())
