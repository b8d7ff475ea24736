"""Recordings and mutants of schedules as the page's machine takes them, and what Python finds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from collectives import Recording, Step
from collectives.errors import WrongSchedule
from collectives.proof.diagnosis.report import Report
from collectives.proof.prove import prove
from collectives.recording import payload
from collectives.recording.memory import EmptySlot, execute

AT_STEP = re.compile(r"step (\d+)")


def transfers(step: Step) -> list[list[int]]:
    """The rows of a step, slot by slot: src, dst, chunk, into, adds, and needs where it has any."""
    rows = step.unrolled()
    columns = [rows.src, rows.dst, rows.chunk, rows.into, rows.reduces.astype(int)]
    columns += [] if rows.needs is None else [rows.needs]
    return np.stack(columns, axis=1).tolist()


def task(recording: Recording) -> dict[str, Any]:
    """What has to be done, as `Task` of machine.js describes it."""
    slots, promise, due = recording.slots, recording.collective, recording.required
    after = recording.postcondition[:, : recording.promised_slots]
    columns = [due.origin[after], due.first[after], due.end[after]]
    return {
        "nodes": recording.nodes,
        "ranks": recording.ranks,
        "slots": slots,
        "promisedSlots": recording.promised_slots,
        "start": cells(recording.precondition, slots),
        "promised": np.stack([cells(after, slots), *columns], axis=1).tolist(),
        "exactlyOnce": promise.exactly_once,
        "atHome": promise.reduces and promise.required is None,
    }


def cells(which: np.ndarray, slots: int) -> list[int]:
    """The indices of these cells, [node, slot]."""
    node, slot = np.nonzero(which)
    return (node * slots + slot).tolist()


def changes(recording: Recording) -> list[list[Any]]:
    """Of each step the cells whose content the executor changes: cell, contribution, times, …"""
    memory = payload.vector_memory(recording.precondition, recording.nodes)
    flat = memory.values.reshape(recording.nodes * recording.slots, -1)
    found = []
    for step in recording.steps:
        before = flat.copy()
        memory.combine(step, np.add)
        changed = np.flatnonzero((flat != before).any(axis=1)).tolist()
        found.append([[cell, *contents(flat[cell])] for cell in changed])
    return found


def contents(vector: np.ndarray) -> list[int]:
    """The contributions that are there, each with its times."""
    there = np.flatnonzero(vector)
    return np.stack([there, vector[there]], axis=1).astype(int).ravel().tolist()


def replayed(name: str, recording: Recording) -> dict[str, Any]:
    """A right recording with the executor's state after every step."""
    steps = [transfers(step) for step in recording.steps]
    return {"name": name, "task": task(recording), "steps": steps, "changes": changes(recording)}


def judged(name: str, steps: Iterable[Step], recording: Recording | None, words: str, like: Any):
    """A mutant with Python's verdict: right, and the first wrong step, 0 where no step is."""
    rows = [transfers(step) for step in steps]
    right = not words
    if recording is None:
        step = int(AT_STEP.search(words)[1])
    else:
        step = 0 if right else first_wrong(recording)
    assert not step or f"step {step}" in words, words
    return {"name": name, "task": task(like), "steps": rows, "right": right, "step": step}


def first_wrong(recording: Recording) -> int:
    """The step that the diagnosis of a wrong recording names."""
    once = recording.collective.exactly_once
    memory = payload.vector_memory(recording.precondition, recording.nodes)
    try:
        execute(recording.steps, memory, np.add if once else np.maximum)
    except EmptySlot as problem:
        return int(AT_STEP.search(str(problem))[1])
    from collectives.proof.prove import _as_promised, promised

    start = payload.vector_memory(recording.precondition, recording.nodes).values
    wanted = promised(recording, start[: recording.ranks])
    wrong = recording.postcondition & ~_as_promised(memory, wanted, recording.ranks)
    found = [(rank, slot) for rank, slot in np.argwhere(wrong).tolist()]
    step = Report(recording, found).first().step
    return 0 if step == float("inf") else int(step)


def mutants_of(case: Any, most: int | None) -> Iterator[dict[str, Any]]:
    """Mutants of a case of tests/mutation, judged by `prove`."""
    from judges import step as step_of

    for mutant in case.mutants(most):
        try:
            recording = case.recorded(mutant)
        except WrongSchedule as problem:
            steps = [step_of(table) for table in mutant.tables if table]
            yield judged(f"{case}, {mutant.name}", steps, None, str(problem), case.original)
            continue
        verdict = prove(recording)
        words = "" if verdict else verdict.text
        yield judged(f"{case}, {mutant.name}", recording.steps, recording, words, case.original)
