"""What ranks hold in a state: in numbers, for sentences, and which cells still matter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from collectives.recording.recording import Recording

MOST_CELLS = 1 << 23  # of all states together; of more only those at the ends of phases are counted
Span = tuple[int, int]


@dataclass(frozen=True)
class Tally:
    """One state: spans are the least and the most.

    finished: of each rank the promised cells that are complete, of those ranks to which something
    is promised; wanted: how many are promised. done: how many of these ranks have all of it.
    held: contributions in the cells of ranks that hold something. spread: of each chunk the
    most contributions that a rank holds of it, in a slot of its own vector.
    """

    finished: Span
    wanted: Span
    done: int
    goal: int
    held: Span
    spread: Span


def tallies(recording: Recording, ends: Iterable[int]) -> Mapping[int, Tally]:
    """The tally of every state, by the number of its step; of large recordings of some only."""
    states = len(recording.steps) + 1
    few = states * recording.nodes * recording.slots <= MOST_CELLS
    return {step: _tally(recording, step) for step in (range(states) if few else sorted({*ends}))}


def _tally(recording: Recording, step: int) -> Tally:
    count, complete = recording.levels(step)
    goal = recording.postcondition
    count, complete = count[: recording.ranks], complete[: recording.ranks] & goal
    wanted = goal.sum(axis=1)
    asks = wanted > 0
    finished = complete.sum(axis=1)[asks]
    chunks = count[:, : recording.chunk_count]
    whole = int((finished == wanted[asks]).sum()), int(asks.sum())
    parts = _span(count[count > 0]), _span(chunks.max(axis=0))
    return Tally(_span(finished), _span(wanted[asks]), *whole, *parts)


def _span(values: npt.NDArray[np.integer]) -> Span:
    return (int(values.min()), int(values.max())) if values.size else (0, 0)


def cells_in_use(recording: Recording) -> tuple[bytes, ...]:
    """For each state, the start included, which cells are in use, packed in bits.

    Found from the end back: a cell that a step overwrites was of no use before it, unless the
    step itself reads it. What is added to stays in use, and what a rank had from the start where
    all have something and send copies: nothing is lost there. What one rank alone deals out, and a
    block for another rank, is of no use once it is sent.
    """
    used = np.zeros((recording.nodes, recording.slots), np.bool_)
    if recording.collective.promises_nothing:  # a rank may use whatever comes to it
        return (_packed(~used),) * (len(recording.steps) + 1)
    used[: recording.ranks] = recording.postcondition
    in_use = [_packed(used)]
    for step in reversed(recording.steps):
        unrolled = step.unrolled()
        lost = ~unrolled.reduces
        used[unrolled.dst[lost], unrolled.into[lost]] = False
        used[unrolled.src, unrolled.chunk] = True
        used[unrolled.src, unrolled.needed] = True
        in_use.append(_packed(used))
    own, states = np.zeros_like(used), list[bytes]()
    keeps = not (recording.collective.reduces or recording.in_blocks)
    own[: recording.ranks] = recording.precondition & keeps & recording.precondition.any(1).all()
    for state, step in zip(in_use[::-1], (*recording.steps, None), strict=True):
        states.append(_packed(unpacked(state, own.shape) | own))
        if step is not None:
            own[step.unrolled().dst, step.unrolled().into] = False
    return tuple(states)


def unpacked(bits: bytes, shape: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """A state of `cells_in_use` as an array [node, slot]."""
    flat = np.unpackbits(np.frombuffer(bits, np.uint8), count=shape[0] * shape[1])
    return flat.reshape(shape).astype(np.bool_)


def _packed(used: npt.NDArray[np.bool_]) -> bytes:
    return np.packbits(used).tobytes()
