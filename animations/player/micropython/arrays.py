"""Arrays of whole numbers, booleans and fractions in plain Python, in place of numpy's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from animations.player.micropython.indexing import located, positions_of, size_of, spread

Shape = tuple[int, ...]


class Kind:
    """A kind of elements: its letter, as numpy has it, its name, and what makes an element."""

    def __init__(self, kind: str, name: str, make: Callable[[Any], Any]) -> None:
        self.kind, self.name, self.make = kind, name, make

    def __str__(self) -> str:
        """The name."""
        return self.name


BOOL, INT, FLOAT = Kind("b", "bool", bool), Kind("i", "int64", int), Kind("f", "float64", float)
KINDS = {bool: BOOL, int: INT, float: FLOAT}


def kind_of(value: Any) -> Kind:
    """The kind of an array, of a type, of an element or of a list of elements."""
    if isinstance(value, Kind):
        return value
    if value in (bool, int, float):
        return KINDS[value]
    kind = BOOL
    for element in value:
        if isinstance(element, float):
            return FLOAT
        if not isinstance(element, bool):
            if not isinstance(element, int):
                raise TypeError(f"an array holds numbers, not {type(element).__name__}")
            kind = INT
    return kind if value else FLOAT


class ndarray:  # noqa: N801 - numpy's name
    """Elements in rows and columns; a part of one is a view, which shares its elements.

    buffer: the elements as a list that several arrays may share. at: where in it each element of
    this one stands; None where it has all of them, in their order.
    """

    def __init__(
        self,
        shape: Shape,
        dtype: Any = float,
        buffer: Any = None,
        strides: Shape | None = None,
        at: Sequence[int] | None = None,
    ) -> None:
        self.shape, self.dtype, self.strides = shape, kind_of(dtype), strides or ()
        self.writable = True
        if strides == (0,):  # one element for all
            at, buffer = [0] * shape[0], buffer.tolist()
        self.cells: list[Any] = buffer
        self.at = at

    @property
    def elements(self) -> list[Any]:
        """All elements, those of a row after those of the row before."""
        if self.at is None:
            return self.cells
        cells = self.cells
        return [cells[position] for position in self.at]

    @property
    def ndim(self) -> int:
        """How many axes there are."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many elements there are."""
        return size_of(self.shape)

    @property
    def positions(self) -> Sequence[int]:
        """Where each element stands in the shared list."""
        return range(len(self.cells)) if self.at is None else self.at

    def __len__(self) -> int:
        """The length of the first axis."""
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __bool__(self) -> bool:
        """The truth of the only element."""
        if self.size != 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. "
                "Use a.any() or a.all()"
            )
        return bool(self.elements[0])

    def __int__(self) -> int:
        """The only element."""
        return int(self.item())

    def __index__(self) -> int:
        """The only element."""
        return int(self.item())

    def __iter__(self) -> Iterator[Any]:
        """Elements of one axis, or rows of several."""
        if len(self.shape) == 1:
            return iter(self.elements)
        return iter([self[row] for row in range(len(self))])

    def __repr__(self) -> str:
        """The elements in brackets."""
        return f"array({self.tolist()})"

    def __getitem__(self, key: Any) -> Any:
        """An element, or a view where the key has slices only, else a copy."""
        if isinstance(key, int) and len(self.shape) == 1 and not isinstance(key, bool):
            position = located(key, self.shape[0], 0)
            return self.cells[position if self.at is None else self.at[position]]
        chosen, shape, copies = positions_of(key, self.shape)
        positions = self.positions
        if shape is None:
            return self.cells[positions[chosen[0]]]
        offsets = [positions[position] for position in chosen]
        if copies:
            return array_from([self.cells[place] for place in offsets], shape, self.dtype)
        return ndarray(shape, self.dtype, self.cells, at=offsets)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Write elements; of those that are written several times the last stays."""
        if not self.writable:
            raise ValueError("assignment destination is read-only")
        chosen, shape, _ = positions_of(key, self.shape)
        source, positions, make = array_of(value), self.positions, self.dtype.make
        spread_values = spread(source.elements, source.shape, shape or ())
        for position, element in zip(chosen, spread_values, strict=True):
            self.cells[positions[position]] = make(element)

    @property
    def T(self) -> ndarray:  # noqa: N802
        """The view with rows and columns exchanged."""
        return self.transpose()

    def transpose(self) -> ndarray:
        """The view with its axes in reverse order."""
        positions, shape = self.positions, self.shape
        offsets, step = [0], size_of(shape)
        parts = []
        for length in shape:
            step //= max(length, 1)
            parts.append([index * step for index in range(length)])
        for part in reversed(parts):
            offsets = [base + more for base in offsets for more in part]
        at = [positions[position] for position in offsets]
        return ndarray(tuple(reversed(shape)), self.dtype, self.cells, at=at)

    def reshape(self, *shape: Any) -> ndarray:
        """The view in another shape, in which -1 is as long as it has to be."""
        wanted = (
            list(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else list(shape)
        )
        if -1 in wanted:
            known = -size_of(tuple(wanted))
            wanted[wanted.index(-1)] = self.size // known if known else 0
        if size_of(tuple(wanted)) != self.size:
            raise ValueError(f"cannot reshape array of size {self.size} into shape {shape}")
        return ndarray(tuple(wanted), self.dtype, self.cells, at=self.at)

    def ravel(self) -> ndarray:
        """All elements on one axis."""
        return self.reshape(-1)

    def flatten(self) -> ndarray:
        """A copy with all elements on one axis."""
        return self.ravel().copy()

    def copy(self) -> ndarray:
        """The same elements, not shared."""
        return array_from(list(self.elements), self.shape, self.dtype)

    def astype(self, dtype: Any) -> ndarray:
        """The elements as another kind."""
        kind = kind_of(dtype)
        return array_from([kind.make(element) for element in self.elements], self.shape, kind)

    def tolist(self) -> Any:
        """The elements as lists of lists."""
        if not self.shape:
            return self.elements[0]
        if len(self.shape) == 1:
            return list(self.elements)
        return [row.tolist() for row in self]

    def item(self, position: int = 0) -> Any:
        """One element."""
        if self.size != 1 and not position:
            return self.elements[0]
        return self.elements[position]

    def setflags(self, write: bool) -> None:
        """Make it read-only."""
        self.writable = write

    def any(self) -> bool:
        """Whether some element is true."""
        return any(self.elements)

    def all(self) -> bool:
        """Whether all elements are true."""
        return all(self.elements)

    def max(self, axis: int | None = None, initial: int | None = None) -> Any:
        """The largest element."""
        more = [] if initial is None else [initial]
        return along(self, axis, lambda line: max(line + more))

    def min(self, axis: int | None = None) -> Any:
        """The smallest element."""
        return along(self, axis, min)

    def sum(self, axis: int | None = None) -> Any:
        """The elements added up."""
        return along(self, axis, lambda line: sum([int(e) if e is True else e for e in line]))

    def argmax(self, axis: int | None = None) -> Any:
        """Where the first of the largest elements stands."""
        return along(self, axis, lambda line: line.index(max(line)))

    def argmin(self, axis: int | None = None) -> Any:
        """Where the first of the smallest elements stands."""
        return along(self, axis, lambda line: line.index(min(line)))


def array_from(elements: list[Any], shape: Shape, kind: Any = None) -> ndarray:
    """A new array of these elements; their kind is found out where it is not given."""
    return ndarray(shape, kind_of(elements) if kind is None else kind, elements)


def row_of(elements: list[Any], kind: Any = int) -> ndarray:
    """A new array of one axis."""
    return array_from(elements, (len(elements),), kind)


def array_of(value: Any, dtype: Any = None) -> ndarray:
    """A number, an array, or lists of them, as an array; raises ValueError for ragged lists."""
    if isinstance(value, ndarray):
        return value if dtype is None or kind_of(dtype) is value.dtype else value.astype(dtype)
    if isinstance(value, (bool, int, float)):
        elements, shape = _alone(value)
    else:
        if isinstance(value, str) or (
            not hasattr(value, "__iter__") and not isinstance(value, SEEN)
        ):
            raise TypeError(f"an array holds numbers, not {type(value).__name__}")
        elements, shape = _gathered(list(value))
    array = array_from(elements, shape)
    return array if dtype is None else array.astype(dtype)


SEEN = (list, tuple, range)  # which have no __iter__ to see in MicroPython


def _alone(value: Any) -> tuple[list[Any], Shape]:
    """One element, of no axis."""
    return [value], ()


def _gathered(items: list[Any]) -> tuple[list[Any], Shape]:
    """The elements of items of one shape, and the shape of all of them."""
    if all(isinstance(item, (bool, int, float)) for item in items):
        return items, (len(items),)
    rows = [array_of(item) for item in items]
    if any(row.shape != rows[0].shape for row in rows):
        raise ValueError("setting an array element with a sequence: the rows differ in length")
    return [element for row in rows for element in row.elements], (len(rows), *rows[0].shape)


def along(array: ndarray, axis: int | None, reduce: Callable[[list[Any]], Any]) -> Any:
    """What a function makes of all elements, or of those along each line of an axis."""
    if axis is None:
        return reduce(list(array.elements))
    lines = rows_of(array, axis)
    shape = array.shape[: axis % array.ndim] + array.shape[axis % array.ndim + 1 :]
    return array_from([reduce(line) for line in lines], shape)


def rows_of(array: ndarray, axis: int) -> list[list[Any]]:
    """The elements along each line of an axis; lines in the order of the other axes."""
    axis %= array.ndim
    before, after = size_of(array.shape[:axis]), size_of(array.shape[axis + 1 :])
    whole, elements = array.shape[axis] * after, array.elements
    return [
        elements[first * whole + inner : (first + 1) * whole : after]
        for first in range(before)
        for inner in range(after)
    ]
