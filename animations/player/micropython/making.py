"""Arrays that are made, joined and rearranged, as numpy's functions do."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from animations.player.micropython.arrays import (
    BOOL,
    FLOAT,
    INT,
    array_from,
    array_of,
    kind_of,
    ndarray,
    row_of,
    rows_of,
)
from animations.player.micropython.indexing import common, size_of, spread, true_places


def asarray(value: Any, dtype: Any = None) -> ndarray:
    """The value as an array; itself where it is one."""
    return array_of(value, dtype)


def array(value: Any, dtype: Any = None) -> ndarray:
    """The value as an array of its own."""
    return array_of(value, dtype).copy()


def arange(first: int, end: int | None = None, step: int = 1, dtype: Any = None) -> ndarray:
    """Whole numbers from the first to the one before the end."""
    numbers = range(int(first)) if end is None else range(int(first), int(end), int(step))
    return array_from(list(numbers), (len(numbers),), dtype or int)


def full(shape: Any, value: Any, dtype: Any = None) -> ndarray:
    """An array of one value."""
    wanted = (shape,) if isinstance(shape, int) else tuple(shape)
    kind = kind_of([value]) if dtype is None else kind_of(dtype)
    return array_from([kind.make(value)] * size_of(wanted), wanted, kind)


def zeros(shape: Any, dtype: Any = float) -> ndarray:
    """An array of zeros."""
    return full(shape, 0, dtype)


def ones(shape: Any, dtype: Any = float) -> ndarray:
    """An array of ones."""
    return full(shape, 1, dtype)


empty = zeros


def zeros_like(like: Any, dtype: Any = None) -> ndarray:
    """Zeros in the shape of an array."""
    array = array_of(like)
    return zeros(array.shape, dtype or array.dtype)


empty_like = zeros_like


def ones_like(like: Any, dtype: Any = None) -> ndarray:
    """Ones in the shape of an array."""
    array = array_of(like)
    return ones(array.shape, dtype or array.dtype)


def full_like(like: Any, value: Any) -> ndarray:
    """One value in the shape of an array."""
    array = array_of(like)
    return full(array.shape, value, array.dtype)


def eye(n: int, dtype: Any = float) -> ndarray:
    """Ones on the diagonal."""
    kind = kind_of(dtype)
    return array_from([kind.make(row == at) for row in range(n) for at in range(n)], (n, n), kind)


def indices(shape: Sequence[int]) -> ndarray:
    """Of each axis the index of every element."""
    positions = true_places(ones(tuple(shape), bool))
    return stack([place.reshape(tuple(shape)) for place in positions])


class _Grid:
    """`ogrid[:n, :m]`: ranges, each along an axis of its own."""

    def __getitem__(self, keys: Any) -> Any:
        if not isinstance(keys, tuple):
            return arange(keys.start or 0, keys.stop)
        axes = []
        for axis, key in enumerate(keys):
            numbers = arange(key.start or 0, key.stop)
            shape = [1] * len(keys)
            shape[axis] = -1
            axes.append(numbers.reshape(tuple(shape)))
        return tuple(axes)


ogrid = _Grid()


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that all of these spread to."""
    return common(shapes)


def broadcast_to(value: Any, shape: Any) -> ndarray:
    """The array spread to a shape."""
    wanted = (shape,) if isinstance(shape, int) else tuple(shape)
    array = array_of(value)
    return array_from(list(spread(array.elements, array.shape, wanted)), wanted, array.dtype)


def reshape(value: Any, shape: Any) -> ndarray:
    """The array in another shape."""
    return array_of(value).reshape(shape)


def ravel(value: Any) -> ndarray:
    """All elements on one axis."""
    return array_of(value).reshape(-1)


def atleast_2d(value: Any) -> ndarray:
    """The array with rows, even if it is only one."""
    array = array_of(value)
    return array if array.ndim > 1 else array.reshape(1, -1)


