"""The phases of a recording: runs of steps made by the same part of the algorithm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from collectives.collective import collective_of
from collectives.recording.recording import Recording
from collectives.schedule import Stamp, Step
from collectives.schedule.provenance import caption, forward


@dataclass(frozen=True)
class Phase:
    """Steps `first` up to, not including, `end` (counted from 0), their name and their promise."""

    name: str
    promise: str
    first: int
    end: int


Part = tuple[str, int, str]  # function, the line it was called from, the promise it makes


def phases(recording: Recording) -> list[Phase]:
    """The phases in order; they cover all steps.

    Frames of the stack are compared from outside in, down to the first level at which a
    different function is at work: there the algorithm has parts, and a phase is a run of steps
    of one part. A step whose rows belong to several parts at once names them all, the first to
    begin first. What the algorithm does itself between its parts is called by its verb.
    """
    stacks = [list(dict.fromkeys(_stacks(step))) for step in recording.steps]
    depth = _parting_depth(stack for step in stacks for stack in step)
    every: list[tuple[Part, ...]] = []
    begun: dict[Part, int] = {}
    for step, of_step in zip(recording.steps, stacks, strict=True):
        verb = "adding" if step.reduces.any() else "sending"
        at_work = filter(None, (_part(stack, depth, verb) for stack in of_step))
        ordered = sorted(
            dict.fromkeys(at_work), key=lambda part: begun.setdefault(part, len(begun))
        )
        every.append(tuple(ordered))
    phases: list[Phase] = []
    for parts, run in groupby(every):
        first = phases[-1].end if phases else 0
        names = Counter(_short(function) for function, _, _ in parts)
        counted = (f"{count} × {name}" if count > 1 else name for name, count in names.items())
        name = " + ".join(counted) or recording.title
        promise = "; ".join(text for _, _, text in parts if text)
        phases.append(Phase(name, promise, first, first + len(list(run))))
    return phases


def step_caption(step: Step) -> str:
    """The captions of a step's rows, each once, as the comments above their yields say them."""
    return "; ".join(dict.fromkeys(filter(None, map(caption, step.stamps))))


def _stacks(step: Step) -> Iterator[Stamp]:
    """The functions at work; a thread block is none."""
    for stamp in step.stamps:
        yield () if stamp and stamp[-1].source.is_listing else forward(stamp)


def _parting_depth(stacks: Iterable[Stamp]) -> int:
    """The outermost level at which the functions differ, or one is missing; 0 if they never do."""
    known = [stack for stack in dict.fromkeys(stacks) if stack]
    for depth in range(max(map(len, known), default=0)):
        if len({_call(stack, depth) for stack in known}) > 1:
            return depth
    return 0


def _call(stack: Stamp, depth: int) -> tuple[str, int] | None:
    """The function at one level and the line it was called from; None where the stack is lower."""
    if depth >= len(stack):
        return None
    return stack[depth].source.function, stack[depth - 1].line if depth else 0


def _part(stack: Stamp, depth: int, verb: str) -> Part | None:
    if not stack:
        return None
    if depth >= len(stack):
        return verb, 0, ""
    depth = min(depth, len(stack) - 1)
    source = stack[depth].source
    return source.function, stack[depth - 1].line if depth else 0, source.promise


def _short(function: str) -> str:
    """ring_reduce_scatter → reduce-scatter, chain_broadcast → broadcast, others as they are."""
    collective = collective_of(function)
    return collective.title if collective else function.replace("_", "-")
