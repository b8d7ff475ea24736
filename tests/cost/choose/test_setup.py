"""A vector of another size: the same counts as if the schedule were recorded for it."""

from dataclasses import fields

import numpy as np
import pytest
from settings import SOME_ROWS

from collectives import BadInput, WrongSchedule, record, reduce
from collectives.cost.choose.setup import resized
from collectives.recording.counters import Counters

ROWS_OF_DATA = [row for row in SOME_ROWS if row.promise.moves_data and row.accepts(6)]


def assert_same(one, other):
    for field in fields(Counters):
        both = (getattr(recording.counters, field.name) for recording in (one, other))
        assert np.array_equal(*both), field.name
    assert (one.count, one.dtype, one.op) == (other.count, other.dtype, other.op)


@pytest.mark.parametrize("row", ROWS_OF_DATA, ids=lambda row: row.title)
def test_counts_are_those_of_a_recording_of_that_size(row):
    few = record(row.collective, row.algorithm, ranks=6)
    for size in (48 * few.chunk_count, 1001):
        anew = record(row.collective, row.algorithm, ranks=6, count=size, dtype="uint8")
        assert_same(resized(few, size), anew)


def test_own_steps_are_counted_as_those_of_the_catalog():
    ring = record("all_reduce", "ring", ranks=4)
    own = record(ring.steps, collective="all_reduce", ranks=4)
    assert_same(resized(own, 4000), resized(ring, 4000))
    for recording in (own, ring):
        with pytest.raises(BadInput, match="must be at most"):
            resized(recording, 1 << 62)


def test_own_steps_are_refused_where_chunks_become_uneven():
    own = record([reduce(0, 1, 0, into=1)], collective="all_reduce", ranks=2, slots=2)
    assert resized(own, 8).bytes_sent == [4, 0]
    with pytest.raises(WrongSchedule, match="elements"):
        resized(own, 7)


def test_a_barrier_has_no_size():
    with pytest.raises(BadInput, match="moves no data"):
        resized(record("barrier", "tree", ranks=4), 8)
