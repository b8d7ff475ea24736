"""What is said of a whole recording: whether its counts are those of the closed forms."""

import pytest
from mistakes import recorded

from animations.story.facts import is_as_computed
from collectives import record


@pytest.mark.parametrize("algorithm", ["sharp", "nvls", "parameter-server"])
def test_the_busiest_rank_is_no_switch_and_no_server(algorithm):
    recording = record("all_reduce", algorithm, ranks=8)
    ranks, helpers = recording.bytes_sent[:8], recording.bytes_sent[8:]
    assert max(helpers) > max(ranks)
    assert is_as_computed(recording)


def test_a_schedule_of_ones_own_has_no_closed_forms():
    assert not is_as_computed(recorded("add_for_copy_all_reduce"))
