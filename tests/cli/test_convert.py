"""`convert` says in a line what the file makes of a schedule, and nothing where it is the same."""

import pytest

from collectives.formats.msccl import program


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("all-reduce ring -n 8", None),
        (
            "all-gather swing",
            "2 steps became 3 steps, 8 messages became 12 messages: each transfer is a message of",
        ),
        (
            "all-gather pairwise",
            "3 steps became 1 step: a thread block waits for its data and its own steps, not for",
        ),
        (
            "scan chain",
            "1 slot became 2 slots: what must not be overwritten yet is kept in scratch slots",
        ),
        ("reduce split-binary --root 2", "4 steps became 3 steps: a thread block waits for its "),
    ],
)
def test_convert_says_it_in_one_line(right, folder, words, said):
    out = right(f"convert {words} schedule.xml").out.splitlines()
    assert out[0] == "written: schedule.xml"
    assert len(out) == 1 + (said is not None)
    assert said is None or out[1].startswith(said)
    assert right("convert schedule.xml schedule.json").out == "written: schedule.json\n"


@pytest.mark.parametrize(
    ("limit", "why"),
    [
        ("MAX_FILE_BYTES", "; the limit is 1 B"),
        ("MAX_MOVED", "its steps move more than 1 chunks, the limit"),
        ("MAX_GPUS", "ngpus=4 must be 1 to 1"),
    ],
)
def test_a_file_larger_than_those_that_are_read_is_written(right, folder, monkeypatch, limit, why):
    monkeypatch.setattr(program, limit, 1)
    out = right("convert all-gather ring large.xml").out.splitlines()
    assert out[0] == "written: large.xml" and len(out) == 2
    assert out[1].startswith("its steps are not compared with the schedule's: large.xml: ")
    assert why in out[1] and (folder / "large.xml").read_text().endswith("</algo>\n")
