"""Makes recordings: finds out what is asked for, pulls its schedule, and puts all together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from collectives.catalog import find_row
from collectives.catalog.row import MAX_RANKS
from collectives.collective import Collective
from collectives.errors import BadInput
from collectives.recording import payload
from collectives.recording.chunking import chunk_sizes
from collectives.recording.pulling import pull
from collectives.recording.recording import Recording
from collectives.recording.request import (
    MOST,
    catalog_plan,
    check_bytes,
    count_of,
    counts_of,
    own_plan,
)
from collectives.schedule import Step
from collectives.values import whole
from collectives.words import plural


def record(
    schedule: str | Iterable[Step],
    algorithm: str | None = None,
    *,
    ranks: int,
    collective: str | Collective | None = None,
    root: int = 0,
    count: int | None = None,
    counts: Sequence[int] | None = None,
    dtype: npt.DTypeLike | None = None,
    op: str = "sum",
    chunks: int | None = None,
    slots: int | None = None,
    scratch: int = 0,
    nodes: int | None = None,
    helpers: str = "switch",
    data: npt.ArrayLike | None = None,
    parameters: Mapping[str, int] | None = None,
) -> Recording:
    """Pull a schedule, hold each step against the rules, count it and return the recording.

    Either `record("all_reduce", "ring", ranks=8)`, an algorithm of the catalog, or
    `record(my_schedule(8), collective="all_reduce", ranks=8, slots=8)`, any iterable of
    steps. count: elements of the full vector (default 4 per slot), or counts: those of each
    slot (of each rank, where every rank owns one). chunks: chunks of a pipeline (default 4).
    parameters: further arguments of a catalog algorithm, such as {"radix": 3}. For own schedules,
    slots: chunks of the vector, each with a slot on every node (default one per rank, one for
    a barrier); scratch: further slots; nodes: ranks and helper nodes (default: the ranks);
    helpers: what these are, "switch" (a port for every other node) or "server" (one port). data:
    [rank, element] to run on. dtype: of the elements (default that of the data, else int64).

    Raises BadInput for values that cannot be used, WrongSchedule for a step that breaks a rule.

    >>> recording = record("all_reduce", "ring", ranks=4)
    >>> len(recording.steps), recording.bytes_sent
    (6, [192, 192, 192, 192])
    """
    number = whole("ranks", ranks, 1, MOST)
    if number > MAX_RANKS:
        raise BadInput(f"ranks {number}: at most 2^20 are simulated; nearest: {MAX_RANKS}")
    start = whole("root", root, 0, MOST)
    if start >= number:
        known = "ranks are 0 to" if number > 1 else "rank is"
        raise BadInput(f"root {start} of {plural(number, 'rank')}; the {known} {number - 1}")
    given = None if data is None else np.asarray(data)
    if dtype is None:
        dtype = "int64" if given is None else given.dtype
    kind = payload.find_dtype(dtype)
    payload.check_operator(op, kind)
    if isinstance(schedule, str):
        own = (collective, slots, nodes, scratch or None, None if helpers == "switch" else helpers)
        if any(given is not None for given in own):
            raise BadInput(
                "collective, slots, scratch, nodes and helpers are the catalog's for its own "
                "algorithms"
            )
        row = find_row(schedule, algorithm or "")
        request = catalog_plan(row, number, start, chunks, parameters or {})
    else:
        if parameters:
            name = next(iter(parameters))
            raise BadInput(f"{name}: give it to your own function, not to record")
        request = own_plan(
            schedule, algorithm, number, collective, chunks, slots, scratch, nodes, helpers
        )
    if op == "avg" and request.promise.reduces_prefixes:
        raise BadInput("op avg: a scan has no average; nearest: sum")
    if counts is not None:
        listed = counts_of(counts, count, request)
        elements = sum(listed)
    else:
        listed, elements = None, count_of(count, given, number, request)
    check_bytes(elements, kind.itemsize, request)
    chunk_count = (
        chunk_sizes(elements, request.chunk_count) if listed is None else np.array(listed, np.intp)
    )
    steps, counters = pull(request, chunk_count, kind.itemsize)
    recording = Recording(
        collective=request.promise,
        algorithm=request.name,
        ranks=number,
        root=start,
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
        counts=listed,
    )
    return recording if given is None else recording.on(given)
