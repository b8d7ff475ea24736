"""What files say of each rank's calls, whatever format they have: calls, counters, absences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from collectives.words import plural, ranges

ENQUEUED, STARTED, COMPLETED = "enqueued", "started", "completed"
CALLED = "called"  # and no line says more of it


@dataclass(frozen=True)
class ProcessGroup:
    """A process group, or a communicator, that lines are about.

    name: as a report says it. members: its ranks in order; none where no line says them. is_open:
    there may be more members. is_local: its ranks are positions in the group, not ranks of the job.
    where: what else is known of a rank, such as its GPU. standing: what the program says of all.
    is_mixed: its lines name no group, and may be of several.
    """

    key: str
    name: str
    members: tuple[int, ...] = ()
    is_local: bool = False
    where: dict[int, str] = field(default_factory=dict)
    standing: str = ""
    is_open: bool = False
    is_mixed: bool = False

    def identity(self, rank: int) -> str:
        """What tells a rank apart in all groups; nothing where it is only known in this one."""
        return self.where.get(rank, "") if self.is_local else f"rank {rank} of the job"

    @property
    def size_text(self) -> str:
        """How many ranks it has, as far as lines say it."""
        return f"{'at least ' * self.is_open}{plural(len(self.members), 'rank')}"

    def where_text(self, ranks: Sequence[int], limit: int = 4) -> str:
        """What is known of ranks: rank 3: GPU 4, process 5 on a; nothing where it is nothing."""
        known = [f"rank {rank}: {self.where[rank]}" for rank in ranks if rank in self.where]
        return "; ".join(known[:limit]) + f"; and {len(known) - limit} more" * (len(known) > limit)


def ranks_text(ranks: Sequence[int]) -> str:
    """Ranks by their numbers.

    >>> ranks_text([3]), ranks_text([0, 1, 2, 5])
    ('rank 3', 'ranks 0-2, 5')
    """
    return f"rank{'s' * (len(ranks) > 1)} {ranges(sorted(ranks))}"


@dataclass(frozen=True)
class Call:
    """A call of a rank, as a file has it.

    sequence: its number among the collectives of the group, the same on all ranks; of sends and
    receives the rank's own. elements_in, elements_out: -1 where no line says it. peer: the other
    rank of a send or receive, -2 where no line says it; -1 for collectives. order: its place among
    all calls of the rank. is_expired: it ran longer than its timeout. time: nanoseconds of the
    rank's own clock when it was enqueued; 0 where no line says it. origin: file and line.
    """

    group: str
    rank: int
    sequence: int
    operation: str
    state: str = ENQUEUED
    elements_in: int = -1
    elements_out: int = -1
    dtype: str = ""
    peer: int = -1
    order: int = 0
    is_expired: bool = False
    time: int = 0
    origin: str = ""

    @property
    def is_pending(self) -> bool:
        """Whether it is known that it had not completed."""
        return self.state not in (COMPLETED, CALLED)

    @property
    def is_collective(self) -> bool:
        """Whether all ranks of the group take part."""
        return self.peer == -1

    @property
    def text(self) -> str:
        """What it is: all_reduce of 1,024 elements (Float)."""
        if self.elements_in < 0:
            return self.operation
        size = plural(self.elements_in, "element")
        if self.elements_out not in (-1, self.elements_in):
            size = f"{self.elements_in:,} to {plural(self.elements_out, 'element')}"
        return f"{self.operation} of {size}{f' ({self.dtype})' if self.dtype else ''}"


@dataclass(frozen=True)
class RankProgress:
    """How far a rank is in a group; -1 where no line says it.

    operation: that of the counter, where each operation has one of its own.
    """

    group: str
    rank: int
    enqueued: int = -1
    completed: int = -1
    operation: str = ""
    origin: str = ""


@dataclass(frozen=True)
class Notice:
    """What a program itself says is wrong, beside calls.

    kind: "absent" (a rank, or process, that does not answer), "error" or "unnamed" (ranks that
    differ, but are not named). ranks: none where it names none.
    """

    kind: str
    text: str
    group: str = ""
    ranks: tuple[int, ...] = ()
    origin: str = ""


@dataclass(frozen=True)
class Evidence:
    """What files say together.

    kinds: the formats they have. looks: counters of queries before this one, the oldest first.
    notes: what a reader of a report should know of the files. is_expired: a program says that a
    call ran longer than its timeout.
    """

    groups: tuple[ProcessGroup, ...] = ()
    calls: tuple[Call, ...] = ()
    progress: tuple[RankProgress, ...] = ()
    notices: tuple[Notice, ...] = ()
    kinds: tuple[str, ...] = ()
    looks: tuple[tuple[RankProgress, ...], ...] = ()
    notes: tuple[str, ...] = ()
    is_expired: bool = False
