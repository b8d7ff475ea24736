"""The stage of every row of the catalog: places, links, text, and that kinds look different."""

import pytest
from each import each
from legible import check_links, check_parcels, check_places
from samples import case_title, pairs
from settings import THOROUGH, sampled

from animations.drawing.sheet import LECTURE
from animations.drawing.theme import DARK
from animations.pictures.panels import card_names
from animations.story.compose import proved_storyboard
from animations.story.flights import flies
from collectives import ROWS, record
from collectives.structure import Loose

SIZES = (1, 2, 3, 5, 8, 16, 24, 64)
READABLE = 15.0  # pixels of text of a stage at least, 7 in a film of 480 lines


@each(("row", "ranks"), sampled(pairs(SIZES, 1), 2), case_title, few=8)
def test_a_stage_is_legible(row, ranks):
    board = proved_storyboard(record(row.collective, row.algorithm, ranks=ranks))
    scenery, where = board.scenery, f"{row.title} on {ranks}"
    assert scenery.table or scenery.box == LECTURE.stage
    check_places(scenery, where)
    if any(flies(scenery, frame) for frame in board.frames):  # else no way is drawn
        check_links(scenery, where)
    sizes = [word.size for word in scenery.words] + [t.size for t in card_names(board, DARK)]
    assert min(sizes, default=READABLE) >= READABLE, where
    if ranks <= 16 and not scenery.table:
        total = len(board.frames)
        check_parcels(board, sorted({1, 2, total // 2, total} & set(range(1, total + 1))), where)


@pytest.mark.parametrize("ranks", [8, 16] if THOROUGH else [8])
def test_rows_of_different_structure_never_have_the_same_stage(ranks):
    kinds = {}
    for row in ROWS:
        if row.accepts(ranks):
            recording = record(row.collective, row.algorithm, ranks=ranks)
            scenery = proved_storyboard(recording).scenery
            look = (tuple(card.box for card in scenery.cards), scenery.grounds)
            kind = type(recording.structure)
            if kind is Loose or row.promise.routed:
                continue  # links of no particular shape, which may look like others
            assert kinds.setdefault(look, kind) is kind, f"{row.title} looks like a {kinds[look]}"
