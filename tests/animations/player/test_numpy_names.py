"""The stand-in for numpy does what numpy does: values, shapes, kinds, and what it refuses."""

import random

import numpy as real
import pytest

from animations.player.micropython import numpy as names

A = "np.arange(6)"
B = "np.arange(12).reshape(3, 4)"
MASK = "(np.arange(6) % 2 == 0)"
EXPRESSIONS = f"""
{A} + 1; 1 - {A}; {A} * {A}; 7 // ({A} + 1); {A} % 4; -{A}; ~{A}; ~{MASK}; {A} << 1; 1 << {A}
{A} ^ 3; {A} & -{A}; {A} | 8; {A} / 2; {A} ** 2; {A} // 0; {A} % 0; {A} == 3; {A} != 3; {A} >= 2
{MASK} & {MASK}; {MASK} | True; {MASK} + {MASK}; {MASK} + 1; {MASK} * 3; {MASK} ^ {MASK}
{B} + np.arange(4); {B}[:, :1] + np.arange(3)[:, None].T; {B}.T; {B}.T.reshape(-1)
{B}.reshape(2, -1); {B}[1]; {B}[:, 1]; {B}[::2, ::-1]; {B}[[0, 2]]; {B}[[0, 2], [1, 3]]
{B}[:, [1, 3, 1]]; {B}[-1, -1]; {B}[None, :, 1]; {B}[..., 2]; {B}[{B} > 5]
{B}[[True, False, True]]; {B}[np.arange(3)[:, None], [0, 1]]; {B}[1, [0, 2]]
{B}[np.array([], int)]; {A}[{MASK}]; {A}[{A}[::-1]]; {A}[2:][1:]; {A}[5:0:-2]; np.append(-1, {A})
np.append({A}, {B}); np.array([1, 2.5]); np.array([[1, 2], [3, 4]]); np.array([]); np.asarray(3)
np.arange(2, 9, 3); np.arange(5, 0, -1); np.arange(0); np.zeros(3); np.zeros(2, int)
np.zeros((2, 3), bool); np.ones((2, 2)); np.full(3, -1); np.full((2, 1), True)
np.eye(3, dtype=bool); np.zeros_like({B}); np.empty_like({A}) * 0; np.ones_like({MASK})
np.full_like({A}, 4); np.argmax({B} % 5); np.argmax({B} % 5, axis=1); np.argmin({A}); {B}.max()
{B}.max(axis=0); {B}.min(axis=1); {B}.sum(); {B}.sum(axis=0); {MASK}.sum(); np.sum({A})
np.max({A}); {MASK}.any(); {MASK}.all(); np.any({B} > 99); np.cumsum({A}); np.cumsum({A} > 2)
np.diff({A} ** 2); np.delete({A}, [1, 3]); np.delete({A}, 2); np.delete({A}, np.array([], int))
np.divmod({A}, 4); np.flatnonzero({A} % 3); np.nonzero({B} % 2); np.frexp(np.arange(1, 9))[1]
np.frexp(np.arange(1, 9))[0]; np.hstack([{A}, {A}]); np.hstack([{B}, {B}]); np.vstack([{A}, {A}])
np.stack([{A}, {A} + 1]); np.stack([{A}, {A} + 1], axis=1); np.stack({A}[:2])
np.concatenate([{B}, {B}], axis=1); np.concatenate([{A}, {A}])
np.concatenate([{B}, {B}], axis=None); np.indices((2, 3)); np.insert({B}, 0, 9, axis=1)
np.insert({B}, 1, [7, 8, 9], axis=1); np.insert({A}, 2, 9); np.isin({A}, [1, 4]); np.ogrid[:3, :2]
np.repeat({A}, 2); np.repeat([5, 6], [1, 3]); np.reshape({A}, (3, 2)); np.roll({A}, 2)
np.roll({B}, -1, axis=1); np.roll({B}, 1, axis=0); np.roll({B}, 5); np.tile({A}, 2)
np.searchsorted([1, 3, 5], 4); np.searchsorted([1, 3, 5], [0, 3, 9])
np.searchsorted([1, 3], 3, side="right"); np.setdiff1d({A}, [2, 3]); np.union1d([3, 1], [2, 3])
np.unique([3, 1, 3]); np.split({A}, [2, 4]); np.unique([3, 1, 3], return_index=True)
np.unique([3, 1, 3], return_inverse=True, return_counts=True); np.unique({B} % 3, axis=1)
np.where({A} > 2, {A}, -1); np.where({MASK}, {A}, 0.5); np.where({A} > 3)
np.take_along_axis({B}, {B}[:, ::-1] % 4, axis=1); np.bincount([1, 1, 4])
np.count_nonzero({A} > 2); np.sort({A} % 4); np.argsort({A} % 4, kind="stable")
np.array_equal({A}, {A} + 0); np.atleast_2d({A}); np.broadcast_to({A}, (2, 6))
np.broadcast_shapes((3, 1), (4,)); np.maximum({A}, 3); np.minimum({A}, 3)
np.add.outer({A}, np.arange(2)); np.maximum.reduce([{A}, {A}[::-1]])
np.logical_and({MASK}, {A} > 1); np.ravel({B}); {A}.astype(bool); {MASK}.astype(int); {A}.copy()
{B}.flatten(); {A}.tolist(); {B}.size; {B}.shape; {B}.ndim; len({B}); np.abs({A} - 3)
abs({A} - 3); np.isfinite({A} / 2); list({B}[0]); {A}.item(3); np.int64(3); np.bool_(1)
sum(row.sum() for row in {B}); max({A}); divmod({A}, 4); [x for x, in {A}[:, None]]
"""
REFUSED = f"""
{A}[6]; {A}[-7]; {B}[3, 0]; {B}[0, 0, 0]; {A} + np.arange(4); {A}.reshape(4, 4)
{A}[0.5 + {A} * 0]; np.array([[1], [1, 2]]); np.concatenate([]); np.stack([{A}, {A}[1:]])
{MASK} - {MASK}; bool({A}); 2 ** -{A}; len(np.asarray(3)); np.concatenate([{A}, {B}])
"""


