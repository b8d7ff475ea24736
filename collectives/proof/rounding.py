"""How a result differs from numpy's own and from exact sums, because floats round."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from collectives.collective import sent_cells
from collectives.proof.expected import expected, promised_parts
from collectives.recording.payload import is_float, limits_of
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


@dataclass(frozen=True)
class Rounding:
    """How results differ from numpy's reduction, rank 0 first.

    differing: elements that are not equal to the last bit, of `elements` in all; largest: the
    greatest absolute difference; ulps: the greatest in steps from one float to the next (None
    for integers); within: whether the differences are no larger than the order of operations
    explains; disagreeing: elements in which ranks differ from one another; not_finite: elements
    of the input that are NaN or infinite; overflowed: elements of the vector whose integer sum or
    product does not fit in the dtype, so that it wraps round, numpy's too; exact: the greatest
    errors against `math.fsum`, and those of numpy's own sum (None unless asked for); example: an
    element that differs.
    """

    elements: int
    differing: int
    largest: float
    within: bool
    disagreeing: int
    not_finite: int
    ulps: int | None = None
    exact: Errors | None = None
    numpys: Errors | None = None
    example: str = ""
    overflowed: int = 0


def compare(recording: Recording, held: list[Array], exact: bool) -> Rounding:
    """Hold what each rank ended with against numpy's reduction of the recording's data."""
    allowed = _allowed(recording)
    differing, largest, within, ulps, example = 0, 0.0, True, 0, ""
    wanted = expected(recording, recording.inputs, recording.op)
    for rank, (got, want, keep) in enumerate(zip(held, wanted, _kept(recording), strict=True)):
        different = ~_same(got, want)
        if not different.any():
            continue
        example = example or _example(rank, got, want, different)
        differing += int(different.sum())
        with np.errstate(all="ignore"):
            distance = np.abs(got.astype(np.longdouble) - want.astype(np.longdouble))[different]
        largest = max(largest, float(np.where(np.isnan(distance), np.inf, distance).max()))
        finite = different & np.isfinite(got) & np.isfinite(want)
        if is_float(recording.dtype) and finite.any():
            ulps = max(ulps, int(ulps_between(got[finite], want[finite]).max()))
        if allowed is None:
            within = False
            continue
        limit = np.where(np.isfinite(want), allowed[keep], np.nan)[different]
        within = within and bool((~(distance > limit)).all())
    ours, numpys = _largest_errors(recording, held) if exact else (None, None)
    return Rounding(
        sum(map(len, held)),
        differing,
        largest,
        within,
        _disagreeing(recording, held) if differing else 0,
        _not_finite(recording),
        ulps if is_float(recording.dtype) else None,
        ours,
        numpys,
        example,
        overflowed(recording),
    )


def overflowed(recording: Recording) -> int:
    """Elements of the vector whose integer sum or product does not fit in the dtype.

    In a scan those of any prefix count that a rank ends with.
    """
    kind, op = recording.dtype, recording.op
    if kind.kind not in "iu" or op not in ("sum", "prod") or not recording.collective.reduces:
        return 0
    low, high = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    over = np.zeros(recording.count, np.bool_)
    sizes = [max(int(row.max()), -int(row.min())) for row in recording.inputs if row.size]
    if (sum(sizes) if op == "sum" else math.prod(sizes)) <= high:
        return 0
    prefixes = set(recording.required.end[:, 0].tolist())
    for start in range(0, recording.count, AT_ONCE):
        total: Any = 0 if op == "sum" else 1
        part = slice(start, start + AT_ONCE)
        for rank, row in enumerate(recording.inputs, 1):
            values = row[part].astype(object if kind.itemsize == 8 or op == "prod" else np.int64)
            total = total + values if op == "sum" else total * values
            if rank in prefixes:
                over[part] |= ((total < low) | (total > high)).astype(np.bool_)
    return int(over.sum())


def _example(rank: int, got: Array, want: Array, different: npt.NDArray[np.bool_]) -> str:
    """The first element that differs, with all its digits."""
    at = int(different.argmax())
    return f"element {at} of rank {rank}: {got[at]!s} here, {want[at]!s} from numpy"


def _kept(recording: Recording) -> Iterator[Array | slice]:
    """For each rank: which elements of the full vector it ends with."""
    if recording.collective.precondition is sent_cells:
        return repeat(slice(None), recording.ranks)
    return promised_parts(recording)


def _same(a: Array, b: Array) -> npt.NDArray[np.bool_]:
    equal: npt.NDArray[np.bool_] = (a == b) | ((a != a) & (b != b))
    return equal


def _allowed(recording: Recording) -> Array | None:
    """The largest difference that another order of the operations explains, by element; None: none.

    NaN where there is no limit, because one order may overflow and another not.
    """
    if not is_float(recording.dtype) or recording.op in ("min", "max"):
        return None
    if not recording.collective.reduces:
        return None
    limits = limits_of(recording.dtype)
    steps = 2 * recording.ranks * np.longdouble(limits.eps)
    tiny = recording.ranks * np.longdouble(limits.smallest_subnormal)
    with np.errstate(all="ignore"):
        if recording.op == "prod":
            size, limitless = _largest_product(recording), _may_overflow(recording)
        else:
            size = np.zeros(recording.count, np.longdouble)
            for row in recording.inputs:
                size += np.abs(row.astype(np.longdouble))
            limitless = size >= np.longdouble(limits.max) / 2
        margin: Array = size * steps + tiny
    return np.where(limitless, np.nan, margin)


def _largest_product(recording: Recording) -> Array:
    """The largest absolute product over ranks 0 to r, for any r: no result is larger."""
    product = np.ones(recording.count, np.longdouble)
    largest = np.zeros(recording.count, np.longdouble)
    for row in recording.inputs:
        product *= np.abs(row.astype(np.longdouble))
        largest = np.maximum(largest, product)
    return largest if recording.collective.reduces_prefixes else product


def _may_overflow(recording: Recording) -> npt.NDArray[np.bool_]:
    """Where some factors alone have a product that is too large or too small for the dtype."""
    limits = limits_of(recording.dtype)
    high, low = np.zeros(recording.count), np.zeros(recording.count)
    for row in recording.inputs:
        power = np.log2(np.abs(np.where(row == 0, 1, row).astype(np.float64)))
        high += np.maximum(power, 0)
        low += np.minimum(power, 0)
    may: npt.NDArray[np.bool_] = ~((high < limits.maxexp - 1) & (low > limits.minexp + 1))
    return may


def _disagreeing(recording: Recording, held: list[Array]) -> int:
    """Elements that several ranks hold, but not all with the same bits."""
    if recording.collective.required is not None:
        return 0  # no two ranks are to hold the same
    first: Array = np.zeros(recording.count, recording.dtype)
    seen, differ = np.zeros((2, recording.count), np.bool_)
    for got, keep in zip(held, _kept(recording), strict=True):
        differ[keep] |= seen[keep] & ~_same(first[keep], got)
        first[keep] = np.where(seen[keep], first[keep], got)
        seen[keep] = True
    return int(differ.sum())


def _not_finite(recording: Recording) -> int:
    """Elements of the data that are NaN or infinite, of those that are used at all."""
    if not is_float(recording.dtype):
        return 0
    return sum(
        int((~np.isfinite(row)[np.repeat(cells, recording.size)]).sum())
        for row, cells in zip(
            recording.inputs, recording.precondition[:, : recording.chunk_count], strict=True
        )
        if cells.any()
    )


def ulps_between(a: Array, b: Array) -> npt.NDArray[np.uint64]:
    """The distance of two floats in ulps: steps from one float of their dtype to the next.

    >>> a = np.array([1, 0, -1], np.float32)
    >>> ulps_between(a, np.nextafter(a, np.float32(2)))
    array([1, 1, 1], dtype=uint64)
    """
    first, second = _counted(a), _counted(b)
    return np.maximum(first, second) - np.minimum(first, second)


def _counted(floats: Array) -> npt.NDArray[np.uint64]:
    """Floats as whole numbers in the same order, neighbors 1 apart, both zeros the same."""
    bits = floats.view(f"i{floats.itemsize}").astype(np.int64)
    lowest = np.int64(np.iinfo(f"i{floats.itemsize}").min)
    ordered = np.where(bits < 0, lowest - bits, bits)
    return ordered.view(np.uint64) + np.uint64(1 << 63)


def _largest_errors(recording: Recording, held: list[Array]) -> tuple[Errors, Errors]:
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
        prefixes = recording.required.end[:, 0].tolist()
        for ranks, kept in zip(prefixes, promised_parts(recording), strict=True):
            yield _sums(recording, ranks)[kept]
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
