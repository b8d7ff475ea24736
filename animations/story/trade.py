"""Why a recording takes so many steps, and which algorithm takes fewer, or sends fewer bytes.

The rival is chosen by closed forms, then recorded and timed on the same machine by the lockstep
clock. Only algorithms whose ports carry one message at a time are rivals: lockstep lets the
messages of a port start at once, which favors those that crowd it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isfinite

from animations.story.task import Order, by_bytes, by_steps, ordered
from collectives.catalog import Row
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.recording.phases import phases
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.units import size_text, time_text
from collectives.words import capital, listed, plural

MOST_PORTS = 2  # messages of one port in a step; with more, lockstep is too kind to compare
MOST_PHASES = 3  # that are named with their steps
TRIES = 30  # the times are straight lines, found at once, but where links share a capacity
CLOSE = 1e-3  # of a size: found
FACTOR = 32  # times less and more than the size at which the order turns, where it is looked up too
MOST_ELEMENTS = 1 << 48  # elements of a vector
NEAR = 0.01  # of that size
PRODUCT = re.compile(r"(?<=\d)\*(?=[A-Z(])")  # that is read without its sign
Value = Callable[[float], float]


@dataclass(frozen=True)
class Alternative:
    """Another algorithm in numbers: its name, steps, bytes through its busiest port, seconds.

    algorithm, collective: what languages that have another name for it find it by.
    turn: bytes of the vector at which the faster of the two changes, or nothing; below: whether
    the other one is the faster below that size.
    """

    name: str
    algorithm: str
    collective: str
    steps: int
    bytes: int
    seconds: float
    turn: int | None
    below: bool


@dataclass(frozen=True)
class Trade:
    """What is said of steps and bytes: sentences, and one for the note at the end or nothing.

    others: the algorithm of fewer steps and that of fewer bytes, where there are such.
    """

    sentences: tuple[str, ...] = ()
    note: str = ""
    others: tuple[Alternative, ...] = ()


NO_TRADE = Trade()


@dataclass(frozen=True)
class Rival:
    """Another algorithm; seconds of the recording and of it.

    turn: bytes of the vector at which the faster of the two changes; None where it does not, or
    more than once. below: whether the rival is the faster below that size.
    """

    row: Row
    recording: Recording
    seconds: tuple[float, float]
    turn: int | None
    below: bool


def trade_of(recording: Recording, machine: Topology) -> Trade:
    """What there is to say; nothing of own functions, and where lower bounds do not hold."""
    if not _compares(recording):
        return NO_TRADE
    rivals = rivals_of(recording, machine)
    if not rivals:
        return NO_TRADE
    said = [_why(recording), *(_sentence(recording, rival, machine) for rival in rivals)]
    turning = [rival for rival in rivals if rival.turn]
    note = _note(recording, turning[0], machine) if turning else ""
    return Trade(tuple(said), note, tuple(map(_alternative, rivals)))


def _alternative(rival: Rival) -> Alternative:
    other, row = rival.recording, rival.row
    names = row.label, row.algorithm, row.promise.title
    counted = other.counters.steps, other.bytes_busiest_port, rival.seconds[1]
    return Alternative(*names, *counted, rival.turn, rival.below)


def rivals_of(recording: Recording, machine: Topology) -> tuple[Rival, ...]:
    """One of fewer steps, where it takes more than it must; one of fewer bytes, likewise."""
    bound, found = recording.bound, dict[str, tuple[Row, Recording]]()
    if recording.counters.steps > bound.steps:
        _add(found, _rival(recording, by_steps))
    if recording.bytes_busiest_port > bound.busiest_port and recording.counters.ports == 1:
        _add(found, _rival(recording, by_bytes))
    rivals = []
    for row, other in found.values():
        try:
            times = _seconds(recording, machine), _seconds(other, machine)
        except BadInput:
            continue  # not all of its messages have a way there
        if isfinite(sum(times)):
            rivals.append(Rival(row, other, times, *_turn(recording, other, machine)))
    return tuple(rivals)


def _add(found: dict[str, tuple[Row, Recording]], rival: tuple[Row, Recording] | None) -> None:
    if rival is not None:
        found[rival[0].algorithm] = rival


def _compares(recording: Recording) -> bool:
    """Whether bounds hold of a catalog row that moves data between ranks, in equal chunks."""
    row = recording.row
    if row is None or row.pairs is not None or not recording.collective.moves_data:
        return False
    even = recording.counts is None and recording.count > 0 and recording.ranks > 1
    return even and recording.bound.holds and recording.counters.ports <= MOST_PORTS


def _rival(recording: Recording, order: Order) -> tuple[Row, Recording] | None:
    """The first by an order of closed forms that crowds no port, if it has fewer of them."""
    name, ranks, root = recording.collective.name, recording.ranks, recording.root
    for row, _ in ordered(name, ranks, root, order):
        if row is recording.row:
            continue
        other = _recorded(row, recording)
        if other.counters.ports > 1:
            continue
        mine, its = (
            each.counters.steps if order is by_steps else each.bytes_busiest_port
            for each in (recording, other)
        )
        return (row, other) if its < mine else None
    return None


def _recorded(row: Row, like: Recording) -> Recording:
    return record(
        row.collective,
        row.algorithm,
        ranks=like.ranks,
        root=like.root,
        count=like.count,
        dtype=like.dtype,
    )


def _turn(one: Recording, other: Recording, machine: Topology) -> tuple[int | None, bool]:
    """The size at which the faster of two changes, and whether `other` is faster below it.

    None where there is none, or the order is not the same on all of one side that is looked at.
    """
    unit, smallest = one.dtype.itemsize, max(one.chunk_count, other.chunk_count)

    def ahead(count: float) -> float:
        return _seconds(one, machine, round(count)) - _seconds(other, machine, round(count))

    largest = min(FACTOR * one.count, MOST_ELEMENTS // FACTOR)
    count = _zero(ahead, smallest, largest) if smallest < largest else None
    if count is None:
        return None, False
    sides = (count / FACTOR, count * (1 - NEAR)), (count * (1 + NEAR), count * FACTOR)
    below, above = ({ahead(max(smallest, at)) > 0 for at in side} for side in sides)
    clear = len(below) == len(above) == 1 and below != above
    return (round(count) * unit, below.pop()) if clear else (None, False)


def _zero(value: Value, low: float, high: float) -> float | None:
    """Where a value changes its sign, by false position; None where its ends have the same."""
    first, second = value(low), value(high)
    if first * second >= 0:
        return None
    found = low
    for _ in range(TRIES):
        last, found = found, high - second * (high - low) / (second - first)
        now = value(found)
        if not now or abs(found - last) < CLOSE * found:
            break
        if now * second < 0:
            low, first = high, second
        else:
            first /= 2  # else one end would stay where it is
        high, second = found, now
    return found


def _seconds(recording: Recording, machine: Topology, count: int | None = None) -> float:
    """The time of the same steps, of as many elements or of so many."""
    if count is not None:
        recording = replace(recording, count=count, data=None)
    return timed_as_run(recording, machine).total


def _why(recording: Recording) -> str:
    """How many steps, by which formula, in which phases, and how many there must be."""
    steps, case, bound = recording.counters.steps, recording.case, recording.bound
    text = plural(steps, "step")
    if recording.row is not None and recording.row.form.holds(
        recording.row.form.steps, case, steps
    ):
        form = recording.row.form
        letters = [
            f"{letter.symbol} = {letter.value(case)} ({letter.meaning})"
            for letter in form.letters(form.steps)
        ]
        text += f": {PRODUCT.sub('', form.steps)}" + f" with {listed(letters)}" * bool(letters)
    parts = phases(recording)
    if 1 < len(parts) <= MOST_PHASES and recording.counters.walked == steps:
        text += f"; {listed([f'{part.name} {part.end - part.first}' for part in parts])}"
    if bound.ports > 1 or steps == bound.steps:
        return text + "."
    if recording.precondition.any(axis=1).sum() == 1:  # data spreads, and does not come together
        reach = "that have data of the root"
    else:
        reach = "whose data one rank has"
    fewest = "1 is" if bound.steps == 1 else f"{bound.steps} are"
    return (
        f"{text}. At least {fewest} needed: a step can at most double the number of ranks {reach}."
    )


def _sentence(recording: Recording, rival: Rival, machine: Topology) -> str:
    """What the rival takes, and where each of both is faster."""
    mine, its = recording, rival.recording
    name = capital(rival.row.label)
    chunks = f" with {plural(its.chunk_count, 'chunk')}" * ("chunks" in rival.row.parameters)
    fewest = ", the fewest possible" * (its.counters.steps == its.bound.steps)
    fewest += " with 1 port a rank" * bool(fewest and mine.counters.ports > 1)
    instead = f" instead of {mine.counters.steps}" * (its.counters.steps != mine.counters.steps)
    text = f"{name}{chunks} takes {plural(its.counters.steps, 'step')}{instead}{fewest}"
    more = its.bytes_busiest_port - mine.bytes_busiest_port
    fewer = mine.counters.steps - its.counters.steps
    but = "but" if more * fewer > 0 else "and"
    if not more:
        text += f", and as many bytes pass its busiest port, {size_text(its.bytes_busiest_port)}."
    else:
        whole = ", as each message is the whole vector" * (its.chunk_count == 1 and more > 0)
        text += (
            f", {but} {size_text(its.bytes_busiest_port)} pass its busiest port instead of "
            f"{size_text(mine.bytes_busiest_port)}{whole}."
        )
    if rival.turn is None or recording.row is None:
        times = [time_text(seconds, digits=2) for seconds in rival.seconds]
        took = f" instead of {times[0]}" if times[0] != times[1] else ", too"
        return f"{text} On {machine.name} it takes {times[1]}{took}."
    sides = ("below", "above") if rival.below else ("above", "below")
    size = size_text(rival.turn, digits=2, binary=True)
    return (
        f"{text} On {machine.name} it is faster for vectors {sides[0]} about {size}, "
        f"{recording.row.label} {sides[1]}."
    )


def _note(recording: Recording, rival: Rival, machine: Topology) -> str:
    """The same for the line below the picture."""
    side = "below" if rival.below else "above"
    size = size_text(rival.turn or 0, digits=2, binary=True)
    steps = f"{plural(rival.recording.counters.steps, 'step')}, not {recording.counters.steps}"
    return f"On {machine.name} {rival.row.label} ({steps}) is faster {side} {size}."
