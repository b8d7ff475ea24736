"""Why a recording takes so many steps, and how it compares with the algorithms it was to beat."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from math import log2
from operator import attrgetter

import numpy as np

from animations.phrases import Phrases
from animations.story.counters import DIGITS
from animations.story.facts import idea_of
from animations.story.in_turn import in_turn, like
from animations.story.lazy_value import LazyValue, made_later
from animations.story.obvious import MOST_TRIED, SOONER, obvious_way, pipeline
from animations.story.setup_times import SetupTimes, setup_times
from animations.story.verdict import how_run, rival_name, size_said, verdict, where_of
from animations.whys.sends import spans_of
from animations.whys.uplink import Uplink, uplink_of
from collectives.catalog import find_row
from collectives.cost.choose.rivals import AtBest, Rivalry, at_size, lead, rivalries, turn_at_once
from collectives.cost.machines.topology import Topology
from collectives.recording.phases import phases
from collectives.recording.recording import Recording
from collectives.schedule.step import Step
from collectives.units import rough_size, size_beside, size_text, time_text
from collectives.words import capital

MOST_PORTS = 2  # messages of one port in a step, for which a lower bound on steps is explained
MOST_PHASES = 3  # that are named with their steps
MOST_HOPS = 64  # ranks up to which it is counted what each hop adds
PRODUCT = re.compile(r"(?<=\d)\*(?=[A-Z(])")  # that is read without its sign
DECIDES = 4  # times as long as bytes take, at least, all latencies together: they decide


@dataclass(frozen=True)
class Alternative:
    """An algorithm beside the one that is shown: a name, steps, bytes through the busiest port.

    seconds: its time; times: that of each of its states. there: where both are
    compared once more, if anywhere. chunks: how many it has, where their number was chosen. how: in
    how many chunks or channels it runs, or with how many messages of a port at once, in words,
    where that matters. only: that it is beaten only by so many at once, as a sentence. close:
    whether both take about as long. size: bytes of the vector. spans: see `spans_of`. pieces: into
    how many chunks the vector is cut. partners: how many ranks one sends to, at most. returns:
    whether its second half goes back up or down the tree of its first. uplink: what crosses the
    busiest link of a tree of switches.
    """

    name: str
    steps: int
    bytes: int
    seconds: float
    times: LazyValue[SetupTimes] = field(repr=False, compare=False)
    size: int
    spans: LazyValue[tuple[tuple[int, int], ...]] = made_later(())
    chunks: int = 0
    how: str = ""
    there: ComparedElsewhere | None = None
    only: str = ""
    close: bool = False
    pieces: int = 1
    partners: LazyValue[int] = made_later(1)
    returns: LazyValue[bool] = made_later(False)
    uplink: LazyValue[Uplink | None] = made_later(None)


@dataclass(frozen=True)
class ComparedElsewhere:
    """Where an algorithm and a rival are compared once more.

    where: all sizes below or above one, or a machine, as a sentence begins with it. place: the size
    or the machine itself. winner, loser: the names of the faster and the slower there, as another
    one might be faster still. own, rival: both as they are there.
    """

    where: str
    place: str
    winner: str
    loser: str
    own: Alternative
    rival: Alternative

    @property
    def seconds(self) -> list[float]:
        """The times of both, that of the winner first."""
        return sorted((self.own.seconds, self.rival.seconds))


@dataclass(frozen=True)
class First:
    """The size at which an algorithm is compared first, as it shows there what it is for.

    place: the size, as a sentence begins with it. bars: the algorithm and its rivals there.
    back: the size that was asked for, where that is not told otherwise; its own and rival are those
    there. sentence: who is faster at which sizes, where that is more than `back` tells. sooner: at
    the size that was asked for a way in fewer steps, whose bar here is the last.
    """

    place: str
    bars: tuple[Alternative, ...]
    back: ComparedElsewhere | None = None
    sentence: str = ""
    sooner: tuple[Alternative, ...] = ()


@dataclass(frozen=True)
class Trade:
    """What is said of steps, bytes and rivals.

    sentences: beside the counters of a page. verdict: below the last step of a page. others: the
    rivals. best: the algorithm with its best number of chunks, where that is not what is drawn.
    obvious: the obvious way beside which its film ends, or one that goes further. how: in how many
    chunks or channels it runs at its best. turns: bytes at which the faster of
    the algorithm and a rival changes, with what holds below and above. ideas: of each rival its
    name and what it does. first: another size at which it is compared first, if any.
    border: the size above which a rival is faster whose messages start at once, if that is so.
    """

    sentences: tuple[str, ...] = ()
    verdict: tuple[str, ...] = ()
    others: tuple[Alternative, ...] = ()
    best: Alternative | None = None
    obvious: LazyValue[tuple[Alternative, ...]] = made_later(())
    how: str = ""
    turns: tuple[tuple[int, str, str], ...] = ()
    ideas: tuple[tuple[str, str], ...] = ()
    first: LazyValue[First | None] = made_later(None)
    border: LazyValue[str] = made_later("")

    @property
    def news(self) -> tuple[Alternative, ...]:
        """The obvious ways that are no rival, run another way."""
        known = {row.name for row in self.others}
        return tuple(way for way in self.obvious.value if way.name not in known)

    @property
    def begins(self) -> First | None:
        """Where its price begins, if that is not the size that was asked for."""
        return None if self.news else self.first.value


NO_TRADE = Trade()


def trade_of(recording: Recording, machine: Topology, say: Phrases) -> Trade:
    """What there is to say, each algorithm with its best number of chunks; nothing of own ones."""
    every = sorted(rivalries(recording, machine), key=lambda rivalry: rivalry.tried)
    tried = [rivalry for rivalry in every if not _idle(rivalry)] or every
    if not tried:
        return NO_TRADE
    tried += pipeline(tried[0].own)
    own, turns = tried[0].own, [in_turn(rivalry) for rivalry in tried]
    best, first = None, []
    if own.chunks and own.chunks != recording.chunk_count:
        best = bar_of(own, "", say)
        first = [say("score.best", chunks=best.how, time=time_text(best.seconds, DIGITS))]
    verdicts = [tuple(verdict(rivalry, say)) for rivalry in tried]
    why = [_why(recording, say)] if _explained(recording) else []
    return Trade(
        (*why, *(_sentence(rivalry, machine, say) for rivalry in tried)),
        tuple(map(say.decimal, (*first, *(text for texts in verdicts for text in texts)))),
        tuple(_rival(*pair, say) for pair in zip(turns, verdicts, strict=True)),
        best,
        LazyValue(lambda: _obvious(own, say)),
        how_run(own, say),
        tuple(_turn(rivalry, say) for rivalry in tried if rivalry.turn and not rivalry.in_turn),
        tuple((rival_name(each.other, say), idea_of(each.other.recording, say)) for each in tried),
        LazyValue(lambda: _first(recording, machine, turns, say)),
        LazyValue(lambda: _border(recording, machine, tried[0], say)),
    )


def _border(recording: Recording, machine: Topology, rivalry: Rivalry, say: Phrases) -> str:
    """The size above which a rival is faster, where messages of a port start at once."""
    if not rivalry.in_turn or rivalry.order <= 0 or recording.ranks > MOST_TRIED:
        return ""
    size = turn_at_once(recording, machine, rivalry.own.row, rivalry.other.row)
    if size is None or size > recording.case.S:
        return ""
    return say("score.about", size=size_text(rough_size(size, 1), binary=True))


def _first(
    recording: Recording, machine: Topology, tried: list[Rivalry], say: Phrases
) -> First | None:
    """Where it beats all its rivals, of one that is beaten; else where its latencies decide."""
    beaten, asked = [rivalry for rivalry in tried if rivalry.order > 0 and rivalry.there], tried[0]
    first, last = asked.turn or 0, tried[-1].turn or 0
    sizes = lead(recording, machine) if {rivalry.order for rivalry in tried} == {-1, 1} else None
    if [rivalry.below for rivalry in tried] == [True, False] and 0 < first < last:
        sizes = sizes or (first, last)  # of a rival for short vectors, and of a pipeline
    if sizes:
        size = 1 << round(sum(map(log2, sizes)) / 2)
    elif beaten:
        size = beaten[0].there_size
    else:
        win = asked.elsewhere
        size = _short(asked) or (win.size if win and _here(asked) else 0)
    if size in (0, recording.case.S):
        return None
    rows = [asked.own.row, *(rivalry.other.row for rivalry in tried)]
    own, *others = at_size(recording, machine, rows, size)
    others = [like(rivalry.other, at) for rivalry, at in zip(tried, others, strict=True)]
    if own.seconds >= min(rival.seconds for rival in others) and asked.turn:
        return None
    place = say("score.at_size", size=size_text(size, binary=True))
    called = "", *(capital(rival_name(row, say)) for row in others)
    bars = tuple(bar_of(*row, say) for row in zip((own, *others), called, strict=True))
    if sizes:
        low, high = (size_text(rough_size(bound, 2), binary=True) for bound in sizes)
        ordered = sorted(tried, key=attrgetter("order"), reverse=True)
        faster, slower = (rival_name(rivalry.other, say) for rivalry in ordered)
        above = sizes[1] < recording.case.S  # who is faster at this size is so beyond that border
        names = {"above": faster if above else slower, "below": slower if above else faster}
        text = say.decimal(say("why.price_both", low=low, high=high, **names))
        return First(say.decimal(place), bars, _back(tried[0], say), text)
    here, there = (_sooner(recording, machine, at, say) for at in (size, recording.case.S))
    return First(say.decimal(place), bars + here, _back((beaten or tried)[0], say), "", there)


def _sooner(
    recording: Recording, machine: Topology, size: int, say: Phrases
) -> tuple[Alternative, ...]:
    """A way in fewer steps at a size, whatever its messages cost, if the algorithm has one."""
    name = SOONER.get(f"{recording.collective.name} {recording.algorithm}")
    rows = [find_row(recording.collective.name, name)] if name else []
    ways = at_size(recording, machine, rows, size)
    return tuple(bar_of(way, capital(rival_name(way, say)), say) for way in ways)


def _here(rivalry: Rivalry) -> bool:
    """Whether an algorithm wins on the machine that was asked about, at another size."""
    asked, win = rivalry.own.timing.topology.name, rivalry.elsewhere
    ranks = rivalry.own.recording.ranks
    return win is not None and (win.machine, win.ranks, win.short) == (asked, ranks, None)


def _short(rivalry: Rivalry) -> int:
    """A power of two of bytes at which latencies decide, of two that differ by these only."""
    own, rival = rivalry.own, rivalry.other
    whole = own.recording.chunk_count == rival.recording.chunk_count == 1
    steps = own.recording.counters.steps != rival.recording.counters.steps
    alike = rivalry.close or (whole and rivalry.order < 0)
    if rivalry.turn or rivalry.by_turns or not steps or not alike:
        return 0
    latency = setup_times(own.timing).waits[-1]
    size = own.recording.case.S * latency / (DECIDES * max(own.seconds - latency, latency))
    return 1 << int(log2(size)) if 1 <= size < own.recording.case.S else 0


def _back(rivalry: Rivalry, say: Phrases) -> ComparedElsewhere | None:
    """Both at the size that was asked for, and beyond which size that holds."""
    if rivalry.lost or (rivalry.elsewhere and not _here(rivalry)):
        return None
    own, theirs = (bar_of(entry, "", say) for entry in (rivalry.own, rivalry.other))
    winner, loser = rival_name(rivalry.other, say), rival_name(rivalry.own, say)
    where = place = say("score.at_size", size=size_text(own.size, binary=True))
    if not rivalry.turn and not rivalry.close:
        return None
    if rivalry.turn and not rivalry.in_turn:  # at once the turn is another one
        key = "price_above" if rivalry.turns_below else "price_below"
        where = say(f"why.{key}", size=size_said(rivalry, say))
    texts = say.decimal(where), say.decimal(place)
    return ComparedElsewhere(*texts, winner, loser, own, theirs)


def _idle(rivalry: Rivalry) -> bool:
    """Whether nobody would choose the rival, slower at any size, nor was it to be beaten here."""
    meant = rivalry.own.row.home and rivalry.own.row.against
    return not meant and rivalry.order < 0 and not rivalry.turn and not rivalry.by_turns


def _turn(rivalry: Rivalry, say: Phrases) -> tuple[int, str, str]:
    """The size at which the faster changes, and who that is below and above it."""
    fields = {"size": rivalry.turn_text, "name": rival_name(rivalry.other, say)}
    keys = ("rival_below", "own_above") if rivalry.below else ("own_below", "rival_above")
    below, above = (say.decimal(say(f"trade.{key}", **fields)) for key in keys)
    return rivalry.turn or 0, below, above


def bar_of(entry: AtBest, name: str, say: Phrases) -> Alternative:
    """An algorithm at its best as a row of a price, under a name."""
    counted = entry.recording.counters.steps, entry.recording.bytes_busiest_port
    times = LazyValue(lambda: setup_times(entry.timing))
    spans = LazyValue(lambda: tuple(sorted({*spans_of(entry.recording).values()})))
    size, how = entry.recording.case.S, how_run(entry, say)
    bar = Alternative(name, *counted, entry.seconds, times, size, spans, entry.chunks, how)
    uplink = LazyValue(lambda: uplink_of(entry.timing))
    returns = LazyValue(lambda: _returns(entry.recording))
    return replace(bar, pieces=entry.recording.chunk_count, uplink=uplink, returns=returns)


def _obvious(own: AtBest, say: Phrases) -> tuple[Alternative, ...]:
    """The obvious way of a film, or one that goes further, which has a name of its own."""
    if (beside := obvious_way(own)) is None:
        return ()
    way, timing = beside
    recording, algorithm = timing.asked, way.algorithm
    key = f"why.price_way_{algorithm.replace('-', '_')}"
    known = say.rival(algorithm) or say.algorithm(algorithm, recording.collective.title)
    servers = say.plural(recording.nodes - recording.ranks, "server")
    name = say(key, servers=servers) if key in say.patterns else capital(known)
    bar, size = bar_of(AtBest(own.row, timing), name, say), own.recording.case.S
    bar = replace(bar, size=size, chunks=own.chunks, how="", pieces=1, close=way.close)
    return (replace(bar, partners=LazyValue(partial(partners_of, map(_ends, recording.steps)))),)


def _ends(step: Step) -> set[tuple[int, int]]:
    """Who sends to whom in a step."""
    return set(zip(step.src.tolist(), step.dst.tolist(), strict=True))


def partners_of(steps: Iterable[set[tuple[int, int]]]) -> int:
    """How many ranks one sends to, at most, in steps with these pairs of ranks."""
    return max(Counter(src for src, _ in set().union(*steps)).values())


def _returns(recording: Recording) -> bool:
    """Whether a tree's steps take the same ways back, in the opposite order."""
    steps = [_ends(step) for step in recording.steps]
    ways = {frozenset(pair) for pairs in steps for pair in pairs}
    back = [{pair[::-1] for pair in pairs} for pairs in reversed(steps)]
    return len(ways) == recording.ranks - 1 and len(steps) % 2 == 0 and steps == back


