"""Plans of launches, played by threads: every process ends with the bits of the recording."""

import pytest
from each import each
from played import played
from settings import SOME_ROWS, recorded, settings

from collectives import BadInput, record
from collectives.launch.plan import MAX_PROCESSES, plan_of


@each("row", SOME_ROWS, lambda row: row.title, few=12)
def test_every_process_ends_with_the_bits_of_the_recording(row):
    for setting in list(settings(row, (5, 4), all_roots=False))[:2]:
        recording = recorded(row, setting)
        players, noted = played(recording)
        assert [len(times) for times in noted[0]] == [player.events() for player in players]
        for player, expected in zip(players, recording.result(), strict=False):
            assert player.result().tobytes() == expected.tobytes()
        assert sum(player.transport.sent for player in players) == recording.counters.messages


def test_a_second_run_starts_anew():
    recording = record("all_reduce", "ring", ranks=3, dtype="float32", op="avg", count=7)
    for player, expected in zip(played(recording, runs=3)[0], recording.result(), strict=True):
        assert player.result().tobytes() == expected.tobytes()


def test_what_cannot_be_launched_is_said_in_one_line():
    wide = record("barrier", "dissemination", ranks=MAX_PROCESSES + 1)
    with pytest.raises(BadInput, match="257 processes: at most 256 are launched; try: -n 256"):
        plan_of(wide)
    many = record("all_reduce", "ring", ranks=256)
    with pytest.raises(BadInput, match="at most 65536 are launched; try: fewer ranks"):
        plan_of(many)
