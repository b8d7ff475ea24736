"""Which elements of an array a key takes, and how shapes spread over one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from animations.player.micropython.standard import KEY

Shape = tuple[int, ...]


def size_of(shape: Shape) -> int:
    """How many elements an array of a shape has."""
    size = 1
    for length in shape:
        size *= length
    return size


def located(index: int, length: int, axis: int) -> int:
    """An index that may count from the end; raises IndexError outside of the axis."""
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {length}")
    return index + length if index < 0 else index


def common(shapes: Sequence[Shape]) -> Shape:
    """The shape that all of these spread to; raises ValueError where there is none."""
    lengths: list[int] = []
    for shape in shapes:
        shape = (1,) * (len(lengths) - len(shape)) + tuple(shape)
        lengths = [1] * (len(shape) - len(lengths)) + lengths
        for axis, length in enumerate(shape):
            if lengths[axis] != length and 1 not in (lengths[axis], length):
                listed = " ".join(str(shape) for shape in shapes)
                raise ValueError(f"operands could not be broadcast together with shapes {listed}")
            lengths[axis] = length if lengths[axis] == 1 else lengths[axis]
    return tuple(lengths)


def spread(elements: Sequence[Any], shape: Shape, wanted: Shape) -> Sequence[Any]:
    """The elements of a shape, repeated so that they fill another; raises ValueError."""
    if shape == wanted:
        return elements
    if len(elements) == 1:
        return [elements[0]] * size_of(wanted)
    longer = (1,) * (len(wanted) - len(shape)) + shape
    if len(longer) > len(wanted) or any(
        length not in (1, wanted[axis]) for axis, length in enumerate(longer)
    ):
        raise ValueError(f"could not broadcast input array from shape {shape} into shape {wanted}")
    return [elements[position] for position in _walked(longer, wanted)]


def _walked(shape: Shape, wanted: Shape) -> list[int]:
    """Positions in an array of a shape, where axes of length 1 repeat to a wanted shape."""
    walked, step = [0], size_of(shape)
    for axis, length in enumerate(wanted):
        step //= max(shape[axis], 1)
        part = [0] * length if shape[axis] == 1 else [index * step for index in range(length)]
        walked = [base + more for base in walked for more in part]
    return walked


def positions_of(key: Any, shape: Shape) -> tuple[Sequence[int], Shape | None, bool]:
    """The positions of elements that a key takes, their shape, and whether they are a copy.

    The shape is None for one element. Raises IndexError for a key that does not fit.
    """
    keys = _without_masks(list(key) if isinstance(key, tuple) else [key])
    used = sum([1 for key in keys if key is not None and key is not Ellipsis])
    if used > len(shape):
        raise IndexError(
            f"too many indices for array: array is {len(shape)}-dimensional, "
            f"but {used} were indexed"
        )
    rest = [KEY[:]] * (len(shape) - used)
    dots = [at for at, key in enumerate(keys) if key is Ellipsis]
    at = dots[0] if dots else len(keys)
    keys = keys[:at] + rest + keys[at + 1 :]
    lists = [hasattr(key, "elements") for key in keys]
    if any(lists):
        return _fancy(keys, shape, lists)
    offsets, step, axis, lengths, plain = [0], size_of(shape), 0, [], True
    for each in keys:
        if each is None:
            lengths.append(1)
            plain = False
            continue
        step //= max(shape[axis], 1)
        if isinstance(each, int):
            part: Sequence[int] = [located(each, shape[axis], axis)]
        else:
            part = range(shape[axis])[each]
            lengths.append(len(part))
            plain = False
        offsets = [base + index * step for base in offsets for index in part]
        axis += 1
    return offsets, None if plain and shape else tuple(lengths), False


def _without_masks(keys: list[Any]) -> list[Any]:
    """The keys with lists as arrays, and in place of each mask the indices of what is true."""
    from animations.player.micropython.arrays import BOOL, array_from, array_of

    keys_now: list[Any] = []
    for key in keys:
        if isinstance(key, (list, range)):
            key = array_of(key) if len(key) else array_from([], (0,), int)
        if not hasattr(key, "elements"):
            keys_now.append(key)
        elif key.dtype is not BOOL:
            if key.dtype.kind == "f":
                raise IndexError("arrays used as indices must be of integer (or boolean) type")
            keys_now.append(key if key.shape else key.item())
        else:
            keys_now += true_places(key)
    return keys_now


def true_places(mask: Any) -> list[Any]:
    """Of each axis of an array the indices of the elements that are not zero."""
    from animations.player.micropython.arrays import array_from

    positions = [position for position, element in enumerate(mask.elements) if element]
    offsets, step = [], size_of(mask.shape)
    for length in mask.shape:
        step //= max(length, 1)
        offsets.append(
            array_from([place // step % length for place in positions], (len(positions),), int)
        )
    return offsets


def _fancy(keys: list[Any], shape: Shape, lists: list[bool]) -> tuple[list[int], Shape, bool]:
    """The positions where some keys are arrays, which spread over one another, as in numpy."""
    chosen = [at for at, key in enumerate(keys) if lists[at] or isinstance(key, int)]
    wide = common([keys[at].shape if lists[at] else () for at in chosen])
    offsets = [0] * size_of(wide)
    parts: list[tuple[Sequence[int], Shape]] = []
    together = chosen == list(range(chosen[0], chosen[-1] + 1))
    step, axis = size_of(shape), 0
    for at, key in enumerate(keys):
        if key is None:
            parts.append(([0], (1,)))
            continue
        step //= max(shape[axis], 1)
        if at in chosen:
            indices = key.elements if lists[at] else [key]
            own = [located(index, shape[axis], axis) * step for index in indices]
            more = spread(own, key.shape if lists[at] else (), wide)
            offsets = [base + by for base, by in zip(offsets, more, strict=True)]
            if at == chosen[0]:
                place = len(parts) if together else 0
        else:
            part = range(shape[axis])[key]
            parts.append(([index * step for index in part], (len(part),)))
        axis += 1
    parts = [*parts[:place], (offsets, wide), *parts[place:]]
    offsets = [0]
    lengths: Shape = ()
    for more, own_shape in parts:
        offsets = [base + by for base in offsets for by in more]
        lengths += own_shape
    return offsets, lengths, True
