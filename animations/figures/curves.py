"""Times of algorithms over sizes or ranks, by a clock, and where the fastest of them changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from collectives.catalog import ROWS, Row, find_row
from collectives.catalog.row import NO_PARAMETERS
from collectives.collective import Collective, find_collective
from collectives.cost.advice.best import MOST_MESSAGES, rank_algorithms
from collectives.cost.advice.crossover import crossings
from collectives.cost.advice.pipeline import best_chunks
from collectives.cost.advice.place import Place, sized
from collectives.cost.topology import Topology
from collectives.errors import BadInput
from collectives.recording import Recording

FINE, COARSE = 3.0, 0.5  # sizes tried in each factor of two: usually, and where it takes long
FEW = 1 << 14  # messages of which times are found at once
LADDER = 32  # from one size to the next when the fastest are looked for
MOST_RANKS = 128  # values of an axis of ranks


@dataclass
class Question:
    """What is timed where: `seconds` asks the clock, once for each algorithm, ranks and size.

    chunks: of pipelines; None: for each time the best number.
    """

    place: Place
    chunks: int | None = None
    root: int = 0
    parameters: Mapping[str, int] = field(default_factory=lambda: NO_PARAMETERS)
    _known: dict[tuple[str, int, int], float] = field(default_factory=dict, repr=False)
    _made: dict[tuple[str, int], Recording] = field(default_factory=dict, repr=False)

    def seconds(self, row: Row, ranks: int, size: int) -> float:
        """The time of an algorithm; raises BadInput where it does not run there."""
        key = (row.algorithm, ranks, size)
        if key not in self._known:
            given = self.given(row, ranks)
            if self.chunks is None and "chunks" in row.parameters:
                found = best_chunks(row, ranks, size, self.place, self.root, given).seconds
            else:
                made = replace(self.recording(row, ranks), count=size, _replays={})
                found = self.place.time(made).total
            self._known[key] = found
        return self._known[key]

    def given(self, row: Row, ranks: int) -> dict[str, int]:
        """Those of the parameters that the algorithm takes, and the machine's."""
        taken = {parameter.name for parameter in row.takes}
        mine = {name: value for name, value in self.parameters.items() if name in taken}
        return self.place.fill(row, ranks, mine)

    def recording(self, row: Row, ranks: int) -> Recording:
        """The recording of an algorithm for no bytes; its steps are the same for any."""
        key = (row.algorithm, ranks)
        if key not in self._made:
            chunks = self.chunks if "chunks" in row.parameters else None
            made = sized(row, ranks, 0, chunks, self.root, self.given(row, ranks))
            self.place.machine(made)
            self._made[key] = made
        return self._made[key]

    def topology(self, row: Row, ranks: int) -> Topology:
        """The machine an algorithm is timed on; raises BadInput where it does not run there."""
        return self.place.machine(self.recording(row, ranks))


@dataclass(frozen=True)
class Curve:
    """Times of an algorithm in seconds over sizes in bytes, or over numbers of ranks."""

    row: Row
    at: tuple[int, ...]
    seconds: tuple[float, ...]


@dataclass(frozen=True)
class Change:
    """From `size` bytes on `after` is the fastest of those shown, until then `before`."""

    size: int
    seconds: float
    before: Row
    after: Row


@dataclass(frozen=True)
class OverSizes:
    """Curves over sizes on so many ranks, and where the fastest changes."""

    collective: Collective
    ranks: int
    question: Question
    topology: Topology
    curves: tuple[Curve, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class OverRanks:
    """Curves over numbers of ranks at one size; what the machine has no room for is left out."""

    collective: Collective
    size: int
    question: Question
    topology: Topology
    curves: tuple[Curve, ...]
    left_out: tuple[int, ...]


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
    names = algorithms or fastest(promise, ranks, question, least, most)
    rows = _rows(promise, names, question)
    many = max(question.recording(row, ranks).counters.messages for row in rows)
    if many > MOST_MESSAGES:
        raise BadInput(f"{many} messages are too many for a curve; nearest: fewer ranks")
    curves = []
    for row in rows:
        slow = many > FEW or (question.chunks is None and "chunks" in row.parameters)
        sizes = _sizes(least, most, COARSE if slow else FINE)
        seconds = [question.seconds(row, ranks, size) for size in sizes]
        curves.append(Curve(row, tuple(sizes), tuple(seconds)))
    topology = question.topology(rows[0], ranks)
    changes = tuple(_changes(curves, ranks, question))
    return OverSizes(promise, ranks, question, topology, tuple(curves), changes)


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
    names = algorithms or fastest(promise, fitting[-1], question, size, size)
    curves = []
    for row in _rows(promise, names, question):
        at = [n for n in fitting if row.accepts(n, question.given(row, n))]
        at = [n for n in at if question.recording(row, n).counters.messages <= MOST_MESSAGES]
        if not at:
            question.recording(row, fitting[0])  # says why
            raise BadInput(f"{row.title}: too many messages for a curve; nearest: fewer ranks")
        seconds = tuple(question.seconds(row, n, size) for n in at)
        curves.append(Curve(row, tuple(at), seconds))
    last = curves[0]
    topology = question.topology(last.row, last.at[-1])
    return OverRanks(promise, size, question, topology, tuple(curves), tuple(room))


def fastest(
    promise: Collective, ranks: int, question: Question, least: int, most: int, wanted: int = 2
) -> list[str]:
    """Algorithms that are the fastest at some size, and the next so that there are two at least.

    Those that need switches or servers beside the ranks take part where the machine has them.
    """
    winners: dict[str, None] = {}
    others: dict[str, None] = {}
    for size in _ladder(least, most):
        ranking = rank_algorithms(
            promise.name, ranks, size, question.place, question.root, question.parameters
        )
        names = [
            timed.name
            for timed in ranking.timed
            if timed.timing.topology.name != "crossbar"
            or timed.timing.recording.nodes == timed.timing.recording.ranks
        ]
        winners.setdefault(names[0])
        others.update(dict.fromkeys(names[1:2]))
    more = [name for name in others if name not in winners]
    return [*winners, *more[: max(0, wanted - len(winners))]]


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
    if promise.name in ("send_recv", "barrier"):
        why = "moves no data" if promise.name == "barrier" else "has no algorithms to compare"
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
    """Where the fastest of the curves changes between two neighbouring sizes, by bisection."""

    def ask(row: Row) -> Callable[[int], float]:
        return lambda size: question.seconds(row, ranks, size)

    now: Row | None = None
    low = 0
    for size in sorted(set.intersection(*(set(curve.at) for curve in curves))):
        times = [(question.seconds(curve.row, ranks, size), curve.row) for curve in curves]
        best = min(seconds for seconds, _ in times)
        ahead = [row for seconds, row in times if seconds <= best * (1 + 1e-9)]
        if now is not None and now not in ahead:
            for crossing in crossings(ask(now), ask(ahead[0]), low, size):
                if crossing.second_wins:
                    here = question.seconds(ahead[0], ranks, crossing.size)
                    yield Change(crossing.size, here, now, ahead[0])
                    break
        now, low = now if now in ahead else ahead[0], size
