"""A step: a table of simultaneous transfers, one numpy column per property, and its two verbs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from collectives.schedule.columns import (
    Booleans,
    Column,
    Integers,
    Numbers,
    common_shape,
    constant,
    frozen,
    integers,
    joined,
    owned,
    repeated,
)
from collectives.words import plural

if TYPE_CHECKING:
    from collectives.schedule.provenance import Stamp, Standing


Matrix = tuple[tuple[int, ...], ...]  # of ranks: a group in each row
COLUMNS = ("src", "dst", "chunk", "into", "count", "reduces", "origin")  # and "needs" if any
columns_of = attrgetter(*COLUMNS)
SHOWN_TRANSFERS = 4  # transfers in one line

_ONES: Integers = np.ones(1, np.intp)


@dataclass(frozen=True, eq=False)
class Step:
    """Simultaneous transfers: every row reads before any row writes. Made by `send` and `reduce`.

    Parameters
    ----------
    src, dst : int array, shape (rows,)
        The node that each row reads from, and the one it writes to; equal for a local move.
    chunk, into : int array, shape (rows,)
        The first slot that is read on src, and the first that is written on dst.
    count : int array, shape (rows,)
        The number of consecutive slots.
    reduces : bool array, shape (rows,)
        Whether the row adds into the destination; else it overwrites it.
    origin : int array, shape (rows,)
        The index in `stamps` of the source lines that made the row.
    stamps : tuple
        Stacks of source lines, outermost first.
    needs : int array, shape (rows,), optional
        The first of `count` slots of src from which it computed what it sends: they have to be
        written before the row starts, but do not move.
    groups : tuple
        For each stamp the matrix of ranks on whose rows `within` ran it (the innermost of several),
        empty where none did; empty altogether where no stamp has one.

    standing : tuple
        Of programs of single ranks: where each stands, and whom it waits for.

    All columns are read-only.

    Examples
    --------
    >>> step = send([0, 1], 2, chunk=[0, 1])
    >>> len(step), step.dst, step.reduces
    (2, array([2, 2]), array([False, False]))
    """

    src: Integers
    dst: Integers
    chunk: Integers
    into: Integers
    count: Integers
    reduces: Booleans
    origin: Integers
    stamps: tuple[Stamp, ...] = ((),)
    needs: Integers | None = None
    groups: tuple[Matrix, ...] = ()
    standing: tuple[Standing, ...] = ()

    def __len__(self) -> int:
        """Number of rows (transfers, local moves included)."""
        return len(self.src)

    def __str__(self) -> str:
        """The rows as `table` shows them."""
        return "   ".join(
            f"{src}→{dst} {'+' if adds else '='}{_slots(chunk, count)}"
            + (f":{_slots(into, count)}" if into != chunk else "")
            + (f" needs {_slots(needs, count)}" if needs != chunk else "")
            for (src, dst, chunk, into, count, adds), needs in zip(
                rows(self), self.needed.tolist(), strict=True
            )
        )

    def __repr__(self) -> str:
        """One line: how many transfers, and the first ones."""
        text = str(self.select(slice(SHOWN_TRANSFERS)))
        more = "   …" if len(self) > SHOWN_TRANSFERS else ""
        return f"<Step: {plural(len(self), 'transfer')}: {text}{more}>"

    def _repr_html_(self) -> str:
        from collectives.notebook_display import step_html

        return step_html(self)

    @property
    def needed(self) -> Integers:
        """The first slot of src that has to be written before each row starts."""
        return self.chunk if self.needs is None else self.needs

    @property
    def grouped(self) -> tuple[Matrix, ...]:
        """The matrix of ranks of each stamp, empty where `within` did not run it."""
        return self.groups or ((),) * len(self.stamps)

    def select(self, rows: Integers | slice) -> Step:
        """The step of these rows only, in this order."""
        columns = {name: frozen(column[rows]) for name, column in self.columns().items()}
        return Step(**columns, stamps=self.stamps, groups=self.groups, standing=self.standing)

    def columns(self) -> dict[str, Column]:
        """The columns by name, all of the same length; `needs` if there is one."""
        columns = dict(zip(COLUMNS, columns_of(self), strict=True))
        return columns if self.needs is None else columns | {"needs": self.needs}

    def unrolled(self) -> Step:
        """The same step with one row per slot, so that every count is 1."""
        if constant(self.count) == 1 or (self.count == 1).all():
            return self
        row = np.repeat(np.arange(len(self)), self.count)
        offset = np.arange(len(row)) - np.repeat(np.cumsum(self.count) - self.count, self.count)
        rows = self.select(row)
        return replace(
            rows,
            chunk=frozen(rows.chunk + offset),
            into=frozen(rows.into + offset),
            count=_constant(1, len(row)),
            needs=None if rows.needs is None else frozen(rows.needs + offset),
        )

    def under(self, stack: Stamp) -> Step:
        """The same step with these source lines outside each of its stamps."""
        if not stack:
            return self
        return self.like(self.src, self.dst, tuple(stack + stamp for stamp in self.stamps))

    def like(self, src: Integers, dst: Integers, stamps: tuple[Stamp, ...]) -> Step:
        """The same step with other nodes and stamps: as `replace`, in a sixth of the time."""
        copy = object.__new__(Step)
        copy.__dict__.update(self.__dict__, src=src, dst=dst, stamps=stamps)
        return copy


def send(
    src: Numbers,
    dst: Numbers,
    chunk: Numbers = 0,
    into: Numbers | None = None,
    count: Numbers = 1,
    needs: Numbers | None = None,
) -> Step:
    """A step in which node src overwrites slot `into` of node dst with its slot `chunk`.

    Parameters
    ----------
    src, dst, chunk : int or array of int
        Nodes and slots; arguments broadcast as in numpy, and each element is one transfer.
    into : int or array of int, optional
        The slot that is written; default: the same as `chunk`.
    count : int or array of int
        The number of consecutive slots that move.
    needs : int or array of int, optional
        Another slot of src, from which it computed what it sends: the transfer cannot start
        before that slot is written.

    Returns
    -------
    Step
        To be yielded by a schedule.

    Raises
    ------
    WrongSchedule
        If a value is not an integer, or shapes do not broadcast.

    Examples
    --------
    >>> print(send([0, 1], 2, chunk=[0, 1]))
    0→2 =0   1→2 =1
    >>> print(send(1, 2, chunk=0, into=1, needs=1))
    1→2 =0:1 needs 1
    """
    return _step(False, src, dst, chunk, into, count, needs)


def reduce(
    src: Numbers,
    dst: Numbers,
    chunk: Numbers = 0,
    into: Numbers | None = None,
    count: Numbers = 1,
    needs: Numbers | None = None,
) -> Step:
    """A step in which node src adds its slot `chunk` into slot `into` of node dst.

    An empty slot takes the value.

    Parameters
    ----------
    src, dst, chunk, into, count, needs : int or array of int
        As in `send`.

    Returns
    -------
    Step
        To be yielded by a schedule.

    Raises
    ------
    WrongSchedule
        As in `send`.

    Examples
    --------
    >>> print(reduce(0, [1, 2], chunk=3, into=4))
    0→1 +3:4   0→2 +3:4
    """
    return _step(True, src, dst, chunk, into, count, needs)


def merged(steps: Sequence[Step]) -> Step:
    """One step of all rows of several steps, in their order, each keeping its stamp."""
    if len(steps) == 1:
        return steps[0]
    columns = {name: joined([getattr(step, name) for step in steps]) for name in COLUMNS[:-1]}
    if all(step.into is step.chunk for step in steps):
        columns["into"] = columns["chunk"]
    if any(step.needs is not None for step in steps):
        columns["needs"] = joined([step.needed for step in steps])
    first = np.cumsum([0] + [len(step.stamps) for step in steps])
    origin = np.concatenate([step.origin + k for step, k in zip(steps, first, strict=False)])
    stamps = tuple(stamp for step in steps for stamp in step.stamps)
    grouped = any(step.groups for step in steps)
    groups = tuple(matrix for step in steps for matrix in step.grouped) if grouped else ()
    return Step(**columns, origin=frozen(origin), stamps=stamps, groups=groups, standing=())


def table(schedule: Iterable[Step]) -> str:
    """A schedule as text, a line per step: `0→1 +2` adds chunk 2 of rank 0 into rank 1.

    Parameters
    ----------
    schedule : iterable of Step
        Empty steps are left out.

    Returns
    -------
    str
        `+` adds and `=` overwrites; `2:5` is read from slot 2 and written to slot 5, `2..4` are
        three slots, `needs 6` waits for slot 6.

    Examples
    --------
    >>> print(table([send(0, 1), send([0, 1], [2, 3])]))
    step 1   0→1 =0
    step 2   0→2 =0   1→3 =0
    """
    from collectives.schedule.stamping import stamped

    steps = (step for step in stamped(schedule) if len(step))
    return "\n".join(f"step {k}   {step}" for k, step in enumerate(steps, 1))


def rows(step: Step) -> Iterator[tuple[int, int, int, int, int, bool]]:
    """Each row as (src, dst, chunk, into, count, adds) in plain Python values."""
    columns = (step.src, step.dst, step.chunk, step.into, step.count, step.reduces)
    return zip(*(column.tolist() for column in columns), strict=True)


@lru_cache(64, typed=True)
def _constant(value: int, length: int) -> Column:
    """A column of this value in every row, shared by the steps of a schedule."""
    return repeated(np.array([value], np.bool_ if isinstance(value, bool) else np.intp), length)


def _slots(first: int, count: int) -> str:
    return f"{first}" if count == 1 else f"{first}..{first + count - 1}"


def _step(
    adds: bool,
    src: Numbers,
    dst: Numbers,
    chunk: Numbers,
    into: Numbers | None,
    count: Numbers,
    needs: Numbers | None,
) -> Step:
    base = [integers(src, "src"), integers(dst, "dst"), integers(chunk, "chunk")]
    if into is not None:
        base.append(integers(into, "into"))
    unit = isinstance(count, int) and count == 1
    counts = _ONES if unit else integers(count, "count")
    needed = [] if needs is None else [integers(needs, "needs")]
    shape = common_shape([*base, *needed] if unit else [*base, *needed, counts])
    columns = [owned(column, shape) for column in base]
    length = len(columns[0])
    return Step(
        needs=owned(needed[0], shape) if needed else None,
        src=columns[0],
        dst=columns[1],
        chunk=columns[2],
        into=columns[-1],
        count=_constant(1, length) if unit else owned(counts, shape),
        reduces=_constant(adds, length),
        origin=_constant(0, length),
    )
