"""Which algorithm is best for so many ranks and bytes on a machine, each with its best chunks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import isfinite

import numpy as np

from collectives.catalog import NO_PARAMETERS, ROWS, Row
from collectives.collective import find_collective
from collectives.cost.bounds.closed import ClosedForm, closed_form
from collectives.cost.choose.chunks import best_chunks
from collectives.cost.choose.crossover import law_chunks
from collectives.cost.choose.ports import Turns, overtaken, take_turns
from collectives.cost.choose.setup import Setup, emptied, ranks_and_size, sized
from collectives.cost.clocks.timing import Timing
from collectives.errors import BadInput
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.recording.request import catalog_request
from collectives.theory import Case
from collectives.units import time_text
from collectives.values import whole
from collectives.words import listed

MOST_MESSAGES = 1 << 22  # of an algorithm that is timed beside others
MOST_TRIED = 3 << 18  # of one of which many numbers of chunks are timed: seconds of work
CHUNKS_PER_MESSAGE = 8  # of the vector that are moved together cost about as much as a message
MOST_CHUNKS_ALONE = 1 << 28  # chunks up to which an algorithm is timed alone in a minute or so
SAMPLED_RANKS = 64  # ranks on which it is seen whether an algorithm moves its chunks one by one
ROUNDED_OFF = 1e-12  # of a time: less is none
MOST_NAMED = 3  # algorithms in one line


@dataclass(frozen=True)
class RankedAlgorithm:
    """An algorithm with its time.

    latency: the time of the same messages without bytes, were all ranks there from the start.
    arrival_delay: seconds added by ranks that arrive late.
    """

    timing: Timing
    latency: float
    closed: ClosedForm | None
    arrival_delay: float = 0.0

    @property
    def name(self) -> str:
        """The algorithm's name."""
        return self.timing.recording.algorithm

    @property
    def seconds(self) -> float:
        """The time."""
        return self.timing.total

    @property
    def bytes_seconds(self) -> float:
        """What its bytes add to the time."""
        return max(0.0, self.seconds - self.latency - self.arrival_delay)


@dataclass(frozen=True, repr=False)
class Ranking:
    """Algorithms, the fastest first, and those that are left out, with the reason.

    crowded: those among them whose place by lockstep more messages make than a port takes.
    """

    timed: tuple[RankedAlgorithm, ...]
    left_out: tuple[tuple[Row, str], ...]
    crowded: tuple[tuple[Row, Turns], ...] = ()

    def __repr__(self) -> str:
        """One line: the fastest, and how many there are."""
        first = [f"{row.name} {time_text(row.seconds)}" for row in self.timed[:MOST_NAMED]]
        return f"<Ranking: {listed(first)}, fastest of {len(self.timed)}>"

    def _repr_html_(self) -> str:
        from collectives.notebook_display import table_html

        columns = [(row.timing.recording.title, time_text(row.seconds)) for row in self.timed]
        return table_html(("algorithm", "time"), columns)

    @cached_property
    def best(self) -> RankedAlgorithm:
        """The fastest."""
        return self.timed[0]


def time_row(
    row: Row, ranks: int, size: int, setup: Setup, root: int, chosen: Mapping[str, int]
) -> RankedAlgorithm:
    """The time of one algorithm; a pipeline gets its best number of chunks."""
    chunks = None
    if "chunks" in row.parameters:
        chunks = best_chunks(row, ranks, size, setup, root, chosen).best
    return time_recording(sized(row, ranks, size, chunks, root, chosen), setup)


def time_recording(recording: Recording, setup: Setup) -> RankedAlgorithm:
    """The time of a recording, and of its messages without bytes."""
    closed = closed_form(recording, bool(setup.costs.gamma))
    timing, in_time = setup.time(recording), setup
    delay = 0.0
    if setup.costs.arrivals:
        in_time = replace(setup, costs=replace(setup.costs, arrivals={}))
        delay = timing.total - in_time.time(recording).total if isfinite(timing.total) else 0.0
        delay = delay if delay > timing.total * ROUNDED_OFF else 0.0
    return RankedAlgorithm(timing, in_time.time(emptied(recording)).total, closed, delay)


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
    ranks, size = ranks_and_size(ranks, size)
    most_messages = whole("most messages", most_messages)
    parameters = {name: whole(name, value) for name, value in parameters.items()}
    name = find_collective(collective).name
    rows = [row for row in ROWS if row.collective == name]
    known = {taken.name for row in rows for taken in row.takes}
    for parameter in parameters:
        if parameter not in known:
            raise BadInput(f"{parameter}: no {rows[0].promise.title} algorithm has this parameter")
    timed: list[tuple[RankedAlgorithm, Row]] = []
    left_out: list[tuple[Row, str]] = []
    switches = _switches(rows, ranks, setup, most_messages)
    for row in rows:
        own = {taken.name for taken in row.takes}
        mine = {key: value for key, value in parameters.items() if key in own}
        try:
            filled = setup.fill(row, ranks, mine)
            check_amount(row, ranks, root, filled, most_messages)
            if row.in_network or row.in_ways:
                _check_beside(sized(row, ranks, 0, None, root, filled), switches, setup)
            timed.append((time_row(row, ranks, size, setup, root, filled), row))
        except BadInput as problem:
            left_out.append((row, str(problem)))
    if not timed:
        refuse_amount(rows, ranks, root, most_messages)
        row, why = left_out[0]
        raise BadInput(f"no {row.promise.title} algorithm runs here: {why}")
    timed.sort(key=lambda pair: (pair[0].seconds, pair[0].name))
    return _without_crowded(timed, left_out)


