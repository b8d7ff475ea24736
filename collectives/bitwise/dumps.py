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
        found = self.difference
        where = f"call {found.call}, element {found.element}" if found else "the same bits"
        return f"<DumpComparison: {where}>"

    @property
    def verdict(self) -> str:
        """`same bits` or `other bits`."""
        return "other bits" if self.difference else "same bits"

    def lines(self) -> Lines:
        """The first difference, and what the orders of the two setups say of it."""
        every = f"{plural(len(self.sizes), 'call')}, {sum(self.sizes):,} elements"
        found = self.difference
        if found is None:
            yield f"same bits: {every}"
            return
        ulps = f", {plural(found.ulps, 'ulp')} apart" if found.ulps is not None else ""
        yield Paragraph(
            f"other bits: first in call {found.call}, element {found.element:,}: "
            f"{found.values[0]} and {found.values[1]}{ulps}; {found.in_call:,} elements of this "
            f"call differ ({every}, both from 0)"
        )
        yield from self._why(found.element)

    def _why(self, element: int) -> Lines:
        """What the orders of both say of the element."""
        if self.maps is None:
            yield "in which order it is added is not known; try: --like openmpi -n 8"
            return
        one, other = self.maps.first.order_of(element), self.maps.second.order_of(element)
        if not one or not other:
            unknown = self.maps.first.unknown or self.maps.second.unknown
            yield Paragraph(f"cannot say in which order it is added: {unknown}")
        elif one != other:
            yield Paragraph(f"the setups add it in another order: {one}  |  {other}")
        else:
            yield Paragraph(f"both setups add it as {one}")
            yield Paragraph(
                "so the order does not explain it: the inputs differ, or the library runs in "
                "another way than said here"
            )

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        found = self.difference
        at = found.element if found else 0
        orders = [each.order_of(at) or None for each in self._both] if found else []
        return {
            "verdict": self.verdict,
            "calls": len(self.sizes),
            "elements": list(self.sizes),
            "call": found.call if found else None,
            "element": found.element if found else None,
            "values": list(found.values) if found else [],
            "differing_in_call": found.in_call if found else 0,
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


def first_difference(one: list[Array], other: list[Array]) -> FirstDifference | None:
    """Where two dumps first differ in any bit; raises BadInput for unlike dumps."""
    if len(one) != len(other):
        raise BadInput(f"dumps: have {len(one)} and {len(other)} calls; they must be alike")
    for number, (first, second) in enumerate(zip(one, other, strict=True)):
        if (first.dtype, len(first)) != (second.dtype, len(second)):
            both = " and ".join(f"{len(call):,} {call.dtype}" for call in (first, second))
            raise BadInput(f"dumps: call {number} has {both}; they must be alike")
        width = f"u{first.dtype.itemsize}"
        unlike = np.ascontiguousarray(first).view(width) != np.ascontiguousarray(second).view(width)
        if unlike.any():
            return _difference(number, int(unlike.argmax()), int(unlike.sum()), first, second)
    return None


def _difference(call: int, element: int, in_call: int, one: Array, other: Array) -> FirstDifference:
    """The difference at an element, in ulps too where both are finite floats."""
    pair, ulps = (one[element], other[element]), None
    if is_float(one.dtype) and all(np.isfinite(float(value)) for value in pair):
        ulps = int(ulps_between(np.array([pair[0]]), np.array([pair[1]]))[0])
    return FirstDifference(call, element, (str(pair[0]), str(pair[1])), in_call, ulps)
