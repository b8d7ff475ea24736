"""Arithmetic and comparison of arrays, element by element, as numpy spreads their shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from animations.player.micropython.arrays import BOOL, FLOAT, INT, array_from, array_of, ndarray
from animations.player.micropython.indexing import common, size_of, spread

Elements = Sequence[Any]
Pairwise = Callable[[Elements, Elements], list[Any]]


def _quotients(xs: Elements, ys: Elements) -> list[Any]:
    """Divided and rounded down; by zero it is zero, as numpy has it."""
    return [x // y if y else 0 for x, y in zip(xs, ys, strict=True)]


def _remainders(xs: Elements, ys: Elements) -> list[Any]:
    """What the division leaves; by zero it is zero, as numpy has it."""
    return [x % y if y else 0 for x, y in zip(xs, ys, strict=True)]


ARITHMETIC: dict[str, Pairwise] = {
    "add": lambda xs, ys: [x + y for x, y in zip(xs, ys, strict=True)],
    "sub": lambda xs, ys: [x - y for x, y in zip(xs, ys, strict=True)],
    "mul": lambda xs, ys: [x * y for x, y in zip(xs, ys, strict=True)],
    "floordiv": _quotients,
    "mod": _remainders,
    "pow": lambda xs, ys: [x**y for x, y in zip(xs, ys, strict=True)],
    "lshift": lambda xs, ys: [x << y for x, y in zip(xs, ys, strict=True)],
    "rshift": lambda xs, ys: [x >> y for x, y in zip(xs, ys, strict=True)],
    "truediv": lambda xs, ys: [x / y for x, y in zip(xs, ys, strict=True)],
    "and": lambda xs, ys: [x & y for x, y in zip(xs, ys, strict=True)],
    "or": lambda xs, ys: [x | y for x, y in zip(xs, ys, strict=True)],
    "xor": lambda xs, ys: [x ^ y for x, y in zip(xs, ys, strict=True)],
}
COMPARISONS: dict[str, Pairwise] = {
    "eq": lambda xs, ys: [x == y for x, y in zip(xs, ys, strict=True)],
    "ne": lambda xs, ys: [x != y for x, y in zip(xs, ys, strict=True)],
    "lt": lambda xs, ys: [x < y for x, y in zip(xs, ys, strict=True)],
    "le": lambda xs, ys: [x <= y for x, y in zip(xs, ys, strict=True)],
    "gt": lambda xs, ys: [x > y for x, y in zip(xs, ys, strict=True)],
    "ge": lambda xs, ys: [x >= y for x, y in zip(xs, ys, strict=True)],
}
OF_BOOLEANS = {"add": "or", "mul": "and", "and": "and", "or": "or", "xor": "xor"}


def matched(x1: Any, x2: Any) -> tuple[Elements, Elements, Any, ndarray, ndarray]:
    """The elements of both, spread over one another, their shape, and both as arrays."""
    left, right = array_of(x1), array_of(x2)
    if left.shape == right.shape:
        return left.elements, right.elements, left.shape, left, right
    shape = common([left.shape, right.shape])
    xs, ys = (spread(side.elements, side.shape, shape) for side in (left, right))
    return xs, ys, shape, left, right


def combined(name: str, x1: Any, x2: Any) -> Any:
    """What an operation of ARITHMETIC makes; an element where both are."""
    xs, ys, shape, left, right = matched(x1, x2)
    kind = None
    if left.dtype is BOOL and right.dtype is BOOL:
        if name == "sub":
            raise TypeError("numpy boolean subtract, the `-` operator, is not supported")
        name, kind = OF_BOOLEANS.get(name, name), BOOL if name in OF_BOOLEANS else None
    elif left.dtype is not FLOAT and right.dtype is not FLOAT:
        kind = FLOAT if name == "truediv" else INT
    results = ARITHMETIC[name](xs, ys)
    if kind is BOOL:
        results = [bool(element) for element in results]
    elif name == "pow" and any(isinstance(element, float) for element in results) and kind is INT:
        raise ValueError("Integers to negative integer powers are not allowed.")
    return (
        results[0] if shape == () else array_from(results, shape, FLOAT if kind is None else kind)
    )


def compared(name: str, x1: Any, x2: Any) -> Any:
    """Whether a comparison holds, for each pair of elements."""
    xs, ys, shape, _, _ = matched(x1, x2)
    results = COMPARISONS[name](xs, ys)
    return results[0] if shape == () else array_from(results, shape, BOOL)


def each(array: Any, change: Callable[[Any], Any], kind: Any = None) -> ndarray:
    """An array of what a function makes of each element."""
    source = array_of(array)
    return array_from(
        [change(element) for element in source.elements], source.shape, kind or source.dtype
    )


def _write(array: ndarray, name: str, operand: Any) -> ndarray:
    """The same array after an operation in place, which all that share its elements see."""
    changed = array_of(combined(name, array, operand))
    if changed.dtype is FLOAT and array.dtype is not FLOAT:
        raise TypeError("Cannot cast the result from float64 to int64 in place; // divides")
    array[...] = changed
    return array


def _inverted(array: ndarray) -> ndarray:
    if array.dtype is BOOL:
        return each(array, lambda element: not element)
    return each(array, lambda element: ~element)


def _operator(name: str, use: Callable[[str, Any, Any], Any], swaps: bool = False) -> Any:
    """The method of an operation, of an array and something else."""
    if swaps:
        return lambda array, operand: use(name, operand, array)
    return lambda array, operand: use(name, array, operand)


def _in_place(name: str) -> Any:
    return lambda array, operand: _write(array, name, operand)


for _name in ARITHMETIC:
    setattr(ndarray, f"__{_name}__", _operator(_name, combined))
    setattr(ndarray, f"__r{_name}__", _operator(_name, combined, swaps=True))
    setattr(ndarray, f"__i{_name}__", _in_place(_name))
for _name in COMPARISONS:
    setattr(ndarray, f"__{_name}__", _operator(_name, compared))
OTHERS: dict[str, Any] = {
    "hash": None,
    "invert": _inverted,
    "neg": lambda array: each(array, lambda element: -element),
    "abs": lambda array: each(array, abs),
    "divmod": lambda array, operand: (array // operand, array % operand),
}
for _name in OTHERS:
    setattr(ndarray, f"__{_name}__", OTHERS[_name])


class Ufunc:
    """An operation as a function, which also runs over a list or over all pairs."""

    def __init__(self, use: Callable[[Any, Any], Any]) -> None:
        self._use = use

    def __call__(self, x1: Any, other: Any) -> Any:
        """The result for each pair of elements."""
        return self._use(x1, other)

    def reduce(self, arrays: Any, axis: int | None = 0) -> Any:
        """The result of all along the first axis, or of all elements."""
        items = list(array_of(arrays).elements if axis is None else arrays)
        total = items[0] if items else True
        for item in items[1:]:
            total = self._use(total, item)
        return total

    def outer(self, x1: Any, x2: Any) -> Any:
        """The result for every element of the first with every one of the second."""
        left, right = array_of(x1), array_of(x2)
        shape = left.shape + (1,) * right.ndim
        if not size_of(shape):
            return array_from([], left.shape + right.shape, int)
        return self._use(left.reshape(shape), right)
