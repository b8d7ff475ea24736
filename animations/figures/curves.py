"""Times of algorithms over sizes or ranks, by a clock, and where the fastest of them changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from animations.figures.proposed import Proposed, propose
from animations.figures.sweep import Question
from collectives.catalog import ROWS, Row, find_row
from collectives.collective import Collective, find_collective
from collectives.cost.choose.crossover import crossings
from collectives.cost.choose.ranking import MOST_MESSAGES
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput

FINE, COARSE = 3.0, 0.5  # sizes tried in each factor of two: usually, and where it takes long
FEW = 1 << 14  # messages of which times are found at once
LADDER = 32  # from one size to the next when the fastest are looked for
MOST_RANKS = 128  # values of an axis of ranks
SAME, ALIKE = 1e-9, 1e-4  # times that differ by less are the same; nobody could see it


@dataclass(frozen=True)
class Curve:
    """Times of an algorithm in seconds over sizes in bytes, or over numbers of ranks."""

    row: Row
    at: tuple[int, ...]
    seconds: tuple[float, ...]


@dataclass(frozen=True)
class Change:
    """From `size` bytes on those `after` are the fastest of those shown, until then `before`.

    Several where they take the same time.
    """

    size: int
    seconds: float
    before: tuple[Row, ...]
    after: tuple[Row, ...]


@dataclass(frozen=True)
class OverSizes:
    """Curves over sizes on so many ranks, and where the fastest changes.

    crowded: what is left out since its ports would have to take so many messages at once;
    starts: curves of which that holds only below a size, where they start.
    """

    collective: Collective
    ranks: int
    question: Question
    topology: Topology
    curves: tuple[Curve, ...]
    changes: tuple[Change, ...]
    crowded: tuple[tuple[Row, int], ...] = ()
    starts: Mapping[Row, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class OverRanks:
    """Curves over numbers of ranks at one size.

    left_out: those the machine has no room for. crowded: what is left out since its ports would
    have to take so many messages at once.
    """

    collective: Collective
    size: int
    question: Question
    topology: Topology
    curves: tuple[Curve, ...]
    left_out: tuple[int, ...]
    crowded: tuple[tuple[Row, int], ...] = ()


def over_sizes(
    collective: str,
    algorithms: Sequence[str],
    ranks: int,
    question: Question,
    least: int,
    most: int,
) -> OverSizes:
    """Times from `least` to `most` bytes; without names, of those that are the fastest somewhere.

    Raises BadInput for an algorithm that does not run there.
    """
    promise = _timeable(collective)
    chosen = Proposed(tuple(algorithms))
    if not algorithms:
        points = [(ranks, size) for size in _sizes(least, most, COARSE)]
        chosen = propose(promise, ranks, _ladder(least, most), question, points)
    rows = _rows(promise, chosen.names, question)
    many = max(question.recording(row, ranks).counters.messages for row in rows)
    if many > MOST_MESSAGES:
        raise BadInput(f"{many} messages are too many for a curve; nearest: fewer ranks")
    curves = []
    for row in rows:
        slow = many > FEW or (question.chunks is None and "chunks" in row.parameters)
        first, _ = chosen.starts.get(row, (least, 0))
        every = _sizes(least, most, COARSE if slow else FINE)
        sizes = sorted({first, *(size for size in every if size > first)})
        seconds = [question.seconds(row, ranks, size) for size in sizes]
        curves.append(Curve(row, tuple(sizes), tuple(seconds)))
    topology = question.topology(rows[0], ranks)
    changes = tuple(_changes(curves, ranks, question))
    shown = tuple(curves), changes, chosen.crowded, chosen.starts
    return OverSizes(promise, ranks, question, topology, *shown)


def over_ranks(
    collective: str, algorithms: Sequence[str], ranks: Sequence[int], question: Question, size: int
) -> OverRanks:
    """Times on these numbers of ranks, where an algorithm and the machine accept them."""
    promise = _timeable(collective)
    if len(ranks) > MOST_RANKS:
        raise BadInput(f"{len(ranks)} numbers of ranks: at most {MOST_RANKS}; nearest: 2,4,8,16")
    room = {n: why for n in ranks if (why := _no_room(promise, n, question))}
    fitting = [n for n in ranks if n not in room]
    if not fitting:
        raise BadInput(next(iter(room.values())))
    chosen = Proposed(tuple(algorithms))
    if not algorithms:
        points = [(number, size) for number in fitting]
        chosen = propose(promise, fitting[-1], [size], question, points)
    curves = []
    for row in _rows(promise, chosen.names, question):
        at = [n for n in fitting if row.accepts(n, question.given(row, n))]
        at = [n for n in at if question.recording(row, n).counters.messages <= MOST_MESSAGES]
        if not at:
            question.recording(row, fitting[0])  # says why
            raise BadInput(f"{row.title}: too many messages for a curve; nearest: fewer ranks")
        seconds = tuple(question.seconds(row, n, size) for n in at)
        curves.append(Curve(row, tuple(at), seconds))
    last = curves[0]
    topology = question.topology(last.row, last.at[-1])
    shown = topology, tuple(curves), tuple(room), chosen.crowded
    return OverRanks(promise, size, question, *shown)


def _ladder(least: int, most: int) -> list[int]:
    found = [least]
    while found[-1] * LADDER < most:
        found.append(found[-1] * LADDER)
    return sorted({*found, most})


def _sizes(least: int, most: int, per_octave: float) -> list[int]:
    """Sizes from least to most, evenly on a logarithmic axis."""
    factor, size, found = 2 ** (1 / per_octave), float(least), []
    while size < most * 0.999:
        found.append(round(size))
        size *= factor
    return sorted({*found, most})


def _timeable(collective: str) -> Collective:
    promise = find_collective(collective)
    if promise.paired or not promise.moves_data:
        why = "has no algorithms to compare" if promise.paired else "moves no data"
        raise BadInput(f"{promise.title} {why}; nearest: all-reduce")
    return promise


def _rows(promise: Collective, names: Iterable[str], question: Question) -> list[Row]:
    """The rows of these names, each once; raises BadInput where none takes a parameter."""
    rows = list({row.algorithm: row for row in (find_row(promise.name, n) for n in names)}.values())
    known = {taken.name for row in rows for taken in row.takes}
    for name, value in question.parameters.items():
        if name not in known:
            raise BadInput(f"-p {name}={value}: none of these algorithms takes it; leave it out")
    if question.chunks is not None and not any("chunks" in row.parameters for row in rows):
        raise BadInput(f"--chunks {question.chunks}: none of these is pipelined; leave it out")
    return rows


def _no_room(promise: Collective, ranks: int, question: Question) -> str:
    """Why the machine has no room for so many ranks, empty where it has."""
    plain = next(row for row in ROWS if row.collective == promise.name and row.accepts(ranks))
    try:
        question.topology(plain, ranks)
    except BadInput as problem:
        return str(problem)
    return ""


def _changes(curves: Sequence[Curve], ranks: int, question: Question) -> Iterable[Change]:
    """Where the fastest of the curves changes: by bisection, or where its curve starts."""

    def ask(row: Row) -> Callable[[int], float]:
        return lambda size: question.seconds(row, ranks, size)

    starts = {curve.row: curve.at[0] for curve in curves}
    now: tuple[Row, ...] = ()
    before: tuple[Row, ...] = ()
    low = 0
    for size in shared(curves):
        ahead, alike = fastest_at(curves, size, SAME), fastest_at(curves, size)
        still = tuple(row for row in now if row in ahead)
        if now and not still:
            first, then = ask(now[0]), ask(ahead[0])
            start = max(low, starts[ahead[0]])
            at = [one.size for one in crossings(first, then, start, size) if one.second_wins]
            if then(start) < first(start):
                at = [start]
            if at:
                old = tuple(row for row in before if row not in ahead)
                new = tuple(row for row in alike if row not in now)
                yield Change(at[0], then(at[0]), old, new)
        now, before, low = still or ahead, alike, size


def shared(curves: Sequence[Curve]) -> list[int]:
    """Sizes at which every curve that has started has a point."""
    every = {at for curve in curves for at in curve.at}
    return sorted(at for at in every if all(at in c.at or at < c.at[0] for c in curves))


def fastest_at(curves: Sequence[Curve], at: int, alike: float = ALIKE) -> tuple[Row, ...]:
    """The fastest of the curves that have started; several that differ by less than `alike`."""
    times = {curve.row: curve.seconds[curve.at.index(at)] for curve in curves if at in curve.at}
    least = min(times.values()) * (1 + alike)
    return tuple(row for row, seconds in times.items() if seconds <= least)
