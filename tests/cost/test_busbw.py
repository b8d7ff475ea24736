"""The factors of nccl-tests, and what busbw says of wires."""

from fractions import Fraction

import pytest

from collectives import record
from collectives.cost import busbw
from collectives.errors import BadInput
from collectives.evidence.measured import read


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("all_reduce", Fraction(14, 8)),
        ("all_gather", Fraction(7, 8)),
        ("reduce_scatter", Fraction(7, 8)),
        ("alltoall", Fraction(7, 8)),
        ("alltoallv", Fraction(7, 8)),
        ("gather", Fraction(7, 8)),
        ("scatter", Fraction(7, 8)),
        ("broadcast", Fraction(1)),
        ("reduce", Fraction(1)),
        ("sendrecv", Fraction(1)),
        ("hypercube", Fraction(1)),
    ],
)
def test_factors_of_eight_ranks(name, share):
    assert busbw.factor(name, 8) == share


def test_every_operation_has_a_size_column_and_a_factor():
    assert len(busbw.SIZES) == 11
    assert all(busbw.factor(name, 4) > 0 for name in busbw.SIZES)


@pytest.mark.parametrize("ranks", [1, 2, 3, 8, 13])
@pytest.mark.parametrize("name", ["all_reduce", "all_gather", "reduce_scatter"])
def test_the_factor_is_what_a_rank_sends_in_a_ring(name, ranks):
    """So busbw is the rate of the busiest wire, whatever the number of ranks."""
    recording = record(name, "ring", ranks=ranks, count=ranks * 5)
    size = recording.dtype.itemsize * ranks * 5
    assert max(recording.bytes_sent) == size * busbw.factor(name, ranks)


@pytest.mark.parametrize("ranks", [2, 3, 8, 13])
def test_the_factor_of_all_to_all_is_what_a_rank_sends_directly(ranks):
    recording = record("all_to_all", "flat", ranks=ranks, count=ranks * 5)
    size = recording.dtype.itemsize * ranks * 5
    assert max(recording.bytes_sent) == size * busbw.factor("alltoall", ranks)


@pytest.mark.parametrize("ranks", [2, 3, 8, 13])
def test_switches_that_add_let_a_rank_send_its_vector_once(ranks):
    recording = record("all_reduce", "nvls", ranks=ranks, chunks=5, count=ranks * 5)
    size = recording.dtype.itemsize * ranks * 5
    sent = max(recording.bytes_sent[:ranks])
    factor = Fraction(2 * (ranks - 1), ranks)
    assert sent == size + size // ranks
    assert busbw.highest("all_reduce", ranks, busbw.NVLS) == max(1, factor * size / sent)
    tree = record("all_reduce", "sharp", ranks=ranks, chunks=1)
    assert max(tree.bytes_sent[:ranks]) == tree.count * tree.dtype.itemsize
    assert busbw.highest("all_reduce", ranks, busbw.IN_NETWORK) == max(1, factor)


def test_bandwidths_are_those_of_every_measured_row():
    for row in read():
        found = busbw.bandwidths(row.op, row.ranks, row.size_bytes, row.time_us * 1e-6)
        assert found.algbw / 1e9 == pytest.approx(row.algbw_GBps, rel=5e-3)
        assert found.busbw / 1e9 == pytest.approx(row.busbw_GBps, rel=3e-3, abs=6e-3)


def test_what_is_above_the_wire_is_explained_or_doubted():
    h200 = busbw.meaning("all_reduce", 8, 482e9, 450e9, "nvls")
    assert "above the wire's 450 GB/s, but it is not a rate of the wire" in h200
    assert "the wire carries 309.9 GB/s; busbw can reach 700 GB/s" in h200
    assert "cannot be" in busbw.meaning("all_reduce", 8, 710e9, 450e9, "nvls")
    assert "can reach 787.5 GB/s" in busbw.meaning("all_reduce", 8, 710e9, 450e9, "in-network")
    tree = busbw.meaning("all_reduce", 16, 60e9, 50e9, "tree")
    assert "a tree on two nodes" in tree and "32 GB/s" in tree
    assert "cannot be" in busbw.meaning("all_reduce", 8, 482e9, 450e9)
    assert "the highest is 450 GB/s" in busbw.meaning("all_gather", 8, 482e9, 450e9, "in-network")
    assert "cannot be" in busbw.meaning("all_reduce", 8, 800e9, 450e9, "in-network")
    assert "51 % of its 450 GB/s" in busbw.meaning("all_reduce", 8, 230e9, 450e9)
    assert "is not above" in busbw.meaning("all_reduce", 8, 430e9, 450e9, "in-network")


def test_two_ranks_gain_nothing_from_adding_switches():
    assert busbw.highest("all_reduce", 2, "in-network") == 1
    assert busbw.highest("all_reduce", 1, "tree") == 1


BAD = [
    (
        lambda: busbw.factor("all_redcue", 8),
        "unknown operation 'all_redcue'; did you mean all_reduce?",
    ),
    (lambda: busbw.factor("all_reduce", 0), "ranks 0: must be at least 1"),
    (lambda: busbw.bandwidths("all_reduce", 8, 8, 0.0), "time 0.0 s: must be above 0"),
    (lambda: busbw.bandwidths("all_reduce", 8, 8, float("nan")), "neither infinite nor NaN"),
    (lambda: busbw.bandwidths("all_reduce", 8, -8, 1.0), "size -8: must be at least 0"),
    (lambda: busbw.bandwidths("all_reduce", 8, 2**63, 1.0), "at most 2^63 - 1"),
    (lambda: busbw.meaning("all_reduce", 8, 1e9, -1e9), "wire -1000000000.0 B/s: must be above 0"),
    (
        lambda: busbw.meaning("all_reduce", 8, 1e9, 1e9, "nlvs"),
        "unknown way 'nlvs'; did you mean nvls?",
    ),
    (lambda: busbw.bandwidths("all_reduce", 8, 8, 0), "time 0 s: must be above 0"),
]


@pytest.mark.parametrize(("call", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_input_is_told_in_one_line(call, message):
    with pytest.raises(BadInput) as caught:
        call()
    assert message in str(caught.value) and "\n" not in str(caught.value)
