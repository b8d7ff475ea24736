"""Converting: what became of steps and messages is said, and only where they are others."""

from each import each, row_title
from settings import taken

from collectives import ROWS, BadInput, record
from collectives.formats import msccl
from collectives.formats.converted import Converted
from collectives.recording import saved
from collectives.words import plural


def counts(recording):
    """Steps, steps that are run, messages and slots."""
    counters = recording.counters
    return counters.steps, counters.walked, counters.messages, recording.slots


@each("row", ROWS, row_title, few=16)
def test_it_is_said_what_became_of_a_schedule_that_is_another_one_in_the_file(row, tmp_path):
    """The numbers are those of the two recordings; where nothing changed, nothing is said."""
    ranks = taken(row, 4, 5, 8)
    recording = record(row.collective, row.algorithm, ranks=ranks)
    path = tmp_path / "schedule.xml"
    try:
        msccl.save(recording, path)
    except BadInput:
        return  # MSCCL has no switches, servers or barriers
    back = msccl.load(path, root=0 if recording.collective.rooted else None)
    lines = Converted(recording, back).lines()
    assert len(lines) == (counts(recording) != counts(back))
    for line in lines:
        became, _, why = line.partition(": ")
        assert why
        for noun, one, other in (
            ("step", recording.counters.steps, back.counters.steps),
            ("message", recording.counters.messages, back.counters.messages),
            ("slot", recording.slots, back.slots),
        ):
            assert one == other or f"became {plural(other, noun)}" in became
        transfers = sum(int((step.src != step.dst).sum()) for step in recording.steps)
        if "each transfer is a message of its own" in line:
            assert recording.counters.messages < back.counters.messages == transfers


@each("row", ROWS, row_title, few=16)
def test_a_recording_in_a_file_is_the_same(row, tmp_path):
    ranks = taken(row, 4, 5, 8)
    recording = record(row.collective, row.algorithm, ranks=ranks)
    saved.save(recording, tmp_path / "schedule.json")
    assert Converted(recording, saved.load(tmp_path / "schedule.json")).lines() == ()