def _rival(rivalry: Rivalry, verdicts: tuple[str, ...], say: Phrases) -> Alternative:
    """The rival, with how many messages at once it is faster, or beaten, if only so."""
    row = bar_of(rivalry.other, capital(rival_name(rivalry.other, say)), say)
    row = replace(row, there=_there(rivalry, say), close=rivalry.close)
    if rivalry.by_turns and rivalry.order > 0:
        return replace(row, how=say("why.price_at_once", number=rivalry.at_once))
    return replace(row, only=verdicts[0]) if rivalry.by_turns else row


def _there(rivalry: Rivalry, say: Phrases) -> ComparedElsewhere | None:
    """Where both are compared once more: beyond the turn, or where the algorithm wins."""
    win = rivalry.lost or rivalry.elsewhere
    pair = (win.own, win.other) if win else rivalry.there
    if pair is None:
        return None
    own, theirs = (bar_of(entry, "", say) for entry in pair)
    faster = own.seconds > theirs.seconds
    winner, loser = (rival_name(pair[at], say) for at in (faster, not faster))
    if win:
        where = place = where_of(win, rivalry.own, say)
    else:
        place = say("score.at_size", size=size_text(rivalry.there_size, binary=True))
        key = "price_below" if rivalry.turns_below else "price_above"
        where = say(f"why.{key}", size=size_said(rivalry, say))
        where = place if rivalry.in_turn else where  # at once the turn is another one
    texts = say.decimal(where), say.decimal(place)
    return ComparedElsewhere(*texts, winner, loser, own, theirs)


