"""What the sentences of lectures measure, each against another way to know it."""

import pytest

pytest.importorskip("cairo")  # the pages of lectures measure words

from each import each

from animations.course import readings as read
from animations.course.examples import recording_of
from collectives import record

MIB = 1 << 20


def test_all_together_send_what_the_recording_counts():
    recording = record("reduce", "ring", ranks=5, count=20)
    assert read.total_sent("reduce", "ring", 5) * recording.case.S == sum(recording.bytes_sent)


@each("chunks", [1, 4, 64])
def test_a_chain_takes_its_closed_form(chunks):
    """N - 2 + q steps of a latency and a q-th of the vector each, at 5 µs and 50 GB/s."""
    ranks = 16
    step = 5e-6 + 64 * MIB / chunks / 50e9
    took = read.chunked_seconds("broadcast", "ring", ranks, chunks, 64 * MIB, "crossbar")
    assert took == pytest.approx((ranks - 2 + chunks) * step, rel=1e-6)


def test_groups_of_a_box_take_the_closed_form_of_a_hierarchy():
    closed = read.READINGS["hierarchical_seconds"](1 << 30, 8, 8, "nvlink4", "ib-ndr", 8)
    assert read.grouped_seconds(64, 8, 1 << 30, "cluster") == pytest.approx(closed, rel=1e-6)


def test_dealt_rings_are_right_and_send_everything_to_the_other_node():
    """The bytes of eight rings in order, each over the network: at least six times as long."""
    table = {"collective": "all_reduce", "function": "dealt_rings_all_reduce", "ranks": 16}
    recording = recording_of({**table, "with": {"chunks": 128}})
    assert recording.check()
    assert (recording.counters.links[:, 0] // 8 != recording.counters.links[:, 1] // 8).all()
    rings = read.channel_seconds(16, 8, 64 * MIB, "cluster")
    own = read.LECTURE_READINGS["own_seconds"]
    took = own("dealt_rings_all_reduce", 16, 64 * MIB, "cluster", 128)
    assert rings == pytest.approx(read.seconds("all_reduce", "ring", 16, 64 * MIB, "cluster"))
    assert took > 6 * rings