def _without_crowded(
    timed: list[tuple[RankedAlgorithm, Row]], left_out: list[tuple[Row, str]]
) -> Ranking:
    """The ranking without what falls behind where the messages of a port take turns."""
    turns = [take_turns(row.timing) for row, _ in timed]
    out = overtaken(turns)
    crowded = tuple((timed[place][1], turns[place]) for place in out)
    kept = tuple(pair for place, (pair, _) in enumerate(timed) if place not in out)
    return Ranking(kept, (*left_out, *((row, str(why)) for row, why in crowded)), crowded)


def _check_beside(few: Recording, switches: int, setup: Setup) -> None:
    """Raise BadInput where an algorithm has nodes beside its ranks that the machine has not."""
    if few.nodes > few.ranks and (few.helpers == "server" or not switches):
        setup.machine(few)  # says what it misses, unless it gets that for itself
        raise BadInput(
            f"needs {'servers' if few.helpers == 'server' else 'switches'}, and this machine has "
            "none (named alone, it is timed with them added)"
        )


def _switches(rows: Iterable[Row], ranks: int, setup: Setup, most_messages: int) -> int:
    """How many nodes beside the ranks a machine has that take part, whoever runs there."""
    for row in rows:
        if not row.in_network and row.accepts(ranks) and fits(row, ranks, 0, most_messages):
            return len(setup.machine(sized(row, ranks, 0, None, 0, {})).in_network)
    return 0


def check_amount(
    row: Row,
    ranks: int,
    root: int = 0,
    parameters: Mapping[str, int] = NO_PARAMETERS,
    most_messages: int = MOST_MESSAGES,
) -> None:
    """Raise BadInput, naming the amount, where an algorithm is too long to time beside others.

    most_messages: of its steps. Those that move every chunk by a row of its own, and those of
    which many numbers of chunks are tried, may have fewer of all that.
    """
    messages, chunk_count = _amount(row, ranks, root, None, parameters)
    single = chunk_count > MOST_MESSAGES and _one_by_one(row)
    tried = 0
    finest = law_chunks(ranks)[-1]
    if "chunks" in row.parameters:
        tried = _amount(row, ranks, root, finest, parameters)[0]
    if messages > most_messages:
        amount = f"{messages:,} messages"
    elif chunk_count > MOST_MESSAGES * (1 if single else CHUNKS_PER_MESSAGE):
        amount = f"{chunk_count:,} chunks in {messages:,} messages"
    elif tried > MOST_TRIED:
        amount = f"{tried:,} messages of {finest} chunks, to find the best number,"
    else:
        return
    name = f"{row.collective.replace('_', '-')} {row.algorithm} -n {ranks}"
    alone = f"; time {name} times it alone" if chunk_count <= MOST_CHUNKS_ALONE else ""
    raise BadInput(f"{amount} are too many to rank{alone}")


def fits(row: Row, ranks: int, root: int = 0, most_messages: int = MOST_MESSAGES) -> bool:
    """Whether an algorithm can be timed beside others on so many ranks."""
    try:
        check_amount(row, ranks, root, NO_PARAMETERS, most_messages)
    except BadInput:
        return False
    return True


def refuse_amount(
    rows: Sequence[Row], ranks: int, root: int, most_messages: int = MOST_MESSAGES
) -> None:
    """Raise BadInput where none of these fits on so many ranks, though one does on fewer."""
    low, high = root + 1, ranks
    if any(fits(row, high, root, most_messages) for row in rows):
        return
    if not any(fits(row, low, root, most_messages) for row in rows):
        return
    while high - low > 1:
        middle = (low + high) // 2
        if any(fits(row, middle, root, most_messages) for row in rows):
            low = middle
        else:
            high = middle
    raise BadInput(
        f"-n {ranks}: each {rows[0].promise.title} algorithm sends more than {most_messages:,} "
        f"messages or chunks, too many to time beside others; try: -n {low}"
    )


def _amount(
    row: Row, ranks: int, root: int, chunks: int | None, parameters: Mapping[str, int]
) -> tuple[int, int]:
    """Messages, and chunks of the vector that are moved in them."""
    request = catalog_request(row, ranks, root, chunks, parameters)
    one_each = np.broadcast_to(np.intp(1), request.chunk_count)
    case = Case(ranks, one_each, root, parameters=request.parameters)
    return row.form.message_count(case), row.form.total_range(case)[1]


@lru_cache(maxsize=256)
def _one_by_one(row: Row) -> bool:
    """Whether an algorithm's chunks have rows of their own, as it has them on few ranks."""
    ranks = max(number for number in range(1, SAMPLED_RANKS + 1) if row.accepts(number))
    messages, chunk_count = _amount(row, ranks, 0, None, NO_PARAMETERS)
    recording = record(row.collective, row.algorithm, ranks=ranks, count=0)
    return 2 * recording.counters.rows > messages + chunk_count
