"""Which of an algorithm and its rival is faster where, in the sentences of films and pages."""

from __future__ import annotations

from collections.abc import Iterator

from animations.phrases import Phrases
from animations.story.counters import DIGITS
from animations.story.in_turn import InTurn
from animations.story.machine_words import spoken_machine
from collectives.cost.choose.rivals import AtBest, Rivalry, Win
from collectives.units import size_text, time_text
from collectives.words import capital


def rival_name(entry: AtBest, say: Phrases) -> str:
    """The name of an algorithm within a sentence."""
    row = entry.row
    if row.algorithm == "ring" and entry.timing.topology.shape and entry.timing.topology.seats:
        return say("score.winding")
    name = say.rival(row.algorithm) or say.algorithm(row.algorithm, row.promise.title) or row.label
    return say("why.price_in_turn", name=name) if isinstance(entry, InTurn) else name


def verdict(rivalry: Rivalry, say: Phrases) -> Iterator[str]:
    """The sentences for one who has heard how long the algorithm takes."""
    rival, name = rivalry.other, rival_name(rivalry.other, say)
    order, how = 0 if rivalry.close else rivalry.order, how_run(rival, say)
    if rivalry.by_turns:
        key = "at_once" if rivalry.order < 0 else "at_once_other"
        yield capital(say(f"score.{key}", name=name, number=rivalry.at_once))
    else:
        key = f"score.{('as_long', 'faster_here', 'beats')[order]}{'_with' * bool(how and order)}"
        time = time_text(rival.seconds, DIGITS)
        yield capital(say(key, name=name, time=time, how=how))
    if rivalry.turn:
        side = "below" if rivalry.turns_below else "above"
        who = "faster" if rivalry.order <= 0 else "own"
        key = f"score.{who}_{side}{'_in_turn' * rivalry.in_turn}"
        yield say(key, size=size_said(rivalry, say), name=name)
    elif rivalry.elsewhere:
        yield from _elsewhere(rivalry.elsewhere, rivalry.own, name, say)
    elif rivalry.tried:
        yield say("score.nowhere", name=name)


def size_said(rivalry: Rivalry, say: Phrases) -> str:
    """The size at which the faster of two changes."""
    return say("score.about", size=rivalry.turn_text) if rivalry.is_rough else rivalry.turn_text


def how_run(entry: AtBest, say: Phrases) -> str:
    """In how many chunks or rings a rival runs, where that was chosen for it."""
    if entry.chunks:
        return say.plural(entry.chunks, "chunk")
    return say.plural(entry.channels, "channel") if entry.channels > 1 else ""


def _elsewhere(win: Win, asked: AtBest, name: str, say: Phrases) -> Iterator[str]:
    """Where the algorithm is faster, and by how much."""
    yield say("score.elsewhere", where=where_of(win, asked, say), name=name)
    own, rival_time = (time_text(entry.seconds, DIGITS) for entry in (win.own, win.other))
    yield say("score.elsewhere_times", name=name, time=own, other=rival_time)


def where_of(win: Win, asked: AtBest, say: Phrases) -> str:
    """Where an algorithm is faster, as far as that is not what was asked for."""
    own = asked.recording
    size = win.size != own.count * own.dtype.itemsize
    here = asked.timing.topology.name, own.ranks, None
    if size and (win.machine, win.ranks, win.short) == here:
        return say("score.at_size", size=size_text(win.size, binary=True))
    machine, ranks = spoken_machine(win.machine, win.ranks, say), say.plural(win.ranks, "rank")
    if win.short is not None:
        machine = say("score.short", machine=machine, rank=win.short)
    key = f"score.on{'_ranks' * (win.ranks != own.ranks)}{'_size' * size}"
    return say(key, machine=machine, ranks=ranks, size=size_text(win.size))
