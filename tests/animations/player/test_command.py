"""The line a page offers has the time of its counters on the command line."""

import json

import pytest
from each import each, row_title
from settings import SOME_ROWS, sampled, taken

from animations.player.pack.command import time_command
from animations.story.usual import usual_board
from collectives import record
from collectives.__main__ import main
from collectives.cost.machines import topology


@each("row", sampled(SOME_ROWS, 10), row_title)
def test_the_line_of_a_page_has_the_time_of_its_counters(row, capsys):
    for ranks in {taken(row, 4, 6, 8), taken(row, 16, 12)}:
        board = usual_board(record(row.collective, row.algorithm, ranks=ranks))
        words = time_command(board.counted)
        size = ["--size", f"{board.size}B"] if board.size else []
        with pytest.raises(SystemExit) as ended:
            main([*words[1:], *size, "--json"])
        assert not ended.value.code, words
        timed = json.loads(capsys.readouterr().out)
        assert timed["seconds"] == pytest.approx(board.counted.total, rel=1e-9), words


def test_links_of_a_crossbar_are_named_and_those_of_no_name_are_not():
    ring = record("all_reduce", "ring", ranks=4)
    own = usual_board(ring, topology("crossbar", 4, latency="3us", bandwidth="20GB/s")).counted
    assert time_command(own)[-6:] == (
        ["--topology", "crossbar", "--latency", "3us", "--bandwidth", "20GB/s"]
    )
    own.topology.latency[0] *= 2
    assert time_command(own) == []
