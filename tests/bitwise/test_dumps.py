"""Two dumps: the first call and element whose bits differ, and what the orders say of it."""

import json

import numpy as np
import pytest
from map_arithmetic import computed

from collectives import bits


def gradients(ranks, count):
    random = np.random.default_rng(3)
    scale = 2.0 ** random.integers(-4, 5, (ranks, count))
    return (random.standard_normal((ranks, count)) * scale).astype(np.float32)


def dump_of(size, calls):
    """What Open MPI's ranks end with, call by call, when a vector is reduced at this size."""
    found = bits("all_reduce", like="openmpi", ranks=3, size=size)
    return np.stack([computed(found, data[:, : size // 4]) for data in calls])


def test_the_first_call_and_element_and_both_orders():
    calls = [gradients(3, 1024) for _ in range(2)]
    short, long = dump_of(2048, calls), dump_of(4096, calls)[:, :512]
    short[0] = long[0]
    asked = {"like": "openmpi", "ranks": 3, "size": 4096, "against": {"size": 2048}}
    found = bits("all_reduce", dumps=(long, short), **asked)
    at = found.difference
    assert at.call == 1 and at.element >= 342 and at.in_call == (long[1] != short[1]).sum()
    assert at.element == int((long[1] != short[1]).argmax()) and at.ulps >= 1
    value = json.loads(json.dumps(found.as_json()))
    assert value["order_differs"] and value["orders"] == [
        "(x1 + x2) + x0",
        "(x0 + x1) + x2",
    ]
    assert "in another order" in "\n".join(map(str, found.lines()))


def test_where_the_order_is_the_same_the_inputs_are_to_blame():
    one = np.ones((2, 8), np.float32)
    other = one.copy()
    other[1, 5] = np.float32(1) + np.finfo(np.float32).eps
    found = bits("all_reduce", like="mpich", dumps=(one, other))
    assert (found.difference.call, found.difference.element, found.difference.ulps) == (1, 5, 1)
    assert "does not explain it" in "\n".join(map(str, found.lines()))
    assert not found.as_json()["order_differs"]


@pytest.mark.parametrize("pair", [(0.0, -0.0), (np.nan, 1.0), (np.inf, -np.inf)])
def test_bits_are_compared_not_values(pair):
    found = bits("all_reduce", dumps=([pair[0]], [pair[1]]))
    assert found.verdict == "other bits" and found.as_json()["orders"] == []


def test_the_same_nan_has_the_same_bits():
    assert bits("all_reduce", dumps=([np.nan], [np.nan])).verdict == "same bits"
    assert "same bits" in "\n".join(map(str, bits("all_reduce", dumps=([1.0], [1.0])).lines()))


def test_of_what_cannot_be_said_the_reason_is():
    found = bits("all_reduce", like="nccl", dumps=(np.zeros(1 << 24), np.ones(1 << 24)))
    assert "cannot say in which order" in "\n".join(map(str, found.lines()))
