"""Programs in the form that synthesizers write: copies at the start, no collective, flags."""

from pathlib import Path

import pytest
from msccl_programs import program

from collectives.errors import BadInput, WrongSchedule
from collectives.formats.msccl import load, recording_of
from collectives.formats.msccl.program import parse_program

FOLDER = Path(__file__).parents[1] / "data" / "synthesized"
BROADCASTS = ("broadcast_pair.xml", "broadcast_relay.xml")


def without_copies(path, tmp_path):
    lines = path.read_text().splitlines()
    kept = tmp_path / path.name
    kept.write_text("\n".join(line for line in lines if "<copy" not in line))
    return kept


def test_copies_are_local_moves_from_input_to_output_before_all_else():
    recording = load(FOLDER / "broadcast_relay.xml", collective="broadcast")
    assert recording.check()
    assert [str(step) for step in recording.steps] == ["0→0 =0:1", "0→2 =1   0→3 =1", "3→1 =1"]
    assert (recording.counters.steps, recording.counters.messages) == (2, 3)


def test_copies_come_before_blocks_that_write_what_they_read():
    blocks = ["1 1 0: r - i0; s o0"], ["0 0 0: s i0; r - o0"]
    content = program("custom", *blocks, chunks=1, inplace=0)
    copied = content.replace(b'<tb id="0"', b'<copy i_off="0" o_off="0"/><tb id="0"', 1)
    recording = recording_of(parse_program(copied), False)
    held, inputs = recording.execute().values, recording.inputs
    assert (held[1, 1] == inputs[0]).all() and (held[0, 0] == inputs[1]).all()


def test_a_copy_may_have_several_chunks():
    blocks = ["1 -1 0: s o1 - 2"], ["-1 0 0: r - o1 2"]
    content = program("custom", *blocks, chunks=3, inplace=0)
    copied = content.replace(b"<tb", b'<copy i_off="0" o_off="1" cnt="2"/><tb', 1)
    recording = recording_of(parse_program(copied), False)
    assert str(recording.steps[0]) == "0→0 =0..1:4..5"


@pytest.mark.parametrize("name", ["all_gather_pair.xml", *BROADCASTS])
def test_what_is_proved_with_copies_and_without_them(name, tmp_path):
    """In place they change nothing; out of place nothing is there to send without them."""
    broadcast = "broadcast" if name in BROADCASTS else None
    assert load(FOLDER / name, collective=broadcast).check()
    bare = without_copies(FOLDER / name, tmp_path)
    if name not in BROADCASTS:
        assert load(bare).check()
        return
    with pytest.raises(WrongSchedule, match=r"reads o\[0\], but nothing was written there"):
        load(bare, collective=broadcast)


@pytest.mark.parametrize("name", ["all_reduce_pair", "reduce_pair", "reduce_scatter_pair"])
def test_programs_that_send_scratch_that_nothing_fills_are_wrong(name):
    with pytest.raises(WrongSchedule, match=r"reads s\[0\], but nothing was written there"):
        load(FOLDER / f"{name}.xml")


def test_a_program_without_a_collective_is_not_guessed():
    with pytest.raises(BadInput, match="has no coll, the collective; try: --collective"):
        load(FOLDER / "broadcast_pair.xml")
    with pytest.raises(BadInput, match="the program names its own, 'allgather'; leave it out"):
        load(FOLDER / "all_gather_pair.xml", collective="broadcast")


def test_a_copy_has_a_line_beside_it_and_is_no_phase():
    recording = load(FOLDER / "broadcast_pair.xml", collective="broadcast")
    (stamp,) = recording.steps[0].stamps
    assert stamp[0].source.lines == ["# gpu 0, copies", "  0  cpy   i[0] → o[0]"]
    assert dict(stamp[0].locals) == {"gpu": 0, "copy": 0} and stamp[0].source.is_listing


def flagged(*flags):
    """A program whose second block waits for step 0 of the first; which steps raise the flag."""
    blocks = ["1 1 0: s i0; r - i1", "1 -1 1: s i2 - 1 0/0"]
    content = program("custom", blocks, ["0 0 0: r - i0; s i1", "-1 0 1: r - i2"], chunks=3)
    text = content.decode().replace('hasdep="1"', 'hasdep="0"')
    for step in (step for step, flag in enumerate(flags) if flag):
        before, found, rest = text.partition(f'<step s="{step}"')
        text = before + found + rest.replace('hasdep="0"', 'hasdep="1"', 1)
    return parse_program(text.encode())


def test_who_waits_for_a_step_without_a_flag_waits_for_the_next_that_raises_it():
    first, second = (recording_of(flagged(*each), True).steps for each in ((1, 0), (0, 1)))
    assert [str(step) for step in first] == ["0→1 =0", "0→1 =2   1→0 =1"]
    assert [str(step) for step in second] == ["0→1 =0", "1→0 =1", "0→1 =2"]


def test_a_flag_that_is_never_raised_is_waited_for_without_end():
    named = r"gpu 0, tb 1, step 0 \(s\) waits for the flag of gpu 0, tb 0, step 0 \(s\)"
    with pytest.raises(BadInput, match=f"never ends: {named}, which is never raised"):
        recording_of(flagged(0, 0), True)


def test_a_nop_raises_no_flag():
    nop = program("custom", ["-1 -1 0: nop", "-1 -1 0: cpy i0 s0 1 0/0"])
    with pytest.raises(
        BadInput, match=r"tb 0, step 0 \(nop\), which is never raised, as a nop has"
    ):
        recording_of(parse_program(nop), True)
