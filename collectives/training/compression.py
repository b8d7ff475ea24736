"""When sending fewer bits of the gradients is worth it: fewer bytes for them, or only the largest.

Sizes are in bytes, times in seconds, bandwidths in bytes per second in one direction.
"""

from __future__ import annotations

from fractions import Fraction

from collectives.errors import BadInput
from collectives.training.gradients import bits_of, volume
from collectives.values import share, whole

INDEX = 32  # bits of the number that says where a value belongs


def quantized(dtype: str, into: str) -> Fraction:
    """How many times fewer bytes numbers of one type take in another.

    >>> quantized("bf16", "fp8")
    Fraction(2, 1)
    """
    return Fraction(bits_of(dtype), bits_of(into))


def top_k_gain(ranks: int, density: float, dtype: str = "fp32", index: int = INDEX) -> Fraction:
    """How many times fewer bytes each rank sends if only its largest values are sent.

    density: the part that is kept. Kept values differ from rank to rank, so all are gathered,
    with their indices, and added by everyone: what is sent grows with the ranks, that of a dense
    all-reduce does not. Renggli et al., SparCML, SC 2019, section 5.

    >>> float(top_k_gain(8, 0.001, "fp32")), float(top_k_gain(2048, 0.001, "fp32")) < 1
    (125.0, True)
    """
    kept = Fraction(str(share("density", density)))
    if not kept:
        raise BadInput("density 0: nothing is sent; it must be above 0; try: 0.001")
    bits = bits_of(dtype)
    one_rank = kept * Fraction(bits + whole("index", index), bits)  # of the dense vector
    gathered = volume("all_gather", "ring", ranks).sent * ranks * one_rank
    return volume("all_reduce", "ring", ranks).sent / gathered if ranks > 1 else Fraction(1)
