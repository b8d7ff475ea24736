"""The paragraph on a step that reads or needs a slot into which nothing was ever written."""

from __future__ import annotations

import numpy as np

from collectives.proof.diagnosis.words import Words, lines, named, stamp_of
from collectives.recording.recording import Recording
from collectives.schedule import Step


def explained(recording: Recording) -> str:
    """Which transfer reads an empty slot first, and where it would find what it looks for."""
    slots = recording.slots
    full = np.zeros(recording.nodes * slots, np.bool_)
    full[: recording.precondition.size] = recording.precondition.ravel()
    for number, step in enumerate(recording.steps, 1):
        rows = step.unrolled()
        for slot in (rows.chunk, rows.needs):
            if slot is not None and not full[cells := rows.src * slots + slot].all():
                row = int((~full[cells]).argmax())
                return _told(recording, number, step, row, int(slot[row]), full)
        full[rows.dst * slots + rows.into] = True
    raise AssertionError("no step reads an empty slot")


def _told(
    recording: Recording, number: int, step: Step, row: int, slot: int, full: np.ndarray
) -> str:
    words, rows, slots = Words(recording), step.unrolled(), recording.slots
    src, dst, chunk = int(rows.src[row]), int(rows.dst[row]), int(rows.chunk[row])
    verb = "adds" if rows.reduces[row] else "sends"
    into, here = words.slot((dst, int(rows.into[row]))), words.slot((src, slot))
    needs = f" and needs {here} for it" if slot != chunk else ""
    said = (
        f"step {number}{lines(stamp_of(step, row))}: {words.node(src)} {verb} its slot {chunk} "
        f"into {into}{needs}, but nothing was written into {here} before"
    )
    for later in range(number, len(recording.steps) + 1):
        writing = recording.steps[later - 1].unrolled()
        hits = np.flatnonzero((writing.dst == src) & (writing.into == slot))
        if not len(hits):
            continue
        if later == number:
            return (
                f"{said}. {words.node(int(writing.src[hits[0]])).capitalize()} writes it in this "
                "very step, but a step reads everything before it writes; read it a step later"
            )
        at = lines(stamp_of(recording.steps[later - 1], int(hits[0])))
        return f"{said}. It is first written in step {later}{at}"
    holders = np.flatnonzero(full.reshape(-1, slots)[: recording.ranks, slot]).tolist()
    has = f"only {named(holders)} has" if len(holders) == 1 else f"{named(holders)} have"
    there = f"; by then {has} something in slot {slot}" if holders else ""
    return f"{said}, and no step ever writes there{there}"
