"""Tables of nccl-tests: their rows, and the numbers of ranks that their rates agree with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_RANKS = 1 << 16  # of a file


@dataclass(frozen=True)
class Timed:
    """One measurement: seconds and bytes per second. wrong: results that are, where checked."""

    seconds: float
    algbw: float
    busbw: float
    wrong: int | None = None


@dataclass(frozen=True)
class BenchmarkRow:
    """A line of a table; None where something is not measured. root: -1 or None where none is."""

    line: int
    size: int
    kind: str
    op: str
    root: int | None
    out_of_place: Timed | None
    in_place: Timed | None

    @property
    def timed(self) -> Timed | None:
        """The measurement out of place, else in place."""
        return self.out_of_place or self.in_place

    @property
    def seconds(self) -> float:
        """The time of that; inf where nothing was measured."""
        return float("inf") if self.timed is None else self.timed.seconds


@dataclass
class Table:
    """The rows of a run, and what its header tells; empty where it does not.

    operation: as nccl-tests calls it. ranks: of a communicator. hosts, devices: each name once.
    """

    operation: str = ""
    ranks: int = 0
    hosts: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    rows: list[BenchmarkRow] = field(default_factory=list)


def ranks_by_rates(table: Table) -> Iterator[int]:
    """The numbers of ranks for which busbw is what it should be of the largest algbw.

    >>> one = Timed(1.0, 259.78e9, 487.09e9)
    >>> row = BenchmarkRow(1, 8, "", "", None, one, None)
    >>> list(ranks_by_rates(Table("all_reduce", rows=[row])))
    [16]
    """
    best = _largest(table)
    if best is not None:
        yield from (n for n in range(1, MAX_RANKS + 1) if _fits(best, table.operation, n))


def has_rates_of(table: Table, operation: str, ranks: int) -> bool:
    """Whether busbw is what it should be of the largest algbw; false where that is too small."""
    best = _largest(table)
    return best is not None and _fits(best, operation, ranks)


def _largest(table: Table) -> Timed | None:
    """The measurement with the largest algbw, None where its digits are too few."""
    every = [timed for row in table.rows if (timed := row.timed) is not None]
    best = max(every, key=lambda timed: timed.algbw, default=None)
    return best if best is not None and best.algbw >= 1e8 else None


def _fits(timed: Timed, operation: str, ranks: int) -> bool:
    from collectives.cost.busbw import factor

    rounded = 0.006e9 * (1 + timed.busbw / timed.algbw)  # half of the last digit, of both
    return abs(float(factor(operation, ranks)) * timed.algbw - timed.busbw) <= rounded
