"""Two judges of a mutant: the package's check, and an interpreter that has none of its code."""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32

import interpreter
import numpy as np
from interpreter import Cell, Held, Layout, begin, ruled
from mutants import Mutant, Table, mutants
from promise import Promise, promise

from collectives import Recording, Step, record
from collectives.catalog import Row
from collectives.errors import WrongSchedule
from collectives.proof.prove import prove

BROKEN = (interpreter.EmptyReadError, interpreter.ConflictError, interpreter.RangeError)
SAME = "same"  # after every step
AT_THE_END = "same at the end"
NOT_PROMISED = "not promised"
MORE_THAN_ONCE = "more than once"


class Judgment(NamedTuple):
    """What the interpreter finds: whether a mutant is right, and why, or what is wrong."""

    right: bool
    why: str


class Case:
    """An algorithm of the catalog on n ranks, root 1, two chunks in a pipeline, defaults else.

    uneven: every chunk has another size, so that the rule of sizes takes part.
    """

    def __init__(self, row: Row, ranks: int, uneven: bool = False) -> None:
        self.row, self.ranks, self.uneven = row, ranks, uneven
        self.original = record(
            row.collective,
            row.algorithm,
            ranks=ranks,
            root=min(1, ranks - 1) if row.promise.rooted else 0,
            chunks=2 if "chunks" in row.parameters else None,
        )
        self.steps = list(self.original.steps)
        self.tables = [interpreter.rows(step) for step in self.steps]
        chunk_count = self.original.chunk_count
        self.counts = [ranks * (k + 1) if uneven else ranks for k in range(chunk_count)]
        self.layout = Layout(self.original.nodes, self.original.slots, tuple(self.counts))
        self.promise: Promise = promise(
            row.collective, row.algorithm, ranks, chunk_count, self.original.root
        )
        self.states: list[Held] = [begin(self.promise.before, self.layout)]
        for table in self.tables:
            self.states.append(ruled(self.states[-1], table, self.layout))

    def __str__(self) -> str:
        """The algorithm and its ranks, for messages."""
        return f"{self.row.title} on {self.ranks} ranks{', uneven' if self.uneven else ''}"

    def mutants(self, most: int | None = None) -> list[Mutant]:
        """All mutants, or those `most` that come first by a checksum of their names."""
        found = list(mutants(self.tables, self.layout.nodes, self.layout.slots))
        if most is None or len(found) <= most:
            return found
        order = sorted(range(len(found)), key=lambda k: crc32(found[k].name.encode()))
        return [found[k] for k in sorted(order[:most])]

    def recorded(self, mutant: Mutant) -> Recording:
        """The recording of a mutant; raises WrongSchedule where a step breaks a rule."""
        same = mutant.first
        rest = [step(table) for table in mutant.tables[same:] if table]
        barrier = self.row.collective == "barrier"
        return record(
            [*self.steps[:same], *rest],
            self.row.algorithm,
            collective=self.original.collective,
            ranks=self.ranks,
            root=self.original.root,
            counts=None if barrier else self.counts,
            slots=self.original.chunk_count,
            scratch=self.original.slots - self.original.promised_slots,
            nodes=self.original.nodes,
        )

    def checked(self, mutant: Mutant) -> str:
        """What the package has against a mutant; nothing if its check passes."""
        try:
            verdict = prove(self.recorded(mutant))
        except WrongSchedule as problem:
            return str(problem)
        return "" if verdict else verdict.text

    def interpreted(self, mutant: Mutant) -> Judgment:
        """What the interpreter finds."""
        held, alike = self.states[mutant.first], len(mutant.tables) == len(self.tables)
        for number, table in enumerate(mutant.tables[mutant.first :], mutant.first + 1):
            try:
                held = ruled(held, table, self.layout)
            except BROKEN as problem:
                return Judgment(False, f"step {number}: {type(problem).__name__} {problem}")
            except interpreter.UnequalError as problem:
                return Judgment(False, f"step {number}: unequal sizes {problem}")
            alike = alike and equal(held, self.states[number])
        for cell, due in self.promise.after.items():
            found = content(held, cell)
            if (found if self.promise.exactly_once else sorted(set(found))) != due:
                return Judgment(False, f"at the end slot {cell[1]} of rank {cell[0]} has {found}")
        return Judgment(True, SAME if alike else self._reason(held))

    def _reason(self, held: Held) -> str:
        """Why the end is right although something else happened on the way."""
        last = self.states[-1]
        if equal(held, last):
            return AT_THE_END
        if all(content(held, cell) == content(last, cell) for cell in self.promise.after):
            return NOT_PROMISED
        return MORE_THAN_ONCE


def content(held: Held, cell: Cell) -> list[Cell]:
    """The contributions in a slot, each as often as it is in it."""
    return sorted(held[cell].parts) if cell in held else []


def equal(one: Held, other: Held) -> bool:
    """Whether all slots hold the same."""
    return one.keys() == other.keys() and all(content(one, c) == content(other, c) for c in one)


def step(table: Table) -> Step:
    """The package's step of these rows."""
    src, dst, chunk, into, count, adds = (np.array(column) for column in zip(*table, strict=True))
    return Step(src, dst, chunk, into, count, adds, origin=np.zeros(len(table), np.intp))
