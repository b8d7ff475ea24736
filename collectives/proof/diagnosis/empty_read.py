"""The first transfer that reads a slot into which nothing was written, and what is said of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from collectives.collective import Cells
from collectives.proof.diagnosis.history import Cell
from collectives.proof.diagnosis.phrases import DiagnosisPhrases, lines, named, stamp_of
from collectives.recording.recording import Recording
from collectives.schedule import Step
from collectives.words import Worded, capital


class EmptyRead(NamedTuple):
    """Row `row` of step `number`, slot by slot, reads `cell`; `full` are the cells that are not."""

    number: int
    step: Step
    row: int
    cell: Cell
    full: Cells


def empty_read(recording: Recording) -> EmptyRead | None:
    """The first transfer that reads or needs an empty slot; None where none does."""
    slots = recording.slots
    full = np.zeros(recording.nodes * slots, np.bool_)
    full[: recording.precondition.size] = recording.precondition.ravel()
    for number, step in enumerate(recording.steps, 1):
        rows = step.unrolled()
        for slot in (rows.chunk, rows.needs):
            if slot is not None and not full[cells := rows.src * slots + slot].all():
                row = int((~full[cells]).argmax())
                cell = int(rows.src[row]), int(slot[row])
                return EmptyRead(number, step, row, cell, full.reshape(-1, slots))
        full[rows.dst * slots + rows.into] = True
    return None


def explained_read(recording: Recording) -> str:
    """Which transfer reads an empty slot first, and where it would find what it looks for."""
    read = empty_read(recording)
    assert read, "no step reads an empty slot"
    return Worded(
        "step {step}{place}: {reads}{more}",
        step=read.number,
        place=lines(stamp_of(read.step, read.row)),
        reads=read_sentence(recording, read),
        more=_written(recording, read),
    )


def read_sentence(recording: Recording, read: EmptyRead) -> str:
    """What the transfer tries to do."""
    words, rows, row = DiagnosisPhrases(recording), read.step.unrolled(), read.row
    src, dst, chunk = int(rows.src[row]), int(rows.dst[row]), int(rows.chunk[row])
    verb = "adds" if rows.reduces[row] else "sends"
    source = Worded(f"{{node}} {verb} its slot {{slot}}", node=words.node(src), slot=chunk)
    way = Worded(
        "{source} into {target}", source=source, target=words.slot((dst, int(rows.into[row])))
    )
    needs = " and needs {here} for it" * bool(read.cell[1] != chunk)
    pattern = f"{{way}}{needs}, but nothing was written into {{here}} before"
    return Worded(pattern, way=way, here=words.slot(read.cell))


def _written(recording: Recording, read: EmptyRead) -> str:
    """When the slot is written after all, or who has what belongs there."""
    words, (src, slot) = DiagnosisPhrases(recording), read.cell
    for later in range(read.number, len(recording.steps) + 1):
        writing = recording.steps[later - 1].unrolled()
        hits = np.flatnonzero((writing.dst == src) & (writing.into == slot))
        if not len(hits):
            continue
        if later == read.number:
            return Worded(
                ". {node} writes it in this very step, but a step reads everything before it "
                "writes; read it a step later",
                node=capital(words.node(int(writing.src[hits[0]]))),
            )
        at = lines(stamp_of(recording.steps[later - 1], int(hits[0])))
        return Worded(". It is first written in step {step}{place}", step=later, place=at)
    holders = np.flatnonzero(read.full[: recording.ranks, slot]).tolist()
    has = "only {who} has" if len(holders) == 1 else "{who} have"
    there = f"; by then {has} something in slot {{slot}}" * bool(holders)
    pattern = f", and no step ever writes there{there}"
    return Worded(pattern, who=named(holders) if holders else "", slot=slot)
