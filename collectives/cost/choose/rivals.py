"""An algorithm beside those it was made to beat: by the clock, each with its best chunks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from itertools import chain, product
from math import isfinite, log2

import numpy as np

from collectives.catalog import Row, rivals_of
from collectives.catalog.parameters import SHORT
from collectives.cost.choose.chunks import best_chunks
from collectives.cost.choose.crossover import crossings
from collectives.cost.choose.ports import Turns, overtaken, take_turns
from collectives.cost.choose.ranking import fits
from collectives.cost.choose.setup import Setup, sized
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.named import MACHINES
from collectives.cost.machines.seats import to_and_fro
from collectives.cost.machines.topology import Topology, changed
from collectives.cost.machines.usual import named_machine, usual_names
from collectives.errors import BadInput
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.units import rough_size, size_text

SAME, CLOSE = 0.005, 0.05  # of a time: less apart is as long, or about as long
CLEAR = 4  # times smaller or larger than the turn: a size at which one is clearly the faster
SMALLEST, LARGEST = 1 << 10, 1 << 30  # bytes between which it is looked up who is faster
SIZES = (1 << 20, 1 << 14)  # bytes that are tried beside those asked about
MOST_MESSAGES = 1 << 15  # of an algorithm that is compared
RANKS = range(3, 33)  # of which other machines, and other numbers of ranks, are tried


@dataclass(frozen=True)
class AtBest:
    """An algorithm at its best on a machine."""

    row: Row
    timing: Timing

    @property
    def recording(self) -> Recording:
        """Its schedule, of a ring one of its channels."""
        return self.timing.asked

    @property
    def chunks(self) -> int:
        """Of the vector, where their number was chosen; else 0."""
        return self.recording.chunk_count if "chunks" in self.row.parameters else 0

    @property
    def channels(self) -> int:
        """In how many rings it runs there."""
        return self.timing.recording.setting.channels

    @property
    def seconds(self) -> float:
        """Its time by the clock."""
        return self.timing.total

    @cached_property
    def turns(self) -> Turns:
        """Its time, and what it becomes where the messages of a port take turns."""
        return take_turns(self.timing)


@dataclass(frozen=True)
class Win:
    """Where an algorithm takes less time than its rival: machine, ranks, bytes, and both there.

    short: the rank whose links have half their bandwidth there; None where there is none.
    """

    machine: str
    ranks: int
    size: int
    own: AtBest
    other: AtBest
    short: int | None = None


@dataclass(frozen=True)
class Rivalry:
    """An algorithm and its rival on one machine, for one vector.

    turn: bytes at which the faster of the two changes where messages of a port take turns; None
    where it never does, or more than once, or not where they start at once. below: whether the
    rival is the faster below it. there: at a size beyond it, `there_size`, where who is slower here
    is clearly faster. elsewhere: where the algorithm is clearly faster, of one that is so here at
    no size, or only with several messages of a port at once; None where it is so nowhere that was
    tried. tried: whether other sizes and machines were. lost: where the rival is clearly faster, of
    one that is about as fast here, and slower at other sizes.
    """

    own: AtBest
    other: AtBest
    turn: int | None
    below: bool
    there: tuple[AtBest, AtBest] | None = None
    elsewhere: Win | None = None
    tried: bool = False
    lost: Win | None = None

    @property
    def order(self) -> int:
        """-1 where the algorithm is faster, 1 where the rival is, 0 where they take as long."""
        return _order(self.own.seconds, self.other.seconds)

    @property
    def close(self) -> bool:
        """Whether nobody could tell the two times apart."""
        return _order(self.own.seconds, self.other.seconds, CLOSE) == 0

    @property
    def turns_below(self) -> bool:
        """Whether who is slower here is faster below the turn; else above."""
        return self.below == (self.order <= 0)

    @property
    def there_size(self) -> int:
        """Bytes at which both are compared once more: a power of two beyond the turn."""
        near = 1 << round(log2(self.turn or 1))
        return near // CLEAR if self.turns_below else near * CLEAR

    @property
    def turn_text(self) -> str:
        """The turn with the digits that are certain."""
        return size_text(self.rough_turn, binary=True)

    @property
    def is_rough(self) -> bool:
        """Whether one digit of the turn is certain: of pipelines few numbers are tried."""
        return bool(self.own.chunks or self.other.chunks)

    @property
    def rough_turn(self) -> int:
        """Bytes of the turn with the digits that are certain."""
        return rough_size(self.turn or 0, 1 if self.is_rough else 2)

    @property
    def in_turn(self) -> bool:
        """Whether the size of the turn would be another one if messages started at once."""
        return self.own.turns.crowded or self.other.turns.crowded

    @property
    def by_turns(self) -> bool:
        """Whether the faster is so only because messages of a port start at once."""
        return _by_turns(self.own, self.other)

    @property
    def at_once(self) -> int:
        """How many messages of a port of the faster start at once."""
        return (self.own if self.order < 0 else self.other).turns.messages


def rivalries(recording: Recording, machine: Topology) -> tuple[Rivalry, ...]:
    """The algorithm of a recording beside each of its rivals that run there.

    None of schedules that are no row of the catalog, of uneven chunks, and of very many messages.
    """
    row = recording.row
    if row is None or row.pairs is not None or recording.ranks < 2 or recording.uneven:
        return ()
    if recording.collective.moves_data and not recording.count:
        return ()
    here = _venue(machine, recording.ranks, recording.root, recording.parameters)
    size = recording.count * recording.dtype.itemsize
    pairs = (_rivalry(here, row, rival, size) for rival in rivals_of(row))
    return tuple(rivalry for rivalry in pairs if rivalry is not None)


def lead(recording: Recording, machine: Topology) -> tuple[int, int] | None:
    """Bytes between which an algorithm is ahead of all its rivals; None where it is not so once."""
    row = recording.row
    if row is None or not recording.count:
        return None
    here = _venue(machine, recording.ranks, recording.root, recording.parameters)

    def first(size: int) -> float:
        return min(_seconds(here, rival, size) for rival in rivals_of(row))

    turns = crossings(partial(_seconds, here, row), first, SMALLEST, LARGEST)
    wins = [turn.second_wins for turn in turns] == [False, True]
    return (turns[0].size, turns[1].size) if wins else None


def turn_at_once(recording: Recording, machine: Topology, row: Row, rival: Row) -> int | None:
    """The one size at which the faster of two changes where messages of a port start at once."""
    here = _venue(machine, recording.ranks, recording.root, recording.parameters)
    first, second = (partial(_seconds, here, side, at_once=True) for side in (row, rival))
    turns = crossings(first, second, SMALLEST, LARGEST)
    return turns[0].size if len(turns) == 1 else None


def at_size(
    recording: Recording, machine: Topology, rows: Sequence[Row], size: int
) -> list[AtBest]:
    """Algorithms at their best where a recording runs, for so many bytes."""
    here = _venue(machine, recording.ranks, recording.root, recording.parameters)
    return [here.entry(row, size) for row in rows]


@lru_cache(maxsize=64)  # a stepper asks again whenever its picture changes
def _rivalry(here: _Venue, row: Row, rival: Row, size: int) -> Rivalry | None:
    pair = (row, rival)
    if not all(fits(candidate, here.ranks, here.root, MOST_MESSAGES) for candidate in pair):
        return None
    try:
        own, theirs = (here.entry(candidate, size) for candidate in pair)
    except BadInput:
        return None  # it is not for so many ranks, or not all of its messages have a way there
    if not isfinite(own.seconds + theirs.seconds):
        return None
    rivalry = Rivalry(own, theirs, None, False)
    if rivalry.by_turns:  # where it is no faster, a size shows what several at once bring
        shows = size and rivalry.order < 0 and rivalry.close
        return replace(rivalry, elsewhere=_at_once(here, pair)) if shows else rivalry
    if size:
        turn, below = here.turn(row, rival)
        behind = pair if rivalry.order >= 0 else pair[::-1]
        if turn is not None and here.order(*behind, turn) <= 0:  # it is ahead at once, too
            rivalry = replace(rivalry, turn=turn, below=below)
            rivalry = replace(rivalry, there=_beyond(here, pair, rivalry))
    wins = rivalry.order < 0 and not rivalry.close
    if wins or rivalry.turn is not None or here.ranks not in RANKS:
        return rivalry
    win = next(_wins(row, rival, here, size), None)
    rivalry = replace(rivalry, elsewhere=win, tried=rivalry.order >= 0)
    if win is None or rivalry.order >= 0 or win.own.timing.topology.identity != here.links:
        return rivalry
    wins_back = (win for win in _wins(rival, row, here, size) if _of_one_kind(win))
    back = next(wins_back, None)
    return replace(rivalry, lost=back and replace(back, own=back.other, other=back.own))


def _of_one_kind(win: Win) -> bool:
    """Whether all links there are of one kind, as they are not between nodes and inside them."""
    return bool(np.ptp(win.own.timing.topology.latency) == 0)


def _at_once(here: _Venue, pair: tuple[Row, Row]) -> Win | None:
    """Where the first is clearly faster here, with several messages of a port at once."""
    for size in SIZES:
        own, theirs = (here.entry(candidate, size) for candidate in pair)
        if _order(own.seconds, theirs.seconds, CLOSE) < 0:
            return Win(here.machine.name, here.ranks, size, own, theirs, here.short)
    return None


def _beyond(here: _Venue, pair: tuple[Row, Row], rivalry: Rivalry) -> tuple[AtBest, AtBest] | None:
    """Both beyond the turn, where that is a size at which one is as clearly ahead as it should."""
    if not rivalry.there_size:
        return None
    own, theirs = (here.entry(candidate, rivalry.there_size) for candidate in pair)
    behind = -1 if rivalry.order > 0 else 1
    return (own, theirs) if _order(own.seconds, theirs.seconds, CLOSE) == behind else None


@dataclass(frozen=True)
class _Venue:
    """A machine with so many ranks, a root, and parameters that algorithms may share with it."""

    machine: Topology = field(compare=False)
    ranks: int
    root: int
    parameters: tuple[tuple[str, int], ...]
    links: tuple[object, ...]  # of the machine: what it is known by
    short: int | None = None  # the rank whose links have half their bandwidth

    @property
    def setup(self) -> Setup:
        """The machine; a ring goes through a grid from neighbor to neighbor."""
        plain, laid = self.machine, to_and_fro(self.machine)
        return Setup(lambda recording: laid if recording.algorithm == "ring" else plain)

    def recording(self, row: Row, size: int, roughly: bool = False) -> Recording:
        """The schedule of an algorithm for so many bytes, with its best number of chunks."""
        chosen, chunks = row.taken(dict(self.parameters)), None
        if "chunks" in row.parameters:
            setup = self.setup
            chunks = best_chunks(row, self.ranks, size, setup, self.root, chosen, roughly).best
        return sized(row, self.ranks, size, chunks, self.root, chosen)

    def entry(self, row: Row, size: int) -> AtBest:
        """An algorithm at its best."""
        return AtBest(row, self.setup.time(self.recording(row, size)))

    def order(self, row: Row, rival: Row, size: int) -> int:
        """Who is ahead there where messages of a port start at once, as of times."""
        return _order(*(self.entry(candidate, size).seconds for candidate in (row, rival)))

    def turn(self, row: Row, rival: Row) -> tuple[int | None, bool]:
        """The one size at which the faster of two changes, and whether the rival is below it."""
        first, second = (partial(_seconds, self, candidate) for candidate in (row, rival))
        turns = crossings(first, second, SMALLEST, LARGEST)
        return (turns[0].size, not turns[0].second_wins) if len(turns) == 1 else (None, False)


@lru_cache(maxsize=1 << 10)  # of each rival of an algorithm anew
def _seconds(venue: _Venue, row: Row, size: int, at_once: bool = False) -> float:
    """Its time with nearly the best number of chunks; messages of a port take turns, or do not."""
    timing = venue.setup.time(venue.recording(row, size, roughly=True))
    return timing.total if at_once else take_turns(timing).in_turn


def _venue(machine: Topology, ranks: int, root: int, parameters: Mapping[str, int]) -> _Venue:
    return _Venue(machine, ranks, root, tuple(parameters.items()), machine.identity)


def _wins(row: Row, rival: Row, here: _Venue, size: int) -> Iterator[Win]:
    """Where an algorithm is faster: here at other sizes, on other machines, with other ranks."""
    sizes, venues = dict.fromkeys((size, *SIZES)) if size else {0: None}, list[_Venue]()
    if SHORT in row.takes:
        venues.append(_with_short_rank(here))
    for ranks in (here.ranks, here.ranks + 1, 3 * here.ranks // 2):
        if row.accepts(ranks) and rival.accepts(ranks):
            venues += _venues(row, ranks)
    for size, venue in chain(product(sizes, [here]), product(sizes, venues)):
        try:
            own, theirs = (venue.entry(candidate, size) for candidate in (row, rival))
        except BadInput:
            continue
        if _order(own.seconds, theirs.seconds, CLOSE) < 0 and not _by_turns(own, theirs):
            yield Win(venue.machine.name, venue.ranks, size, own, theirs, venue.short)


def _with_short_rank(here: _Venue) -> _Venue:
    """The same machine, with half of the bandwidth on all links of the rank that is made up for."""
    machine, rank = here.machine, dict(here.parameters)[SHORT.name]
    near = (machine.src == rank) | (machine.dst == rank)
    halved = changed(machine, bandwidth=machine.bandwidth / np.where(near, 2, 1))
    return replace(here, machine=halved, links=halved.identity, short=rank)


def _venues(row: Row, ranks: int) -> Iterator[_Venue]:
    """The machines that so many ranks of an algorithm run on, clusters of two nodes first."""
    few = record(row.collective, row.algorithm, ranks=ranks)
    for name in dict.fromkeys((*usual_names(ranks, ranks // 2), *usual_names(ranks), *MACHINES)):
        try:
            yield _venue(named_machine(few, name), ranks, 0, few.parameters)
        except BadInput:
            continue


def _order(own: float, rival: float, same: float = SAME) -> int:
    """-1 for the first, 1 for the second, 0 where they take as long."""
    if abs(own - rival) <= same * max(own, rival):
        return 0
    return -1 if own < rival else 1


def _by_turns(own: AtBest, at_best: AtBest) -> bool:
    """Whether the faster of two falls behind where the messages of a port take turns."""
    pair = sorted((own.turns, at_best.turns), key=lambda turns: turns.at_once)
    return _order(own.seconds, at_best.seconds) != 0 and 0 in overtaken(pair)
