"""Words and bars of the picture: inside the page, apart from one another, and true."""

import linecache
from itertools import combinations

import numpy as np
import pytest

pytest.importorskip("cairo")

from each import each
from legible import LEAST, box, moments
from samples import case_title, of_count, pairs
from settings import SOME_ROWS, THOROUGH, sampled, taken

from animations.drawing.glyphs import text_points, text_width
from animations.drawing.sheet import EDGE, LECTURE
from animations.drawing.theme import DARK
from animations.pictures.panels import fixed_text, keyframe_boxes, keyframe_text
from animations.pictures.title_cards import card_text
from animations.score.score import Keyframe
from animations.story.cell_marks import legend_note
from animations.story.compose import proved_storyboard
from animations.story.usual import usual_board
from collectives import ROWS, record, send
from collectives.units import size_text

SIZES = [1, 2, 3, 5, 8, 16, 32, 64, 128]


def own_recording(name, promise, caption, ranks=4):
    """A ring all-gather whose function, docstring and comment are somebody's own."""
    text = f"""def {name}(n):
    \"\"\"{promise}\"\"\"
    rank = np.arange(n)
    for step in range(n - 1):
        # {caption}
        yield send(rank, (rank + 1) % n, (rank - step) % n)
"""
    file = f"{name}.py"
    linecache.cache[file] = (len(text), None, [f"{line}\n" for line in text.split("\n")], file)
    space = {"np": np, "send": send}
    exec(compile(text, file, "exec"), space)
    return record(space[name](ranks), collective="all_gather", ranks=ranks)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "an_all_gather_with_the_longest_name_that_anybody_can_think_of",
            "long words " * 40,
        ),
        ("q" * 3000, "w" * 3000),
        ("all_gather", "\x1b[31m \u202edata\u202c \x85 \u2028 \t"),
        ("环" * 30, "传给右边的邻居\N{ROCKET}" * 30),
    ],
)
def test_words_of_an_own_function_stay_in_their_place(name, words):
    board = proved_storyboard(own_recording(name, words, words))
    fixed = fixed_text(board, DARK)
    for moment in moments(board):
        lines = [word for word in fixed + keyframe_text(board, moment, DARK) if word.text]
        for word in lines:
            where = box(word)
            assert word.text.isprintable() and word.size >= 10, word
            assert where.left >= 30 and where.right <= LECTURE.width - 30, word
            panel = LECTURE.source
            assert where.right <= panel.left or where.left >= panel.left or where.top > 900, word
            assert where.left < panel.left or where.right <= panel.right - EDGE + 2, word
        for first, second in combinations(map(box, lines), 2):
            assert not first.overlaps(second), (first, second)
    for word in card_text(board, DARK):
        assert word.text.isprintable() and box(word).right <= LECTURE.width - 30, word


@each("row", SOME_ROWS, few=8)
def test_words_of_the_catalog_are_not_cut(row):
    """Source, variables and captions are whole, and have no marks of a docstring."""
    board = usual_board(record(row.collective, row.algorithm, ranks=taken(row, 8)))
    for number in range(1, len(board.frames) + 1):
        for line in keyframe_text(board, Keyframe(number), DARK):
            assert not line.text.endswith("…"), line.text
            assert "`" not in line.text or line.face == "mono", line.text


def test_the_legend_explains_the_signs_in_use():
    cases = {
        ("reduce", "tree"): "+ adds",
        ("broadcast", "tree"): "= overwrites",
        ("all_reduce", "ring"): "+ adds     = overwrites",
        ("send_recv", "halo-exchange"): "= overwrites     c0: from chunk 0",
    }
    for (collective, algorithm), note in cases.items():
        board = proved_storyboard(record(collective, algorithm, ranks=5))
        assert legend_note(board) == note


def test_titles_of_the_catalog_are_not_cut():
    for row in ROWS:
        wide = text_width(row.heading, 46, "bold"), text_width(row.heading, 60, "bold")
        assert wide[0] <= LECTURE.head.width and wide[1] <= 1620, row.heading


@each(("row", "ranks"), sampled(pairs(SIZES, 2 if THOROUGH else 1), 2), case_title, few=8)
def test_words_are_readable_on_the_page_and_apart(row, ranks):
    board = proved_storyboard(
        record(row.collective, row.algorithm, ranks=ranks, **of_count(row, 10**5))
    )
    fixed = fixed_text(board, DARK)
    for moment in moments(board):
        words = [word for word in fixed + keyframe_text(board, moment, DARK) if word.text]
        boxes = [box(word) for word in words]
        for word, where in zip(words, boxes, strict=True):
            assert word.size >= LEAST, word
            assert where.left >= 30 and where.right <= LECTURE.width - 30, word
            assert where.top >= 20 and where.bottom <= LECTURE.height - 10, word
        for (a, box_a), (b, box_b) in combinations(zip(words, boxes, strict=True), 2):
            assert not box_a.overlaps(box_b), (a, b)
        assert board.captions[moment.step] in [word.text for word in words], "the caption is cut"


def test_counters_say_what_was_executed():
    recording = record("all_reduce", "ring", ranks=5, count=10)
    board = proved_storyboard(recording)
    for number in range(len(board.frames) + 1):
        sent = [0] * 5
        for step in recording.steps[:number]:
            for src, chunk in zip(step.src.tolist(), step.chunk.tolist(), strict=True):
                sent[src] += int(recording.size[chunk]) * 8
        words = [word.text for word in keyframe_text(board, Keyframe(number), DARK)]
        bytes_ = " / ".join(map(size_text, (max(sent), max(recording.bytes_sent), 128)))
        assert f"{number} / 8 / 3" in words
        assert bytes_ in words
        assert [word for word in words if word.startswith("sent ") and word != "sent by"][-5:] == [
            f"sent {size_text(n)}" for n in sent
        ]


def test_a_step_under_way_is_not_counted_yet():
    board = proved_storyboard(record("all_reduce", "ring", ranks=4))
    under_way = [word.text for word in keyframe_text(board, Keyframe(3, landed=False), DARK)]
    assert "2 / 6 / 2" in under_way
    assert any(text.startswith("Step 3 of 6") for text in under_way)


def test_the_highlighted_line_is_the_one_that_made_the_step():
    board = proved_storyboard(record("all_reduce", "ring", ranks=4))
    for number, verb in ((1, "yield reduce("), (6, "yield send(")):
        words = keyframe_text(board, Keyframe(number), DARK)
        now = [word for word in words if word.color == DARK.now]
        assert [word.text[: len(verb)] for word in now] == [verb]
        band = next(
            fill.box
            for fill in keyframe_boxes(board, Keyframe(number), DARK)
            if fill.color == DARK.now_band
        )
        assert band.top < now[0].baseline - 0.3 * now[0].size < band.bottom


def test_glyphs_stand_where_they_are_put():
    points = text_points("Hx", 100, 50, 20)
    assert points[:, 0].min() >= 100
    assert points[:, 1].max() == pytest.approx(50, abs=0.01), "the baseline"
    right = text_points("Hx", 100, 50, 20, align="right")
    assert right[:, 0].max() <= 100
    assert text_points(" ", 0, 0, 20).shape == (0, 2)
