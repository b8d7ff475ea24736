"""Chooses the algorithms of a figure for which none are named: the fastest by what ports can do."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from animations.figures.sweep import Question
from collectives.catalog import Row, find_row
from collectives.collective import Collective
from collectives.cost.choose.ports import Turns, overtaken
from collectives.cost.choose.ranking import MOST_MESSAGES, Ranking, rank_algorithms

LEAST = 2  # algorithms in a figure, where so many run


@dataclass(frozen=True)
class Proposed:
    """The algorithms of a figure.

    crowded: those that would be among them if ports took more messages at once than they do, with
    the most that they send.
    """

    names: tuple[str, ...]
    crowded: tuple[tuple[Row, int], ...] = ()


def propose(
    promise: Collective,
    ranks: int,
    sizes: Iterable[int],
    question: Question,
    points: Iterable[tuple[int, int]],
) -> Proposed:
    """Those that are the fastest at one of the sizes, and the next so that there are two at least.

    Those that need switches or servers beside the ranks take part where the machine has them.
    points: ranks and sizes at which no curve may be ahead of another by crowded ports.
    """
    asked = question.setup, question.root, question.parameters
    rankings = [rank_algorithms(promise.name, ranks, size, *asked) for size in sizes]
    ahead = {
        row: turns.messages
        for ranking in rankings
        for row, turns in ranking.crowded
        if turns.at_once < ranking.best.seconds
    }
    points = tuple(points)
    while True:
        names = _fastest(rankings, {row.algorithm for row in ahead})
        rows = [find_row(promise.name, name) for name in names]
        found = [one for point in points for one in _crowded_at(rows, *point, question)]
        found = [(row, turns) for row, turns in found if row not in ahead]
        if not found:
            return Proposed(tuple(names), tuple(ahead.items()))
        for row, turns in found:
            ahead[row] = max(ahead.get(row, 0), turns.messages)


def _fastest(rankings: Sequence[Ranking], out: Container[str]) -> list[str]:
    """The first of each ranking, then the second of some, without those that are out."""
    winners: dict[str, None] = {}
    others: dict[str, None] = {}
    for ranking in rankings:
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
    return [*winners, *more[: max(0, LEAST - len(winners))]]


def _crowded_at(
    rows: Sequence[Row], ranks: int, size: int, question: Question
) -> list[tuple[Row, Turns]]:
    """Those of the rows that are ahead of others there only by crowded ports."""
    here = [row for row in rows if row.accepts(ranks, question.given(row, ranks))]
    counters = {row: question.recording(row, ranks).counters for row in here}
    here = [row for row in here if counters[row].messages <= MOST_MESSAGES]
    if all(counters[row].ports < 2 for row in here):
        return []
    timed = [(row, question.turns(row, ranks, size)) for row in here]
    timed.sort(key=lambda one: one[1].at_once)
    return [timed[place] for place in overtaken([turns for _, turns in timed])]
