"""Compares sums of floats with exact ones, which `math.fsum` rounds only once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from collectives.proof.expected import expected, promised_parts
from collectives.recording.recording import Recording

Array = npt.NDArray[Any]
AT_ONCE = 1 << 16  # elements that are turned into Python numbers together


@dataclass(frozen=True)
class Errors:
    """The greatest errors of a result: as a number, and in ulps of the exact value."""

    largest: float = 0.0
    ulps: float = 0.0

    def __str__(self) -> str:
        """Both, in words."""
        return f"{self.largest:.3g} ({self.ulps:.2g} ulps)"


def largest_errors(recording: Recording, held: list[Array]) -> tuple[Errors, Errors]:
    """The errors of what the ranks ended with, and of what numpy has, rank 0 first."""
    wanted = expected(recording, recording.inputs, recording.op)
    first, second = Errors(), Errors()
    for got, want, true in zip(held, wanted, _exact(recording), strict=True):
        first, second = _worse(first, got, true), _worse(second, want, true)
    return first, second


def _worse(so_far: Errors, got: Array, true: Array) -> Errors:
    with np.errstate(all="ignore"):
        error = np.abs(got.astype(np.float64) - true)
        ulp = np.spacing(np.abs(true.astype(got.dtype))).astype(np.float64)
        in_ulps = error / ulp
    known = np.isfinite(error) & np.isfinite(in_ulps)
    return Errors(
        max(so_far.largest, float(error[known].max(initial=0))),
        max(so_far.ulps, float(in_ulps[known].max(initial=0))),
    )


def _exact(recording: Recording) -> Iterator[Array]:
    """For each rank, the exact values of the elements it ends with, rounded once."""
    if recording.collective.reduces_prefixes:
        yield from (_sums(recording, ranks) for ranks in range(1, recording.ranks + 1))
        return
    true = _sums(recording, recording.ranks)
    yield from (true[kept] for kept in promised_parts(recording))


def _sums(recording: Recording, ranks: int) -> Array:
    """The sums over the first ranks."""
    true = np.empty(recording.count)
    for start in range(0, recording.count, AT_ONCE):
        columns: Iterable[list[float]]
        columns = recording.inputs[:ranks, start : start + AT_ONCE].T.tolist()
        true[start : start + AT_ONCE] = [_sum(column) for column in columns]
    return true / recording.ranks if recording.op == "avg" else true


def _sum(column: list[float]) -> float:
    if not all(map(math.isfinite, column)):
        return math.nan
    try:
        return math.fsum(column)
    except OverflowError:
        return math.nan
