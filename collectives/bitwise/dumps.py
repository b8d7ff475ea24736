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
    """Two dumps [call, element]; maps: in which order the setups of both add, where known."""

    shape: tuple[int, int]
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
        calls, elements = self.shape
        every = f"{plural(calls, 'call')} of {elements:,} elements"
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
            "calls": self.shape[0],
            "elements": self.shape[1],
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


def calls_of(dump: npt.ArrayLike, name: str) -> Array:
    """A dump as an array [call, element]; raises BadInput for other shapes."""
    array = array_of(dump)
    find_dtype(array.dtype)
    if array.ndim == 1:
        array = array[None]
    if array.ndim != 2:
        raise BadInput(f"{name}: must be [call, element], has {array.ndim} dimensions")
    return array


def first_difference(one: Array, other: Array) -> FirstDifference | None:
    """Where two dumps first differ in any bit; raises BadInput for unlike dumps."""
    if one.dtype != other.dtype:
        raise BadInput(f"dumps: one is {one.dtype}, the other {other.dtype}; they must be alike")
    if one.shape != other.shape:
        shapes = " and ".join(" x ".join(map(str, each.shape)) for each in (one, other))
        raise BadInput(f"dumps: have {shapes} calls x elements; they must be alike")
    width = f"u{one.dtype.itemsize}"
    different = np.ascontiguousarray(one).view(width) != np.ascontiguousarray(other).view(width)
    if not different.any():
        return None
    call, element = divmod(int(different.argmax()), one.shape[1])
    pair = one[call, element], other[call, element]
    ulps = None
    if is_float(one.dtype) and all(np.isfinite(float(value)) for value in pair):
        ulps = int(ulps_between(np.array([pair[0]]), np.array([pair[1]]))[0])
    values = str(pair[0]), str(pair[1])
    return FirstDifference(call, element, values, int(different[call].sum()), ulps)
