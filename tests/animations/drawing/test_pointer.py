"""Frames round words: which words, where, and how they are drawn while a sentence lasts."""

import pytest

from animations.drawing.drawing import Drawing
from animations.drawing.nearby import text_box
from animations.drawing.pointer import ABOVE, BESIDE, WIDE, boxes_of_words, framed
from animations.drawing.shapes import Box, ColoredBox, TextLine

LINES = (
    TextLine("a vector of 64 KiB", 900, 300, 40, "ink", "bold", "right"),
    TextLine("240", 400, 500, 40, "ink", align="center"),
    TextLine("0", 500, 500, 40, "ink", align="center"),
    TextLine("1.75 × 240 MiB", 100, 700, 40, "ink"),
    TextLine("rank 7", 100, 800, 40, "ink"),
    TextLine("7 ranks", 100, 900, 40, "ink"),
)
PAGE = Drawing(lines=LINES)


@pytest.mark.parametrize(
    ("words", "count"), [("240", 1), ("0", 1), ("7", 2), ("75", 0), ("64 KiB", 1)]
)
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
        assert min(edge.left for edge in edges) == pytest.approx(
            box.left - BESIDE * box.height - WIDE / 2
        )
        assert max(edge.bottom for edge in edges) == pytest.approx(
            (box.bottom + ABOVE * box.height) + WIDE / 2
        )


def test_words_that_fill_a_box_are_framed_by_it():
    rank, lane = Box(518, 490, 74, 74), Box(600, 780, 1000, 60)
    page = PAGE + Drawing((ColoredBox(lane, "panel"), ColoredBox(rank, "rank 2")))
    assert boxes_of_words(page, "7") == boxes_of_words(PAGE, "7"), "a lane is no label's box"
    number = Drawing(lines=(TextLine("2", 518, 500, 32, "ink", align="center"),))
    assert boxes_of_words(page + number, "2") == [rank]
    comma = Drawing(lines=(TextLine("busbw, all", 100, 500, 40, "ink"),))
    [word], [more] = boxes_of_words(comma, "busbw"), boxes_of_words(comma, "busbw, all")
    assert (
        word.left == more.left and word.width > text_box(TextLine("busbw", 0, 0, 40, "ink")).width
    )
