"""`collectives.expect`: what a measurement of a collective should show on a machine, by size."""

from __future__ import annotations

from collections.abc import Sequence

from collectives.catalog import find_row
from collectives.collective import SEND_RECV, find_collective
from collectives.cost.busbw import factor, known_operation
from collectives.cost.choose.chunks import best_chunks
from collectives.cost.choose.setup import Setup, sized
from collectives.cost.libraries.nccl.tables import ALGORITHMS, KINDS
from collectives.cost.like import advice
from collectives.cost.machines.topology import Topology
from collectives.cost.where import Where, where_of
from collectives.errors import BadInput
from collectives.evidence.expectation import Expectation, ExpectedSize
from collectives.evidence.measured_model import LAUNCH, Model, model
from collectives.evidence.measured_range import coverage, measured_range
from collectives.evidence.posted_machine import as_posted
from collectives.units import size_in_bytes
from collectives.values import instance, items_of, whole
from collectives.words import plural

FROM, TO = 8, 8 << 30  # bytes
MOST_SIZES = 256
MOST_BYTES = 1 << 48
MOST_MESSAGES = 1 << 22  # of a schedule that is timed at several sizes
LIKE = "nccl"
UNCOUNTED = {"leaf": 0, "oversubscription": 1.0, "stripe": 0}  # not in NCCL's estimate
Timed = tuple[float, str]


def expect(
    collective: str,
    *,
    topology: str | Topology,
    ranks: int | None = None,
    sizes: Sequence[int | str] | None = None,
    like: str | None = None,
    **machine: object,
) -> Expectation:
    """What a measurement should show, by size: times, bandwidths, and the range of measured rows.

    Parameters
    ----------
    collective : str
        What is measured, such as "all_reduce".
    topology : str or Topology
        The machine: a name, which may have parameters behind a colon ("cluster:nics=4"), a
        FILE.toml or a machine.
    ranks : int, optional
        How many take part; by default as many as the machine has.
    sizes : sequence of int or str, optional
        Bytes as nccl-tests counts them, such as "1GiB"; by default powers of two from 8 B to 8 GiB.
    like : str, optional
        The library whose choice is timed; by default NCCL, and on machines whose GPUs its tuner
        does not know the faster of a ring and two trees.
    **machine
        Parameters of the machine, such as nics=4.

    Returns
    -------
    Expectation
        `sizes` with time, busbw, algorithm and range; `lines()`, `as_json()` and `as_csv()`.

    Raises
    ------
    BadInput
        For values that cannot be used, and for collectives that nccl-tests do not measure.

    Examples
    --------
    >>> expect("all_reduce", topology="hgx-h100", sizes=["1GiB"])
    <Expectation: all-reduce, 8 ranks on hgx-h100; 1 GiB 4 ms, busbw 470 GB/s (...)>
    """
    where = where_of(topology, "lockstep", None, machine)
    listed = None if sizes is None else items_of("sizes", sizes, "['1GiB']", MOST_SIZES)
    in_bytes = None if listed is None else [size_in_bytes(size) for size in listed]
    like = None if like is None else instance("like", like, str, LIKE)
    return expected(collective, where, ranks, in_bytes, like)


def expected(
    collective: str,
    where: Where,
    ranks: int | None = None,
    sizes: Sequence[int] | None = None,
    like: str | None = None,
) -> Expectation:
    """The same on a machine that is known; raises BadInput."""
    name = find_collective(collective).name
    if name == SEND_RECV.name or not known_operation(name):
        title = name.replace("_", "-")
        raise BadInput(f"{collective}: nccl-tests measure no {title}; try: all-reduce")
    if not where.is_given:
        raise BadInput("which machine? try: --topology hgx-h100")
    ranks = where.ranks(None if ranks is None else whole("ranks", ranks, 1))
    if ranks is None:
        raise BadInput(f"{where.called}: how many ranks? try: -n 8")
    if ranks == 1:
        raise BadInput("-n 1: one rank has no partner; try: -n 8")
    where.check_ranks(ranks)
    wanted = _sizes(sizes)
    share = float(factor(name, ranks))
    posted = like is None or like.lower() == LIKE
    if posted and as_posted(where, name, ranks, FROM) is not None:
        expected_sizes = tuple(_as_measured(where, name, ranks, size, share) for size in wanted)
        how = f"time: the model that {coverage().rows} posted rows are compared with (NCCL's "
        how += f"estimate, or that of wires) and {LAUNCH:.0f} µs for the start of a kernel"
        return Expectation(
            name, ranks, where.called, how, expected_sizes, coverage(), _uncounted(where)
        )
    timed, how = _by_clock(where, name, ranks, wanted, like)
    expected_sizes = tuple(
        ExpectedSize(size, *times, share) for size, times in zip(wanted, timed, strict=True)
    )
    return Expectation(name, ranks, where.called, how, expected_sizes)


