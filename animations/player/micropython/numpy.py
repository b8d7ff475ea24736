"""The names of numpy that schedules are made with, of arrays in plain Python."""

# ruff: noqa: A001, A004, F401

from __future__ import annotations

from typing import Any, NoReturn

from animations.player.micropython.arrays import BOOL, FLOAT, INT, array_of, ndarray
from animations.player.micropython.choosing import (
    all,
    any,
    argmax,
    argmin,
    argsort,
    array_equal,
    bincount,
    count_nonzero,
    cumsum,
    diff,
    divmod,
    flatnonzero,
    frexp,
    isfinite,
    isin,
    max,
    min,
    nonzero,
    searchsorted,
    setdiff1d,
    sort,
    sum,
    take_along_axis,
    union1d,
    unique,
    where,
)
from animations.player.micropython.making import (
    append,
    arange,
    array,
    asarray,
    atleast_2d,
    broadcast_shapes,
    broadcast_to,
    concatenate,
    delete,
    empty,
    empty_like,
    eye,
    full,
    full_like,
    hstack,
    indices,
    insert,
    ogrid,
    ones,
    ones_like,
    ravel,
    repeat,
    reshape,
    roll,
    split,
    stack,
    tile,
    vstack,
    zeros,
    zeros_like,
)
from animations.player.micropython.operators import Ufunc, combined, compared, each

intp = int64 = int_ = int32 = INT
bool_ = BOOL
float64 = FLOAT
integer = int
floating = float
newaxis = None
add = Ufunc(lambda a, b: combined("add", a, b))
subtract = Ufunc(lambda a, b: combined("sub", a, b))
multiply = Ufunc(lambda a, b: combined("mul", a, b))
mod = remainder = Ufunc(lambda a, b: combined("mod", a, b))
maximum = Ufunc(lambda a, b: where(compared("ge", a, b), a, b))
minimum = Ufunc(lambda a, b: where(compared("le", a, b), a, b))
logical_and = Ufunc(lambda a, b: combined("and", _truth(a), _truth(b)))
logical_or = Ufunc(lambda a, b: combined("or", _truth(a), _truth(b)))


def __getattr__(name: str) -> NoReturn:
    """Raises AttributeError for a name of numpy that there is no stand-in for."""
    raise AttributeError(f"np.{name}: the editor's Python has no such name of numpy")


def _truth(value: Any) -> ndarray:
    return array_of(value).astype(bool)


def abs(value: Any) -> Any:
    """Each element without its sign."""
    return each(value, lambda element: element if element >= 0 else -element)
