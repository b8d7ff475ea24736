"""The order in which an algorithm adds: its steps, executed on names instead of numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from collectives.errors import BadInput
from collectives.recording.memory import Memory, execute
from collectives.recording.payload import OPERATORS, is_float
from collectives.recording.recording import Recording, check_recording
from collectives.schedule import Step
from collectives.words import ranges

MAX_WRITTEN_RANKS = 16  # whose sums are written out
MAX_WRITTEN_SLOTS = 1 << 14  # slots of all nodes


@dataclass(frozen=True)
class Term:
    """A sum that is not computed: the numbers of the ranks whose data it adds, and how.

    Adding two makes a larger one. Of two terms the one with more ranks comes first, then the
    one with the lower rank: a + b and b + a are the same number, also in floats.
    `roundings` counts for each rank how often its data was quantized for a message; `quantized`
    says whether the term is as it was in a message.
    """

    ranks: tuple[int, ...]
    text: str
    roundings: tuple[int, ...] = (0,)
    quantized: bool = False

    @classmethod
    def of(cls, rank: int) -> Term:
        """The data of a rank."""
        return cls((rank,), f"x{rank}")

    def sent(self) -> Term:
        """The term as a quantized message carries it; what came in one is passed on as it is."""
        if self.quantized:
            return self
        return Term(self.ranks, self.text, tuple(times + 1 for times in self.roundings), True)

    def __add__(self, other: Term) -> Term:
        """The sum, in brackets."""
        return self._with(other, "+")

    def __mul__(self, other: Term) -> Term:
        """The product, in brackets."""
        return self._with(other, "*")

    def _with(self, addend: Term, sign: str) -> Term:
        first, second = sorted((self, addend), key=lambda term: (-len(term.ranks), term.ranks))
        text = f"({first.text} {sign} {second.text})"
        return Term(first.ranks + second.ranks, text, first.roundings + second.roundings)

    def __str__(self) -> str:
        """The sum without its outermost brackets."""
        return self.text[1:-1] if self.text.startswith("(") else self.text


@dataclass(frozen=True, repr=False)
class Sum:
    """One way to add, and the cells it ends in: (rank, slot) of what is promised.

    `roundings` has for each rank that is added how often its data is rounded on the way, at
    most, if messages are quantized (fp8, int8): a rank rounds what it sends and keeps it so,
    adds in full precision, and passes on what is rounded as it is.
    """

    expression: str
    cells: tuple[tuple[int, int], ...]
    roundings: Mapping[int, int]

    def __repr__(self) -> str:
        """One line: the expression, and where it ends."""
        chunks, ranks = ranges(self.chunks), ranges(self.ranks)
        return f"<Sum: {self.expression}, in chunk {chunks} of rank {ranks}>"

    @property
    def ranks(self) -> list[int]:
        """The ranks that end with it."""
        return sorted({rank for rank, _ in self.cells})

    @property
    def chunks(self) -> list[int]:
        """The chunks that are added like this."""
        return sorted({slot for _, slot in self.cells})

    @property
    def shape(self) -> str:
        """The brackets alone: two sums of one shape differ in who comes first."""
        return re.sub(r"x\d+", "x", self.expression)


def addition_order(recording: Recording) -> list[Sum]:
    """The different sums of a recording that reduces, in the order of the cells they end in.

    Parameters
    ----------
    recording : Recording
        Of a collective that reduces.

    Returns
    -------
    list of Sum
        Each with its expression, in which x0 is the data of rank 0, where it ends, and through
        how many roundings each rank's data goes if messages are quantized.

    Raises
    ------
    BadInput
        Where nothing is reduced, and for more slots than can be followed.

    Examples
    --------
    >>> from collectives import record
    >>> for found in addition_order(record("all_reduce", "tree", ranks=3)):
    ...     print(found.expression, found.ranks, found.chunks)
    (x0 + x1) + x2 [0, 1, 2] [0]
    >>> addition_order(record("all_reduce", "two-shot", ranks=3))[0].roundings
    {0: 2, 1: 2, 2: 2}
    """
    check_recording(recording)
    if not recording.collective.reduces:
        raise BadInput(f"{recording.title} adds nothing; try: an all-reduce")
    cells = recording.nodes * recording.slots
    if cells > MAX_WRITTEN_SLOTS:
        limit = f"{MAX_WRITTEN_SLOTS:,}"
        raise BadInput(f"{recording.title} has {cells:,} slots; sums are written for up to {limit}")
    memory = initial_terms(recording)
    operator = OPERATORS["prod" if recording.op == "prod" else "sum"]
    for number, step in enumerate(recording.steps, 1):
        _quantize(step.unrolled(), memory)
        execute([step], memory, operator, number)
    cells_of: dict[str, list[tuple[int, int]]] = {}
    rounded: dict[str, dict[int, int]] = {}
    for rank, slot in np.argwhere(recording.postcondition).tolist():
        term = memory.values[rank, slot, 0]
        cells_of.setdefault(str(term), []).append((rank, slot))
        roundings = rounded.setdefault(str(term), {})
        for source, times in sorted(zip(term.ranks, term.roundings, strict=True)):
            roundings[source] = max(times, roundings.get(source, 0))
    return [
        Sum(expression, tuple(cells), rounded[expression]) for expression, cells in cells_of.items()
    ]


def matters(recording: Recording) -> bool:
    """Whether another order can have another result: sums and products of floats, on few ranks."""
    few = (
        recording.nodes * recording.slots <= MAX_WRITTEN_SLOTS
        and 1 < recording.ranks <= MAX_WRITTEN_RANKS
    )
    rounds = is_float(recording.dtype) and recording.op not in ("min", "max")
    return few and rounds and recording.collective.reduces


def _quantize(step: Step, memory: Memory) -> None:
    """Round what a step sends to other nodes, where it is sent from: all end with the same."""
    cells = np.stack([step.src, step.chunk], axis=1)[step.src != step.dst]
    for node, slot in np.unique(cells, axis=0).tolist():
        if (term := memory.values[node, slot, 0]) is not None:
            memory.values[node, slot, 0] = term.sent()


def initial_terms(recording: Recording) -> Memory:
    """A memory in which each rank's data is called x and its number."""
    values = np.empty((recording.nodes, recording.slots, 1), object)
    for rank, slot in np.argwhere(recording.precondition).tolist():
        values[rank, slot, 0] = Term.of(rank)
    return Memory(values, recording.precondition)
