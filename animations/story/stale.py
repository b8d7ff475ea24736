"""Which cells still matter: some later step reads what is in them, or the promise asks for it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from collectives.recording.recording import Recording


def cells_in_use(recording: Recording) -> tuple[bytes, ...]:
    """For each state, the start included, which cells are in use, packed in bits.

    Found from the end back: a cell that a step overwrites was of no use before it, unless the
    step itself reads it. What is added to stays in use.
    """
    used = np.zeros((recording.nodes, recording.slots), np.bool_)
    if recording.collective.promises_nothing:  # a rank may use whatever comes to it
        return (_packed(~used),) * (len(recording.steps) + 1)
    used[: recording.ranks] = recording.postcondition
    found = [_packed(used)]
    for step in reversed(recording.steps):
        each = step.unrolled()
        lost = ~each.reduces
        used[each.dst[lost], each.into[lost]] = False
        used[each.src, each.chunk] = True
        used[each.src, each.needed] = True
        found.append(_packed(used))
    return tuple(found[::-1])


def unpacked(bits: bytes, shape: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """A state of `cells_in_use` as an array [node, slot]."""
    flat = np.unpackbits(np.frombuffer(bits, np.uint8), count=shape[0] * shape[1])
    return flat.reshape(shape).astype(np.bool_)


def _packed(used: npt.NDArray[np.bool_]) -> bytes:
    return np.packbits(used).tobytes()
