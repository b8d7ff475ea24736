"""MSCCL XML: programs of thread blocks for each GPU, read into recordings and written from them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from collectives.errors import BadInput, WrongSchedule
from collectives.formats.msccl.layout import layout_of
from collectives.formats.msccl.program import Program, read_program
from collectives.formats.msccl.races import race_of
from collectives.formats.msccl.transfer_times import Schedule, steps_of
from collectives.formats.msccl.writing import save
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.words import brief, quoted

__all__ = ["load", "save"]


def ways(path: str | Path) -> list[bool]:
    """Whether a program runs in place, in each of the calls that it serves; raises BadInput."""
    program = read_program(path)
    return sorted({program.in_place, not program.out_of_place})


def load(
    path: str | Path,
    *,
    root: int | None = None,
    in_place: bool | None = None,
    collective: str | None = None,
    **options: Any,
) -> Recording:
    """Read an MSCCL XML file; nothing in it is run.

    Parameters
    ----------
    path : str or Path
        The file.
    root : int, optional
        Of a collective that has one; by default the rank that never receives (or never sends).
    in_place : bool, optional
        Whether the output takes the place of the input; by default where the file serves no other.
    collective : str, optional
        Of a program that names none, as synthesizers write them.
    **options
        As for `record`: count, counts, dtype, op, data.

    Returns
    -------
    Recording
        Of one loop of the program.

    Raises
    ------
    BadInput
        For anything but a valid program that ends.
    WrongSchedule
        For one that reads a chunk before it is written.
    """
    program = read_program(path)
    try:
        if collective is not None:
            program = _named(program, collective)
        here = not program.out_of_place if in_place is None else in_place
        return recording_of(program, here, root, **options)
    except BadInput as problem:
        raise BadInput(f"{quoted(str(path))}: {problem}") from None
    except WrongSchedule as problem:
        raise problem.reworded(f"{quoted(str(path))}: {problem}") from None


def _named(program: Program, collective: str) -> Program:
    """A program without a collective as one of this collective; raises BadInput for others."""
    if program.collective:
        why = f"the program names its own, {brief(program.collective)}"
        raise BadInput(f"--collective {collective}: {why}; leave it out")
    return replace(program, collective=collective)


def recording_of(
    program: Program, in_place: bool, root: int | None = None, **options: Any
) -> Recording:
    """The recording of one loop of a program, run in place or not; raises as `load` does."""
    layout = layout_of(program, in_place, root)
    schedule = Schedule(program, layout)
    steps = list(steps_of(schedule.transfers))
    race = race_of(program, layout)
    recording = record(
        steps,
        program.name,
        collective=layout.promise,
        ranks=program.gpus,
        root=layout.root,
        slots=layout.chunk_count,
        scratch=schedule.slots - layout.scratch,
        **options,
    )
    return replace(recording, unordered="" if race is None else str(race))