def listed(text):
    return [part.strip() for line in text.split("\n") for part in line.split(";") if part.strip()]


def plain(value):
    """Values, shape and kind, whichever made them."""
    if isinstance(value, (tuple, list)):
        return [plain(each) for each in value]
    if hasattr(value, "tolist"):
        kind = value.dtype.kind if value.shape else ""
        return (value.tolist(), tuple(value.shape), kind)
    return value if isinstance(value, (str, list)) else (value, (), "")


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_expressions_are_what_numpy_makes_of_them():
    differ = {}
    for text in listed(EXPRESSIONS):
        if text in ("np.int64(3)", "np.bool_(1)"):  # a kind makes no element
            continue
        wanted, found = (plain(eval(text, {"np": module})) for module in (real, names))
        if wanted != found:
            differ[text] = (wanted, found)
    assert differ == {}


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_what_numpy_refuses_is_refused():
    for text in listed(REFUSED):
        for module in (real, names):
            with pytest.raises((IndexError, TypeError, ValueError)):
                eval(text, {"np": module})


def key(dice, length):
    """A part of an axis: an index, a slice, indices or a mask."""
    kind = dice.randrange(5)
    if kind == 0:
        return dice.randrange(-length, length)
    if kind == 1:
        return [dice.randrange(-length, length) for _ in range(dice.randrange(1, 3))]
    if kind == 2:
        return None
    ends = [dice.choice([None, *range(-length, length + 1)]) for _ in "ab"]
    return slice(*ends, dice.choice([None, 1, 2, -1]))


def test_any_key_reads_and_writes_the_same_elements():
    dice = random.Random(3)
    tried = 0
    for _ in range(1500):
        shape = tuple(dice.randrange(1, 5) for _ in range(dice.randrange(1, 4)))
        size = int(real.prod(shape))
        both = [module.arange(size).reshape(shape) for module in (real, names)]
        keys = tuple(key(dice, length) for length in shape[: dice.randrange(1, 4)])
        try:
            wanted = both[0][keys]
        except IndexError:
            with pytest.raises(IndexError):
                both[1][keys]
            continue
        assert plain(both[1][keys]) == plain(wanted), (shape, keys)
        for each in both:
            each[keys] = 77
            part = each[keys]
            if hasattr(part, "shape") and part.shape:
                part[...] = 5  # a view changes the whole, a copy does not
            each[:1] += 3
        assert both[0].tolist() == both[1].tolist(), (shape, keys)
        tried += 1
    assert tried > 500


def test_in_place_is_seen_by_all_that_share_the_elements():
    for module in (real, names):
        whole = module.arange(4)
        other, part = whole, whole[1:3]
        whole += 10
        part -= 1
        assert other.tolist() == [10, 10, 11, 13]


def test_a_name_that_is_not_there_is_named():
    with pytest.raises(AttributeError, match=r"np\.linspace"):
        names.linspace(0, 1)
