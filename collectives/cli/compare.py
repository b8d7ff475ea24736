"""Compares what the ranks ended with to numpy's own result, and to exact sums."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from collectives import payload
from collectives.chunking import joined
from collectives.recording import Recording

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Comparison:
    """How results differ from numpy's reduction, rank 0 first.

    differing: elements that are not equal to the last bit, of `elements` in all; largest: the
    greatest absolute difference; within: whether the differences are no larger than the order
    of additions explains; disagreeing: elements in which ranks differ from one another;
    not_finite: elements of the input that are NaN or infinite; exact: the greatest error
    against `math.fsum` (None unless asked for).
    """

    elements: int
    differing: int
    largest: float
    within: bool
    disagreeing: int
    not_finite: int
    exact: float | None = None

    def lines(self, dtype: np.dtype[Any], op: str) -> list[str]:
        """The comparison in words."""
        if not self.differing:
            found = [f"all {self.elements} elements equal numpy's own {op}, to the last bit"]
        elif self.within:
            text = (
                f"rounding: {self.differing} of {self.elements} elements differ from numpy's {op} "
                f"(rank 0 first) by up to {self.largest:.3g}: another order of {dtype} operations"
            )
            found = [text]
        else:
            found = [f"{self.differing} of {self.elements} elements differ from numpy's {op}"]
        if self.disagreeing:
            found.append(
                f"rounding: in {self.disagreeing} elements the ranks do not all end with the "
                "same bits: each adds in its own order"
            )
        if self.not_finite:
            found.append(f"{self.not_finite} elements of the data are NaN or infinite")
        if self.exact is not None:
            found.append(
                f"the largest error against the exact {op} (math.fsum) is {self.exact:.3g}"
            )
        return found


def compare(recording: Recording, held: list[Array], exact: bool) -> Comparison:
    """Hold what each rank ended with against numpy's reduction of the recording's data."""
    data, op = recording.inputs, recording.op
    vector = payload.reference(recording.collective, data, recording.before, op)
    masks = joined(
        np.repeat(recording.after[:, :, None], -(-recording.count // recording.slots), axis=2),
        recording.count,
    )
    allowed = _allowed(recording, vector)
    elements = differing = 0
    largest, within = 0.0, True
    for got, keep in zip(held, masks, strict=True):
        want, margin = vector[keep], allowed[keep]
        with np.errstate(all="ignore"):
            same = (got == want) | ((got != got) & (want != want))
            apart = np.abs(got.astype(np.longdouble) - want.astype(np.longdouble))
        elements += len(got)
        differing += int((~same).sum())
        finite = np.isfinite(apart)
        largest = max(largest, float(apart[~same & finite].max(initial=0)))
        within = within and bool((same | (apart <= margin) | ~np.isfinite(margin)).all())
    return Comparison(
        elements,
        differing,
        largest,
        within,
        _disagreeing(recording, held, masks),
        int((~np.isfinite(data)).sum()) if data.dtype.kind == "f" else 0,
        _exact_error(recording, held, masks) if exact else None,
    )


def _allowed(recording: Recording, vector: Array) -> Array:
    """How far another order of the same operations can move each element of the result."""
    if recording.dtype.kind != "f" or recording.op in ("min", "max"):
        return np.zeros(len(vector))
    if not recording.collective.reduces:
        return np.zeros(len(vector))
    steps = 2 * recording.ranks * float(np.finfo(recording.dtype).eps)
    tiny = recording.ranks * float(np.finfo(recording.dtype).smallest_subnormal)
    with np.errstate(all="ignore"):
        sizes = np.abs(recording.inputs.astype(np.longdouble))
        total = sizes.prod(axis=0) if recording.op == "prod" else sizes.sum(axis=0)
    scale: Array = total * steps + tiny
    overflow = ~np.isfinite(vector) | (total >= float(np.finfo(recording.dtype).max) / 2)
    return np.where(overflow, np.inf, scale)


def _disagreeing(recording: Recording, held: list[Array], masks: Array) -> int:
    """Elements that several ranks hold, but not all with the same bits."""
    first: Array = np.zeros(recording.count, recording.dtype)
    seen = np.zeros(recording.count, np.bool_)
    differ = np.zeros(recording.count, np.bool_)
    for got, keep in zip(held, masks, strict=True):
        at = np.flatnonzero(keep)
        old = seen[at]
        differ[at] |= old & (first[at] != got) & ~((first[at] != first[at]) & (got != got))
        first[at] = np.where(old, first[at], got)
        seen[at] = True
    return int(differ.sum())


def _exact_error(recording: Recording, held: list[Array], masks: Array) -> float:
    columns = recording.inputs.T.tolist()
    worst = 0.0
    for got, keep in zip(held, masks, strict=True):
        for at, value in zip(np.flatnonzero(keep).tolist(), got.tolist(), strict=True):
            if all(map(math.isfinite, columns[at])) and math.isfinite(value):
                true = math.fsum(columns[at])
                true = true / recording.ranks if recording.op == "avg" else true
                worst = max(worst, abs(math.fsum([value, -true])))
    return worst
