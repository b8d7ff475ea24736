"""Which algorithm is the fastest as a parameter or the number of ranks changes, and from where."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isfinite
from typing import Any

from collectives.catalog import NO_PARAMETERS, ROWS
from collectives.collective import find_collective
from collectives.cost.choose.explain import why_best
from collectives.cost.choose.ranking import RankedAlgorithm, Ranking, rank_algorithms
from collectives.cost.choose.setup import Setup
from collectives.cost.fault_texts import NO_FAULTS, Faults
from collectives.cost.time_facts import seconds_text
from collectives.errors import BadInput
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.units import size_text
from collectives.values import finite
from collectives.words import capital, nearest, plural, quoted, runs

RANKS = "n"  # the name by which the number of ranks is changed
MOST_VALUES = 32
MOST_COLUMNS = 5  # algorithms whose times are in the table: those that are the fastest most often
EXAMPLE = "topk=1,2,4,8"


@dataclass(frozen=True, repr=False)
class RankingsBy:
    """A ranking for each value of a parameter, or of the number of ranks.

    Attributes
    ----------
    name : str
        The parameter, or "n".
    values : tuple of int
        Its values, in ascending order.
    rankings : tuple of Ranking
        The ranking at each of them.
    size : int
        Bytes of the vector.
    """

    name: str
    values: tuple[int, ...]
    rankings: tuple[Ranking, ...]
    size: int

    def __repr__(self) -> str:
        """One line: which algorithm is the fastest where."""
        return f"<RankingsBy {self.name}: {self.sentence}>"

    @property
    def fastest(self) -> tuple[tuple[int, int, str], ...]:
        """The first and the last value of each run of values with one fastest algorithm."""
        pairs = zip(self.values, (ranking.best.name for ranking in self.rankings), strict=True)
        runs = [(name, [value for value, _ in run]) for name, run in groupby(pairs, lambda p: p[1])]
        return tuple((values[0], values[-1], name) for name, values in runs)

    @property
    def sentence(self) -> str:
        """Which algorithm is the fastest where."""
        runs = self.fastest
        if len(runs) == 1:
            return f"{runs[0][2]} is the fastest at each of these values"
        parts = []
        for first, last, name in runs:
            where = (
                f"{self.name} = {first}" if first == last else f"{self.name} = {first} to {last}"
            )
            parts.append(f"{name} at {where}")
        return f"fastest: {'; '.join(parts)}"

    def lines(self) -> Lines:
        """A line for each value, then where another algorithm becomes the fastest, and why."""
        first = self.rankings[0].best.timing
        parts = [first.recording.collective.title]
        if self.name != RANKS:
            parts.append(plural(first.asked.ranks, "rank"))
        yield Heading(" · ".join([*parts, size_text(self.size), f"by {self.name}"]))
        yield f"  on {first.topology.name}, {first.clock} clock"
        yield ""
        names = self._columns
        rows = [self._cells(at, names) for at in range(len(self.values))]
        yield Grid(rows, [self.name, *names, "fastest"], range(len(names) + 1))
        yield ""
        sentence = self.sentence
        yield Paragraph(f"{sentence[0].upper()}{sentence[1:]}.")
        for start, _, _ in self.fastest:
            ranking = self.rankings[self.values.index(start)]
            yield Paragraph(f"At {self.name} = {start}: {why_best(ranking)}.")
        for (algorithm, why), values in self._missing(names).items():
            where = f"{self.name} = {', '.join(runs(values))}"
            yield Paragraph(f"{capital(algorithm)} is left out at {where}: {why}.")

    def as_json(self) -> dict[str, Any]:
        """The same as values; seconds are null for what never ends."""
        first = self.rankings[0].best.timing
        return {
            "collective": first.asked.collective.name,
            "ranks": None if self.name == RANKS else first.asked.ranks,
            "by": self.name,
            "size": self.size,
            "topology": first.topology.name,
            "clock": first.clock,
            "values": [
                {
                    "value": value,
                    "fastest": ranking.best.name,
                    "seconds": {entry.name: finite(entry.seconds) for entry in ranking.timed},
                    "left_out": {row.algorithm: why for row, why in ranking.left_out},
                }
                for value, ranking in zip(self.values, self.rankings, strict=True)
            ],
            "fastest": [
                {"from": first, "to": last, "algorithm": name} for first, last, name in self.fastest
            ],
        }

    def _missing(self, names: Sequence[str]) -> dict[tuple[str, str], list[int]]:
        """The algorithms of the table that have no time at some values, and why, with these."""
        missing: dict[tuple[str, str], list[int]] = {}
        for value, ranking in zip(self.values, self.rankings, strict=True):
            for row, why in ranking.left_out:
                if row.algorithm in names:
                    missing.setdefault((row.algorithm, why), []).append(value)
        return missing

    @property
    def _columns(self) -> list[str]:
        """The algorithms of the table: those that are the fastest, then those that come near."""
        best = [ranking.best.name for ranking in self.rankings]
        place: dict[str, list[int]] = {}
        for ranking in self.rankings:
            for at, entry in enumerate(ranking.timed):
                place.setdefault(entry.name, []).append(at)
        near = sorted(place, key=lambda name: sum(place[name]) / len(place[name]) ** 2)
        return list(dict.fromkeys([*best, *near]))[: max(MOST_COLUMNS, len({*best}))]

    def _cells(self, at: int, names: Sequence[str]) -> list[str]:
        timed: dict[str, RankedAlgorithm] = {entry.name: entry for entry in self.rankings[at].timed}
        times = [seconds_text(timed[name].seconds) if name in timed else "" for name in names]
        return [str(self.values[at]), *times, self.rankings[at].best.name]


def rankings_by(
    collective: str,
    name: str,
    values: Sequence[int],
    ranks: int,
    size: int,
    setup: Setup,
    root: int = 0,
    parameters: Mapping[str, int] = NO_PARAMETERS,
    faults: Faults = NO_FAULTS,
) -> RankingsBy:
    """Rank all algorithms of a collective at each value of a parameter, or number of ranks.

    Parameters
    ----------
    collective : str
        Its name.
    name : str
        A parameter that one of its algorithms takes, such as "topk"; "n" for the number of ranks.
    values : sequence of int
        At most 32.
    ranks, size, setup, root, parameters
        As of a ranking; `ranks` is not used where it is what changes.
    faults : Faults
        Slow, late and broken ranks and links, at each number of ranks.

    Returns
    -------
    RankingsBy
        The rankings, in ascending order of the values.

    Raises
    ------
    BadInput
        For a parameter that no algorithm takes, and a value that none accepts.
    """
    promise = find_collective(collective)
    rows = [row for row in ROWS if row.collective == promise.name]
    known = sorted({take.name for row in rows for take in row.takes if not take.ways})
    if name != RANKS and name not in known:
        why = f"no {promise.title} algorithm has this parameter"
        raise BadInput(f"--by {quoted(name)}: {why}; {nearest(name, [RANKS, *known])}")
    if name in parameters:
        raise BadInput(f"-p {name}={parameters[name]}: --by changes it; leave one of them out")
    numbers = tuple(sorted(set(values)))
    if not 2 <= len(numbers) <= MOST_VALUES:
        total = plural(len(numbers), "different value")
        raise BadInput(f"--by {name}: {total}, must be 2 to {MOST_VALUES}; try: {EXAMPLE}")
    rankings = []
    for value in numbers:
        here = value if name == RANKS else ranks
        chosen = dict(parameters) if name == RANKS else {**parameters, name: value}
        try:
            there = faults.of(setup, here)
            rankings.append(rank_algorithms(collective, here, size, there, root, chosen))
        except BadInput as problem:
            raise BadInput(f"--by {name}={value}: {problem}") from None
    if not any(isfinite(ranking.best.seconds) for ranking in rankings):
        raise BadInput(f"--by {name}: no algorithm ever ends here; leave out a dead link")
    return RankingsBy(name, numbers, tuple(rankings), size)


def parse_by(text: str, option: str = "--by") -> tuple[str, tuple[int, ...]]:
    """A parameter and its values.

    >>> parse_by("topk=1-3,8"), parse_by("skew=0,2")
    (('topk', (1, 2, 3, 8)), ('skew', (0, 2)))
    """
    name, _, rest = text.partition("=")
    values: list[int] = []
    for part in rest.split(","):
        match = re.fullmatch(r"\s*(\d{1,7})\s*(?:-\s*(\d{1,7})\s*)?", part, re.ASCII)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not re.fullmatch(r"\s*[a-z]+\s*", name) or last < first:
            rule = "must be NAME=A,B or NAME=A-B, in whole numbers"
            raise BadInput(f"{option} {quoted(text)}: {rule}; try: {EXAMPLE}")
        if last - first >= MOST_VALUES:
            total = last - first + 1
            raise BadInput(f"{option} {quoted(text)}: {total} values, at most {MOST_VALUES}")
        values += range(first, last + 1)
    return name.strip(), tuple(values)
