"""Results of two ranks or two runs, call by call: the first call and element that differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from collectives.bitwise.map_comparison import DIFFERENT, MapComparison
from collectives.errors import BadInput
from collectives.proof.rounding import ulps_between
from collectives.recording.payload import array_of, find_dtype, is_float
from collectives.text_lines import Lines, Paragraph
from collectives.values import items_of
from collectives.words import plural

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class FirstDifference:
    """The first call and element whose bits differ, and how many differ in this call."""

    call: int
    element: int
    values: tuple[str, str]
    in_call: int
    ulps: int | None = None


@dataclass(frozen=True, repr=False)
class DumpComparison:
    """Two dumps, of calls of so many elements; maps: in which order both setups add, if known."""

    sizes: tuple[int, ...]
    difference: FirstDifference | None
    maps: MapComparison | None = None

    def __repr__(self) -> str:
        """One line: where they differ first."""
        at = self.difference
        where = f"call {at.call}, element {at.element}" if at else "the same bits"
        return f"<DumpComparison: {where}>"

    @property
    def verdict(self) -> str:
        """`same bits` or `other bits`."""
        return "other bits" if self.difference else "same bits"

    def lines(self) -> Lines:
        """The first difference, and what the orders of the two setups say of it."""
        every = f"{plural(len(self.sizes), 'call')}, {sum(self.sizes):,} elements"
        at = self.difference
        if at is None:
            yield f"same bits: {every}"
            return
        ulps = f", {plural(at.ulps, 'ulp')} apart" if at.ulps is not None else ""
        yield Paragraph(
            f"other bits: first in call {at.call}, element {at.element:,}: "
            f"{at.values[0]} and {at.values[1]}{ulps}; {at.in_call:,} elements of this "
            f"call differ ({every}, both from 0)"
        )
        yield from self._why(at.element)

    def _why(self, element: int) -> Lines:
        """What the orders of both say of the element."""
        if self.maps is None:
            yield "in which order it is added is not known; try: --like openmpi -n 8"
            return
        first, second = self.maps.first.order_of(element), self.maps.second.order_of(element)
        if not first or not second:
            unknown = self.maps.first.unknown or self.maps.second.unknown
            yield Paragraph(f"cannot say in which order it is added: {unknown}")
        elif first != second:
            yield Paragraph(f"the setups add it in another order: {first}  |  {second}")
        else:
            yield Paragraph(f"both setups add it as {first}")
            yield Paragraph(
                "so the order does not explain it: the inputs differ, or the library runs in "
                "another way than said here"
            )

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        differs = self.difference
        at = differs.element if differs else 0
        orders = [side.order_of(at) or None for side in self._both] if differs else []
        return {
            "verdict": self.verdict,
            "calls": len(self.sizes),
            "elements": list(self.sizes),
            "call": differs.call if differs else None,
            "element": differs.element if differs else None,
            "values": list(differs.values) if differs else [],
            "differing_in_call": differs.in_call if differs else 0,
            "orders": orders,
            "order_differs": None
            if not self.maps
            else self.maps.verdict == DIFFERENT and len(set(orders)) > 1,
        }

    @property
    def _both(self) -> tuple[Any, ...]:
        return (self.maps.first, self.maps.second) if self.maps else ()


def calls_of(dump: object, name: str) -> list[Array]:
    """The results of each call of a dump, as vectors; raises BadInput for what is no dump.

    An array of one dimension, and a list of numbers, is one call.
    """
    if isinstance(dump, np.ndarray):
        calls = list(dump) if dump.ndim > 1 else [dump]
    else:
        items = items_of(name, dump, "[[1.0, 2.0]], a vector for each call")
        calls = [array_of(item) for item in items]
        if not any(call.ndim for call in calls):
            calls = [array_of(items)]
    for call in calls:
        find_dtype(call.dtype)
    return [call.ravel() for call in calls]


def first_difference(calls: list[Array], others: list[Array]) -> FirstDifference | None:
    """Where two dumps first differ in any bit; raises BadInput for unlike dumps."""
    if len(calls) != len(others):
        raise BadInput(f"dumps: have {len(calls)} and {len(others)} calls; they must be alike")
    for number, (first, second) in enumerate(zip(calls, others, strict=True)):
        if (first.dtype, len(first)) != (second.dtype, len(second)):
            both = " and ".join(f"{len(call):,} {call.dtype}" for call in (first, second))
            raise BadInput(f"dumps: call {number} has {both}; they must be alike")
        width = f"u{first.dtype.itemsize}"
        unlike = np.ascontiguousarray(first).view(width) != np.ascontiguousarray(second).view(width)
        if unlike.any():
            return _difference(number, int(unlike.argmax()), int(unlike.sum()), first, second)
    return None


def _difference(
    call: int, element: int, in_call: int, left: Array, right: Array
) -> FirstDifference:
    """The difference at an element, in ulps too where both are finite floats."""
    pair, ulps = (left[element], right[element]), None
    if is_float(left.dtype) and all(np.isfinite(float(value)) for value in pair):
        ulps = int(ulps_between(np.array([pair[0]]), np.array([pair[1]]))[0])
    return FirstDifference(call, element, (str(pair[0]), str(pair[1])), in_call, ulps)
