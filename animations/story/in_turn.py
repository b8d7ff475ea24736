"""A rival that is ahead only by messages that start together, as its port sends them in turn."""

from __future__ import annotations

from dataclasses import replace

from animations.story.setup_times import message_figures
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.choose.rivals import AtBest, Rivalry
from collectives.recording.recorder import record

SAME = "collective", "ranks", "root", "count", "dtype", "chunks", "slots"  # of both recordings


class InTurn(AtBest):
    """An algorithm all of whose messages pass one port, each in a step of its own."""


def in_turn(rivalry: Rivalry) -> Rivalry:
    """Beside its rival in turn, if that is ahead only because its messages start together.

    As it is, where these differ, or do not share a port that takes one at a time.
    """
    entry, ahead = rivalry.other, rivalry.by_turns and rivalry.order > 0
    shared = 1 in [len({*ends.tolist()}) for ends in entry.recording.counters.links.T]
    alike = message_figures(entry.recording, entry.timing.topology)
    turns = ahead and shared and alike and entry.turns.lanes == 1
    return replace(rivalry, other=_one_by_one(entry)) if turns else rivalry


def like(entry: AtBest, rival: AtBest) -> AtBest:
    """A rival in turn, if an entry is."""
    return _one_by_one(rival) if isinstance(entry, InTurn) else rival


def _one_by_one(entry: AtBest) -> AtBest:
    """With a step for each message, as one port sends or receives all of them."""
    steps, same = entry.recording.steps, {name: getattr(entry.recording, name) for name in SAME}
    single = [step.select(slice(k, k + 1)) for step in steps for k in range(len(step))]
    return InTurn(entry.row, timed_as_run(record(single, **same), entry.timing.topology))
