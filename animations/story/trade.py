"""Why a recording takes so many steps, and how it compares with the algorithms it was to beat."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from animations.phrases import Phrases
from animations.story.verdict import at_best, rival_name, verdict
from collectives.cost.choose.rivals import AtBest, Rivalry, rivalries
from collectives.cost.machines.topology import Topology
from collectives.recording.phases import phases
from collectives.recording.recording import Recording
from collectives.units import size_beside, time_text
from collectives.words import capital, listed, plural

MOST_PORTS = 2  # messages of one port in a step, for which a lower bound on steps is explained
MOST_PHASES = 3  # that are named with their steps
PRODUCT = re.compile(r"(?<=\d)\*(?=[A-Z(])")  # that is read without its sign


@dataclass(frozen=True)
class Alternative:
    """A bar of an end card: a name, steps, bytes through the busiest port, seconds."""

    name: str
    steps: int
    bytes: int
    seconds: float


@dataclass(frozen=True)
class Trade:
    """What is said of steps, bytes and rivals.

    sentences: beside the counters of a page. verdict: at the end of a film, in its language.
    others: the rivals. best: the algorithm with its best number of chunks, where that is not what
    is drawn.
    """

    sentences: tuple[str, ...] = ()
    verdict: tuple[str, ...] = ()
    others: tuple[Alternative, ...] = ()
    best: Alternative | None = None


NO_TRADE = Trade()


def trade_of(recording: Recording, machine: Topology, say: Phrases) -> Trade:
    """What there is to say, each algorithm with its best number of chunks; nothing of own ones."""
    tried = sorted(rivalries(recording, machine), key=lambda rivalry: rivalry.tried)
    if not tried:
        return NO_TRADE
    own = tried[0].own
    drawn = own.chunks == recording.chunk_count
    first = () if drawn else at_best(own, say)
    verdicts = [tuple(verdict(rivalry, say)) for rivalry in tried]
    why = [_why(recording)] if _explained(recording) else []
    best = None
    if own.chunks and not drawn:
        best = _bar(own, say("cards.best", chunks=say.plural(own.chunks, "chunk")))
    return Trade(
        (*why, *(_sentence(rivalry, machine) for rivalry in tried)),
        (*first, *(text for texts in verdicts for text in texts)),
        tuple(_bar(rivalry.other, capital(rival_name(rivalry.other, say))) for rivalry in tried),
        best,
    )


def _bar(entry: AtBest, name: str) -> Alternative:
    counted = entry.recording.counters.steps, entry.recording.bytes_busiest_port
    return Alternative(name, *counted, entry.seconds)


def _explained(recording: Recording) -> bool:
    """Whether bounds hold of what moves data, with few messages at a port."""
    moves = recording.collective.moves_data
    return moves and recording.bound.holds and recording.counters.ports <= MOST_PORTS


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


def _sentence(rivalry: Rivalry, machine: Topology) -> str:
    """What the rival takes, and where each of both is faster."""
    own, rival = rivalry.own, rivalry.other
    mine, its = own.recording.counters, rival.recording.counters
    name = capital(rival.row.label) + _with_chunks(rival)
    text = f"{name} takes {plural(its.steps, 'step')}"
    text += f" instead of {mine.steps}{_with_chunks(own)}" * (its.steps != mine.steps)
    if rival.recording.bound.holds and its.steps == rival.recording.bound.steps:
        text += ", the fewest possible"
        text += f" with {plural(its.ports, 'port')} a rank" * (max(mine.ports, its.ports) > 1)
    text += _bytes_text(own.recording, rival.recording)
    if rivalry.turn is None:
        times = [time_text(side.seconds, digits=2) for side in (rival, own)]
        took = f" instead of {times[1]}" if times[0] != times[1] else ", too"
        start = f", if {rivalry.at_once} messages of a port start at once" * rivalry.by_turns
        return f"{text} On {machine.name} it takes {times[0]}{took}{start}."
    sides = ("below", "above") if rivalry.below else ("above", "below")
    even = ", even where messages of a port take turns" * rivalry.in_turn
    return (
        f"{text} On {machine.name} it is faster for vectors {sides[0]} about {rivalry.turn_text}, "
        f"{own.row.label} {sides[1]}{even}."
    )


def _with_chunks(entry: AtBest) -> str:
    return f" with {plural(entry.chunks, 'chunk')}" * bool(entry.chunks)


def _bytes_text(mine: Recording, its: Recording) -> str:
    """The end of a sentence: the bytes through the busiest port of a rival."""
    if not mine.collective.moves_data:
        return "."
    port, own_port = its.bytes_busiest_port, mine.bytes_busiest_port
    text = partial(size_beside, whole=mine.count * mine.dtype.itemsize)
    if text(port) == text(own_port):
        return f", and as many bytes pass its busiest port, {text(port)}."
    but = "but" if (port > own_port) == (mine.counters.steps > its.counters.steps) else "and"
    whole = ", as each message is the whole vector" * (its.chunk_count == 1 and port > own_port)
    return f", {but} {text(port)} pass its busiest port instead of {text(own_port)}{whole}."
