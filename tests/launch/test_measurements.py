"""What a launch found: bits compared, times of steps, latency and bandwidth."""

import numpy as np
from each import each

from collectives.launch.measurements import ResultComparison, added, compared, fitted


def test_one_bit_is_seen():
    one = np.array([1.0, -0.0, 3.0], np.float32)
    other = one.copy()
    assert compared([one], [other]) == ResultComparison(3, 0, 0)
    other[2] = np.nextafter(other[2], np.float32(4))
    other[1] = 0.0
    found = compared([one, one], [one, other])
    assert (found.elements, found.differing, found.equal, found.units) == (6, 2, False, 1)
    assert compared([one[:0]], [one]).differing == 3
    assert compared([one], [one.astype(np.float64)]).differing == 3


@each(
    ("one", "other", "units"),
    [
        (np.array([-1e-45], np.float32), np.array([1e-45], np.float32), 3),
        (np.array([-1.0]), np.array([np.nextafter(-1.0, 0.0)]), 1),
        (np.array([255], np.uint8), np.array([0], np.uint8), 255),
        (np.array([-1], np.int64), np.array([1], np.int64), 2),
    ],
)
def test_units_in_the_last_place_are_counted_across_zero(one, other, units):
    assert compared([one], [other]) == compared([other], [one]) == ResultComparison(1, 1, units)


def test_steps_that_end_before_an_earlier_one_add_nothing():
    ends = np.array([[1.0, 4.0, 3.0, 6.0], [2.0, 2.0, 2.0, 2.0]])
    assert added(ends).tolist() == [[1, 3, 0, 2], [2, 0, 0, 0]]


def test_a_line_is_fitted_by_relative_distance():
    sizes = np.array([8.0, 1024, 65536, 1 << 20])
    latency, bandwidth = fitted(sizes, 2e-6 + sizes / 5e9)
    assert np.isclose(latency, 2e-6) and np.isclose(bandwidth, 5e9)
    latency, bandwidth = fitted(sizes, np.array([5.0, 5.0, 4.0, 3.0]) * 1e-6)  # it falls
    assert np.isclose(latency, 5e-6) and np.isclose(bandwidth, (1 << 20) / 3e-6)
