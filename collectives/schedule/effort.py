"""What the programs of single ranks may do together, so that those that never end are stopped."""

from __future__ import annotations

from dataclasses import dataclass, field

from collectives.errors import Endless
from collectives.schedule.provenance import Stamp, line_of

MAX_STEPS = 20_000
MAX_OPERATIONS = 400_000  # of few ranks together: seconds of work
MAX_UNMATCHED = 100_000  # of few ranks, begun before any is matched
NEAREST = " try: fewer chunks, or a schedule of all ranks (send, reduce)"


@dataclass
class Effort:
    """What the programs of so many ranks have done so far; raises Endless where it is too much."""

    ranks: int
    steps: int = field(default=0, init=False)
    operations: int = field(default=0, init=False)
    matched: int = field(default=0, init=False)  # operations that were begun at the last match
    limit: int = field(init=False)
    unmatched: int = field(init=False)

    def __post_init__(self) -> None:
        """Know the limits."""
        self.limit = most_operations(self.ranks)
        self.unmatched = MAX_UNMATCHED + 2 * self.ranks**2  # each may begin one to and from all

    def begin(self, operations: int, rank: int, stamp: Stamp) -> None:
        """Count operations that a rank begins, those that do nothing included."""
        self.operations += operations
        if self.operations - self.matched > self.unmatched:
            what = f"{self.unmatched} operations in a row of which none is matched"
            raise _endless(rank, stamp, what)
        if self.operations > self.limit:
            raise _endless(rank, stamp, f"{self.limit} operations of all ranks", NEAREST)

    def make_step(self, rank: int, stamp: Stamp) -> None:
        """Count a step, in which this rank sends: messages are matched."""
        self.steps, self.matched = self.steps + 1, self.operations
        if self.steps > MAX_STEPS:
            raise _endless(rank, stamp, f"{MAX_STEPS} steps of programs of ranks", NEAREST)


def most_operations(ranks: int) -> int:
    """The most operations of all ranks: the more ranks, the more, and enough for a ring of them.

    >>> [most_operations(ranks) for ranks in (2, 64, 1024)]
    [400016, 416384, 4594304]
    """
    return MAX_OPERATIONS + 4 * ranks**2


def _endless(rank: int, stamp: Stamp, what: str, near: str = "") -> Endless:
    """That this rank has come to more of something than is run."""
    where = f"rank {rank}{line_of(stamp)}"
    return Endless(f"{where}: more than {what} are not run; does it ever end?{near}")