def _explained(recording: Recording) -> bool:
    """Whether bounds hold of what moves data, with few messages at a port."""
    moves = recording.collective.moves_data
    return moves and recording.bound.holds and recording.counters.ports <= MOST_PORTS


def _why(recording: Recording, say: Phrases) -> str:
    """How many steps, by which formula, in which phases, and how many there must be."""
    steps, case, bound = recording.counters.steps, recording.case, recording.bound
    text = say.plural(steps, "step")
    form = recording.row.form if recording.row else None
    if form and form.holds(form.steps, case, steps):
        figures = ((letter, letter.value(case)) for letter in form.letters(form.steps))
        letters = [
            say("trade.letter", symbol=k.symbol, value=value, meaning=say.translation(k.meaning))
            for k, value in figures
        ]
        formula = {"steps": text, "formula": PRODUCT.sub("", form.steps)}
        key = f"trade.formula{'_with' * bool(letters)}"
        text = say(key, **formula, letters=say.listed(letters) if letters else "")
    parts = phases(recording)
    if 1 < len(parts) <= MOST_PHASES and recording.counters.walked == steps:
        counts = [f"{say.phase(part.name)} {part.end - part.first}" for part in parts]
        text = say("trade.parts", text=text, parts=say.listed(counts))
    hops = _hops(recording, say)
    if bound.ports > 1 or steps == bound.steps:
        return say("trade.stop", text=text) + hops
    spreads = recording.precondition.any(axis=1).sum() == 1  # data does not come together
    reason = say("trade.spreads" if spreads else "trade.gathers")
    key = f"trade.bound{'_one' * (bound.steps == 1)}"
    return say(key, text=text, fewest=bound.steps, reason=reason) + hops


