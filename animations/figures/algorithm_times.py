"""Times of algorithms over sizes or ranks, by a clock, and where the fastest of them changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf

from animations.figures.sweep import Curve, Sweep, comparable, sizes_between
from collectives.catalog import ROWS, Row, find_row
from collectives.collective import Collective
from collectives.cost.choose.crossover import crossings
from collectives.cost.choose.ports import Turns, overtaken
from collectives.cost.choose.ranking import MOST_MESSAGES, Ranking, rank_algorithms
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.progress import counted
from collectives.words import listed

FINE, COARSE = 3.0, 0.5  # sizes tried in each factor of two: usually, and where it takes long
RANKED = 0.2  # sizes in each factor of two for which all algorithms are ranked
QUICK = 1 << 14  # messages of which times are found at once
ALGORITHMS, MOST_NAMED = "algorithms", 4  # of which is told how far they are
MOST_RANKS = 128  # values of an axis of ranks
ROUNDING, VISIBLE = 1e-9, 1e-4  # times that differ by less are the same; nobody could see it
FEWEST = 2  # algorithms in a figure, where so many run


@dataclass(frozen=True)
class FastestChange:
    """From `size` bytes on those `after` are the fastest of those shown, until then `before`.

    Several where they take the same time.
    """

    size: int
    seconds: float
    before: tuple[Row, ...]
    after: tuple[Row, ...]


@dataclass(frozen=True)
class Curves:
    """Times of algorithms of a collective on a machine.

    crowded: what is left out since its ports would have to take so many messages at once.
    """

    collective: Collective
    sweep: Sweep
    topology: Topology
    curves: tuple[Curve, ...]
    crowded: tuple[tuple[Row, int], ...]


@dataclass(frozen=True)
class OverSizes(Curves):
    """Curves over sizes on so many ranks, and where the fastest changes.

    starts: curves that are shown from a size on, since below their ports would have to take so
    many messages at once.
    """

    ranks: int
    changes: tuple[FastestChange, ...]
    starts: Mapping[Row, tuple[int, int]]


@dataclass(frozen=True)
class OverRanks(Curves):
    """Curves over numbers of ranks at one size; the machine has no room for those left out."""

    size: int
    left_out: tuple[int, ...]


def over_sizes(
    collective: str,
    algorithms: Sequence[str],
    ranks: int,
    sweep: Sweep,
    smallest: int,
    largest: int,
) -> OverSizes:
    """Times from `smallest` to `largest` bytes; without names, of those that are fastest somewhere.

    Raises BadInput for an algorithm that does not run there.
    """
    promise = comparable(collective)
    chosen = Proposed(tuple(algorithms))
    if not algorithms:
        points = [(ranks, size) for size in sizes_between(smallest, largest, COARSE)]
        ranked = sizes_between(smallest, largest, RANKED)
        chosen = propose(promise, ranks, ranked, sweep, points)
    rows = _rows(promise, chosen.names, sweep)
    messages = max(sweep.recording(row, ranks).counters.messages for row in rows)
    if messages > MOST_MESSAGES:
        raise BadInput(f"{messages} messages are too many for a curve; try: fewer ranks")
    curves = []
    for row in counted(rows, f"timing {listed(chosen.names, MOST_NAMED)}", len(rows), ALGORITHMS):
        slow = messages > QUICK or (sweep.chunks is None and "chunks" in row.parameters)
        first, _ = chosen.starts.get(row, (smallest, 0))
        every = sizes_between(smallest, largest, COARSE if slow else FINE)
        sizes = sorted({first, *(size for size in every if size > first)})
        walk = counted(sizes, f"timing {row.algorithm}", len(sizes), "sizes")
        seconds = tuple(sweep.seconds(row, ranks, size) for size in walk)
        curves.append(Curve(row, tuple(sizes), seconds))
    topology = sweep.topology(rows[0], ranks)
    changes = tuple(_changes(curves, ranks, sweep))
    rest = topology, tuple(curves), chosen.crowded
    return OverSizes(promise, sweep, *rest, ranks, changes, chosen.starts)


def over_ranks(
    collective: str, algorithms: Sequence[str], ranks: Sequence[int], sweep: Sweep, size: int
) -> OverRanks:
    """Times on these numbers of ranks, where an algorithm and the machine accept them."""
    promise = comparable(collective)
    if len(ranks) > MOST_RANKS:
        raise BadInput(f"{len(ranks)} numbers of ranks: at most {MOST_RANKS}; try: 2,4,8,16")
    refused = {n: why for n in ranks if (why := _no_room(promise, n, sweep))}
    fitting = [n for n in ranks if n not in refused]
    if not fitting:
        raise BadInput(next(iter(refused.values())))
    chosen = Proposed(tuple(algorithms))
    if not algorithms:
        points = [(number, size) for number in fitting]
        chosen = propose(promise, fitting[-1], [size], sweep, points)
    curves = []
    rows = _rows(promise, chosen.names, sweep)
    for row in counted(rows, f"timing {listed(chosen.names, MOST_NAMED)}", len(rows), ALGORITHMS):
        at = [n for n in fitting if row.accepts(n, sweep.given(row, n))]
        at = [n for n in at if sweep.recording(row, n).counters.messages <= MOST_MESSAGES]
        if not at:
            sweep.recording(row, fitting[0])  # says why
            raise BadInput(f"{row.title}: too many messages for a curve; try: fewer ranks")
        walk = counted(at, f"timing {row.algorithm}", len(at), "numbers of ranks")
        curves.append(Curve(row, tuple(at), tuple(sweep.seconds(row, n, size) for n in walk)))
    topology = sweep.topology(curves[0].row, curves[0].at[-1])
    rest = topology, tuple(curves), chosen.crowded
    return OverRanks(promise, sweep, *rest, size, tuple(refused))


def _rows(promise: Collective, names: Iterable[str], sweep: Sweep) -> list[Row]:
    """The rows of these names, each once; raises BadInput where none takes a parameter."""
    rows = list(dict.fromkeys(find_row(promise.name, name) for name in names))
    known = {taken.name for row in rows for taken in row.takes}
    for name, value in sweep.parameters.items():
        if name not in known:
            raise BadInput(f"-p {name}={value}: none of these algorithms takes it; leave it out")
    if sweep.chunks is not None and not any("chunks" in row.parameters for row in rows):
        raise BadInput(f"--chunks {sweep.chunks}: none of these is pipelined; leave it out")
    return rows


def _no_room(promise: Collective, ranks: int, sweep: Sweep) -> str:
    """Why the machine has no room for so many ranks, empty where it has."""
    plain = next(row for row in ROWS if row.collective == promise.name and row.accepts(ranks))
    try:
        sweep.topology(plain, ranks)
    except BadInput as problem:
        return str(problem)
    return ""


def _changes(curves: Sequence[Curve], ranks: int, sweep: Sweep) -> Iterable[FastestChange]:
    """Where the fastest of the curves changes: by bisection, or where its curve starts."""
    starts = {curve.row: curve.at[0] for curve in curves}
    now: tuple[Row, ...] = ()
    before = now
    low = 0
    for size in shared(curves):
        ahead, alike = fastest_at(curves, size, ROUNDING), fastest_at(curves, size)
        still = tuple(row for row in now if row in ahead)
        if now and not still:
            first, then = (partial(sweep.seconds, row, ranks) for row in (now[0], ahead[0]))
            start = max(low, starts[ahead[0]])
            at = [turn.size for turn in crossings(first, then, start, size) if turn.second_wins]
            if then(start) < first(start):
                at = [start]
            if at:
                old = tuple(row for row in before if row not in ahead)
                new = tuple(row for row in alike if row not in now)
                yield FastestChange(at[0], then(at[0]), old, new)
        now, before, low = still or ahead, alike, size


def shared(curves: Sequence[Curve]) -> list[int]:
    """Sizes at which every curve that has started has a point."""
    every = {at for curve in curves for at in curve.at}
    return sorted(at for at in every if all(at in c.at or at < c.at[0] for c in curves))


def fastest_at(curves: Sequence[Curve], at: int, tolerance: float = VISIBLE) -> tuple[Row, ...]:
    """The fastest of the curves that have started; several that differ by less than a part."""
    times = {curve.row: curve.values[curve.at.index(at)] for curve in curves if at in curve.at}
    limit = min(times.values()) * (1 + tolerance)
    return tuple(row for row, seconds in times.items() if seconds <= limit)


@dataclass(frozen=True)
class Proposed:
    """The algorithms of a figure.

    crowded: those left out, since they are ahead only where ports take more messages at once
    than they do, with the most that they send. starts: those for which that holds only below a
    size, with this size and the messages.
    """

    names: tuple[str, ...]
    crowded: tuple[tuple[Row, int], ...] = ()
    starts: Mapping[Row, tuple[int, int]] = field(default_factory=dict)


def propose(
    promise: Collective,
    ranks: int,
    sizes: Sequence[int],
    sweep: Sweep,
    points: Sequence[tuple[int, int]],
) -> Proposed:
    """Those that are the fastest at one of the sizes, and the next so that there are two at least.

    Those that need switches or servers beside the ranks take part where the machine has them.
    points: ranks and sizes at which no curve may be ahead of another by crowded ports; a curve
    starts at the first size from which it is not.
    """
    asked = sweep.setup, sweep.root, sweep.parameters
    walk = counted(sizes, f"ranking {promise.title} algorithms", len(sizes), "sizes")
    rankings = [(size, rank_algorithms(promise.name, ranks, size, *asked)) for size in walk]
    starts: dict[Row, float] = {}
    messages: dict[Row, int] = {}

    def crowded(row: Row, size: int, turns: Turns) -> None:
        larger = min((at for _, at in points if at > size), default=inf)
        starts[row] = max(starts.get(row, 0), larger)
        messages[row] = max(messages.get(row, 0), turns.messages)

    for size, ranking in rankings:
        for row, turns in ranking.crowded:
            if turns.at_once < ranking.best.seconds:
                crowded(row, size, turns)
    while True:
        names = _fastest(rankings, starts)
        rows = [find_row(promise.name, name) for name in names]
        known = []
        for number, size in counted(points, "looking for crowded ports", len(points), "sizes"):
            there = [row for row in rows if starts.get(row, 0) <= size]
            known += [(row, size, turns) for row, turns in _crowded_at(there, number, size, sweep)]
        for row, size, turns in known:
            crowded(row, size, turns)
        if not known:
            kept = {row: start for row, start in starts.items() if row in rows and start < inf}
            out = tuple((row, messages[row]) for row in starts if row not in kept)
            shown_from = {row: (int(start), messages[row]) for row, start in kept.items()}
            return Proposed(tuple(names), out, shown_from)


def _fastest(rankings: Sequence[tuple[int, Ranking]], starts: Mapping[Row, float]) -> list[str]:
    """The first of each ranking, then the next slower of some, without those that start later."""
    winners: dict[str, None] = {}
    others: dict[str, None] = {}
    for size, ranking in rankings:
        out = {row.algorithm for row, start in starts.items() if start > size}
        seconds = {timed.name: timed.seconds for timed in ranking.timed}
        names = [name for name in seconds if name not in out] or list(seconds)
        winners.setdefault(names[0])
        slower = [name for name in names if seconds[name] > 1.000001 * seconds[names[0]]]
        others.update(dict.fromkeys((slower or names[1:])[:1]))
    more = [name for name in others if name not in winners]
    return [*winners, *more[: max(0, FEWEST - len(winners))]]


def _crowded_at(
    rows: Sequence[Row], ranks: int, size: int, sweep: Sweep
) -> list[tuple[Row, Turns]]:
    """Those of the rows that are ahead of others there only by crowded ports."""
    here = [row for row in rows if row.accepts(ranks, sweep.given(row, ranks))]
    counters = {row: sweep.recording(row, ranks).counters for row in here}
    here = [row for row in here if counters[row].messages <= MOST_MESSAGES]
    if all(counters[row].ports < 2 for row in here):
        return []
    timed = [(row, sweep.turns(row, ranks, size)) for row in here]
    timed.sort(key=lambda pair: pair[1].at_once)
    return [timed[place] for place in overtaken([turns for _, turns in timed])]
