"""Frames round words: which words, where, and how they are drawn while a sentence lasts."""

import pytest

from animations.drawing.drawing import Drawing
from animations.drawing.nearby import text_box
from animations.drawing.pointer import AROUND, WIDE, boxes_of_words, framed
from animations.drawing.shapes import TextLine

LINES = (
    TextLine("a vector of 64 KiB", 900, 300, 40, "ink", "bold", "right"),
    TextLine("240", 400, 500, 40, "ink", align="center"),
    TextLine("0", 500, 500, 40, "ink", align="center"),
    TextLine("1.75 × 240 MiB", 100, 700, 40, "ink"),
)
PAGE = Drawing(lines=LINES)


@pytest.mark.parametrize(("words", "count"), [("240", 2), ("0", 1), ("75", 0), ("64 KiB", 1)])
def test_only_whole_words_are_found(words, count):
    assert len(boxes_of_words(PAGE, words)) == count


def test_words_stand_within_their_line():
    [end] = boxes_of_words(PAGE, "64 KiB")
    [start] = boxes_of_words(PAGE, "1.75")
    line, last = text_box(LINES[0]), text_box(LINES[3])
    assert end.right == pytest.approx(line.right, abs=1) and end.left > line.left + 100
    assert start.left == pytest.approx(last.left) and start.right < last.x


def test_frames_are_drawn_one_after_another_round_all_of_the_words():
    lengths = []
    for part in range(0, 11):
        frame = framed(PAGE, ["64 KiB", "0"], part / 10).boxes
        lengths.append(sum(max(side.box.width, side.box.height) for side in frame))
        if 0 < part <= 4:
            assert all(side.box.y < 400 for side in frame), "the first words come first"
    assert lengths[0] == 0 and lengths == sorted(lengths) and lengths[3] < lengths[6] < lengths[9]
    for words, sides in (("64 KiB", frame[:4]), ("0", frame[4:])):
        [box] = boxes_of_words(PAGE, words)
        edges = [side.box for side in sides]
        assert min(edge.left for edge in edges) == pytest.approx(box.left - AROUND - WIDE / 2)
        assert max(edge.bottom for edge in edges) == pytest.approx(box.bottom + AROUND + WIDE / 2)
