"""How many times fewer bytes are sent: counted, and by executed volumes."""

from fractions import Fraction

import pytest
from training.executed import SOME, sent

from collectives.training import compression


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
