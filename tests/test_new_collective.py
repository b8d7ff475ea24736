"""A collective that is added states its facts itself: no table elsewhere has to name it."""

from dataclasses import replace

import numpy as np
import pytest

from animations.player.page import page
from animations.story.usual import usual_board
from collectives import record
from collectives.collective import SCAN, Requirement, lower_ranks
from collectives.formats import msccl
from collectives.questions import questions
from collectives.schedule import reduce


def higher_ranks(ranks, chunk_count, root=0):
    needs = lower_ranks(ranks, chunk_count)
    return Requirement(needs.end - 1, np.full_like(needs.end, ranks), needs.origin)


SUFFIX_SCAN = replace(
    SCAN,
    name="suffix_scan",
    sentence="Rank r ends with the sum over ranks r to N - 1",
    required=higher_ranks,
)


def chain(n):
    for rank in range(n - 1, 0, -1):
        # the last rank reached adds its sum into the one before
        yield reduce(rank, rank - 1)


@pytest.fixture(scope="module")
def recording():
    return record(chain(4), collective=SUFFIX_SCAN, ranks=4, slots=1)


def test_it_is_proved_and_bounded(recording):
    assert recording.check().ok
    size = recording.count * recording.dtype.itemsize
    assert (recording.bound.sent, recording.bound.busiest_port) == (size, size)
    wrong = record(chain(4), collective=SCAN, ranks=4, slots=1)
    assert not wrong.check().ok


@pytest.mark.parametrize("language", ["en", "es"])
def test_it_is_shown_and_asked_about(recording, language):
    board = usual_board(recording, language=language)
    assert not board.wrong and page(board)
    assert questions(recording)


def test_a_format_without_a_name_for_it_calls_it_custom(recording, tmp_path):
    msccl.save(recording, tmp_path / "own.xml")
    assert 'coll="custom"' in (tmp_path / "own.xml").read_text()
