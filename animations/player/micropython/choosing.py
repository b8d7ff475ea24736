"""What is found in arrays: positions, orders, sums and sets, as numpy's functions do."""

# ruff: noqa: A001

from __future__ import annotations

from typing import Any

from animations.player.micropython.arrays import (
    BOOL,
    FLOAT,
    array_from,
    array_of,
    kind_of,
    ndarray,
    row_of,
)
from animations.player.micropython.arrays import rows_of as lines_of
from animations.player.micropython.indexing import common, spread, true_places
from animations.player.micropython.making import concatenate, of_lines
from animations.player.micropython.operators import compared

_max, _min, _any, _all, _sum, _divmod = max, min, any, all, sum, divmod


def where(truth: Any, x1: Any = None, x2: Any = None) -> Any:
    """Elements of the first array where it is true, else of the other; or where it is true."""
    mask = array_of(truth)
    if x1 is None:
        return nonzero(mask)
    left, right = array_of(x1), array_of(x2)
    shape = common([mask.shape, left.shape, right.shape])
    ts, xs, ys = (spread(side.elements, side.shape, shape) for side in (mask, left, right))
    kinds = (left.dtype, right.dtype)
    kind = FLOAT if FLOAT in kinds else BOOL if kinds == (BOOL, BOOL) else kind_of(int)
    elements = [kind.make(x if truth else y) for truth, x, y in zip(ts, xs, ys, strict=True)]
    return array_from(elements, shape, kind)


def nonzero(value: Any) -> tuple[Any, ...]:
    """Of each axis the indices of what is not zero."""
    return tuple(true_places(array_of(value)))


def flatnonzero(value: Any) -> ndarray:
    """Where in a row of all elements something is not zero."""
    return row_of([at for at, e in enumerate(array_of(value).elements) if e])


def count_nonzero(value: Any) -> int:
    """How many elements are not zero."""
    return _sum([1 for element in array_of(value).elements if element])


def any(value: Any, axis: int | None = None) -> Any:
    """Whether some element is true."""
    return array_of(value).any()


def all(value: Any, axis: int | None = None) -> Any:
    """Whether all elements are true."""
    return array_of(value).all()


def max(value: Any, axis: int | None = None) -> Any:
    """The largest element."""
    return array_of(value).max(axis)


def min(value: Any, axis: int | None = None) -> Any:
    """The smallest element."""
    return array_of(value).min(axis)


def sum(value: Any, axis: int | None = None) -> Any:
    """The elements added up."""
    return array_of(value).sum(axis)


def argmax(value: Any, axis: int | None = None) -> Any:
    """Where the first of the largest elements stands."""
    return array_of(value).argmax(axis)


def argmin(value: Any, axis: int | None = None) -> Any:
    """Where the first of the smallest elements stands."""
    return array_of(value).argmin(axis)


def array_equal(a1: Any, a2: Any) -> bool:
    """Whether two arrays have the same shape and elements."""
    left, right = array_of(a1), array_of(a2)
    return left.shape == right.shape and list(left.elements) == list(right.elements)


def cumsum(value: Any) -> ndarray:
    """The sums of the first elements: of one, of two, and so on."""
    sums, total = [], 0
    for element in array_of(value).elements:
        total += element
        sums.append(total)
    return row_of(sums, None if sums else int)


def diff(value: Any) -> ndarray:
    """How much each element is more than the one before."""
    array = array_of(value)
    return array[1:] - array[:-1]  # type: ignore[no-any-return]


def divmod(value: Any, by: Any) -> tuple[Any, Any]:
    """Divided and rounded down, and what that leaves."""
    if isinstance(value, int) and isinstance(by, int):
        return _divmod(value, by)
    array = array_of(value)
    return array // by, array % by


def frexp(value: Any) -> tuple[ndarray, ndarray]:
    """Numbers as a fraction below 1 and a power of two."""
    array = array_of(value)
    powers = [abs(int(element)).bit_length() for element in array.elements]
    fractions = [
        element / (1 << power) for element, power in zip(array.elements, powers, strict=True)
    ]
    return array_from(fractions, array.shape, FLOAT), array_from(powers, array.shape, int)


def isin(value: Any, known: Any) -> ndarray:
    """Whether each element is among others."""
    array, others = array_of(value), set(array_of(known).elements)
    return array_from([element in others for element in array.elements], array.shape, BOOL)


def isfinite(value: Any) -> ndarray:
    """Whether each element is a number that is not infinite."""
    array = array_of(value)
    return array_from([element - element == 0 for element in array.elements], array.shape, BOOL)


def bincount(value: Any, minlength: int = 0) -> ndarray:
    """How often each number occurs, from 0 on."""
    numbers = array_of(value).elements
    counts = [0] * _max([minlength, *(number + 1 for number in numbers)])
    for number in numbers:
        counts[number] += 1
    return row_of(counts)


def argsort(value: Any, kind: str = "stable") -> ndarray:
    """The order of the elements: where the smallest stands, then the next."""
    elements = array_of(value).elements
    return row_of(sorted(range(len(elements)), key=lambda at: (elements[at], at)))


def sort(value: Any) -> ndarray:
    """The elements of one axis, the smallest first."""
    array = array_of(value)
    return array_from(sorted(array.elements), array.shape, array.dtype)


def unique(
    value: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
) -> Any:
    """The different elements in order, or along axis 1 the different columns."""
    array = array_of(value)
    if axis is not None:
        columns = sorted({tuple(column) for column in lines_of(array, 0)})
        return array_of(columns).transpose() if columns else array
    elements = list(array.elements)
    different = sorted(set(elements))
    number = {element: at for at, element in enumerate(different)}
    results = [row_of(different, array.dtype)]
    if return_index:
        results.append(row_of([elements.index(element) for element in different]))
    if return_inverse:
        results.append(array_from([number[element] for element in elements], array.shape, int))
    if return_counts:
        results.append(bincount([number[element] for element in elements], len(different)))
    return tuple(results) if len(results) > 1 else results[0]


def union1d(ar1: Any, ar2: Any) -> Any:
    """What is in one array or the other, in order."""
    return unique(concatenate([ar1, ar2], None))


def setdiff1d(ar1: Any, ar2: Any) -> Any:
    """What is in the first array only, in order."""
    array = unique(ar1)
    return array[compared("eq", isin(array, ar2), False)]


def searchsorted(value: Any, wanted: Any, side: str = "left") -> Any:
    """The offsets where numbers would go so that the array stays in order."""
    elements, sought = array_of(value).elements, array_of(wanted)
    after = side == "right"
    offsets = [
        len([held for held in elements if held < element or (after and held == element)])
        for element in sought.elements
    ]
    return array_from(offsets, sought.shape, int) if sought.shape else offsets[0]


def take_along_axis(value: Any, positions: Any, axis: int) -> ndarray:
    """Of each line along an axis the elements at its own positions."""
    array, where_from = array_of(value), array_of(positions)
    lines, chosen = lines_of(array, axis), lines_of(where_from, axis)
    if len(chosen) == 1:
        chosen = chosen * len(lines)
    rows = [[line[at] for at in own] for line, own in zip(lines, chosen, strict=True)]
    return of_lines(rows, array, axis)