def _sizes(sizes: Sequence[int] | None) -> list[int]:
    """The sizes in order, each once; raises BadInput for too many, and for 0."""
    if sizes is None:
        return [FROM << power for power in range((TO // FROM).bit_length())]
    if not sizes:
        raise BadInput("sizes []: there are none; try: 1GiB")
    if len(set(sizes)) > MOST_SIZES:
        raise BadInput(f"{len(set(sizes))} sizes: at most {MOST_SIZES}; try: --size 8B-8GiB")
    return sorted({whole("size", size, 1, MOST_BYTES) for size in sizes})


def _as_measured(where: Where, name: str, ranks: int, size: int, share: float) -> ExpectedSize:
    """A size by the model of posted rows, with the range of those that are near."""
    row = as_posted(where, name, ranks, size)
    assert row is not None
    its = model(row)
    return ExpectedSize(size, its.time * 1e-6, _run(its), share, measured_range(row, its))


def _run(its: Model) -> str:
    """What runs: NCCL's algorithm and protocol, or rings."""
    return its.how.partition(": ")[2] or its.how.partition(" at ")[0]


def _uncounted(where: Where) -> list[str]:
    """What of a cluster NCCL's estimate does not know."""
    named = [name for name, usual in UNCOUNTED.items() if where.settings.get(name, usual) != usual]
    text = f"the model has a network without contention; it does not count {' and '.join(named)}"
    return [text] if named else []


def _by_clock(
    where: Where, name: str, ranks: int, sizes: Sequence[int], like: str | None
) -> tuple[list[Timed], str]:
    """The time of each size by our clock, with what runs, and whose choice that is."""
    setup = where.setup()
    if like is None and name in KINDS:
        rows = [ALGORITHMS[kind].row for kind in ("Ring", "Tree") if name in ALGORITHMS[kind].kinds]
        which = " or ".join(rows) + (", whichever is faster" if len(rows) > 1 else "")
        unknown = "links" if where.factors else "places of ranks" if where.moves else "GPUs"
        how = f"time: our clock's, of {which}, with no start but latencies; NCCL's tuner does not "
        how += f"know the {unknown} of {where.called}"
        return _fastest(setup, name, ranks, sizes, rows), how
    library, timed = LIKE if like is None else like, []
    for size in sizes:
        choice = advice(library, name, ranks, size, where).choice
        seconds = _seconds(setup, name, choice.row, ranks, size, dict(choice.parameters))
        timed.append((seconds, choice.library_name))
    return timed, f"time: our clock's, of what {library} would choose, with no start but latencies"


def _fastest(
    setup: Setup, name: str, ranks: int, sizes: Sequence[int], rows: Sequence[str]
) -> list[Timed]:
    """The fastest row at each size; from where a ring is, at all larger sizes too."""
    timed: list[Timed] = []
    for size in sizes:
        times = [(_seconds(setup, name, row, ranks, size, {}), row) for row in rows]
        timed.append(min(times, key=lambda pair: pair[0]))
        if timed[-1][1] == rows[0]:
            rows = rows[:1]
    return timed


def _seconds(
    setup: Setup, name: str, algorithm: str, ranks: int, size: int, chosen: dict[str, int]
) -> float:
    """The time of an algorithm, with about the best number of chunks where it has some."""
    row = find_row(name, algorithm)
    chosen = setup.fill(row, ranks, row.taken(chosen))
    if "chunks" in row.parameters:
        return best_chunks(row, ranks, size, setup, 0, chosen, roughly=True).seconds
    recording = sized(row, ranks, size, None, 0, chosen)
    if recording.counters.messages > MOST_MESSAGES:
        raise BadInput(
            f"{plural(ranks, 'rank')}: {row.title} has {recording.counters.messages:,} messages; "
            f"at most {MOST_MESSAGES:,} are timed; try: -n 256"
        )
    return setup.time(recording).total