def _hops(recording: Recording, say: Phrases) -> str:
    """That each hop adds the data of one rank, where every message of every step does."""
    ranks, steps = recording.ranks, recording.counters.steps
    around = ranks - 1
    counted = recording.collective.reduces and 2 <= around < MOST_HOPS
    if not counted or steps != len(recording.steps) or steps not in {around, 2 * around}:
        return ""
    for number, step in enumerate(recording.steps):
        held = recording.contributors(number)[step.src, step.chunk].sum(axis=1)
        if not np.all(held == min(number + 1, ranks)):
            return ""
    return say("trade.hops" if steps == around else "trade.hops_and_back", hops=around)


def _sentence(rivalry: Rivalry, machine: Topology, say: Phrases) -> str:
    """What the rival takes, and where each of both is faster."""
    own, rival = rivalry.own, rivalry.other
    mine, its = own.recording.counters, rival.recording.counters
    name = capital(_with_chunks(rival, rival_name(rival, say), say))
    takes = {"name": name, "steps": say.plural(its.steps, "step")}
    key = f"trade.takes{'_instead' * (its.steps != mine.steps)}"
    text = say(key, **takes, own=_with_chunks(own, f"{mine.steps}", say))
    if rival.recording.bound.holds and its.steps == rival.recording.bound.steps:
        key = f"trade.fewest{'_with' * (max(mine.ports, its.ports) > 1)}"
        text = say(key, text=text, ports=say.plural(its.ports, "port"))
    text = _with_bytes(text, own.recording, rival.recording, say)
    if rivalry.turn is None:
        time, own_time = (time_text(side.seconds, digits=2) for side in (rival, own))
        key = f"trade.on_{'too' if time == own_time else 'instead'}{'_at_once' * rivalry.by_turns}"
        fields = {"machine": machine.name, "time": time, "number": rivalry.at_once}
        return say(key, text=text, own=own_time, **fields)
    key = f"trade.{'below' if rivalry.below else 'above'}{'_in_turn' * rivalry.in_turn}"
    fields = {"machine": machine.name, "size": rivalry.turn_text}
    return say(key, text=text, name=rival_name(own, say), **fields)


def _with_chunks(entry: AtBest, name: str, say: Phrases) -> str:
    chunks = say.plural(entry.chunks, "chunk")
    return say("trade.with_chunks", name=name, chunks=chunks) if entry.chunks else name


def _with_bytes(text: str, mine: Recording, its: Recording, say: Phrases) -> str:
    """A sentence with the bytes through the busiest port of a rival."""
    if not mine.collective.moves_data:
        return say("trade.stop", text=text)
    port, own = its.bytes_busiest_port, mine.bytes_busiest_port
    size = partial(size_beside, whole=mine.count * mine.dtype.itemsize)
    if size(port) == size(own):
        return say("trade.same_bytes", text=text, port=size(port))
    joined = "but" if (port > own) == (mine.counters.steps > its.counters.steps) else "and"
    key = f"trade.{joined}_bytes{'_whole' * (its.chunk_count == 1 and port > own)}"
    return say(key, text=text, port=size(port), own=size(own))
