"""Which algorithm is best for so many ranks and bytes on a machine, each with its best chunks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite

from collectives.catalog import NO_PARAMETERS, ROWS, Row
from collectives.catalog.row import ranks_only
from collectives.collective import find_collective
from collectives.cost.bounds.closed import Closed, closed_form
from collectives.cost.bounds.closed import alpha_beta as alpha_beta
from collectives.cost.choose.amount import MOST_MESSAGES as MOST_MESSAGES
from collectives.cost.choose.amount import check_amount, fits, refuse_amount
from collectives.cost.choose.chunks import best_chunks as best_chunks
from collectives.cost.choose.ports import Turns, overtaken, take_turns
from collectives.cost.choose.setup import Setup as Setup
from collectives.cost.choose.setup import asked, emptied
from collectives.cost.choose.setup import sized as sized
from collectives.cost.clocks.timing import Timing
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.units import time_text
from collectives.values import whole
from collectives.words import listed

ROUNDING = 1e-12  # of a time: less is none
MOST_NAMED = 3  # algorithms in one line


@dataclass(frozen=True)
class Timed:
    """An algorithm with its time.

    latency: the time of the same messages without bytes, were all ranks there from the start.
    late: seconds that ranks add which come late.
    """

    timing: Timing
    latency: float
    closed: Closed | None
    late: float = 0.0

    @property
    def name(self) -> str:
        """The algorithm's name."""
        return self.timing.recording.algorithm

    @property
    def seconds(self) -> float:
        """The time."""
        return self.timing.total

    @property
    def chunks(self) -> int | None:
        """Chunks of its pipeline, if it has one."""
        return self.timing.recording.chunks

    @property
    def moving(self) -> float:
        """What its bytes add to the time."""
        return max(0.0, self.seconds - self.latency - self.late)


@dataclass(frozen=True, repr=False)
class Ranking:
    """Algorithms, the fastest first, and those that are left out, with the reason.

    crowded: those among them whose place by lockstep more messages make than a port takes.
    """

    timed: tuple[Timed, ...]
    left_out: tuple[tuple[Row, str], ...]
    crowded: tuple[tuple[Row, Turns], ...] = ()

    def __repr__(self) -> str:
        """One line: the fastest, and how many there are."""
        first = [f"{one.name} {time_text(one.seconds)}" for one in self.timed[:MOST_NAMED]]
        return f"<Ranking: {listed(first)}, fastest of {len(self.timed)}>"

    def _repr_html_(self) -> str:
        from collectives.shown import table_html

        columns = [(one.timing.recording.title, time_text(one.seconds)) for one in self.timed]
        return table_html(("algorithm", "time"), columns)

    @cached_property
    def best(self) -> Timed:
        """The fastest."""
        return self.timed[0]


def time_row(
    row: Row,
    ranks: int,
    size: int,
    setup: Setup,
    chunks: int | None = None,
    root: int = 0,
    parameters: Mapping[str, int] = NO_PARAMETERS,
) -> Timed:
    """The time of one algorithm; a pipeline gets its best number of chunks unless it is given."""
    ranks, size = asked(ranks, size)
    given = setup.fill(row, ranks, parameters)
    if chunks is None and "chunks" in row.parameters:
        chunks = best_chunks(row, ranks, size, setup, root, given).best
    return time_recording(sized(row, ranks, size, chunks, root, given), setup)


def time_recording(recording: Recording, setup: Setup) -> Timed:
    """The time of a recording, and of its messages without bytes."""
    closed = closed_form(recording, bool(setup.costs.gamma))
    timing, in_time = setup.time(recording), setup
    late = 0.0
    if setup.costs.arrivals:
        in_time = replace(setup, costs=replace(setup.costs, arrivals={}))
        late = timing.total - in_time.time(recording).total if isfinite(timing.total) else 0.0
        late = late if late > timing.total * ROUNDING else 0.0
    return Timed(timing, in_time.time(emptied(recording)).total, closed, late)


def rank_algorithms(
    collective: str,
    ranks: int,
    size: int,
    setup: Setup,
    root: int = 0,
    parameters: Mapping[str, int] = NO_PARAMETERS,
    most_messages: int = MOST_MESSAGES,
) -> Ranking:
    """Every algorithm of a collective that runs there, the fastest first.

    Left out is what lockstep puts before another only by more messages at a port than it takes.
    parameters: given to those algorithms that take them. most_messages: algorithms of more are
    left out.
    """
    ranks, size = asked(ranks, size)
    most_messages = whole("most messages", most_messages)
    parameters = {given: whole(given, value) for given, value in parameters.items()}
    name = find_collective(collective).name
    rows = [row for row in ROWS if row.collective == name]
    known = {taken.name for row in rows for taken in row.takes}
    for given in parameters:
        if given not in known:
            raise BadInput(f"{given}: no {rows[0].promise.title} algorithm has this parameter")
    timed, left_out = [], []
    switches = _switches(rows, ranks, setup, most_messages)
    for row in rows:
        own = {taken.name for taken in row.takes}
        mine = {key: value for key, value in parameters.items() if key in own}
        try:
            filled = setup.fill(row, ranks, mine)
            check_amount(row, ranks, root, filled, most_messages)
            if row.nodes is not ranks_only:
                _check_beside(sized(row, ranks, 0, None, root, filled), switches, setup)
            timed.append(time_row(row, ranks, size, setup, None, root, mine))
        except BadInput as problem:
            left_out.append((row, str(problem)))
    if not timed:
        refuse_amount(rows, ranks, root, most_messages)
        row, why = left_out[0]
        raise BadInput(f"no {row.promise.title} algorithm runs here: {why}")
    timed.sort(key=lambda one: (one.seconds, one.name))
    return _without_crowded(timed, left_out)


def _without_crowded(timed: list[Timed], left_out: list[tuple[Row, str]]) -> Ranking:
    """The ranking without what falls behind where the messages of a port take turns."""
    turns = [take_turns(one.timing) for one in timed]
    out = overtaken(turns)
    crowded = tuple((_row(timed[setup]), turns[setup]) for setup in out)
    kept = tuple(one for setup, one in enumerate(timed) if setup not in out)
    reasons = tuple((row, str(why)) for row, why in crowded)
    return Ranking(kept, (*left_out, *reasons), crowded)


def _row(timed: Timed) -> Row:
    """The row of the catalog that was timed."""
    row = timed.timing.recording.row
    assert row is not None
    return row


def _check_beside(few: Recording, switches: int, setup: Setup) -> None:
    """Raise BadInput where an algorithm has nodes beside its ranks that the machine has not."""
    if few.nodes > few.ranks and (few.helpers == "server" or not switches):
        setup.machine(few)  # says what it misses, unless it gets that for itself
        raise BadInput(
            f"needs {'servers' if few.helpers == 'server' else 'switches'} beside its "
            "ranks, there are none; timed by itself it gets them"
        )


def _switches(rows: Iterable[Row], ranks: int, setup: Setup, most_messages: int) -> int:
    """How many nodes beside the ranks a machine has that take part, whoever runs there."""
    for row in rows:
        if row.nodes is ranks_only and row.accepts(ranks) and fits(row, ranks, 0, most_messages):
            few = sized(row, ranks, 0, None, 0, {})
            return len(setup.machine(few).in_network)
    return 0