def concatenate(arrays: Any, axis: int | None = 0) -> ndarray:
    """Arrays joined along an axis; axis None lays all elements in a row."""
    listed = [array_of(value) for value in arrays]
    if not listed:
        raise ValueError("need at least one array to concatenate")
    kinds = [array.dtype for array in listed]
    kind = next(kind for kind in (FLOAT, INT, BOOL) if kind in kinds)
    if axis is None:
        listed = [array.reshape(-1) for array in listed]
        axis = 0
    axis %= listed[0].ndim
    before, after = listed[0].shape[:axis], listed[0].shape[axis + 1 :]
    if any(array.shape[:axis] + array.shape[axis + 1 :] != before + after for array in listed):
        raise ValueError(
            "all the input array dimensions except for the concatenation axis must match"
        )
    parts = [(array.elements, array.shape[axis] * size_of(after)) for array in listed]
    elements = [
        kind.make(element)
        for row in range(size_of(before))
        for own, length in parts
        for element in own[row * length : (row + 1) * length]
    ]
    return array_from(
        elements, (*before, sum([array.shape[axis] for array in listed]), *after), kind
    )


def stack(arrays: Any, axis: int = 0) -> ndarray:
    """Arrays of one shape along a new axis."""
    widened = []
    for value in arrays:
        array = array_of(value)
        at = axis % (array.ndim + 1)
        widened.append(array.reshape((*array.shape[:at], 1, *array.shape[at:])))
    if any(part.shape != widened[0].shape for part in widened):
        raise ValueError("all input arrays must have the same shape")
    return concatenate(widened, axis)


def vstack(arrays: Any) -> ndarray:
    """Arrays below one another."""
    return concatenate([atleast_2d(value) for value in arrays])


def hstack(arrays: Any) -> ndarray:
    """Arrays beside one another."""
    listed = [array_of(value) for value in arrays]
    listed = [array if array.shape else array.reshape(1) for array in listed]
    return concatenate(listed, 0 if listed[0].ndim == 1 else 1)


def append(value: Any, more: Any, axis: int | None = None) -> ndarray:
    """An array with further elements at its end."""
    return concatenate([value, more], axis)


def insert(value: Any, at: int, more: Any, axis: int | None = None) -> ndarray:
    """An array with further elements before a place."""
    array = array_of(value)
    if axis is None:
        array, axis = array.reshape(-1), 0
    lines = rows_of(array, axis)
    added = spread(array_of(more).elements, array_of(more).shape, (len(lines),))
    rows = [[*line[:at], inserted, *line[at:]] for line, inserted in zip(lines, added, strict=True)]
    return of_lines(rows, array, axis)


def delete(value: Any, which: Any) -> ndarray:
    """An array of one axis without some of its elements."""
    array = array_of(value)
    keep = ones(array.size, bool)
    chosen = array_of(which)
    keep[chosen if chosen.size else array_from([], (0,), int)] = False
    return array.reshape(-1)[keep]  # type: ignore[no-any-return]


def of_lines(lines: list[list[Any]], like: ndarray, axis: int) -> ndarray:
    """The array whose lines along an axis these are."""
    axis %= like.ndim
    before, after = size_of(like.shape[:axis]), size_of(like.shape[axis + 1 :])
    length = len(lines[0]) if lines else 0
    elements = [
        lines[row * after + inner][at]
        for row in range(before)
        for at in range(length)
        for inner in range(after)
    ]
    return array_from(elements, (*like.shape[:axis], length, *like.shape[axis + 1 :]), like.dtype)


def roll(value: Any, by: int, axis: int | None = None) -> ndarray:
    """The elements moved on, those at the end back to the start."""
    array = array_of(value)
    flat = array.reshape(-1) if axis is None else array
    lines = [_rolled(line, by) for line in rows_of(flat, axis or 0)]
    return of_lines(lines, flat, axis or 0).reshape(array.shape)


def _rolled(line: list[Any], by: int) -> list[Any]:
    first = -by % max(len(line), 1)
    return line[first:] + line[:first]


def tile(value: Any, times: int) -> ndarray:
    """The elements of one axis several times over."""
    array = array_of(value)
    return array_from(list(array.elements) * times, (array.size * times,), array.dtype)


def repeat(value: Any, times: Any) -> ndarray:
    """Each element several times, one after the other."""
    array = array_of(value)
    times_of_each = spread(array_of(times).elements, array_of(times).shape, (array.size,))
    elements = [
        e for e, count in zip(array.elements, times_of_each, strict=True) for _ in range(count)
    ]
    return row_of(elements, array.dtype)


def split(value: Any, where_to: Sequence[int]) -> list[ndarray]:
    """The parts of an array before, between and after these positions."""
    array = array_of(value)
    edges = [0, *array_of(where_to).tolist(), len(array)]
    return [array[first:end] for first, end in itertools.pairwise(edges)]
