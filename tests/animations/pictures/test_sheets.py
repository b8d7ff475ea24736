"""Every sheet: its boxes inside the page and apart, and all text of films inside and readable."""

from dataclasses import replace
from itertools import combinations

import pytest

pytest.importorskip("cairo")

from legible import LEAST, box, check_links, check_places, inside, moments
from settings import sampled

from animations.drawing.shapes import legible
from animations.drawing.sheet import SHEETS
from animations.drawing.theme import DARK
from animations.film.film import frame_size
from animations.pictures.card_rooms import card_page
from animations.pictures.foot import caption_text, spoken_text
from animations.pictures.panels import fixed_boxes, fixed_text, keyframe_boxes, keyframe_text
from animations.pictures.title_cards import card_text
from animations.story.compose import proved_storyboard
from collectives import ROWS, record
from collectives.choices import QUALITIES

SHEETS_OF = pytest.mark.parametrize("sheet", SHEETS.values(), ids=list(SHEETS))


@SHEETS_OF
def test_boxes_are_inside_the_page_and_apart(sheet):
    parts = (sheet.head, sheet.source, sheet.counters, sheet.legend, sheet.foot, sheet.timeline)
    boxes = [*sheet.stages, *(part for part in parts if part)]
    assert all(inside(each, sheet.page, -20) for each in boxes)
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    assert inside(sheet.table, sheet.stage)


@SHEETS_OF
@pytest.mark.parametrize("row", sampled(ROWS, 24), ids=lambda row: row.title)
def test_words_and_stage_of_a_film_stay_inside(sheet, row):
    board = proved_storyboard(record(row.collective, row.algorithm, ranks=8), sheet=sheet)
    assert board.scenery.box == (sheet.table if board.scenery.table else sheet.stage)
    check_places(board.scenery, sheet.name)
    check_links(board.scenery, sheet.name)
    foot = caption_text if sheet.cues else spoken_text
    fixed = fixed_text(board, DARK)
    for moment in moments(board):
        moment = replace(moment, line=board.captions[moment.step])
        found = legible(fixed + keyframe_text(board, moment, DARK, foot), sheet.smallest)
        words = [word for word in found if word.text]
        check_words(words, sheet)
        shapes = [*fixed_boxes(board, DARK), *keyframe_boxes(board, moment, DARK)]
        assert all(inside(shape.box, sheet.page, -20) for shape in shapes)
        if sheet.foot:
            shown = " ".join(word.text for word in words)
            assert board.captions[moment.step] in shown, "the caption is cut"
    board, sheet = replace(board, sheet=card_page(sheet)), card_page(sheet)
    words = card_text(board, DARK)
    check_words(words, sheet)
    assert not any("…" in word.text for word in words), words


def check_words(words, sheet):
    boxes = list(map(box, words))
    for word, where in zip(words, boxes, strict=True):
        assert word.size >= max(LEAST, sheet.smallest), word
        assert inside(where, sheet.page, -10), word
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other), (words[boxes.index(one)], words[boxes.index(other)])


@SHEETS_OF
@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks"),
    [("all_reduce", "recursive_doubling", 1024), ("broadcast", "tree", 300)],
)
def test_a_matrix_of_a_thousand_ranks_stays_inside(sheet, collective, algorithm, ranks):
    board = proved_storyboard(record(collective, algorithm, ranks=ranks), sheet=sheet)
    assert board.scenery.table and len(board.scenery.cards) == ranks
    assert all(inside(card.box, sheet.table) for card in board.scenery.cards)
    fixed = fixed_text(board, DARK)
    for moment in moments(board):
        found = legible(fixed + keyframe_text(board, moment, DARK), sheet.smallest)
        words = [word for word in found if word.text]
        assert all(inside(box(word), sheet.page, -10) for word in words)
        panels = [word for word in words if word.color != DARK.faint]
        for one, other in combinations(panels, 2):
            assert not box(one).overlaps(box(other)), (one, other)


def test_cells_of_a_large_matrix_leave_no_gaps():
    for ranks, apart in ((128, True), (400, False)):
        board = proved_storyboard(record("scatter", "flat", ranks=ranks))
        one, other = board.scenery.cards[0].shape.cells[:2]
        assert (other.left - one.right > 0.1) == apart


@pytest.mark.parametrize("quality", QUALITIES)
def test_films_of_a_sheet_have_its_shape_and_even_sides(quality):
    for sheet in SHEETS.values():
        width, height, _ = frame_size(sheet, quality)
        assert width % 2 == height % 8 == 0
        assert width / height == pytest.approx(sheet.width / sheet.height, rel=0.01)
    assert frame_size(SHEETS["lecture"], quality) == QUALITIES[quality]
