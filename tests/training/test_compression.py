"""When sending fewer bits is worth it: executed volumes; at the limit both take as long."""

import math
from fractions import Fraction

import pytest
from training.executed import SOME, sent

from collectives.cost.machines.links import Link
from collectives.training import compression
from collectives.training.gradients import sync_seconds


def test_quantized_numbers_take_fewer_bits():
    assert compression.quantized("fp32", "int8") == 4
    assert compression.quantized("bf16", "bf16") == 1


@pytest.mark.parametrize("ranks", SOME)
def test_top_k_sends_what_gathering_values_and_indices_sends(ranks):
    """Of 1000 fp32 values 10 are kept, with indices of 4 bytes: 80 bytes from each rank."""
    moved, _ = sent("all_gather", "ring", ranks, count=10 * ranks, dtype="int64")
    dense, size = sent("all_reduce", "ring", ranks, count=ranks, dtype="float32")
    gain = compression.top_k_gain(ranks, 0.01, "fp32")
    assert gain == Fraction(dense, size) * 4000 / moved


@pytest.mark.parametrize("ranks", SOME)
def test_at_the_break_even_density_both_send_as_much(ranks):
    density = compression.break_even_density(ranks, "fp32")
    assert density == Fraction(1, ranks)  # 2 / (N (1 + 4/4))
    assert compression.top_k_gain(ranks, float(density)) == pytest.approx(1)


@pytest.mark.parametrize("gain", [1.5, 2, 100])
def test_at_the_break_even_bandwidth_both_take_as_long(gain):
    rate = compression.break_even_bandwidth(1e9, 8, gain, coding=0.01)
    link = Link("it", rate, 0)
    plain, packed = sync_seconds(1e9, 8, link), sync_seconds(1e9 / gain, 8, link) + 0.01
    assert plain == pytest.approx(packed)
    assert compression.break_even_bandwidth(1e9, 8, gain, coding=0) == math.inf
