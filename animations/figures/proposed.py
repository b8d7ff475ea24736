"""Chooses the algorithms of a figure for which none are named: the fastest by what ports can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from animations.figures.sweep import Sweep
from collectives.catalog import Row, find_row
from collectives.collective import Collective
from collectives.cost.choose.ports import Turns, overtaken
from collectives.cost.choose.ranking import MOST_MESSAGES, Ranking, rank_algorithms

FEWEST = 2  # algorithms in a figure, where so many run


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
    rankings = [(size, rank_algorithms(promise.name, ranks, size, *asked)) for size in sizes]
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
        found = []
        for number, size in points:
            there = [row for row in rows if starts.get(row, 0) <= size]
            found += [(row, size, turns) for row, turns in _crowded_at(there, number, size, sweep)]
        for row, size, turns in found:
            crowded(row, size, turns)
        if not found:
            shown = {row: start for row, start in starts.items() if row in rows and start < inf}
            out = tuple((row, messages[row]) for row in starts if row not in shown)
            late = {row: (int(start), messages[row]) for row, start in shown.items()}
            return Proposed(tuple(names), out, late)


def _fastest(rankings: Sequence[tuple[int, Ranking]], starts: Mapping[Row, float]) -> list[str]:
    """The first of each ranking, then the second of some, without those that start later."""
    winners: dict[str, None] = {}
    others: dict[str, None] = {}
    for size, ranking in rankings:
        out = {row.algorithm for row, start in starts.items() if start > size}
        names = [
            timed.name
            for timed in ranking.timed
            if timed.timing.topology.name != "crossbar"
            or timed.timing.recording.nodes == timed.timing.recording.ranks
        ]
        names = [name for name in names if name not in out] or names
        winners.setdefault(names[0])
        others.update(dict.fromkeys(names[1:2]))
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
    timed.sort(key=lambda one: one[1].at_once)
    return [timed[place] for place in overtaken([turns for _, turns in timed])]
