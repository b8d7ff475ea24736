"""The lines of thread blocks beside the transfers that they make, in steps and pictures."""

from msccl_programs import FOLDER, FOUND, RING, program

from animations.drawing.theme import DARK
from animations.pictures.panels import keyframe_boxes, keyframe_text
from animations.pictures.source_panel import MOST_LISTED
from animations.score.score import Keyframe
from animations.story.usual import usual_board
from collectives.formats.msccl import load, recording_of
from collectives.formats.msccl.program import parse_program
from collectives.recording.phases import phases
from collectives.recording.saved import load as load_saved


def recorded(content, in_place=True):
    return recording_of(parse_program(content), in_place)


def line(stamp):
    """The line of a transfer, and where it stands."""
    (frame,) = stamp
    return frame.source.lines[frame.line - frame.source.first], dict(frame.locals)


def test_each_transfer_has_the_operation_that_makes_it():
    """A message has that of its sender, a local move that of its block."""
    recording = recorded(RING)
    first, second = list(recording.steps)[:2]
    for step, kind in ((first, "rrs"), (second, "s")):
        for src, origin in zip(step.src.tolist(), step.origin.tolist(), strict=True):
            text, known = line(step.stamps[origin])
            assert text.split()[1] == kind and known["gpu"] == src
    assert {line(stamp)[0] for stamp in second.stamps} == {
        f"  0  s     i[{rank}] → gpu {(rank + 1) % 3}" for rank in range(3)
    }
    sources = {stamp[0].source.text for step in recording.steps for stamp in step.stamps}
    assert len(sources) == 3
    assert all(text.startswith("# gpu ") and text.count("\n") == 5 for text in sources)


KINDS = ["  0  s     i[0] → gpu 1", "  1  rrs   gpu 1 + i[1] → gpu 1", "  2  r     gpu 1 → i[0]"]
KINDS += ["  3  cpy   i[0] → o[0]", "  4  re    o[0] + o[1] → o[1]  after tb 1 step 0"]


def test_operations_are_written_with_their_peers_and_what_they_wait_for():
    blocks = ["1 1 0: s i0; rrs i1; r - i0; cpy i0 o0; re o0 o1 1 1/0", "-1 -1 0: cpy i0 o1"]
    content = program("custom", blocks, ["0 0 0: s i0; r - i0; r - i1; s i1"], sizes={"o": 2})
    stamps = [stamp for step in recorded(content).steps for stamp in step.stamps]
    texts = {stamp[0].source.file: stamp[0].source.lines for stamp in stamps}
    assert texts["gpu 0, tb 0"] == ["# gpu 0, tb 0, channel 0", *KINDS]


def test_a_wrong_program_names_the_operation():
    verdict = recorded(RING.replace(b'type="rrs"', b'type="rcs"', 1)).check()
    assert not verdict and "in step 1 (gpu 2, tb 0, step 0)" in str(verdict)


def test_blocks_are_no_phases_and_captions_are_none():
    recording = recorded(RING)
    assert [phase.name for phase in phases(recording)] == [recording.title]
    assert usual_board(recording).captions[1].startswith("Step 1 of 5, in place — rank ")


def test_a_saved_recording_keeps_the_lines(tmp_path):
    recorded(RING).save(tmp_path / "ring.json")
    kept = load_saved(tmp_path / "ring.json")
    assert [step.stamps for step in kept.steps] == [step.stamps for step in recorded(RING).steps]


def test_pictures_mark_the_current_operation_of_a_block_and_cut_long_ones():
    copies = "; ".join(f"cpy i{k} o{k}" for k in range(40))
    content = program("custom", [f"-1 -1 0: {copies}"], chunks=40, sizes={"o": 40}, inplace=0)
    board = usual_board(recorded(content, False))
    move = board.frames[0].example.source
    assert move.listing and len(move.text) == 41
    keyframe = Keyframe(1)
    found = [each for each in keyframe_text(board, keyframe, DARK) if each.face == "mono"]
    shown = [each for each in found if "cpy" in each.text]
    assert len(shown) == MOST_LISTED and any(each.text.startswith("# gpu 0") for each in found)
    (now,) = [each for each in shown if each.color == DARK.now]
    assert now.text == move.text[move.first].strip()
    (band,) = [
        each.box for each in keyframe_boxes(board, keyframe, DARK) if each.color == DARK.now_band
    ]
    assert band.top < now.baseline < band.bottom


def test_every_move_of_other_peoples_programs_has_its_operation():
    for name in FOUND:
        for step in load(FOLDER / name).steps:
            kinds = [line(stamp)[0].split()[1] for stamp in step.stamps]
            local = step.src == step.dst
            assert not any(
                kinds[origin] in ("s", "nop")
                for origin, here in zip(step.origin.tolist(), local.tolist(), strict=True)
                if here
            )
